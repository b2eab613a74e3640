"""A stand-in for a memory: it gives what a test hands it, and remembers what it was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.types import Freshness, GetResult, Hit, Problem, SearchResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.types import CitationMode, SearchMode


def hit(path: str = "MEMORY.md", start: int = 5, end: int = 7, snippet: str = "Tea, not coffee.") -> Hit:
    return Hit(
        path=path,
        start_line=start,
        end_line=end,
        score=0.5,
        snippet=snippet,
        source="memory",
        citation=None,
        chunk_start_line=start,
        chunk_end_line=end,
    )


class StandIn:
    """Ranked hits, a citation mode, or an error for every call."""

    def __init__(
        self,
        *hits: Hit,
        citations: CitationMode = "auto",
        warnings: Sequence[Problem] = (),
        mode: SearchMode = "hybrid",
        error: Exception | None = None,
        usual: int = 6,
    ) -> None:
        self.hits = hits
        self.citations = citations
        self.warnings = tuple(warnings)
        self.mode = mode
        self.error = error
        self.usual = usual
        self.asked: list[tuple[object, ...]] = []

    def search(self, query: str, *, max_results: int | None = None, min_score: float | None = None) -> SearchResult:
        self.asked.append((query, max_results, min_score))
        if self.error is not None:
            raise self.error
        return SearchResult(
            results=self.hits[: self.usual if max_results is None else max_results],
            provider="offline",
            model="recollect-en-1",
            mode=self.mode,
            citations=self.citations,
            freshness=Freshness(known=True),
            warnings=self.warnings,
        )

    def get(self, path: str, *, start: int | None = None, lines: int | None = None) -> GetResult:
        self.asked.append((path, start, lines))
        if self.error is not None:
            raise self.error
        return GetResult(path=path, text="one line", start_line=start or 1, end_line=start or 1)
