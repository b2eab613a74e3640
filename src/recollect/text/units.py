"""The units of a chunk: what a person would quote, what search ranks, what a static table embeds.

In: lines with their kinds, and the own part of a chunk. Out: units in order that hold all of its text that is not
blank. Never: a unit longer than the limit, or one that crosses the part it was asked for. Where a unit ends depends on
a few lines around that place, so an insertion moves few borders.

Lines are taken together until something ends the unit: a heading always, a blank line or a list item or turn unless
what came before is tiny, and the limit. A heading stays with what follows it. Lines longer than a unit are cut at
sentences.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from recollect.text.blocks import CODE, DEEPEST, FENCE, ITEM, UNDERLINE
from recollect.text.cost import Meter
from recollect.text.sentences import best_cut, sentence_ends
from recollect.types import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.text.lines import LineTable

LONGEST = 350  # what a unit may cost
WIDE = 2  # cost: a Han character says about as much as two Latin ones: a unit of them is about 175 long
_TINY_PARAGRAPH = 100  # a paragraph below this shares its unit with the next one
_TINY_ITEM = 60  # as a turn or a list item below this
_PIECE = 250  # a long line is cut into sentences together no longer than this
_SHORT_PIECE = 150  # where the cut of a sentence that is itself too long may fall at the earliest
_CLOSING_FENCE = 8  # kept free in a unit of code, so that its last line need not stand alone


class UnitCutter:
    """Cuts parts of one note into units."""

    def __init__(self, table: LineTable, kinds: bytearray) -> None:
        self._text = table.text
        self._lines = table.lines
        self._starts = table.starts
        self._kinds = kinds
        self._meter = Meter.of(table.text, wide=WIDE)
        self._plain = self._meter.plain
        self._found: list[Unit] = []
        self._open = False
        self._start = self._end = 0
        self._start_line = self._end_line = 0
        self._heading_only = False  # the open unit holds nothing but headings so far

    def units(self, start: int, end: int, first_line: int, last_line: int) -> tuple[Unit, ...]:
        """The units of the text [start, end), which stands on these lines."""
        self._found = []
        gap = False
        for line in range(first_line, last_line + 1):
            kind = self._kinds[line - 1]
            if not kind:
                gap = True
                continue
            begin = self._starts[line - 1]
            stop = begin + len(self._lines[line - 1])
            if begin < start or stop > end:
                begin, stop = max(begin, start), min(stop, end)
            self._add_line(line, kind, begin, stop, gap=gap)
            gap = False
        self._close()
        return tuple(self._found)

    def _add_line(self, line: int, kind: int, begin: int, stop: int, *, gap: bool) -> None:
        if self._open and self._ends_before(line, kind, stop, gap=gap):
            self._close()
        heading = kind <= DEEPEST or (kind == UNDERLINE and self._heading_only)
        if self._cost(self._start if self._open else begin, stop) <= LONGEST:
            self._add(line, begin, stop, heading=heading)
            return
        for piece_start, piece_end in self._pieces(begin, stop):
            if self._open and self._cost(self._start, piece_end) > LONGEST:
                self._close()
            self._add(line, piece_start, piece_end, heading=heading)

    def _ends_before(self, line: int, kind: int, stop: int, *, gap: bool) -> bool:
        """Whether the open unit ends before this line."""
        if self._heading_only:
            return False
        if kind <= DEEPEST:
            return True
        if gap or kind == ITEM:
            tiny = _TINY_ITEM if kind == ITEM else _TINY_PARAGRAPH
            if self._cost(self._start, self._end) >= tiny:
                return True
        grown = self._cost(self._start, stop)
        if kind == CODE and stop - self._starts[line - 1] > _CLOSING_FENCE:
            grown += _CLOSING_FENCE
        elif kind == FENCE and line < len(self._lines):
            # The line that opens a block must not be parted from the first line in it.
            grown += self._cost(stop, self._starts[line + 1] - 1)
        return grown > LONGEST

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A long line in runs of sentences; a sentence that is too long is cut at words."""
        last = start
        for stop in chain(sentence_ends(self._text, start, end), (end,)):
            if last > start and self._cost(start, stop) > _PIECE:
                yield start, last
                start = last
            while self._cost(start, stop) > LONGEST:
                cost = self._meter.at(start)
                cut = best_cut(self._text, self._meter.reach(cost + _SHORT_PIECE), self._meter.reach(cost + _PIECE))
                yield start, cut
                start = cut
            last = stop
        if start < end:
            yield start, end

    def _add(self, line: int, begin: int, stop: int, *, heading: bool) -> None:
        """Let the open unit grow, or open one."""
        if self._open:
            self._heading_only = self._heading_only and heading
        elif self._text[begin:stop].isspace() or begin == stop:
            return  # a stretch of spaces in a long line is nobody's text
        else:
            self._open = True
            self._start, self._start_line = begin, line
            self._heading_only = heading
        self._end, self._end_line = stop, line

    def _close(self) -> None:
        if not self._open:
            return
        text = self._text[self._start : self._end]
        self._found.append(
            Unit(
                start=self._end - len(text.lstrip()),
                end=self._start + len(text.rstrip()),
                start_line=self._start_line,
                end_line=self._end_line,
            ),
        )
        self._open = False

    def _cost(self, start: int, end: int) -> int:
        return end - start if self._plain else self._meter.at(end) - self._meter.at(start)
