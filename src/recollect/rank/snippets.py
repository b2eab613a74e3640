"""Read out what a hit shows: the file's own text of its stretches, gaps marked, with the lines where it stands.

In: packed hits and the own text of their chunks. Out: text and spans. What is shown is always the file's own text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.rank.pack import GAP
from recollect.types import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.protocols import Layout
    from recollect.rank.pack import Packed, Part


CUT = "…"  # where a snippet begins or ends within a line
_GAP_IN_LINE = " … "


class Snippet(Struct, frozen=True):
    """What is shown of a note."""

    text: str
    spans: tuple[Span, ...]


def chunks_needed(packed: Packed, layout: Layout) -> set[int]:
    """The ordinals of the chunks whose text a hit needs."""
    needed: set[int] = set()
    for part in packed.parts:
        first = part.first - (1 if part.head else 0)
        last = part.last + (1 if part.tail else 0)
        needed.update(layout.unit_chunk[first : last + 1].tolist())
    return needed


def snippet(packed: Packed, layout: Layout, texts: Mapping[int, str], limit: int) -> Snippet:
    """The text of a hit, at most `limit` characters, and the lines that it shows; where it begins or ends within a
    line, that is marked."""
    book = _Book(layout, texts)
    shown, ends_within = "", False
    spans: list[Span] = []
    for part in packed.parts:
        left = limit - len(shown) - len(GAP if shown else CUT) - len(CUT)
        if left <= 0:
            break
        stretch = book.read(part, left)
        same_line = bool(spans) and stretch.span.start_line <= spans[-1].end_line  # two stretches of one long line
        before = (_GAP_IN_LINE if same_line else GAP) if spans else _mark(within_line=stretch.from_within)
        text, span, to_within = stretch.text, stretch.span, stretch.to_within
        if len(text) > left:
            text, to_within = text[:left], True
            span = Span(start_line=span.start_line, end_line=span.start_line + text.count("\n"))
        shown += before + text
        if same_line:
            span = Span(start_line=spans.pop().start_line, end_line=span.end_line)
        spans.append(span)
        ends_within = to_within
    return Snippet(shown + _mark(within_line=ends_within), tuple(spans))


def _mark(*, within_line: bool) -> str:
    return CUT if within_line else ""


class _Stretch(Struct, frozen=True):
    """A stretch as it stands in the note, and whether it begins and ends within a line."""

    text: str
    span: Span
    from_within: bool
    to_within: bool


class _Book:
    """Reads stretches out of the own texts of chunks."""

    def __init__(self, layout: Layout, texts: Mapping[int, str]) -> None:
        self._layout, self._texts = layout, texts

    def read(self, part: Part, room: int) -> _Stretch:
        """Whole units with all that stands between them, and the wanted characters of the units beside them as far as
        there is room."""
        layout = self._layout
        pieces = [self._unit(part.first)]
        for unit in range(part.first + 1, part.last + 1):
            pieces += (self._before(unit), self._unit(unit))
        text = "".join(pieces)
        first_line, last_line = int(layout.unit_line[part.first]), int(layout.unit_end_line[part.last])
        from_within, to_within = self._joined(part.first), self._joined(part.last + 1)
        room -= len(text) + 2
        if part.head and (head := _tail_of(self._unit(part.first - 1), min(part.head, room))):
            text = head.text + self._before(part.first) + text
            first_line = int(layout.unit_end_line[part.first - 1]) - head.text.count("\n")
            from_within = head.within_line if head.is_cut else self._joined(part.first - 1)
        if part.tail and (tail := _head_of(self._unit(part.last + 1), min(part.tail, room))):
            text = text + self._before(part.last + 1) + tail.text
            last_line = int(layout.unit_line[part.last + 1]) + tail.text.count("\n")
            to_within = tail.within_line if tail.is_cut else self._joined(part.last + 2)
        return _Stretch(text, Span(start_line=first_line, end_line=last_line), from_within, to_within)

    def _unit(self, unit: int) -> str:
        layout = self._layout
        return self._texts[int(layout.unit_chunk[unit])][int(layout.unit_start[unit]) : int(layout.unit_end[unit])]

    def _joined(self, unit: int) -> bool:
        """Whether a unit begins on the line on which the one before it ends."""
        layout = self._layout
        if not 0 < unit < len(layout.unit_note) or layout.unit_note[unit] != layout.unit_note[unit - 1]:
            return False
        return bool(layout.unit_line[unit] == layout.unit_end_line[unit - 1])

    def _before(self, unit: int) -> str:
        """What stands between a unit and the one before it: spaces, or line ends with blank lines and indentation."""
        layout = self._layout
        chunk, earlier = int(layout.unit_chunk[unit]), int(layout.unit_chunk[unit - 1])
        start, end = int(layout.unit_start[unit]), int(layout.unit_end[unit - 1])
        if chunk == earlier:
            return self._texts[chunk][end:start]
        behind, ahead = self._texts[earlier][end:], self._texts[chunk][:start]
        breaks = int(layout.unit_line[unit] - layout.unit_end_line[unit - 1])
        return behind + "\n" * (breaks - behind.count("\n") - ahead.count("\n")) + ahead


class _Cut(Struct, frozen=True):
    """A part of a unit: whether anything of it was left out, and whether the cut lies within a line."""

    text: str
    is_cut: bool
    within_line: bool

    def __bool__(self) -> bool:
        return bool(self.text)


def _head_of(text: str, limit: int) -> _Cut:
    """The beginning of a text, cut at the end of a line or else of a word where there is one."""
    if limit <= 0:
        return _Cut("", is_cut=True, within_line=False)
    if len(text) <= limit:
        return _Cut(text, is_cut=False, within_line=False)
    line = text.rfind("\n", limit - limit // 4, limit)
    if line > 0:
        return _Cut(text[:line].rstrip(), is_cut=True, within_line=False)
    word = text.rfind(" ", limit // 2, limit)
    return _Cut(text[: word if word > 0 else limit].rstrip(), is_cut=True, within_line=True)


def _tail_of(text: str, limit: int) -> _Cut:
    """The end of a text, cut at the beginning of a line or else of a word where there is one."""
    if limit <= 0:
        return _Cut("", is_cut=True, within_line=False)
    if len(text) <= limit:
        return _Cut(text, is_cut=False, within_line=False)
    start = len(text) - limit
    line = text.find("\n", start, start + limit // 4)
    if line >= 0:
        return _Cut(text[line + 1 :].lstrip("\n"), is_cut=True, within_line=False)
    word = text.find(" ", start, start + limit // 2)
    return _Cut(text[word + 1 if word >= 0 else start :].lstrip(), is_cut=True, within_line=True)
