"""The numbers of a sync while it runs; a report of them leaves. Never: decides anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from recollect.types import Problem, SyncReport

if TYPE_CHECKING:
    from recollect.index.embedding import Embedding

NOT_UTF8: Final = "not-utf-8"


class Tally:
    """The numbers of a sync while it runs."""

    def __init__(self) -> None:
        self.files_added = self.files_changed = self.files_removed = self.files_unchanged = 0
        self.chunks_added = self.chunks_removed = self.chunks_kept = 0
        self.reused = 0
        self.problems: list[Problem] = []
        self.wrote = False

    def report(self, reason: str, *, rebuilt: str | None, seen: int, embedding: Embedding | None) -> SyncReport:
        """What is told to the caller."""
        return SyncReport(
            reason=reason,
            rebuilt=rebuilt,
            files_seen=seen,
            files_added=self.files_added,
            files_changed=self.files_changed,
            files_removed=self.files_removed,
            files_unchanged=self.files_unchanged,
            chunks_added=self.chunks_added,
            chunks_removed=self.chunks_removed,
            chunks_kept=self.chunks_kept,
            embedded=embedding.computed if embedding else 0,
            reused=self.reused + (embedding.from_cache if embedding else 0),
            problems=tuple(self.problems),
        )
