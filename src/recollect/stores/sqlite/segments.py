"""The segments of the full-text side within the database: written once, merged in tiers, compacted when mostly dead.

Enters: a connection within a write transaction, what a builder gathered. Leaves: rows of `segments` and `postings`.
Never more work than what is merged: eight segments of one size become one of the next size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from recollect.stores.sqlite import postings, schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from recollect.stores.sqlite.postings import SegmentBuilder

FAN = 8  # segments of one tier that are merged into one
_SMALLEST_TIER = 4_096  # postings
_MERGE_POSTINGS = 500_000  # at once in memory
_COMPACT_UNITS = 1_000  # dead units below which nothing is compacted

SegmentRow = tuple[int, int, int, int, int, int]  # id, terms, postings, units, first_unit, last_unit
PostingRow = tuple[str, bytes]


def write(connection: apsw.Connection, builder: SegmentBuilder) -> None:
    """Write what the builder gathered as a new segment."""
    if not builder.units:
        return
    number = _next_number(connection)
    terms = count = 0
    for part in builder.build():
        _insert(connection, number, part.rows)
        terms += len(part.rows)
        count += part.postings
    _register(connection, (number, terms, count, builder.units, builder.first_unit, builder.last_unit))


def tidy(connection: apsw.Connection) -> None:
    """Merge where one tier holds many segments; make one segment of all when most units in them are dead."""
    rows = _segments(connection)
    units = sum(row[3] for row in rows)
    living = cast("int", connection.execute("SELECT coalesce(sum(units), 0) FROM files").fetchall()[0][0])
    if units - living > max(living, _COMPACT_UNITS):
        _merge(connection, rows)
        return
    while chosen := _crowded(_segments(connection)):
        _merge(connection, chosen)


def tier_of(count: int) -> int:
    """The tier of a segment by its number of postings."""
    tier = 0
    while count >= _SMALLEST_TIER:
        count //= FAN
        tier += 1
    return tier


def _crowded(rows: Sequence[SegmentRow]) -> list[SegmentRow]:
    """The segments of the lowest tier that holds too many."""
    tiers: dict[int, list[SegmentRow]] = {}
    for row in rows:
        tiers.setdefault(tier_of(row[2]), []).append(row)
    return next((tiers[tier] for tier in sorted(tiers) if len(tiers[tier]) >= FAN), [])


def _merge(connection: apsw.Connection, rows: Sequence[SegmentRow]) -> None:
    first, last = min(row[4] for row in rows), max(row[5] for row in rows)
    living = _living(connection, first, last)
    numbers = [row[0] for row in rows]
    number = _next_number(connection)
    terms = count = 0
    for batch in _batches(connection, numbers):
        merged = postings.merge(batch, living, first)
        _insert(connection, number, merged.rows)
        terms += len(merged.rows)
        count += merged.postings
    for old in numbers:
        connection.execute("DELETE FROM postings WHERE segment=?", (old,))
        connection.execute("DELETE FROM segments WHERE id=?", (old,))
    if count:
        _register(connection, (number, terms, count, _units_of(rows, living, first), first, last))


def _units_of(rows: Sequence[SegmentRow], living: NDArray[np.bool_], first: int) -> int:
    """How many living units the segments hold: ranges may interleave after merges, a sum can only be too high."""
    in_ranges = sum(int(living[row[4] - first : row[5] - first + 1].sum()) for row in rows)
    return min(in_ranges, sum(row[3] for row in rows))


def _batches(connection: apsw.Connection, numbers: Sequence[int]) -> Iterator[list[PostingRow]]:
    """The rows of these segments by ascending term, all rows of a term in one batch."""
    marks = ",".join("?" * len(numbers))
    cursor = connection.execute(
        f"SELECT term, units FROM postings WHERE segment IN ({marks}) ORDER BY term",  # noqa: S608 - question marks only
        tuple(numbers),
    )
    batch: list[PostingRow] = []
    held = 0
    for row in cursor:
        term, stored = cast("PostingRow", row)
        if held >= _MERGE_POSTINGS and batch[-1][0] != term:
            yield batch
            batch, held = [], 0
        batch.append((term, stored))
        held += len(stored)
    if batch:
        yield batch


def _living(connection: apsw.Connection, first: int, last: int) -> NDArray[np.bool_]:
    """Which of the units from `first` to `last` are in a living chunk."""
    import numpy as np

    living = np.zeros(last - first + 1, dtype=bool)
    rows = connection.execute(
        "SELECT id, length(units) FROM chunks WHERE id BETWEEN ? AND ?",
        (first, last),  # a segment begins with a chunk
    )
    for id_, size in cast("list[tuple[int, int]]", rows.fetchall()):
        living[id_ - first : id_ - first + size // schema.UNIT.size] = True
    return living


def _segments(connection: apsw.Connection) -> list[SegmentRow]:
    rows = connection.execute("SELECT id, terms, postings, units, first_unit, last_unit FROM segments ORDER BY id")
    return cast("list[SegmentRow]", rows.fetchall())


def _next_number(connection: apsw.Connection) -> int:
    return cast("int", connection.execute("SELECT coalesce(max(id), 0) + 1 FROM segments").fetchall()[0][0])


def _insert(connection: apsw.Connection, number: int, rows: Sequence[PostingRow]) -> None:
    connection.executemany(
        "INSERT INTO postings(segment, term, units) VALUES(?, ?, ?)",
        [(number, term, stored) for term, stored in rows],
    )


def _register(connection: apsw.Connection, row: SegmentRow) -> None:
    connection.execute("INSERT INTO segments VALUES(?, ?, ?, ?, ?, ?, ?)", (*row, schema.crc_of(*row)))
