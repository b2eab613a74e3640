"""What the contract of stores is written with: a store filled, an answer as plain rows, an error that must come.

Enters: a store. Leaves: plain values to compare, or a failed assertion. Never: asks which store it is.
"""

# ruff: noqa: S101 - assertions are what a suite of tests is made of

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from recollect.testing.store_samples import identity_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from recollect.errors import RecollectError
    from recollect.protocols import ChunkStore, IndexIdentity, NoteUpdate, Postings


@contextmanager
def refused(kind: type[RecollectError]) -> Iterator[None]:
    """What is inside must raise this error."""
    caught: RecollectError | None = None
    try:
        yield
    except kind as error:
        caught = error
    assert caught is not None, f"{kind.__name__} was to be raised"
    assert caught.message
    assert caught.hint


def filled(store: ChunkStore, *updates: NoteUpdate, identity: IndexIdentity | None = None) -> ChunkStore:
    """The store with an index of these notes."""
    with store.write() as writer:
        writer.begin(identity or identity_of())
        writer.apply(updates)
    return store


def places_of(store: ChunkStore, term: str) -> list[tuple[int, int, bool, bool]]:
    """The postings of a term as rows."""
    return rows_of(store.read(lambda reader: reader.postings([term]))[0])


def rows_of(postings: Postings | None) -> list[tuple[int, int, bool, bool]]:
    """Postings as rows: unit, count, in a heading, about the note."""
    if postings is None:
        return []
    assert postings.counts.dtype == np.uint8
    columns = (postings.units, postings.counts, postings.in_heading, postings.in_note)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def cosines_of(store: ChunkStore, query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cosines of a question."""
    return store.read(lambda reader: reader.cosines(query))
