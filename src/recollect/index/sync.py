"""Bringing the index to the state of the files, in proportion to what changed.

Enter: a store, an embedder or none, a way to list files and a way to read one, settings, a clock. Leaves: a report of
what was done and what was left out. Never named here: a database, a vendor, a disk.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from recollect.index import freshness
from recollect.index.identity import identity_of
from recollect.index.run import Parts, Run
from recollect.index.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.index.freshness import Pending
    from recollect.protocols import ChunkStore, Clock, Embedder, IndexIdentity, ProgressCallback
    from recollect.sources.discovery import Discovery
    from recollect.text.tokens import Analyzer
    from recollect.types import NoteText, Source, SourceFile, SyncReport


class Indexer:
    """The write path of one memory. May be used from several threads; one sync runs at a time."""

    def __init__(
        self,
        *,
        store: ChunkStore,
        embedder: Embedder | None,
        discover: Callable[[], Discovery],
        read: Callable[[SourceFile], NoteText],
        chunk_tokens: int,
        chunk_overlap: int,
        sources: tuple[Source, ...],
        cache_enabled: bool,
        cache_max_entries: int | None,
        clock: Clock,
    ) -> None:
        self._parts = Parts(
            store=store,
            embedder=embedder,
            discover=discover,
            read=read,
            analyse=self._analyse,
            cache_enabled=cache_enabled,
            cache_max_entries=cache_max_entries,
            clock=clock,
        )
        self._chunking = chunk_tokens, chunk_overlap
        self._sources = sources
        self._turns = Turns()

    @property
    def identity(self) -> IndexIdentity:
        """What an index made with these settings is made with."""
        embedder = self._parts.embedder
        return identity_of(embedder.identity if embedder is not None else None, *self._chunking, self._sources)

    def sync(
        self,
        *,
        reason: str = "api",
        force: bool = False,
        progress: ProgressCallback | None = None,
        wait: float | None = None,
    ) -> SyncReport:
        """Bring the index to the state of the files; with `force` make it anew.

        Whoever else is writing the index is waited for, for `wait` seconds at most: then BusyError. A caller that
        finds a sync under way in this process waits for it, and its files are looked at again.
        """

        def work() -> SyncReport:
            run = Run(self._parts, identity=self.identity, reason=reason, force=force, progress=progress, wait=wait)
            return run.go()

        return self._turns.take(work, alone=force, wait=wait)

    def pending(self, *, remembered: bool = True) -> Pending:
        """What the next sync would find to do, told by stat alone: no note is read, no lock taken.

        Not `remembered`: as if there were no index, where the one that is there cannot be read.
        """
        view = freshness.view_of(self._parts.store) if remembered else freshness.View()
        return freshness.pending(self._parts.discover(), view, self.identity)

    @cached_property
    def _analyzer(self) -> Analyzer:
        from recollect.text.tokens import Analyzer

        return Analyzer()

    def _analyse(self, text: str) -> Sequence[str]:
        return self._analyzer.terms(text)
