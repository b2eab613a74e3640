r"""The values that travel through recollect and out of it: frozen, keyword-only, no behaviour of weight.

What a caller sees (Hit, SearchResult, GetResult, SyncReport, Status) encodes to JSON with the seeds' camelCase
keys. What only rooms exchange (SourceFile, NoteText, Unit, Chunk, ...) never leaves the program.
Line numbers are 1-based and inclusive and count "\n" alone; offsets are Python characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

Source = Literal["memory", "sessions"]
SearchMode = Literal["hybrid", "keyword", "vector", "none"]
CitationMode = Literal["on", "off", "auto"]
Grain = Literal["unit", "chunk"]


# --- files and text (inside the program) -----------------------------------------------------------------------------


class FileStat(Struct, frozen=True, kw_only=True, rename="camel"):
    """What one fstat said of a file: enough to tell whether it may have changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class SourceFile(Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that belongs to the memory: `path` is what is cited, `location` where it lies on this disk."""

    path: str
    source: Source
    location: str
    stat: FileStat


class NoteText(Struct, frozen=True, kw_only=True, rename="camel"):
    """A file's text as read once from one buffer; `hash` is the SHA-256 of its bytes."""

    path: str
    text: str
    hash: bytes
    stat: FileStat
    replaced: bool  # some bytes were no UTF-8 and stand as U+FFFD


class Unit(Struct, frozen=True, kw_only=True, rename="camel"):
    """What a person would quote: a paragraph, a turn, a list item; offsets into the note's text."""

    start: int
    end: int
    start_line: int
    end_line: int


class Chunk(Struct, frozen=True, kw_only=True, rename="camel"):
    """The seeds' chunk: [start, end) is all of it, [own_start, end) what no chunk before it holds."""

    start: int
    end: int
    start_line: int
    end_line: int
    own_start: int
    own_start_line: int
    units: tuple[Unit, ...]  # a partition of the own part, blank lines left out
    headings: tuple[str, ...]  # the heading path that holds at own_start, outermost first


class FileRecord(Struct, frozen=True, kw_only=True, rename="camel"):
    """What the index remembers of a file."""

    path: str
    source: Source
    hash: bytes
    stat: FileStat


# --- problems and progress -------------------------------------------------------------------------------------------


class Problem(Struct, frozen=True, kw_only=True, rename="camel"):
    """One thing that was left out or is not as it should be, in words for a person."""

    code: str  # stable, kebab-case: "unreadable", "not-utf-8", "too-large", "symlink", "missing-path", ...
    message: str
    path: str | None = None


class Progress(Struct, frozen=True, kw_only=True, rename="camel"):
    """How far a long piece of work is."""

    completed: int
    total: int
    label: str


# --- search ----------------------------------------------------------------------------------------------------------


class Span(Struct, frozen=True, kw_only=True, rename="camel"):
    """A range of lines that a snippet shows."""

    start_line: int
    end_line: int


class Explanation(Struct, frozen=True, kw_only=True, rename="camel"):
    """Where a hit's score comes from: score = (text_weight * text_score + vector_weight * vector_score) * decay."""

    text_score: float
    vector_score: float
    text_weight: float
    vector_weight: float
    decay: float
    mmr_rank: int | None
    admitted: Literal["score", "keyword", "meaning"]  # its score, its words, or its cosine reached the threshold
    terms: tuple[str, ...]  # the question's words that matched


class Hit(Struct, frozen=True, kw_only=True, rename="camel"):
    """One answer: a snippet of a note with the lines where it stands."""

    path: str
    start_line: int  # first line shown
    end_line: int  # last line shown
    score: float
    snippet: str
    source: Source
    citation: str | None = None
    spans: tuple[Span, ...] = ()  # the shown ranges, where there are gaps between them
    chunk_start_line: int
    chunk_end_line: int
    explanation: Explanation | None = None


class Freshness(Struct, frozen=True, kw_only=True, rename="camel"):
    """How the index stands to the files: `known` is false when it could not be told."""

    known: bool
    changed: int = 0  # files newer than the index, not in this answer
    missing_vectors: int = 0  # chunks that have no vector yet
    indexed: bool = True  # false: nothing has ever been indexed here


class SearchResult(Struct, frozen=True, kw_only=True, rename="camel"):
    """The hits of a question, and honestly what they rest on. A sequence of Hit."""

    results: tuple[Hit, ...]
    provider: str
    model: str | None
    mode: SearchMode
    citations: CitationMode
    freshness: Freshness
    warnings: tuple[Problem, ...] = ()  # why the answer may be incomplete; empty means complete

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.results)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.results[index]


