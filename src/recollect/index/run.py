"""One sync from beginning to end: what is to be done is found out, done under the lock, and told.

Enter: the parts of an indexer and one caller's wishes. Leaves: a report.

A run that finds nothing to do reads no note, takes no lock and writes nothing: `SyncState.at` is the time of the last
sync that had something to write. Whoever gets the lock looks again at what the index holds by then, so that two
processes never embed the same text twice. A first index goes straight into the live store, where readers see it grow
and a killed run goes on; an index that is made anew replaces the old one at once, or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from recollect.errors import BusyError, FullError, ProviderError, StoreError
from recollect.index import freshness, plan
from recollect.index.embedding import Embedding
from recollect.index.identity import difference, same_program
from recollect.index.tally import NOT_UTF8, Tally
from recollect.protocols import SyncState
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from recollect.index.describe import Analyse
    from recollect.index.freshness import View
    from recollect.index.passes import Pass
    from recollect.protocols import (
        ChunkStore,
        Clock,
        Embedder,
        IndexIdentity,
        ProgressCallback,
        StoreReader,
        StoreWriter,
    )
    from recollect.sources.discovery import Discovery
    from recollect.types import FileRecord, NoteText, SourceFile, SyncReport

FORCED: Final = "it was asked for"
PROVIDER_FAILED: Final = "provider-failed"
SUSPECT: Final = "suspect"  # what a store says of itself when a reader met damage
DAMAGED: Final = "the old one could not be used"
ON_SEARCH: Final = "search"  # the reason of a sync that nobody asked for

_FOLLOW_UPS: Final = 2  # passes after a rebuild for what changed meanwhile; then it is left for the next sync
_REMEMBERED_PROBLEMS: Final = 1_000


class Parts(Struct, frozen=True, kw_only=True):
    """What an indexer works with."""

    store: ChunkStore
    embedder: Embedder | None
    discover: Callable[[], Discovery]
    read: Callable[[SourceFile], NoteText]
    analyse: Analyse
    cache_enabled: bool
    cache_max_entries: int | None
    clock: Clock


class _OvertakenError(Exception):
    """Another process has made the index anew meanwhile."""


class Run:
    """One sync."""

    def __init__(
        self,
        parts: Parts,
        *,
        identity: IndexIdentity,
        reason: str,
        force: bool,
        progress: ProgressCallback | None,
        wait: float | None,
    ) -> None:
        self._parts = parts
        self._store = parts.store
        self._identity = identity
        self._reason = reason
        self._force = force
        self._progress = progress
        self._wait = wait
        self._tally = Tally()
        self._rebuilt: str | None = None
        self._unusable = False  # there is an index, and it cannot be read
        self._seen = 0
        self._embedding: Embedding | None = None
        if parts.embedder is not None:
            self._embedding = Embedding(parts.embedder, cache=parts.cache_enabled)

    def go(self) -> SyncReport:
        """Do what there is to do. Damage that is met on the way is suspected from then on: the next to write looks the
        store through and puts it aside, so once more is enough."""
        if self._reason != ON_SEARCH:
            self._store.sweep()
        try:
            self._go()
        except (BusyError, FullError):
            raise
        except StoreError:
            if not self._suspect():
                raise
            self._tally, self._rebuilt = Tally(), None
            self._go()
        return self._tally.report(self._reason, rebuilt=self._rebuilt, seen=self._seen, embedding=self._embedding)

    def _go(self) -> None:
        view = self._look()
        cause = self._cause(view)
        if cause is not None:
            self._make_anew(cause)
        else:
            found = self._discover()
            if not self._idle(found, view):
                self._bring_in(found, view)

    def _look(self) -> View:
        """What the index remembers. A damaged one remembers nothing: the store puts it aside when it is written."""
        try:
            return freshness.view_of(self._store)
        except (BusyError, FullError):
            raise
        except StoreError:
            self._unusable = True
            return freshness.View()

    def _cause(self, view: View) -> str | None:
        """Why the whole index has to be made anew; None: it has not."""
        if view.identity is None:
            return None
        return difference(view.identity, self._identity) or (FORCED if self._force else None)

    def _discover(self) -> Discovery:
        found = self._parts.discover()
        self._seen = len(found.files)
        return found

    # --- small steps -------------------------------------------------------------------------------------------------

    def _idle(self, found: Discovery, view: View) -> bool:
        """Whether the index is as the files are, and says so."""
        comparison = plan.compare(found.files, view.records, found.problems)
        if view.identity is None or comparison.work or self._suspect() or self._missing_vectors():
            return False
        self._begin_tally(found, view, comparison)
        return _says(view.state, self._state())

    def _bring_in(self, found: Discovery, view: View) -> None:
        """Bring what differs into the live index."""
        with self._store.write(wait=self._wait) as writer:
            now = freshness.view_of(self._store)
            if now.identity is None:
                if self._unusable or view.identity is not None:
                    self._rebuilt = DAMAGED
                writer.begin(self._identity)
                writer.finish(SyncState(at=self._parts.clock(), reason=self._reason, complete=False))
                now = freshness.view_of(self._store)
            elif now.identity != self._identity:
                raise BusyError(
                    "Another process is indexing this memory with other settings.",
                    hint="Use the same settings everywhere, then sync again.",
                )
            if now.records != view.records:
                found = self._discover()  # what is listed must not be older than what is indexed
            comparison = plan.compare(found.files, now.records, found.problems)
            self._begin_tally(found, now, comparison)
            owing = self._owing(now.records) if self._missing_vectors() else ()
            self._pass(writer, live=self._store).run(comparison, now.records, owing)
            self._finish(writer, now.state)

    def _owing(self, records: Mapping[str, FileRecord]) -> Collection[str]:
        """The notes with chunks that wait for a vector."""

        def look(reader: StoreReader) -> Collection[str]:
            return {path for path in records if any(not chunk.embedded for chunk in reader.chunks_of(path))}

        return self._store.read(look)

    def _suspect(self) -> bool:
        """Whether a reader met damage, which only a writer may look into."""
        return any(code == SUSPECT for code, _ in self._store.health().notes)

    def _missing_vectors(self) -> bool:
        if self._embedding is None or self._embedding.outage is not None:
            return False
        return self._store.read(_missing_vectors) > 0

    # --- the whole index ---------------------------------------------------------------------------------------------

    def _make_anew(self, cause: str) -> None:
        """Make the index beside the old one and publish it at once."""
        try:
            with self._store.rebuild(wait=self._wait) as writer:
                old = freshness.view_of(self._store)
                self._check_cause(old)
                found = self._discover()
                writer.begin(self._identity)
                comparison = plan.compare(found.files, {})
                self._begin_tally(found, freshness.View(), comparison)
                self._pass(writer, live=None, known=old.records).run(comparison, {})
                self._tally.lost(old.records.keys() - {file.path for file in found.files})
                self._tally.chunks_removed = self._store.read(_chunks) if old.identity is not None else 0
                self._finish(writer, None)
        except _OvertakenError:
            self._bring_in(self._discover(), freshness.view_of(self._store))
        except ProviderError as error:
            self._keep_old(cause, error)
        else:
            self._rebuilt = cause
            self._follow_up()

    def _check_cause(self, old: View) -> None:
        """Under the lock: leave the rebuild when another process has made the index anew already."""
        if self._cause(old) is None:
            raise _OvertakenError

    def _follow_up(self) -> None:
        """Bring in what changed while the index was made anew; a writer that never rests is left for the next sync."""
        for _ in range(_FOLLOW_UPS):
            found, view = self._discover(), freshness.view_of(self._store)
            comparison = plan.compare(found.files, view.records, found.problems)
            known = {problem.path for problem in self._tally.problems}
            changed = any(file.path not in known for file in (*comparison.added, *comparison.changed))
            if not changed and not comparison.removed:
                return
            self._bring_in(found, view)

    def _keep_old(self, cause: str, error: ProviderError) -> None:
        """The old index stays, and its words are kept up with the files; what needs the new provider has to wait."""
        self._tally = Tally()
        view = freshness.view_of(self._store)
        if self._embedding is not None:
            self._embedding.silence(error)
        if view.identity is not None and same_program(view.identity, self._identity):
            self._identity = view.identity
            self._bring_in(self._discover(), view)
        else:
            self._tally.problems.append(_failure(error))
        self._tally.problems.append(
            Problem(code="not-rebuilt", message=f"The index should be made anew, because {cause}; the old one stays.")
        )

    # --- parts of both -----------------------------------------------------------------------------------------------

    def _begin_tally(self, found: Discovery, view: View, comparison: plan.Comparison) -> None:
        """What discovery could not take, and what is known of files that are not read again."""
        same = {file.path for file in comparison.unchanged}
        standing = (
            Problem(code=code, message=message, path=path)
            for code, message, path in (view.state.problems if view.state else ())
            if code == NOT_UTF8 and path in same
        )
        self._tally.problems = [*found.problems, *standing]

    def _pass(
        self, writer: StoreWriter, *, live: ChunkStore | None, known: Mapping[str, FileRecord] | None = None
    ) -> Pass:
        from recollect.index.passes import Pass

        return Pass(
            writer=writer,
            live=live,
            known=known,
            read=self._parts.read,
            analyse=self._parts.analyse,
            identity=self._identity,
            embedding=self._embedding if self._identity.dims else None,
            clock=self._parts.clock,
            progress=self._progress,
            tally=self._tally,
        )

    def _finish(self, writer: StoreWriter, before: SyncState | None) -> None:
        """Remember how it ended, unless nothing was written and the index says so already."""
        if self._embedding is not None:
            self._embedding.prune(writer, self._parts.cache_max_entries)
            if self._embedding.outage is not None:
                self._tally.problems.append(_failure(self._embedding.outage))
        state = self._state()
        if self._tally.wrote or not _says(before, state):
            writer.finish(state)

    def _state(self) -> SyncState:
        now = self._parts.clock()
        outage = self._embedding.outage if self._embedding is not None else None
        return SyncState(
            at=now,
            reason=self._reason,
            problems=tuple(
                (problem.code, problem.message, problem.path)
                for problem in self._tally.problems[:_REMEMBERED_PROBLEMS]
                if problem.code != PROVIDER_FAILED
            ),
            error=(PROVIDER_FAILED, str(outage), now) if outage is not None else None,
        )


def _says(before: SyncState | None, now: SyncState) -> bool:
    """Whether the index remembers this already, but for the time."""
    return (
        before is not None
        and before.complete == now.complete
        and before.problems == now.problems
        and (before.error or ())[:2] == (now.error or ())[:2]
    )


def _failure(error: ProviderError) -> Problem:
    return Problem(code=PROVIDER_FAILED, message=f"Some notes are found by words alone for now. {error}")


def _missing_vectors(reader: StoreReader) -> int:
    return reader.stats().missing_vectors


def _chunks(reader: StoreReader) -> int:
    return reader.stats().chunks
