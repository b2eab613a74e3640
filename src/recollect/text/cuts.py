"""Where chunks begin, chosen so that an insertion moves few of them.

In: segments, the limit of a chunk and its overlap. Out: for each chunk its segments and how much may come before them.
Never: offsets or lines.

Cuts that are counted from the top of a file all move when a line is added there. So most cuts are landmarks: segments
that begin a chunk better than every other within some distance on both sides (by kind of line, then by content). A
landmark depends on what stands around it and on nothing else. Only where two landmarks lie too far apart for one chunk
is the stretch between them filled from its beginning, and what changes inside a stretch does not leave it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recollect.text.segments import Segments

# All are shares of what a chunk can own beside a full overlap.
_HORIZON = 0.4  # how far around a landmark nothing may be better: also the least that a landmark leaves to a chunk
_SHORTEST = 0.5  # where the choice of a cut begins when a stretch is filled
_REMAINDER = 0.3  # what the last chunk of a stretch should have at least
_LEAST_OVERLAP = 0.5  # a stretch that fits into one chunk with this share of the overlap is not cut for the rest


class Cut(Struct, frozen=True):
    """The segments [first, past) make a chunk's own part; `overlap` is the most that it may repeat from before."""

    first: int
    past: int
    overlap: int


class _Plan(Struct, frozen=True):
    segments: Segments
    limit: int
    overlap: int
    share: int  # what a chunk can own beside a full overlap
    repeated: Callable[[int, int], int]


def cuts_of(
    segments: Segments,
    *,
    limit: int,
    overlap: int,
    repeated: Callable[[int, int], int],
) -> Iterator[Cut]:
    """The chunks in order; together they hold every segment once.

    `repeated` says what the overlap before a segment really costs when it may cost so much at most.
    """
    plan = _Plan(segments, limit, overlap, max(limit - overlap, limit // 2), repeated)
    first = 0
    for landmark in (*landmarks(segments, round(plan.share * _HORIZON)), len(segments.starts)):
        yield from _fill(plan, first, landmark)
        first = landmark


def landmarks(segments: Segments, horizon: int) -> list[int]:
    """The segments whose priority is above that of all others that begin within the horizon, in order."""
    costs, priorities = segments.start_costs, segments.priorities
    if not costs or segments.end_costs[-1] - costs[0] < 2 * horizon:
        return []
    found = []
    earliest, latest = costs[0] + horizon, segments.end_costs[-1] - horizon
    count = len(costs)
    past = bisect_right(costs, costs[0] + horizon)  # everything before it has been looked at
    best, peak = _last_highest(priorities, 0, past)
    while True:
        # Climb to the right until nothing within the horizon is higher (an equal one also moves on: no peak is shared).
        reach = bisect_right(costs, costs[best] + horizon, past, count)
        higher, top = _last_highest(priorities, past, reach)
        if top >= peak:
            best, peak, past = higher, top, reach
            continue
        if earliest <= costs[best] <= latest and _towers_left(segments, best, horizon):
            found.append(best)
        past = max(reach, past)
        if past >= count:
            return found
        # All that was looked at is lower than this peak and near it: the next peak lies further right.
        reach = bisect_right(costs, costs[past] + horizon, past, count)
        best, peak = _last_highest(priorities, past, reach)
        past = reach


def _last_highest(priorities: list[int], first: int, past: int) -> tuple[int, int]:
    """The place and the value of the highest priority in a range, the last of equal ones; (first, -1) if empty."""
    window = priorities[first:past]
    if not window:
        return first, -1
    peak = max(window)
    window.reverse()
    return past - 1 - window.index(peak), peak


def _towers_left(segments: Segments, place: int, horizon: int) -> bool:
    from_ = bisect_left(segments.start_costs, segments.start_costs[place] - horizon, 0, place)
    return max(segments.priorities[from_:place], default=-1) < segments.priorities[place]


def _fill(plan: _Plan, first: int, past: int) -> Iterator[Cut]:
    """Chunks for the segments [first, past), each as full as a good border allows."""
    starts, ends = plan.segments.start_costs, plan.segments.end_costs
    while first < past:
        least = ends[first] - starts[first] + 1
        budget = min(plan.overlap, max(plan.limit - least, 0)) if first else 0
        carried = plan.repeated(first, budget) if budget else 0
        rest = ends[past - 1] - starts[first] + 1
        if rest <= plan.limit - round(carried * _LEAST_OVERLAP):
            end = past
            budget = min(budget, max(plan.limit - rest, 0))
        else:
            # The last segment that ends within the room; a single one may fill the limit to the last character.
            fitting = bisect_right(ends, starts[first] + plan.limit - carried - 1, first, past)
            end = _border(plan, first, max(fitting, first + 1), rest)
        yield Cut(first, end, budget)
        first = end


def _border(plan: _Plan, first: int, last: int, rest: int) -> int:
    """The best segment for the next chunk to begin with, `last` being the furthest that is possible."""
    starts, priorities = plan.segments.start_costs, plan.segments.priorities
    low = bisect_left(starts, starts[first] + round(plan.share * _SHORTEST), first + 1, last)
    window = priorities[low : last + 1]
    if len(window) <= 1 or min(window) == max(window):
        return last
    high = bisect_right(starts, starts[first] + rest - round(plan.share * _REMAINDER), low, last + 1)
    return _last_highest(priorities, low, high)[0] if high > low else last
