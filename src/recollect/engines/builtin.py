"""The built-in engine: our index over the files, kept fresh by what a search may cheaply do.

In: a store, an indexer, a searcher (made on first use, because ranking loads numpy) and a reader of notes, all handed
in. Out: the Engine verbs. A search looks at the files by stat alone; a small change is brought in before the answer, a
larger one is reported with it, and in a long-running host brought in by a worker thread. Never names a database, a
vendor or a door.
"""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from recollect.engines.background import Background
from recollect.errors import BusyError, ProviderError, StoreError
from recollect.types import (
    CacheStatus,
    EmbeddingProbe,
    FallbackStatus,
    Freshness,
    FtsStatus,
    Problem,
    Source,
    SourceCount,
    Status,
    VectorStatus,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.index.freshness import Pending
    from recollect.index.sync import Indexer
    from recollect.protocols import (
        ChunkStore,
        Embedder,
        EmbedderIdentity,
        IndexIdentity,
        ProgressCallback,
        SearchRequest,
        StoreStats,
        SyncState,
    )
    from recollect.retrieve.search import Searcher
    from recollect.types import GetResult, SearchResult, SyncReport

SMALL_CHANGE_FILES = 512  # reading them is what costs; also those written so lately that they are looked at again
SMALL_CHANGE_BYTES = 1 << 20
QUICK_CHANGE_FILES = 4  # what costs no more than a search: with a worker, the rest need not be waited for
QUICK_CHANGE_BYTES = 1 << 16
_LOST = "missing-workspace"
_TOLD = frozenset({_LOST, "unreadable"})  # problems of the files that a search tells: notes may be missing from it
_CHECK_SHARE = 20  # looking at the files takes at most a twentieth of the time between two looks,
_LONGEST_TRUST = 0.1  # but a look is not trusted for longer than this many seconds (or twice what it took)


class GetNote(Protocol):
    """Reads lines of a note."""

    def __call__(self, path: str, start: int | None, lines: int | None) -> GetResult:
        """Read lines of a note."""
        ...


class Facts(Struct, frozen=True, kw_only=True):
    """What status tells of the settings."""

    agent_id: str
    workspace: str
    workspace_origin: str
    db_path: str
    provider: str
    requested_provider: str
    model: str | None
    fallback: FallbackStatus | None
    sources: tuple[Source, ...]
    extra_paths: tuple[str, ...]
    cache_enabled: bool
    cache_max_entries: int | None
    vectors_enabled: bool
    problems: tuple[Problem, ...]  # of the settings and of the choice of a provider


class BuiltinEngine:
    """Search, get, sync and status over our own index."""

    def __init__(
        self,
        *,
        store: ChunkStore,
        embedder: Embedder | None,
        indexer: Callable[[], Indexer],
        searcher: Callable[[], Searcher],
        get: GetNote,
        facts: Facts,
        sync_on_search: bool,
        sees_no_change: Callable[[], bool],
        ticks: Callable[[], float],
        background: bool = False,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._make_indexer, self._indexer_made = indexer, None
        self._make_searcher, self._searcher_made = searcher, None
        self._get = get
        self._facts = facts
        self._sync_on_search = sync_on_search
        self._sees_no_change = sees_no_change
        self._ticks = ticks
        self._next_look = float("-inf")
        self._seen = Freshness(known=False)
        self._noted: tuple[Problem, ...] = ()
        self._making = Lock()  # threads that begin at once share one indexer and one searcher
        self._background: Background | None = None
        if background:
            self._background = Background(self._sync_beside, done=self._look_anew, left=store.close, ticks=ticks)

    _indexer_made: Indexer | None
    _searcher_made: Searcher | None

    @property
    def _indexer(self) -> Indexer:
        with self._making:
            if self._indexer_made is None:
                self._indexer_made = self._make_indexer()
            return self._indexer_made

    @property
    def _searcher(self) -> Searcher:
        with self._making:
            if self._searcher_made is None:
                self._searcher_made = self._make_searcher()
            return self._searcher_made

    def search(self, request: SearchRequest) -> SearchResult:
        """Answer a question from the index, as fresh as is cheap."""
        freshness, problems = self._freshen()
        return self._searcher.search(request, freshness=freshness, problems=(*self._facts.problems, *problems))

    def get(self, path: str, start: int | None = None, lines: int | None = None) -> GetResult:
        """Read lines of a note, from the file itself."""
        return self._get(path, start, lines)

    def sync(self, *, reason: str = "api", force: bool = False, progress: ProgressCallback | None = None) -> SyncReport:
        """Bring the index to the state of the files."""
        report = self._indexer.sync(reason=reason, force=force, progress=progress)
        self._look_anew()
        return report

    def warm(self) -> bool:
        """Begin a sync on the worker thread, where there is one; whether that was begun now."""
        return self._background is not None and self._background.start("session-start")

    def _sync_beside(self, reason: str, progress: ProgressCallback) -> SyncReport:
        return self._indexer.sync(reason=reason, progress=progress, wait=0)

    def _look_anew(self) -> None:
        self._next_look = float("-inf")

    def verify(self) -> tuple[str, ...]:
        """Read the whole index and say what is damaged."""
        return tuple(self._store.verify())

    def close(self) -> None:
        """Stop the worker and let go of the database."""
        if self._background is not None:
            self._background.stop()
        self._store.close()

    # --- freshness ---------------------------------------------------------------------------------------------------

    def _freshen(self) -> tuple[Freshness, tuple[Problem, ...]]:
        """Look at the files, or just after a look glance at those that mostly change; bring a small change in."""
        started = self._ticks()
        if started < self._next_look and self._seen.known and self._is_as_seen():
            return self._seen, (*self._noted, *self._behind())
        try:
            pending = self._indexer.pending()
        except StoreError as error:
            return self._mend(error)
        looked = self._ticks() - started
        problems: tuple[Problem, ...] = ()
        told = tuple(problem for problem in pending.problems if problem.code in _TOLD)
        lost = any(problem.code == _LOST for problem in told)  # then no index is made for a folder that is not there
        if _is_stale(pending) and self._sync_on_search and self._is_quick(pending) and not lost:
            pending, problems = self._bring_in(pending)
        self._next_look = self._ticks() + min(_CHECK_SHARE * looked, max(_LONGEST_TRUST, 2 * looked))
        changed = len(pending.changed) + len(pending.removed)
        self._seen = Freshness(known=True, changed=changed, indexed=pending.indexed)
        self._noted = (*told, *(_rebuild_waits(pending) if changed else ()))
        if (_is_stale(pending) or pending.rebuild is not None) and not lost:
            self._leave_to_worker(pending)
        return self._seen, (*self._noted, *problems, *self._behind())

    def _is_as_seen(self) -> bool:
        return self._is_working() or (not self._seen.changed and self._sees_no_change())

    def _is_working(self) -> bool:
        return self._background is not None and self._background.working

    def _is_quick(self, pending: Pending) -> bool:
        """Whether to bring a change in before the answer. With a worker, only what costs no more than a search."""
        if self._background is None:
            return _is_small(pending)
        if self._background.working or not _is_small(pending):
            return False
        return len(pending.changed) <= QUICK_CHANGE_FILES and pending.bytes <= QUICK_CHANGE_BYTES

    def _leave_to_worker(self, pending: Pending) -> None:
        if self._background is not None and self._sync_on_search:
            self._background.start("search", (pending.changed, pending.removed, pending.rebuild))

    def _behind(self) -> tuple[Problem, ...]:
        """What of the files is missing from the index, and what is done about it."""
        changed = self._seen.changed
        doing = self._background.said() if self._background is not None else ""
        if changed and self._seen.indexed:
            files = "1 file has" if changed == 1 else f"{changed} files have"
            message = (
                f"{files} changed since the last index and may be missing here. {doing or 'Run `recollect index`.'}"
            )
            return (Problem(code="stale", message=message),)
        return (Problem(code="indexing", message=doing),) if doing and not self._seen.indexed else ()

    def _mend(self, error: StoreError) -> tuple[Freshness, tuple[Problem, ...]]:
        """An index that cannot be read is made anew where that is cheap: a writer puts aside what is damaged."""
        pending = self._indexer.pending(remembered=False)
        if isinstance(error, BusyError) or not (self._sync_on_search and self._is_quick(pending)):
            if not isinstance(error, BusyError):
                self._leave_to_worker(pending)
            return Freshness(known=False), (Problem(code="freshness-unknown", message=str(error)),)
        pending, problems = self._bring_in(pending)
        if problems:
            return Freshness(known=False), problems
        return Freshness(known=True, changed=len(pending.changed) + len(pending.removed)), ()

    def _bring_in(self, pending: Pending) -> tuple[Pending, tuple[Problem, ...]]:
        try:
            report = self._indexer.sync(reason="search", wait=0)
            return _still_missing(self._indexer.pending(), pending, report), ()
        except BusyError:
            return pending, (Problem(code="busy", message="Another process is updating the index just now."),)
        except StoreError as error:
            return pending, (Problem(code=error.code, message=str(error)),)

    # --- status ------------------------------------------------------------------------------------------------------

    def status(self, *, deep: bool = False) -> Status:
        """Everything about the memory; asks the provider only when `deep`, and never waits for a writer."""
        facts = self._facts
        identity, state, stats, error = self._look_inside()
        pending, pending_problems = self._pending()
        health = self._store.health()
        vectors = facts.vectors_enabled and self._embedder is not None
        embedder = self._embedder.identity if self._embedder is not None else None
        return Status(
            agent_id=facts.agent_id,
            workspace_dir=facts.workspace,
            workspace_origin=facts.workspace_origin,
            db_path=facts.db_path,
            indexed=identity is not None,
            dirty=_is_dirty(pending, stats, state),
            pending=len(pending.changed) + len(pending.removed) if pending is not None else 0,
            files=stats.files if stats else 0,
            chunks=stats.chunks if stats else 0,
            provider=facts.provider,
            requested_provider=facts.requested_provider,
            model=facts.model,
            sources=facts.sources,
            extra_paths=facts.extra_paths,
            source_counts=tuple(
                SourceCount(source=source, files=files, chunks=chunks)
                for source, files, chunks in (stats.by_source if stats else ())
            ),
            cache=CacheStatus(
                enabled=facts.cache_enabled,
                entries=stats.cache_entries if stats else 0,
                max_entries=facts.cache_max_entries,
            ),
            fts=FtsStatus(enabled=True, available=health.fts_error is None, error=health.fts_error),
            vector=VectorStatus(
                enabled=vectors,
                available=vectors and identity is not None and identity.dims > 0,
                dims=_dims(identity, embedder),
                path=health.vector_path,
                extension_path=health.vector_extension,
                load_error=health.vector_error,
            ),
            fallback=facts.fallback,
            embedding_probe=self._probe() if deep else None,
            last_sync_at=datetime.fromtimestamp(state.at, UTC).isoformat(timespec="seconds") if state else None,
            last_sync_reason=state.reason if state else None,
            last_error=Problem(code=state.error[0], message=state.error[1]) if state and state.error else None,
            problems=(
                *facts.problems,
                *error,
                *pending_problems,
                *_rebuild_waits(pending),
                *self._beside(),
                *(Problem(code=code, message=message) for code, message in health.notes),
                *_left_out(state, pending_problems),
            ),
            db_bytes=stats.bytes if stats else 0,
        )

    def _look_inside(
        self,
    ) -> tuple[IndexIdentity | None, SyncState | None, StoreStats | None, tuple[Problem, ...]]:
        try:
            if not self._store.exists():
                return None, None, None, ()
            identity, state, stats = self._store.read(
                lambda reader: (reader.identity(), reader.sync_state(), reader.stats())
            )
        except StoreError as error:
            return None, None, None, (Problem(code=error.code, message=str(error)),)
        return identity, state, stats, ()

    def _pending(self) -> tuple[Pending | None, tuple[Problem, ...]]:
        try:
            pending = self._indexer.pending()
        except StoreError:
            return None, ()  # said already by what looked inside
        return pending, tuple(pending.problems)

    def _beside(self) -> tuple[Problem, ...]:
        """What the worker does, or why it failed."""
        said = self._background.said() if self._background is not None else ""
        return (Problem(code="indexing" if self._is_working() else "indexing-failed", message=said),) if said else ()

    def _probe(self) -> EmbeddingProbe:
        if self._embedder is None:
            return EmbeddingProbe(ok=False, error="No embedder: the settings ask for keyword search alone.")
        try:
            self._embedder.embed_query("ping")
        except ProviderError as error:
            return EmbeddingProbe(ok=False, error=str(error))
        return EmbeddingProbe(ok=True)


def _dims(identity: IndexIdentity | None, embedder: EmbedderIdentity | None) -> int | None:
    if identity is not None and identity.dims:
        return identity.dims
    return embedder.dims if embedder is not None else None


def _still_missing(after: Pending, before: Pending, report: SyncReport) -> Pending:
    """What a sync has not brought in. A file that was read within a tick of its last change is looked at again by the
    next sync, as it may have changed once more within that tick; yet what could be seen of it is in the index."""
    seen = {file.path: file.stat for file in before.changed}
    failed = {problem.path for problem in report.problems}
    changed = tuple(file for file in after.changed if file.path in failed or seen.get(file.path) != file.stat)
    return replace(after, changed=changed)


def _is_stale(pending: Pending) -> bool:
    return bool(pending.changed or pending.removed or not pending.indexed)


def _is_small(pending: Pending) -> bool:
    """Whether bringing this in costs about as little as a search; where the settings changed, all is made anew."""
    if pending.indexed and pending.rebuild is not None:
        return pending.total_bytes <= SMALL_CHANGE_BYTES
    return len(pending.changed) <= SMALL_CHANGE_FILES and pending.bytes <= SMALL_CHANGE_BYTES


def _is_dirty(pending: Pending | None, stats: StoreStats | None, state: SyncState | None) -> bool:
    """Disk compared with index: never a flag that somebody must remember to set."""
    if pending is None or not pending.indexed:
        return True
    waiting = stats is not None and stats.missing_vectors > 0
    return bool(
        pending.changed or pending.removed or pending.rebuild or waiting or (state is not None and not state.complete)
    )


def _rebuild_waits(pending: Pending | None) -> list[Problem]:
    """Why the index does not fit the settings any more."""
    if pending is None or pending.rebuild is None:
        return []
    message = f"The next `recollect index` makes the index anew: {pending.rebuild}."
    return [Problem(code="rebuild-waits", message=message)]


def _left_out(state: SyncState | None, known: tuple[Problem, ...]) -> list[Problem]:
    """What the last sync left out, unless the look at the files has just said the same."""
    said = {(problem.code, problem.path) for problem in known}
    return [
        Problem(code=code, message=message, path=path)
        for code, message, path in (state.problems if state else ())
        if (code, path) not in said
    ]
