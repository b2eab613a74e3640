r"""A note cut into chunks: what the index keeps, what remote models embed, what the chunk settings speak of.

In: a note's text and the two settings. Out: chunks with exact offsets and lines, their units and their heading path.
Never: a blank chunk, a chunk beyond the limit, or a text that is not the note's own. Front matter belongs to no chunk
(unless there is nothing else), so the own parts hold, in order, every character of the body that is not blank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.errors import ArgumentError
from recollect.text import frontmatter
from recollect.text.blocks import kinds_of
from recollect.text.cost import Meter
from recollect.text.cuts import Cut, cuts_of
from recollect.text.headings import path_at, paths_of
from recollect.text.lines import LineTable
from recollect.text.segments import Segments, segments_of
from recollect.text.sentences import first_cut
from recollect.text.units import WIDE, UnitCutter
from recollect.types import Chunk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.text.headings import Path

_COST_OF_A_TOKEN = 4
_LEAST_LIMIT = 32
_WIDE = 4  # a Han character is about one token, which is what four Latin ones are
_LEAST_SCRAP = 0.25  # of the overlap: the end of a line that is shorter than this tells nobody anything


class CutNote(Struct, frozen=True):
    """A note's chunks in order, and where its heading path changes (as `headings.heading_paths` tells it)."""

    chunks: tuple[Chunk, ...]
    paths: Sequence[tuple[int, Path]]


def chunk_note(text: str, *, tokens: int, overlap: int) -> tuple[Chunk, ...]:
    """The chunks of a note in order. `tokens` and `overlap` are the settings of the same names."""
    return cut_note(text, tokens=tokens, overlap=overlap).chunks


def cut_note(text: str, *, tokens: int, overlap: int) -> CutNote:
    """As chunk_note, with the heading paths, which are found on the way."""
    if tokens < 1 or overlap < 0:
        raise ArgumentError(
            f"A note cannot be cut into chunks of {tokens} tokens with an overlap of {overlap}.",
            hint="Set chunking.tokens to 1 or more and chunking.overlap to 0 or more.",
        )
    note = _Note(text, limit=max(_LEAST_LIMIT, tokens * _COST_OF_A_TOKEN), overlap=overlap * _COST_OF_A_TOKEN)
    return CutNote(note.chunks(), note.paths)


class _Note:
    """What is known of a note while it is cut."""

    def __init__(self, text: str, *, limit: int, overlap: int) -> None:
        self.text = text
        self.limit = limit
        self.overlap = overlap
        self.table = LineTable.of(text)
        self.first_line = self.table.line_at(frontmatter.indexed_start(text))
        self.kinds = kinds_of(self.table, first=self.first_line - 1)
        self.meter = Meter.of(text, wide=_WIDE)
        self.plain = self.meter.plain
        self.paths = paths_of(self.table, self.kinds)

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks in order."""
        segments = segments_of(self.table, self.kinds, self.meter, self.limit)
        units = UnitCutter(self.table, self.kinds, self.meter.reweighed(wide=WIDE, was=_WIDE))
        chunks = []

        def repeated(segment: int, budget: int) -> int:
            own_start = segments.starts[segment]
            return self._cost(self._start(own_start, budget), own_start)

        for cut in cuts_of(segments, limit=self.limit, overlap=self.overlap, repeated=repeated):
            own_start = segments.starts[cut.first]
            start = self._start(own_start, cut.overlap)
            end = self._end(segments, cut, start)
            own_start_line = self.table.line_at(own_start)
            end_line = self.table.line_at(end)
            chunks.append(
                Chunk(
                    start=start,
                    end=end,
                    start_line=own_start_line if start == own_start else self.table.line_at(start),
                    end_line=end_line,
                    own_start=own_start,
                    own_start_line=own_start_line,
                    units=units.units(own_start, end, own_start_line, end_line),
                    headings=path_at(self.paths, own_start),
                ),
            )
        return tuple(chunks)

    def _start(self, own_start: int, budget: int) -> int:
        """Where the overlap begins: whole lines before the own part, or the end of one line that is too long."""
        line = self.table.line_at(own_start)
        line_start = self.table.start(line)
        if own_start > line_start:
            return self._line_tail(line_start, own_start, budget)
        start, left = own_start, budget
        for before in range(line - 1, self.first_line - 1, -1):
            begin = self.table.start(before)
            left -= self._cost(begin, begin + len(self.table.lines[before - 1])) + 1
            if left < 0:
                break
            if self.kinds[before - 1]:
                start = begin
        if start < own_start or line <= self.first_line:
            return start
        # Not even the line before fits (blank ones are no line worth repeating): take its end.
        before = line - 1
        while before > self.first_line and not self.kinds[before - 1]:
            before -= 1
        end = self.table.end(before)
        return self._line_tail(self.table.start(before), end, budget - self._cost(end, own_start), otherwise=own_start)

    def _line_tail(self, start: int, end: int, budget: int, *, otherwise: int | None = None) -> int:
        """The beginning of the last part of a line that costs no more than the budget, at a word if there is one."""
        nothing = end if otherwise is None else otherwise
        if budget <= 0 or budget < self.overlap * _LEAST_SCRAP:
            return nothing
        earliest = self.meter.reach(self.meter.at(end) - budget)
        if self._cost(earliest, end) > budget:
            earliest += 1  # the budget ended inside a wide character
        if earliest <= start:
            return start
        return first_cut(self.text, earliest, (earliest + end) // 2)

    def _end(self, segments: Segments, cut: Cut, start: int) -> int:
        """Where a chunk ends: before the next one, blank lines included, unless these would exceed the limit."""
        content_end = segments.ends[cut.past - 1]
        if cut.past == len(segments.starts):
            end = len(self.text)
        else:
            following = segments.starts[cut.past]
            at_line_start = following == self.table.start(self.table.line_at(following))
            end = following - 1 if at_line_start else following
        return end if self._cost(start, end) <= self.limit else content_end

    def _cost(self, start: int, end: int) -> int:
        return end - start if self.plain else self.meter.at(end) - self.meter.at(start)