class GetResult(Struct, frozen=True, kw_only=True, rename="camel"):
    """Lines of a note. A note that does not exist yet is an empty text with `exists` false."""

    path: str
    text: str
    start_line: int = 1
    end_line: int = 0
    truncated: bool = False
    next_line: int | None = None
    exists: bool = True


# --- sync and status -------------------------------------------------------------------------------------------------


class SyncReport(Struct, frozen=True, kw_only=True, rename="camel"):
    """What a sync did, in files, chunks and vectors, and what it left out and why."""

    reason: str
    rebuilt: str | None = None  # why the whole index was made anew, if it was
    files_seen: int = 0
    files_added: int = 0
    files_changed: int = 0
    files_removed: int = 0
    files_unchanged: int = 0
    chunks_added: int = 0
    chunks_removed: int = 0
    chunks_kept: int = 0
    embedded: int = 0  # texts for which a vector was computed
    reused: int = 0  # vectors taken over from the index or the cache
    problems: tuple[Problem, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everything that should be in the index is in it."""
        return not self.problems


class SourceCount(Struct, frozen=True, kw_only=True, rename="camel"):
    """Files and chunks of one source."""

    source: Source
    files: int
    chunks: int


class CacheStatus(Struct, frozen=True, kw_only=True, rename="camel"):
    """The cache of embeddings."""

    enabled: bool
    entries: int = 0
    max_entries: int | None = None


class FtsStatus(Struct, frozen=True, kw_only=True, rename="camel"):
    """The full-text side of the index."""

    enabled: bool
    available: bool
    error: str | None = None


class VectorStatus(Struct, frozen=True, kw_only=True, rename="camel"):
    """The vector side of the index."""

    enabled: bool
    available: bool
    dims: int | None = None
    path: Literal["in-process", "sqlite-vec"] = "in-process"
    extension_path: str | None = None
    load_error: str | None = None


class EmbeddingProbe(Struct, frozen=True, kw_only=True, rename="camel"):
    """Whether the embedder really answers (status --deep)."""

    ok: bool
    error: str | None = None


class FallbackStatus(Struct, frozen=True, kw_only=True, rename="camel"):
    """Which provider was passed over, and why."""

    from_: str
    reason: str


class Status(Struct, frozen=True, kw_only=True, rename="camel"):
    """Everything about a memory that a person may want to know, read without a provider or a lock."""

    agent_id: str
    backend: Literal["builtin"] = "builtin"
    workspace_dir: str
    workspace_origin: str  # how the workspace was chosen: "--workspace", "MEMORY.md found above", ...
    db_path: str
    indexed: bool
    dirty: bool
    pending: int = 0  # files that differ from the index
    files: int = 0
    chunks: int = 0
    provider: str
    requested_provider: str
    model: str | None = None
    sources: tuple[Source, ...] = ("memory",)
    extra_paths: tuple[str, ...] = ()
    source_counts: tuple[SourceCount, ...] = ()
    cache: CacheStatus
    fts: FtsStatus
    vector: VectorStatus
    fallback: FallbackStatus | None = None
    embedding_probe: EmbeddingProbe | None = None
    last_sync_at: str | None = None  # ISO 8601, UTC
    last_sync_reason: str | None = None
    last_error: Problem | None = None
    problems: tuple[Problem, ...] = ()
    db_bytes: int = 0
