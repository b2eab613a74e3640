"""Pack the best units into hits: what matched in one region of a note, filled up with what stands around it.

In: the best units in order, and the layout. Out: for each hit the stretches of units to show, in reading order.
A snippet may hold several units of one region, because several good units make one hit better, not several hits of
the same place; what room is left goes to the neighbours that the question likes best, then to a part of one more.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import Layout
    from recollect.rank.weights import PackWeights

GAP = "\n…\n"
_MINIMUM_PART = 40  # characters of a neighbour that are worth showing


class Part(Struct, frozen=True):
    """A stretch of adjoining units to show; `head` and `tail` are further characters of the units beside it."""

    first: int
    last: int
    head: int = 0  # characters of the end of unit first - 1
    tail: int = 0  # characters of the beginning of unit last + 1


class Packed(Struct, frozen=True):
    """A hit before its text is read: its best unit and the stretches to show, in reading order."""

    best: int
    matched: tuple[int, ...]
    parts: tuple[Part, ...]


class _Region:
    """A hit in the making."""

    __slots__ = ("best", "note", "place", "room", "units")

    def __init__(self, best: int, note: int, place: int, room: int) -> None:
        self.best, self.note, self.place, self.room = best, note, place, room
        self.units = {best}


def positions(layout: Layout) -> NDArray[np.int64]:
    """Where each unit ends, in characters counted through all notes; made once for a layout."""
    ends: NDArray[np.int64] = (layout.unit_end - layout.unit_start + 1).cumsum(dtype="int64")
    return ends


class _Shelf:
    """Sizes of units and notes in characters."""

    def __init__(self, layout: Layout, ends: NDArray[np.int64]) -> None:
        self.layout, self._ends = layout, ends

    def size(self, unit: int) -> int:
        return int(self.layout.unit_end[unit]) - int(self.layout.unit_start[unit])

    def note(self, unit: int) -> int:
        return int(self.layout.unit_note[unit])

    def units(self, note: int) -> tuple[int, int]:
        return int(self.layout.note_first_unit[note]), int(self.layout.note_first_unit[note + 1])

    def length(self, note: int) -> int:
        first, end = self.units(note)
        return int(self._ends[end - 1]) - (int(self._ends[first - 1]) if first else 0)

    def measured(self, ranked: Sequence[int]) -> zip[tuple[int, int, int]]:
        """Note, size and position of each of some units."""
        layout = self.layout
        sizes = layout.unit_end[ranked] - layout.unit_start[ranked]
        return zip(layout.unit_note[ranked].tolist(), sizes.tolist(), self._ends[ranked].tolist(), strict=True)


def pack(
    ranked: Sequence[int],
    scores: NDArray[np.float32],
    layout: Layout,
    ends: NDArray[np.int64],
    limit: int,
    weights: PackWeights,
) -> list[Packed]:
    """Turn units, best first, into at most `limit` hits, best first; `ends` is what `positions` gave.

    The hits are the same however many are wanted: none depends on those after it.
    """
    if not len(ranked) or limit < 1:
        return []
    shelf = _Shelf(layout, ends)
    most = 2 * limit  # regions: some are shown by a better one already
    while True:
        regions = _regions(ranked, scores, shelf, most, weights)
        hits = _hits(regions, scores, shelf, limit)
        if len(hits) == limit or len(regions) < most:
            return hits
        most *= 2


def _hits(regions: Sequence[_Region], scores: NDArray[np.float32], shelf: _Shelf, limit: int) -> list[Packed]:
    """Fill the regions one after the other; what one shows, no later one shows again."""
    taken: set[int] = set()
    hits: list[Packed] = []
    for region in regions:
        if len(hits) == limit:
            break
        if region.best in taken:
            continue
        region.units -= taken
        matched = tuple(sorted(region.units))
        taken |= region.units
        shown = _fill(region, taken, scores, shelf)
        taken |= shown
        hits.append(Packed(region.best, matched, _parts(shown, region.room, taken, scores, shelf)))
    return hits


def _regions(
    ranked: Sequence[int],
    scores: NDArray[np.float32],
    shelf: _Shelf,
    most: int,
    weights: PackWeights,
) -> list[_Region]:
    """Let the best units join the region of a better one, or open their own as long as there are not `most`.

    A unit that would open one more region beside those of its note waits until its lowered score has its turn.
    """
    regions: list[_Region] = []
    by_note: dict[int, list[_Region]] = {}
    places = list(shelf.measured(ranked))
    queue = [(-score, rank, 0) for rank, score in enumerate(scores[ranked].tolist())]
    while queue:  # a heap: `ranked` is sorted by score
        lowered, rank, waited = heappop(queue)
        unit, (note, size, place) = ranked[rank], places[rank]
        near = [home for home in by_note.get(note, ()) if abs(place - home.place) <= weights.region_chars]
        home = _home(near, size) if rank < weights.merge_pool else None
        if home is not None:
            home.units.add(unit)
            home.room -= size + len(GAP)
        elif len(regions) == most:
            continue  # no region has room for it, and none will open
        elif waited < len(near):
            shown = min(1.0, weights.snippet_chars / shelf.length(note))
            heappush(queue, (lowered * (1 - weights.repeat_penalty * shown), rank, waited + 1))
        else:
            region = _Region(unit, note, place, weights.snippet_chars - size)
            regions.append(region)
            by_note.setdefault(note, []).append(region)
    return regions


def _home(regions: Iterable[_Region], size: int) -> _Region | None:
    return next((region for region in regions if size + len(GAP) <= region.room), None)


def _neighbours(shown: set[int], note: int, shelf: _Shelf) -> list[int]:
    first, end = shelf.units(note)
    beside = {unit + step for unit in shown for step in (-1, 1)} - shown
    return [unit for unit in beside if first <= unit < end]


def _fill(region: _Region, taken: set[int], scores: NDArray[np.float32], shelf: _Shelf) -> set[int]:
    """Add whole neighbours, the best first, as long as they fit."""
    shown = set(region.units)
    while True:
        fitting = [
            unit
            for unit in _neighbours(shown, region.note, shelf)
            if unit not in taken and shelf.size(unit) + 1 <= region.room
        ]
        if not fitting:
            return shown
        best = max(fitting, key=lambda unit: (scores[unit], unit))
        shown.add(best)
        region.room -= shelf.size(best) + 1


def _parts(shown: set[int], room: int, taken: set[int], scores: NDArray[np.float32], shelf: _Shelf) -> tuple[Part, ...]:
    """The stretches of what is shown; the last room goes to a part of the best neighbour that did not fit whole."""
    runs: list[list[int]] = []
    for unit in sorted(shown):
        if runs and unit == runs[-1][1] + 1:
            runs[-1][1] = unit
        else:
            runs.append([unit, unit])
    open_ends = [unit for unit in _neighbours(shown, shelf.note(runs[0][0]), shelf) if unit not in taken]
    if room <= _MINIMUM_PART or not open_ends:
        return tuple(Part(first, last) for first, last in runs)
    extra = max(open_ends, key=lambda unit: (scores[unit], unit))
    part = min(room - 1, shelf.size(extra))
    return tuple(
        Part(first, last, head=part if extra == first - 1 else 0, tail=part if extra == last + 1 else 0)
        for first, last in runs
    )
