"""A store that lives in this process alone: dictionaries and plain loops, simple enough to be seen to be right.

Enters: what the planner decided. Leaves: the same answers as any other store, and nothing on the disk.
It is what other stores are tested against, and a store for tests and for memories too small to keep.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as with_fields
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from msgspec.structs import replace

from recollect.errors import ArgumentError, BusyError, StoreError
from recollect.protocols import (
    ChunkRow,
    IndexIdentity,
    Layout,
    NoteEntry,
    Postings,
    StoredChunk,
    StoreHealth,
    StoreStats,
    SyncState,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from recollect.protocols import CacheKey, NoteUpdate, StoreReader, StoreWriter, UnitRow
    from recollect.types import FileRecord, Source

T = TypeVar("T")

_MAX_COUNT = 31


@dataclass(frozen=True)
class _Chunk:
    id: int
    row: ChunkRow
    vectors: NDArray[np.float32] | None  # one row for each unit, as the store keeps it


@dataclass(frozen=True)
class _Note:
    file: FileRecord
    chunks: tuple[_Chunk, ...]


@dataclass(frozen=True)
class _State:
    """One generation: never changed, only followed by another."""

    identity: IndexIdentity | None = None
    notes: dict[str, _Note] = field(default_factory=dict)
    sync: SyncState | None = None
    next_chunk: int = 1


class MemoryStore:
    """ChunkStore in this process's memory."""

    def __init__(self) -> None:
        self._state = _State()
        self._cache: dict[tuple[CacheKey, bytes], NDArray[np.float32]] = {}  # oldest first
        self._lock = threading.Lock()

    def exists(self) -> bool:
        """Whether there is an index at all (does not create one)."""
        return self._state.identity is not None

    def read(self, work: Callable[[StoreReader], T]) -> T:
        """Run `work` on the generation of this moment."""
        return work(_Reader(self._state, len(self._cache)))

    @contextmanager
    def write(self, *, wait: float | None = None) -> Iterator[StoreWriter]:
        """The write side, for one thread at a time."""
        with self._locked(wait):
            yield _Writer(self._state, self._cache, self._publish)

    @contextmanager
    def rebuild(self, *, wait: float | None = None) -> Iterator[StoreWriter]:
        """A writer on an empty index; published on a clean exit, else dropped."""
        with self._locked(wait):
            writer = _Writer(_State(), self._cache, lambda _: None)
            yield writer
            self._publish(writer.state)

    def sweep(self) -> None:
        """Nothing is ever left behind."""

    def verify(self) -> Sequence[str]:
        """Nothing is ever damaged."""
        return ()

    def health(self) -> StoreHealth:
        """Nothing is ever wrong."""
        return StoreHealth()

    def close(self) -> None:
        """Nothing is held."""

    def _publish(self, state: _State) -> None:
        self._state = state

    @contextmanager
    def _locked(self, wait: float | None) -> Iterator[None]:
        if not self._lock.acquire(timeout=-1 if wait is None else max(wait, 0)):
            raise BusyError("Another thread is writing the index.", hint="Try again when it is done.")
        try:
            yield
        finally:
            self._lock.release()


