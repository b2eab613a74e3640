"""What this room needs of a memory: two verbs. Memory has them; so may a stand-in in a test. Holds no behaviour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from recollect.types import GetResult, SearchResult


class Recall(Protocol):
    """A memory that can be asked and read."""

    def search(self, query: str, *, max_results: int | None = None, min_score: float | None = None) -> SearchResult:
        """Answer a question."""
        ...

    def get(self, path: str, *, start: int | None = None, lines: int | None = None) -> GetResult:
        """Read lines of a note."""
        ...
