"""What an agent reads at the start of a session: MEMORY.md and the logs of today and yesterday.

A memory, the kind of chat and the day enter; fenced text leaves, with what was cut, its size, and a warning before
MEMORY.md outgrows what hosts load. Reads through the memory alone; which day it is, the host knows.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from recollect.agent.fence import fence
from recollect.agent.results import words_of
from recollect.agent.scope import ChatType, may_read
from recollect.errors import ArgumentError
from recollect.text.snippet import clip
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.agent.recall import Recall
    from recollect.types import GetResult

MAX_CHARS: Final = 20_000  # of a note
HOST_LINES: Final = 200
HOST_BYTES: Final = 25_000
_NEAR: Final = 0.8  # of a budget: from here on it is said
_MOST_READS: Final = 64  # of one note, for its size: about 750,000 characters
_CUT_LINE: Final = 12_000  # a line of this length may have been cut by the memory
_ALL_LINES: Final = 1_000_000
_CURATED: Final = ("MEMORY.md", "memory.md")


class BootstrapPart(Struct, frozen=True, kw_only=True):
    """One note at the start of a session. `total_chars` is a lower bound where `measured` is false."""

    path: str
    text: str  # what is handed over of it, without the fence
    chars: int
    total_chars: int
    total_lines: int
    total_bytes: int
    measured: bool
    next_line: int | None  # where memory_get goes on, when it was cut

    @property
    def cut(self) -> bool:
        """Whether something of the note is missing."""
        return self.chars < self.total_chars or not self.measured


class Bootstrap(Struct, frozen=True, kw_only=True):
    """The text for a session's start, the notes that it was made of, and what should be known about it."""

    text: str
    parts: tuple[BootstrapPart, ...]
    warnings: tuple[Problem, ...]


def bootstrap(memory: Recall, *, chat: ChatType, today: date) -> Bootstrap:
    """MEMORY.md where this chat may read it, and the logs of today and yesterday, each up to 20,000 characters."""
    if not isinstance(today, date):
        raise ArgumentError("today must be a date.", hint="Try today=datetime.date.today().")
    parts: list[BootstrapPart] = []
    warnings: list[Problem] = []
    for names in (_CURATED, *((f"memory/{day:%Y-%m-%d}.md",) for day in (today, today - timedelta(days=1)))):
        if not all(may_read(name, chat) for name in names):
            warnings.append(_private(names[0]))
            continue
        part = _first_of(memory, names, warnings)
        if part is not None and part.text:
            parts.append(part)
            warnings += _said_of(part)
    text = "\n\n".join(_shown(part) for part in parts)
    return Bootstrap(text=f"{text}\n" if text else "", parts=tuple(parts), warnings=tuple(warnings))


def _first_of(memory: Recall, names: tuple[str, ...], warnings: list[Problem]) -> BootstrapPart | None:
    """The first of these notes that exists. What cannot be read is said, and does not keep a session from starting."""
    for name in names:
        try:
            part = _read(memory, name)
        except Exception as error:  # noqa: BLE001 - whatever a disk does, the session begins
            warnings.append(Problem(code="unreadable", message=" ".join(words_of(error)).strip(), path=name))
            continue
        if part is not None:
            return part
    return None


def _read(memory: Recall, path: str) -> BootstrapPart | None:
    """A note from its beginning, as far as it is handed over, and how large it is."""
    passages = list(_passages(memory, path))
    if not passages:
        return None
    text = "\n".join(passage.text for passage in passages)
    kept = _whole_lines(text, MAX_CHARS)
    last = passages[-1]
    return BootstrapPart(
        path=last.path,
        text=kept,
        chars=len(kept),
        total_chars=len(text),
        total_lines=text.count("\n") + (not text.endswith("\n")) if text else 0,
        total_bytes=len(text.encode()),
        measured=last.next_line is None and not any(_may_be_short(passage) for passage in passages),
        next_line=kept.count("\n") + 2 if text[len(kept) : len(kept) + 1] == "\n" else None,
    )


def _passages(memory: Recall, path: str) -> Iterator[GetResult]:
    """A note in pieces as large as the memory gives them; none where it does not exist."""
    start: int | None = 1
    for _ in range(_MOST_READS):
        passage = memory.get(path, start=start, lines=_ALL_LINES)
        if not passage.exists:
            return
        yield passage
        start = passage.next_line
        if start is None:
            return


def _may_be_short(passage: GetResult) -> bool:
    """Whether this is a line that is longer than a memory gives, so that its end was never seen."""
    return passage.truncated and passage.end_line == passage.start_line and len(passage.text) >= _CUT_LINE


def _whole_lines(text: str, limit: int) -> str:
    """As many whole lines as fit; of a first line that does not, the beginning."""
    if len(text) <= limit:
        return text
    end = text.rfind("\n", 0, limit + 1)
    return text[:end] if end > 0 else clip(text, limit)


def _shown(part: BootstrapPart) -> str:
    """A note in its fence, with a word on what is missing behind it."""
    fenced = fence(part.text, f"{part.path}#L1-L{part.text.count(chr(10)) + 1}")
    return f"{fenced}\n{_cut_note(part)}" if part.cut else fenced


def _cut_note(part: BootstrapPart) -> str:
    more = "" if part.measured else "more than "
    said = f"({part.path} was cut: {part.chars:,} of {more}{part.total_chars:,} characters."
    return f"{said} memory_get reads on from line {part.next_line}.)" if part.next_line is not None else f"{said})"


def _said_of(part: BootstrapPart) -> Iterator[Problem]:
    if part.cut:
        yield Problem(code="cut", message=_cut_note(part).strip("()"), path=part.path)
    if part.path not in _CURATED:
        return
    sizes = (
        (part.total_lines, HOST_LINES, "lines"),
        (part.total_bytes, HOST_BYTES, "bytes"),
        (part.total_chars, MAX_CHARS, "characters"),
    )
    over = [f"{size:,} of {most:,} {unit}" for size, most, unit in sizes if size >= _NEAR * most]
    if over:
        beyond = any(size > most for size, most, _ in sizes) or not part.measured
        state = "has outgrown" if beyond else "will soon outgrow"
        message = (
            f"{part.path} {state} what hosts load of it ({', '.join(over)}). Move what is seldom needed to memory/."
        )
        yield Problem(code="outgrown" if beyond else "nearly-outgrown", message=message, path=part.path)


def _private(name: str) -> Problem:
    return Problem(code="private-left-out", message=f"{name} was left out: it is for a private, direct chat alone.")
