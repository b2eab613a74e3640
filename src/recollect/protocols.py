"""The seams of recollect: what the rest of the program needs of an engine, a database, a model, and the world.

Nothing here holds behaviour. numpy is named in annotations only: importing this module must not load it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from msgspec import Struct

from recollect.types import FileRecord, GetResult, Grain, Progress, SearchResult, Source, Status, SyncReport

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

Clock = Callable[[], float]  # seconds since the epoch, as time.time gives them
ProgressCallback = Callable[[Progress], None]


# --- embedders -------------------------------------------------------------------------------------------------------


class EmbedderIdentity(Struct, frozen=True, kw_only=True):
    """What makes two vectors comparable. All of it but `trust` is part of the index identity."""

    provider: str
    model: str
    fingerprint: str  # endpoint fingerprint or the digest of a model file; never a key
    dims: int
    grain: Grain  # what gets a vector of its own
    dtype: Literal["int8", "float32"]  # how the store keeps it
    cached: bool  # whether a vector is worth a row in the cache (a static table is quicker than the cache)
    trust: float  # 0..1: how much this model's cosine may say against the words; calibrated per model


class Embedder(Protocol):
    """A model that turns text into vectors. A row of zeros means: this text says nothing to the model."""

    @property
    def identity(self) -> EmbedderIdentity:
        """What the vectors of this embedder can be compared with."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, of length 1 or 0. Raises ProviderError when the model cannot answer."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, of length 1 or 0."""
        ...


# --- the store -------------------------------------------------------------------------------------------------------


class IndexIdentity(Struct, frozen=True, kw_only=True):
    """What the whole index was made with. When any of it differs, the index is made anew."""

    schema: int
    text: int  # version of chunking, units and analysis
    provider: str
    model: str
    fingerprint: str
    dims: int
    grain: Grain
    dtype: Literal["int8", "float32"]
    chunk_tokens: int
    chunk_overlap: int
    sources: tuple[Source, ...]


class UnitRow(Struct, frozen=True):
    """A unit as the store takes it: offsets into the chunk's own text, lines counted from its first line (0-based)."""

    start: int
    end: int
    first_line: int
    last_line: int
    key: bytes  # 8 bytes: hash of what is embedded for it; equal key, equal vector
    terms: Sequence[str]  # analysed words of the text itself, repeated as they occur
    heading_terms: Sequence[str]  # of the heading path above it
    note_terms: Sequence[str]  # of the note (title, path, date in words): given on a note's first unit only


class ChunkRow(Struct, frozen=True):
    """A chunk as the store takes it."""

    seq: int  # position in its note
    key: bytes  # 16 bytes: hash of own text and of all else that its rows hold; equal key, equal rows
    start_line: int  # of the whole chunk, overlap included
    end_line: int
    own_line: int  # first line of the own text
    text: str  # the own text
    units: tuple[UnitRow, ...]
    vectors: NDArray[np.float32] | None  # (units, dims) or (1, dims) by grain; None: not embedded yet, or never


class KeptChunk(Struct, frozen=True):
    """A chunk of the index that stays, perhaps on other lines."""

    id: int
    seq: int
    start_line: int
    end_line: int
    own_line: int


class NoteUpdate(Struct, frozen=True):
    """A note's new state: chunks that are neither kept nor inserted are deleted."""

    file: FileRecord
    keep: tuple[KeptChunk, ...]
    insert: tuple[ChunkRow, ...]


class StoredChunk(Struct, frozen=True):
    """What the planner needs of a chunk that is in the index."""

    id: int
    seq: int
    key: bytes
    unit_keys: tuple[bytes, ...]
    embedded: bool


class NoteEntry(Struct, frozen=True):
    """A note in the layout."""

    path: str
    source: Source
    mtime_ns: int


class Layout(Struct, frozen=True, kw_only=True, eq=False):
    """Where every unit stands, as arrays. Ordinals are positions in these arrays: notes by path, chunks and units by
    their order in the note, so that a note's units and a chunk's units are contiguous."""

    notes: tuple[NoteEntry, ...]
    note_first_unit: NDArray[np.int32]  # len(notes) + 1
    chunk_ids: NDArray[np.int64]
    chunk_note: NDArray[np.int32]
    chunk_start_line: NDArray[np.int32]
    chunk_end_line: NDArray[np.int32]
    chunk_own_line: NDArray[np.int32]
    chunk_first_unit: NDArray[np.int32]  # len(chunks) + 1
    unit_chunk: NDArray[np.int32]
    unit_note: NDArray[np.int32]
    unit_start: NDArray[np.int32]  # characters, in the chunk's own text
    unit_end: NDArray[np.int32]
    unit_line: NDArray[np.int32]  # absolute, 1-based
    unit_end_line: NDArray[np.int32]
    unit_length: NDArray[np.int32]  # own terms
    unit_has_vector: NDArray[np.bool_]


class Postings(Struct, frozen=True, eq=False):
    """Where a term occurs. Parallel arrays, by ascending unit ordinal."""

    units: NDArray[np.int32]
    counts: NDArray[np.uint8]  # occurrences in the unit's own text, 31 at most; 0: only in what describes it
    in_heading: NDArray[np.bool_]
    in_note: NDArray[np.bool_]  # describes the whole note


class CacheKey(Struct, frozen=True):
    """Whose vectors a cache row holds."""

    provider: str
    model: str
    provider_key: str