class _Reader:
    """StoreReader on one generation."""

    def __init__(self, state: _State, cache_entries: int) -> None:
        self._state = state
        self._cache_entries = cache_entries
        self._notes = [state.notes[path] for path in sorted(state.notes)]

    def identity(self) -> IndexIdentity | None:
        return self._state.identity

    def files(self) -> Mapping[str, FileRecord]:
        return {note.file.path: note.file for note in self._notes}

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        note = self._state.notes.get(path)
        return tuple(
            StoredChunk(
                chunk.id,
                chunk.row.seq,
                chunk.row.key,
                tuple(unit.key for unit in chunk.row.units),
                chunk.row.vectors is not None,
            )
            for chunk in (note.chunks if note else ())
        )

    def unit_vectors(self, path: str) -> Mapping[bytes, NDArray[np.float32]]:
        note, identity = self._state.notes.get(path), self._state.identity
        found: dict[bytes, NDArray[np.float32]] = {}
        for chunk in note.chunks if note else ():
            if chunk.vectors is not None and identity is not None and identity.dims:
                by_chunk = identity.grain == "chunk"
                keys = (chunk.row.key,) if by_chunk else tuple(unit.key for unit in chunk.row.units)
                found.update(zip(keys, (_unit_length(row) for row in chunk.vectors), strict=False))
        return found

    def layout(self) -> Layout:
        chunks = [(number, chunk) for number, note in enumerate(self._notes) for chunk in note.chunks]
        units = [
            (number, at, chunk.row.own_line, unit)
            for at, (number, chunk) in enumerate(chunks)
            for unit in chunk.row.units
        ]
        has_vector = [vector is not None for vector in self._vectors()]
        return Layout(
            notes=tuple(NoteEntry(note.file.path, note.file.source, note.file.stat.mtime_ns) for note in self._notes),
            note_first_unit=_ints(_running(sum(len(c.row.units) for c in note.chunks) for note in self._notes)),
            chunk_ids=np.array([chunk.id for _, chunk in chunks], dtype=np.int64),
            chunk_note=_ints([number for number, _ in chunks]),
            chunk_start_line=_ints([chunk.row.start_line for _, chunk in chunks]),
            chunk_end_line=_ints([chunk.row.end_line for _, chunk in chunks]),
            chunk_own_line=_ints([chunk.row.own_line for _, chunk in chunks]),
            chunk_first_unit=_ints(_running(len(chunk.row.units) for _, chunk in chunks)),
            unit_chunk=_ints([at for _, at, _, _ in units]),
            unit_note=_ints([number for number, _, _, _ in units]),
            unit_start=_ints([unit.start for _, _, _, unit in units]),
            unit_end=_ints([unit.end for _, _, _, unit in units]),
            unit_line=_ints([own_line + unit.first_line for _, _, own_line, unit in units]),
            unit_end_line=_ints([own_line + unit.last_line for _, _, own_line, unit in units]),
            unit_length=_ints([len(unit.terms) for _, _, _, unit in units]),
            unit_has_vector=np.array(has_vector, dtype=np.bool_),
        )

    def postings(self, terms: Sequence[str]) -> Sequence[Postings | None]:
        return tuple(self._posting(term) for term in terms)

    def _posting(self, term: str) -> Postings | None:
        found = [
            (number, min(unit.terms.count(term), _MAX_COUNT), term in unit.heading_terms, term in unit.note_terms)
            for number, unit in enumerate(self._units())
            if term in unit.terms or term in unit.heading_terms or term in unit.note_terms
        ]
        if not found:
            return None
        return Postings(
            units=_ints([number for number, _, _, _ in found]),
            counts=np.array([count for _, count, _, _ in found], dtype=np.uint8),
            in_heading=np.array([heading for _, _, heading, _ in found], dtype=np.bool_),
            in_note=np.array([note for _, _, _, note in found], dtype=np.bool_),
        )

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.array([_cosine(query, vector) for vector in self._vectors()], dtype=np.float32)

    def texts(self, chunks: Sequence[int]) -> Sequence[str]:
        by_id = {chunk.id: chunk.row.text for note in self._notes for chunk in note.chunks}
        return tuple(by_id.get(id_, "") for id_ in chunks)

    def sync_state(self) -> SyncState | None:
        return self._state.sync

    def stats(self) -> StoreStats:
        sources: dict[Source, tuple[int, int]] = {}
        for note in self._notes:
            files, chunks = sources.get(note.file.source, (0, 0))
            sources[note.file.source] = files + 1, chunks + len(note.chunks)
        all_chunks = [chunk for note in self._notes for chunk in note.chunks]
        embeds = self._state.identity is not None and self._state.identity.dims > 0
        return StoreStats(
            files=len(self._notes),
            chunks=len(all_chunks),
            units=sum(len(chunk.row.units) for chunk in all_chunks),
            by_source=tuple((source, *sources[source]) for source in sorted(sources)),
            cache_entries=self._cache_entries,
            missing_vectors=sum(chunk.row.vectors is None for chunk in all_chunks) if embeds else 0,
            bytes=0,
        )

    def _units(self) -> list[UnitRow]:
        return [unit for note in self._notes for chunk in note.chunks for unit in chunk.row.units]

    def _vectors(self) -> list[NDArray[np.float32] | None]:
        """The vector of every unit, None where it has none."""
        found: list[NDArray[np.float32] | None] = []
        for note in self._notes:
            for chunk in note.chunks:
                for at in range(len(chunk.row.units)):
                    row = None if chunk.vectors is None else chunk.vectors[min(at, len(chunk.vectors) - 1)]
                    found.append(row if row is not None and row.any() else None)
        return found


