"""The segments of the full-text side within the database: written once, merged in tiers, compacted when mostly dead.

Enters: a connection within a write transaction, what a builder gathered. Leaves: rows of `segments` and `postings`.
Never more work than what is merged: eight segments of one size become one of the next size.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

from recollect.stores.sqlite import blocks, postings, schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from recollect.stores.sqlite.postings import SegmentBuilder

FAN = 8  # segments of one tier that are merged into one
_SMALLEST_TIER = 4_096  # postings
_MERGE_BLOCKS = 8  # of every segment, at once in memory: about a million postings of eight segments
_HELD_BYTES = 48_000_000  # of merged blocks that wait until the old ones have made room for them
_COMPACT_UNITS = 1_000  # dead units below which nothing is compacted

SegmentRow = tuple[int, int, int, int, int, int]  # id, terms, postings, units, first_unit, last_unit


def write(connection: apsw.Connection, builder: SegmentBuilder) -> None:
    """Write what the builder gathered as a new segment."""
    if not builder.occurrences:
        return
    number = _next_number(connection)
    terms = count = 0
    for part in builder.build():
        _insert(connection, number, blocks.pack(number, part.lists))
        terms += len(part.lists.terms)
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
    terms = count = held = 0
    waiting: list[blocks.BlockRow] = []
    for batch in _batches(connection, numbers):
        merged = postings.merge(batch, living, first)
        waiting.extend(blocks.pack(number, merged.lists))
        terms += len(merged.lists.terms)
        count += merged.postings
        held += len(merged.lists.body)
        if held > _HELD_BYTES:
            _insert(connection, number, waiting)
            waiting, held = [], 0
    for old in numbers:  # first, so that the new ones find room where these were
        connection.execute("DELETE FROM postings WHERE segment=?", (old,))
        connection.execute("DELETE FROM segments WHERE id=?", (old,))
    _insert(connection, number, waiting)
    if count:
        _register(connection, (number, terms, count, _units_of(rows, living, first), first, last))


def _units_of(rows: Sequence[SegmentRow], living: NDArray[np.bool_], first: int) -> int:
    """How many living units the segments hold: ranges may interleave after merges, a sum can only be too high."""
    in_ranges = sum(int(living[row[4] - first : row[5] - first + 1].sum()) for row in rows)
    return min(in_ranges, sum(row[3] for row in rows))


def _batches(connection: apsw.Connection, numbers: Sequence[int]) -> Iterator[list[blocks.ListRow]]:
    """The lists of these segments by ascending term, all lists of a term in one batch."""
    marks = ",".join("?" * len(numbers))
    found = connection.execute(
        f"SELECT first_term FROM postings WHERE segment IN ({marks}) ORDER BY first_term",  # noqa: S608 - question marks only
        tuple(numbers),
    ).fetchall()
    firsts = [term for (term,) in cast("list[tuple[str]]", found)]
    borders: list[str | None] = [*dict.fromkeys(firsts[:: _MERGE_BLOCKS * len(numbers)]), None]
    for low, high in pairwise(borders):
        batch: list[blocks.ListRow] = []
        for number in numbers:
            batch.extend(_between(connection, number, low or "", high))
        batch.sort(key=_term_of)
        yield batch


def _between(connection: apsw.Connection, segment: int, low: str, high: str | None) -> Iterator[blocks.ListRow]:
    """The lists of a segment's terms from `low` on, below `high`."""
    rows = connection.execute(
        """SELECT first_term, blocks FROM postings WHERE segment=?1 AND (?3 IS NULL OR first_term < ?3)
        AND first_term >= coalesce((SELECT max(first_term) FROM postings WHERE segment=?1 AND first_term <= ?2), '')""",
        (segment, low, high),
    )
    for first, stored in cast("list[tuple[str, bytes]]", rows.fetchall()):
        for row in blocks.Block(segment, first, stored).rows():
            if row[0] >= low and (high is None or row[0] < high):
                yield row


def _term_of(row: blocks.ListRow) -> str:
    return row[0]


def _living(connection: apsw.Connection, first: int, last: int) -> NDArray[np.bool_]:
    """Which of the units from `first` to `last` are in a living chunk."""
    import numpy as np

    living = np.zeros(last - first + 1, dtype=bool)
    rows = connection.execute(
        f"SELECT id, {schema.COUNT_OF_UNITS} FROM chunks WHERE id BETWEEN ? AND ?",  # noqa: S608 - our own words
        (first, last),  # a segment begins with a chunk
    )
    for id_, count in cast("list[tuple[int, int]]", rows.fetchall()):
        living[id_ - first : id_ - first + count] = True
    return living


def _segments(connection: apsw.Connection) -> list[SegmentRow]:
    rows = connection.execute("SELECT id, terms, postings, units, first_unit, last_unit FROM segments ORDER BY id")
    return cast("list[SegmentRow]", rows.fetchall())


def _next_number(connection: apsw.Connection) -> int:
    return cast("int", connection.execute("SELECT coalesce(max(id), 0) + 1 FROM segments").fetchall()[0][0])


def _insert(connection: apsw.Connection, number: int, rows: Iterable[blocks.BlockRow]) -> None:
    connection.executemany(
        "INSERT INTO postings(segment, first_term, blocks) VALUES(?, ?, ?)",
        [(number, term, stored) for term, stored in rows],
    )


def _register(connection: apsw.Connection, row: SegmentRow) -> None:
    connection.execute("INSERT INTO segments VALUES(?, ?, ?, ?, ?, ?, ?)", (*row, schema.crc_of(*row)))
