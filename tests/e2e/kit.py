"""What tests of the whole library share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect import Memory, SearchResult
    from recollect.protocols import Clock, Embedder

NONE = {"provider": "none"}


class Open(Protocol):
    """What the fixture `open_memory` gives: `embedder=None` takes the provider of the settings."""

    def __call__(
        self,
        config: Mapping[str, object] | None = None,
        *,
        embedder: Embedder | None = ...,
        clock: Clock | None = None,
    ) -> Memory: ...


def paths(result: SearchResult) -> list[str]:
    """The notes of the hits, best first."""
    return [hit.path for hit in result]


def codes(result: SearchResult) -> list[str]:
    """The codes of the warnings."""
    return [warning.code for warning in result.warnings]
