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
    """The text of a hit, at most `limit` characters, and the lines that it shows."""
    pieces: list[str] = []
    spans: list[Span] = []
    left = limit
    for part in packed.parts:
        text, span = _read(part, layout, texts)
        if pieces:
            left -= len(GAP)
        if left <= 0:
            break
        if len(text) > left:
            text = text[:left]
            span = Span(start_line=span.start_line, end_line=span.start_line + text.count("\n"))
        left -= len(text)
        pieces.append(text)
        if spans and span.start_line <= spans[-1].end_line:  # two stretches of one long line
            spans[-1] = Span(start_line=spans[-1].start_line, end_line=max(span.end_line, spans[-1].end_line))
        else:
            spans.append(span)
    return Snippet(GAP.join(pieces), tuple(spans))


def _read(part: Part, layout: Layout, texts: Mapping[int, str]) -> tuple[str, Span]:
    """A stretch: whole units, and the wanted characters of the units beside it, cut between words."""
    lines: list[str] = []
    previous_chunk, previous_end = -1, 0
    for unit in range(part.first, part.last + 1):
        chunk, start, end = int(layout.unit_chunk[unit]), int(layout.unit_start[unit]), int(layout.unit_end[unit])
        if chunk == previous_chunk:
            lines.append(texts[chunk][previous_end:end])
        else:
            lines.append(_joint(layout, unit) if lines else "")
            lines.append(texts[chunk][start:end])
        previous_chunk, previous_end = chunk, end
    first_line, last_line = int(layout.unit_line[part.first]), int(layout.unit_end_line[part.last])
    text = "".join(lines)
    if part.head:
        head = _unit_text(part.first - 1, layout, texts)
        head = _tail_of(head, part.head)
        if head:
            joint = _joint(layout, part.first)
            text = head + joint + text
            first_line = int(layout.unit_end_line[part.first - 1]) - head.count("\n")
    if part.tail:
        tail = _head_of(_unit_text(part.last + 1, layout, texts), part.tail)
        if tail:
            text = text + _joint(layout, part.last + 1) + tail
            last_line = int(layout.unit_line[part.last + 1]) + tail.count("\n")
    return text, Span(start_line=first_line, end_line=last_line)


def _joint(layout: Layout, unit: int) -> str:
    """What stands between a unit and the one before it: a space in one line, else line breaks, blank lines kept."""
    return "\n" * int(layout.unit_line[unit] - layout.unit_end_line[unit - 1]) or " "


def _unit_text(unit: int, layout: Layout, texts: Mapping[int, str]) -> str:
    return texts[int(layout.unit_chunk[unit])][int(layout.unit_start[unit]) : int(layout.unit_end[unit])]


def _head_of(text: str, limit: int) -> str:
    """The beginning of a text, cut after a word where there is one."""
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", limit // 2, limit)
    return text[: cut if cut > 0 else limit].rstrip()


def _tail_of(text: str, limit: int) -> str:
    """The end of a text, cut before a word where there is one."""
    if len(text) <= limit:
        return text
    start = len(text) - limit
    cut = text.find(" ", start, start + limit // 2)
    return text[cut + 1 if cut >= 0 else start :].lstrip()
