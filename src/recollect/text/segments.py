"""A note's body in the smallest pieces that chunks are made of.

In: lines, their kinds, costs, and the limit of a chunk. Out: segments in order, none longer than the limit, each with
a priority as the beginning of a chunk. Never: a segment that holds only headings where text follows that could be
joined to it (or, at the end of a note, where text stands before it). A segment is a line, a heading with the line below
it, or a slice of a line that is longer than a chunk.
"""

from __future__ import annotations

from itertools import chain
from operator import add
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from recollect.text.blocks import BLANK, CODE, DEEPEST, ITEM, TURN, UNDERLINE
from recollect.text.sentences import best_cut

if TYPE_CHECKING:
    from recollect.text.cost import Meter
    from recollect.text.lines import LineTable

# How good a line is as the first of a chunk: headings by level, then what follows a blank line, then list items.
# Inside fenced code everything is worse than outside it.
_IN_CODE, _AFTER_BLANK_IN_CODE, _PLAIN, _ITEM, _AFTER_BLANK, _HEADING = range(6)
_HASH_BITS = 34  # the sum of two 32-bit checksums fits


class Segments(Struct, frozen=True, kw_only=True, eq=False):
    """Parallel lists, one entry a segment."""

    starts: list[int]
    ends: list[int]  # behind the last character that is no line end
    start_costs: list[int]
    end_costs: list[int]
    priorities: list[int]  # of beginning a chunk here


class _Builder:
    """Segments as they grow, line by line."""

    def __init__(self, text: str, meter: Meter, limit: int) -> None:
        self.text = text
        self.meter = meter
        self.limit = limit
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.priorities: list[int] = []

    def add_line(self, start: int, end: int, priority: int, *, below_heading: bool) -> None:
        """Take a line: to the heading above it, or as a segment of its own, or in slices."""
        cost = self.meter.at(end) - self.meter.at(start)
        lead = self.meter.at(start) - self.meter.at(self.starts[-1]) if below_heading else 0
        if lead and lead + cost < self.limit:
            self.ends[-1] = end
        elif cost > self.limit or 0 < lead <= self.limit // 2:
            self._add_slices(start, end, priority, lead if lead <= self.limit // 2 else 0)
        else:
            self.add(start, end, priority)

    def _add_slices(self, start: int, end: int, priority: int, lead: int) -> None:
        """Cut a line into slices of at most the limit; the first joins the heading above it if there is a lead."""
        at = start
        while at < end:
            room = self.limit - (lead if at == start else 0)
            latest = min(max(self.meter.reach(self.meter.at(at) + room), at + 1), end)
            cut = latest if latest == end else best_cut(self.text, at + (latest - at) * 3 // 4, latest)
            if at == start and lead:
                self.ends[-1] = cut
            elif not self.text[at:cut].isspace():
                self.add(at, cut, priority if at == start else 0)
            at = cut

    def join_last(self) -> None:
        """Put headings at the very end, under which nothing stands, to what comes before them."""
        if len(self.starts) > 1 and self.meter.at(self.ends[-1]) - self.meter.at(self.starts[-2]) < self.limit:
            self.ends[-2] = self.ends[-1]
            for entries in (self.starts, self.ends, self.priorities):
                entries.pop()

    def add(self, start: int, end: int, priority: int) -> None:
        """Take a line, or a slice of one, as a segment of its own."""
        self.starts.append(start)
        self.ends.append(end)
        self.priorities.append(priority)


def segments_of(table: LineTable, kinds: bytearray, meter: Meter, limit: int) -> Segments:
    """The segments of every line that is not blank."""
    builder = _Builder(table.text, meter, limit)
    short = limit // meter.heaviest  # a line of so many characters fits whatever they are
    indexes = [index for index, kind in enumerate(kinds) if kind]
    before, before_kind = -1, BLANK
    for index, mark in zip(indexes, _content_marks(table, indexes), strict=True):
        kind = kinds[index]
        heading = kind <= DEEPEST
        below_heading = BLANK < before_kind <= DEEPEST or before_kind == UNDERLINE
        rank = _HEADING + DEEPEST - kind if heading else _rank(kind, after_blank=before != index - 1)
        start = table.starts[index]
        priority, length = rank << _HASH_BITS | mark, len(table.lines[index])
        if length <= short and not below_heading:
            builder.add(start, start + length, priority)
        else:
            builder.add_line(start, start + length, priority, below_heading=below_heading)
        before, before_kind = index, kind
    if BLANK < before_kind <= DEEPEST or before_kind == UNDERLINE:
        builder.join_last()
    return Segments(
        starts=builder.starts,
        ends=builder.ends,
        start_costs=meter.all_at(builder.starts),
        end_costs=meter.all_at(builder.ends),
        priorities=builder.priorities,
    )


def _rank(kind: int, *, after_blank: bool) -> int:
    if kind == CODE:
        return _AFTER_BLANK_IN_CODE if after_blank else _IN_CODE
    if after_blank:
        return _AFTER_BLANK
    return _ITEM if kind in {ITEM, TURN} else _PLAIN


def _content_marks(table: LineTable, indexes: list[int]) -> list[int]:
    """A number for each line that is not blank, from its content and that of the next one.

    The next line counts because many lines are alike (rules, "## User", list heads) and what follows them is not.
    """
    lines = table.lines
    sums = [crc32(lines[index].encode("utf-8", "surrogatepass")) for index in indexes]
    following = chain(sums[1:], sums[-1:])  # the last line stands for its own successor: equal lines stay equal
    return list(map(add, sums, following)) if sums else []
