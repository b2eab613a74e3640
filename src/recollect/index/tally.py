"""The numbers of a sync while it runs; a report of them leaves. Never: decides anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from recollect.types import Problem, SyncReport

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.index.embedding import Embedding

NOT_UTF8: Final = "not-utf-8"


class Tally:
    """The numbers of a sync while it runs."""

    def __init__(self) -> None:
        self._added: set[str] = set()
        self._changed: set[str] = set()
        self._removed: set[str] = set()
        self._unread: set[str] = set()
        self.chunks_added = self.chunks_removed = self.chunks_kept = 0
        self.reused = 0
        self.problems: list[Problem] = []
        self.wrote = False

    def saw_new(self, path: str) -> None:
        """A file that the index did not hold."""
        self._added.add(path)

    def saw_changed(self, path: str) -> None:
        """A file with other content; one that was new a pass ago is still new to the caller."""
        if path not in self._added:
            self._changed.add(path)

    def could_not_read(self, path: str) -> None:
        """A file that was listed and could not be read."""
        self._unread.add(path)

    def lost(self, paths: Iterable[str]) -> None:
        """Files that are gone."""
        for path in paths:
            if path not in self._added:
                self._removed.add(path)
            self._added.discard(path)
            self._changed.discard(path)

    def report(self, reason: str, *, rebuilt: str | None, seen: int, embedding: Embedding | None) -> SyncReport:
        """What is told to the caller."""
        return SyncReport(
            reason=reason,
            rebuilt=rebuilt,
            files_seen=seen,
            files_added=len(self._added),
            files_changed=len(self._changed),
            files_removed=len(self._removed),
            files_unchanged=max(0, seen - len(self._added | self._changed | self._unread)),
            chunks_added=self.chunks_added,
            chunks_removed=self.chunks_removed,
            chunks_kept=self.chunks_kept,
            embedded=embedding.computed if embedding else 0,
            reused=self.reused + (embedding.from_cache if embedding else 0),
            problems=tuple(self.problems),
        )