class _Writer:
    """StoreWriter that makes a new generation with every call."""

    def __init__(
        self,
        state: _State,
        cache: dict[tuple[CacheKey, bytes], NDArray[np.float32]],
        publish: Callable[[_State], None],
    ) -> None:
        self.state = state
        self._cache = cache
        self._publish = publish

    def begin(self, identity: IndexIdentity) -> None:
        if self.state.identity is not None:
            raise StoreError("There is an index already.", hint="Make it anew with `recollect index --force`.")
        self._become(_State(identity=identity))

    def apply(self, updates: Sequence[NoteUpdate], removed: Sequence[str] = ()) -> None:
        identity = self.state.identity
        if identity is None:
            raise StoreError("There is no index to write to.", hint="Run `recollect index`.")
        notes = {path: note for path, note in self.state.notes.items() if path not in removed}
        number = self.state.next_chunk
        for update in updates:
            before = notes.get(update.file.path)
            old = {chunk.id: chunk for chunk in (before.chunks if before else ())}
            chunks = []
            for kept in update.keep:
                chunk = old.pop(kept.id, None)
                if chunk is None:
                    raise StoreError(
                        "The index changed while it was brought up to date.", hint="Run `recollect index`."
                    )
                row = ChunkRow(
                    kept.seq, chunk.row.key, kept.start_line, kept.end_line, kept.own_line, chunk.row.text,
                    chunk.row.units, chunk.row.vectors,
                )  # fmt: skip
                chunks.append(_Chunk(chunk.id, row, chunk.vectors))
            for row in update.insert:
                chunks.append(_Chunk(number, row, _as_kept(row, identity)))
                number += 1
            notes[update.file.path] = _Note(update.file, tuple(sorted(chunks, key=lambda chunk: chunk.row.seq)))
        self._become(with_fields(self.state, notes=notes, next_chunk=number))

    def touch(self, files: Sequence[FileRecord]) -> None:
        notes = dict(self.state.notes)
        for file in files:
            if file.path in notes:
                note = notes[file.path]
                notes[file.path] = _Note(replace(note.file, stat=file.stat), note.chunks)
        self._become(with_fields(self.state, notes=notes))

    def cached(self, key: CacheKey, hashes: Sequence[bytes]) -> Mapping[bytes, NDArray[np.float32]]:
        return {digest: self._cache[key, digest] for digest in hashes if (key, digest) in self._cache}

    def cache(self, key: CacheKey, vectors: Mapping[bytes, NDArray[np.float32]], max_entries: int | None) -> None:
        if max_entries is not None and max_entries < 0:
            raise ArgumentError("The cache cannot hold fewer than no entries.", hint="Give 0 to keep none.")
        for digest, vector in vectors.items():
            self._cache.pop((key, digest), None)
            self._cache[key, digest] = np.array(vector, dtype=np.float32)
        while max_entries is not None and len(self._cache) > max_entries:
            del self._cache[next(iter(self._cache))]

    def finish(self, state: SyncState) -> None:
        self._become(with_fields(self.state, sync=state))

    def _become(self, state: _State) -> None:
        self.state = state
        self._publish(state)


def _as_kept(row: ChunkRow, identity: IndexIdentity) -> NDArray[np.float32] | None:
    """The vectors of a chunk as a store keeps them: int8 means 127 steps from 0 to a row's largest value."""
    if row.vectors is None:
        return None
    rows = 1 if identity.grain == "chunk" else len(row.units)
    if row.vectors.shape != (rows, identity.dims):
        raise ArgumentError(
            f"A chunk came with vectors of shape {row.vectors.shape}; the index wants {(rows, identity.dims)}.",
            hint="Report this: it is a fault of recollect or of the embedder.",
        )
    kept = np.zeros(row.vectors.shape, dtype=np.float32)
    for at, vector in enumerate(row.vectors):
        largest = float(np.abs(vector).max(initial=0))
        if np.isfinite(vector).all() and largest > 0:
            kept[at] = np.rint(vector * np.float32(127 / largest)) if identity.dtype == "int8" else vector
    return kept


def _unit_length(row: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(row.astype(np.float64)))
    return row if length == 0 else (row / length).astype(np.float32)


def _cosine(query: NDArray[np.float32], vector: NDArray[np.float32] | None) -> float:
    if vector is None or len(query) != len(vector) or not np.isfinite(query).all() or not query.any():
        return float("nan")
    one, other = query.astype(np.float64), vector.astype(np.float64)
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def _ints(values: Sequence[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _running(counts: Iterator[int]) -> list[int]:
    total = [0]
    for count in counts:
        total.append(total[-1] + count)
    return total