class SyncState(Struct, frozen=True, kw_only=True):
    """What the index remembers of the last sync, for status."""

    at: float
    reason: str
    problems: tuple[tuple[str, str, str | None], ...] = ()  # code, message, path
    error: tuple[str, str, float] | None = None  # code, message, when
    complete: bool = True  # false: a first index was begun and is not finished


class StoreStats(Struct, frozen=True, kw_only=True):
    """Counts, read without loading the index."""

    files: int
    chunks: int
    units: int
    by_source: tuple[tuple[Source, int, int], ...]  # source, files, chunks
    cache_entries: int
    missing_vectors: int  # chunks that wait for a vector
    bytes: int


class StoreHealth(Struct, frozen=True, kw_only=True):
    """What the store can say of itself."""

    fts_error: str | None = None
    vector_path: Literal["in-process", "sqlite-vec"] = "in-process"
    vector_extension: str | None = None
    vector_error: str | None = None
    notes: tuple[tuple[str, str], ...] = ()  # code, message: quarantined, opened read-only, rows skipped, ...


class StoreReader(Protocol):
    """One generation of the index, seen inside one read transaction."""

    def identity(self) -> IndexIdentity | None:
        """What the index was made with; None: nothing was ever indexed."""
        ...

    def files(self) -> Mapping[str, FileRecord]:
        """Every file in the index, by path."""
        ...

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        """A note's chunks in order."""
        ...

    def unit_vectors(self, path: str) -> Mapping[bytes, NDArray[np.float32]]:
        """The vectors that a note has, by the key of the unit (by the chunk's key where chunks have vectors)."""
        ...

    def layout(self) -> Layout:
        """Where every unit stands."""
        ...

    def postings(self, terms: Sequence[str]) -> Sequence[Postings | None]:
        """Where each term occurs; None for a term that the index does not hold."""
        ...

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of every unit with the question, exact; NaN where a unit has no vector."""
        ...

    def texts(self, chunks: Sequence[int]) -> Sequence[str]:
        """The own text of chunks, by their ids."""
        ...

    def sync_state(self) -> SyncState | None:
        """What the last sync left behind."""
        ...

    def stats(self) -> StoreStats:
        """Counts."""
        ...


class StoreWriter(Protocol):
    """The write side. Every method is one short transaction, and durable when it returns."""

    def begin(self, identity: IndexIdentity) -> None:
        """Make an empty index with this identity (only where there is none)."""
        ...

    def apply(self, updates: Sequence[NoteUpdate], removed: Sequence[str] = ()) -> None:
        """Bring notes to their new state and drop removed ones, all or nothing."""
        ...

    def touch(self, files: Sequence[FileRecord]) -> None:
        """Remember new stats of files whose content did not change."""
        ...

    def cached(self, key: CacheKey, hashes: Sequence[bytes]) -> Mapping[bytes, NDArray[np.float32]]:
        """The cached vectors among these."""
        ...

    def cache(self, key: CacheKey, vectors: Mapping[bytes, NDArray[np.float32]], max_entries: int | None) -> None:
        """Keep vectors, and drop the oldest beyond max_entries."""
        ...

    def finish(self, state: SyncState) -> None:
        """Remember how the sync ended, and tidy up in proportion to what it wrote."""
        ...


class ChunkStore(Protocol):
    """A database of notes, chunks and units. Readers never wait for a writer."""

    def exists(self) -> bool:
        """Whether there is an index at all (does not create one)."""
        ...

    def read(self, work: Callable[[StoreReader], T]) -> T:
        """Run `work` inside one read transaction. `work` may be run again if the index was replaced meanwhile."""
        ...

    def write(self, *, wait: float | None = None) -> AbstractContextManager[StoreWriter]:
        """The write side, under the lock that keeps other processes out. BusyError after `wait` seconds."""
        ...

    def rebuild(self, *, wait: float | None = None) -> AbstractContextManager[StoreWriter]:
        """A writer on an empty index beside the live one; published in one transaction on a clean exit, else dropped.
        Its cache methods work on the live cache."""
        ...

    def sweep(self) -> None:
        """Remove what a writer that died left behind, unless one is at work."""
        ...

    def verify(self) -> Sequence[str]:
        """Read everything and say what is damaged; empty: nothing is. The next writer looks into what was found."""
        ...

    def health(self) -> StoreHealth:
        """What the store can say of itself."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


# --- the engine ------------------------------------------------------------------------------------------------------


class SearchRequest(Struct, frozen=True, kw_only=True):
    """A question with its limits; None means: as the settings say."""

    query: str
    max_results: int | None = None
    min_score: float | None = None
    sources: tuple[Source, ...] | None = None
    since: str | None = None  # YYYY-MM-DD, inclusive
    until: str | None = None
    explain: bool = False
    direct_chat: bool = True  # for citations "auto"


class Engine(Protocol):
    """What the rest of the program sees of a memory."""

    def search(self, request: SearchRequest) -> SearchResult:
        """Answer a question."""
        ...

    def get(self, path: str, start: int | None = None, lines: int | None = None) -> GetResult:
        """Read lines of a note."""
        ...

    def sync(self, *, reason: str = "api", force: bool = False, progress: ProgressCallback | None = None) -> SyncReport:
        """Bring the index to the state of the files."""
        ...

    def status(self, *, deep: bool = False) -> Status:
        """Everything about the memory."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
