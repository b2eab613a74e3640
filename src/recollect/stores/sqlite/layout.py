"""The layout of one generation and what is looked up through it, as arrays.

Enters: rows of `files` and `chunks`, stored vectors. Leaves: a `Layout`, the place of a unit's number in it, cosines.
Pure; imported only where numpy is needed anyway. Never an index out of range, whatever a damaged row says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from recollect.protocols import Layout, NoteEntry
from recollect.stores.sqlite.schema import HAS_VECTOR, WIDE_HAS_VECTOR, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.stores.sqlite.vectors import Rows
    from recollect.types import Source

FileEntry = tuple[int, str, str, int]  # id, path, source, mtime_ns
# id, file_id, seq, start_line, end_line, own_line, wide, units
ChunkEntry = tuple[int, int, int, int, int, int, int, bytes]

_NAMES = ("start", "end", "first", "last", "terms")
_UNIT = np.dtype([*[(name, "<u2") for name in _NAMES], ("key", "S8")])
_WIDE_UNIT = np.dtype([*[(name, "<u4") for name in _NAMES], ("key", "S8")])

_DENSE = 8  # a table by unit number is used while it is at most this many times as long as the units


class UnitPlaces:
    """Where in the layout a unit stands, by its number; -1 for one that is dead."""

    def __init__(self, chunk_ids: NDArray[np.int64], first_unit: NDArray[np.int32]) -> None:
        order = np.argsort(chunk_ids, kind="stable")
        self._ids = chunk_ids[order]
        self._first = first_unit[:-1][order].astype(np.int64)
        self._counts = np.diff(first_unit)[order].astype(np.int64)
        self._low = int(self._ids[0]) if len(order) else 0
        span = int(self._ids[-1] + self._counts[-1]) - self._low if len(order) else 0
        self._table = self._dense(span) if 0 < span <= _DENSE * int(first_unit[-1]) + 100_000 else None

    def _dense(self, span: int) -> NDArray[np.int32]:
        table = np.full(span + 1, -1, dtype=np.int32)
        starts = np.cumsum(self._counts) - self._counts
        within = np.arange(int(self._counts.sum())) - np.repeat(starts, self._counts)
        places = np.repeat(self._ids - self._low, self._counts) + within
        sound = places < span
        table[places[sound]] = (np.repeat(self._first, self._counts) + within)[sound]
        return table

    def of(self, units: NDArray[np.int64]) -> NDArray[np.int32]:
        """The places of units."""
        if not len(self._ids):
            return np.full(len(units), -1, dtype=np.int32)
        if self._table is not None:
            # what lies outside goes to the table's last cell, which is always -1
            relative = units - self._low
            relative = np.where((relative < 0) | (relative >= len(self._table)), len(self._table) - 1, relative)
            return self._table[relative]
        chunk = np.searchsorted(self._ids, units, side="right") - 1
        within = units - self._ids[chunk]
        sound = (chunk >= 0) & (within < self._counts[chunk])
        return np.where(sound, self._first[chunk] + within, -1).astype(np.int32)


def build(files: Sequence[FileEntry], chunks: Sequence[ChunkEntry]) -> Layout:
    """The layout of these rows; `files` ascend by path. Chunks of no file are left out."""
    file_ids = np.fromiter((row[0] for row in files), dtype=np.int64, count=len(files))
    ids, file_of, seq, start_line, end_line, own_line = _columns(chunks)
    by_id = np.argsort(file_ids, kind="stable")
    at = np.searchsorted(file_ids, file_of, sorter=by_id)
    note = by_id[np.minimum(at, len(by_id) - 1)] if len(by_id) else np.zeros(len(ids), dtype=np.int64)
    known = file_ids[note] == file_of if len(by_id) else np.zeros(len(ids), dtype=bool)
    order = np.lexsort((seq, note))
    if not known.all():
        order = order[known[order]]
    counts, units = _units(chunks, order)
    first_unit = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    chunk_note = note[order].astype(np.int32)
    unit_chunk = np.repeat(np.arange(len(order), dtype=np.int32), counts)
    unit_note = chunk_note[unit_chunk]
    own = own_line[order].astype(np.int32)
    terms = units["terms"].astype(np.int64)
    flag = HAS_VECTOR if units.dtype == _UNIT else WIDE_HAS_VECTOR
    return Layout(
        notes=tuple([NoteEntry(path, cast("Source", source), mtime) for _, path, source, mtime in files]),
        note_first_unit=np.searchsorted(unit_note, np.arange(len(files) + 1)).astype(np.int32),
        chunk_ids=ids[order],
        chunk_note=chunk_note,
        chunk_start_line=start_line[order].astype(np.int32),
        chunk_end_line=end_line[order].astype(np.int32),
        chunk_own_line=own,
        chunk_first_unit=first_unit,
        unit_chunk=unit_chunk,
        unit_note=unit_note,
        unit_start=units["start"].astype(np.int32),
        unit_end=units["end"].astype(np.int32),
        unit_line=own[unit_chunk] + units["first"].astype(np.int32),
        unit_end_line=own[unit_chunk] + units["last"].astype(np.int32),
        unit_length=(terms & ~flag).astype(np.int32),
        unit_has_vector=terms >= flag,
    )


def _columns(chunks: Sequence[ChunkEntry]) -> Sequence[NDArray[np.int64]]:
    if not chunks:
        return [np.zeros(0, dtype=np.int64)] * 6
    columns = list(zip(*chunks, strict=True))
    return [np.array(column, dtype=np.int64) for column in columns[:6]]


def _ascends(order: NDArray[np.int64], count: int) -> bool:
    return len(order) == count and bool((order == np.arange(count)).all())


def _units(chunks: Sequence[ChunkEntry], order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.void]]:
    """How many units each chunk has, and all units, in this order of the chunks."""
    rows = chunks if _ascends(order, len(chunks)) else [chunks[i] for i in order.tolist()]
    if any(row[6] for row in rows):
        blobs, kind = [row[7] if row[6] else widened(row[7]) for row in rows], _WIDE_UNIT
    else:
        blobs, kind = [row[7] for row in rows], _UNIT
    sizes = np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs))
    return sizes // kind.itemsize, np.frombuffer(b"".join(blobs), dtype=kind)


class UnitCosines:
    """The cosines of a question with all units, by way of the stored rows that they share."""

    def __init__(self, matrix: Rows, row_of_unit: NDArray[np.int64] | None) -> None:
        """`row_of_unit` is -1 for a unit without a vector; None: row i is of unit i."""
        self.matrix = matrix
        self._row_of_unit = row_of_unit

    def __call__(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """One cosine for each unit; NaN where it has no vector."""
        by_row = self.matrix.cosines(query)
        if self._row_of_unit is None:
            return by_row
        # -1 reaches for the last cell
        return np.append(by_row, np.float32(np.nan))[self._row_of_unit]


def rows_of_units(layout: Layout, rows: Sequence[int], *, by_chunk: bool) -> NDArray[np.int64] | None:
    """Which stored row each unit takes, when chunk i brought rows[i] rows (0: none, or none that can be used)."""
    brought = np.array(rows, dtype=np.int64)
    counts = np.diff(layout.chunk_first_unit).astype(np.int64)
    first_row = np.cumsum(brought) - brought
    if by_chunk:
        return np.where(brought > 0, first_row, -1)[layout.unit_chunk]
    if (brought == counts).all():
        return None
    within = np.arange(len(layout.unit_chunk)) - np.repeat(layout.chunk_first_unit[:-1], counts)
    return np.where(np.repeat(brought > 0, counts), np.repeat(first_row, counts) + within, -1)
