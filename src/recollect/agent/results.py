"""The values that tools answer with: the seeds' shapes, errors among them.

What a memory found or why it could not enters; frozen values leave, ready to be written as JSON. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from recollect.errors import RecollectError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.types import CitationMode, Freshness, Problem, SearchMode, Source

_QUOTA: Final = re.compile(r"quota|\b429\b", re.IGNORECASE)
_LONGEST_FOREIGN: Final = 300
_LONGEST_WORD: Final = 18  # of a foreign error: a longer one with digits in it may be a key


class HitValue(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A hit as a model sees it."""

    path: str
    start_line: int
    end_line: int
    score: float
    snippet: str
    source: Source
    citation: str | None = None
    truncated: bool = False  # only the beginning of the snippet fitted


class SearchValue(Struct, frozen=True, kw_only=True, rename="camel"):
    """An answer to memory_search."""

    results: tuple[HitValue, ...]
    provider: str
    model: str | None
    mode: SearchMode
    citations: CitationMode
    freshness: Freshness
    warnings: tuple[Problem, ...]


class SearchFailure(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why memory_search has no answer. `disabled` and `unavailable` are said when asking again will not help."""

    results: tuple[HitValue, ...]  # always there, always empty
    disabled: bool = False
    unavailable: bool = False
    error: str
    warning: str = ""
    action: str = ""


class GetValue(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """An answer to memory_get."""

    path: str
    text: str
    exists: bool = True
    truncated: bool = False
    next_line: int | None = None


class GetFailure(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why memory_get could not read."""

    path: str
    text: str
    disabled: bool = False
    error: str
    action: str = ""


class ToolFailure(Struct, frozen=True, kw_only=True):
    """Why there is no such tool."""

    error: str
    action: str


Value = SearchValue | SearchFailure | GetValue | GetFailure | ToolFailure


def unavailable(error: str, action: str = "") -> SearchFailure:
    """A search that could not be made. A provider that is used up is said apart: only its owner can help."""
    if _is_quota(error):
        return SearchFailure(
            results=(),
            disabled=True,
            unavailable=True,
            error=error,
            warning="Memory cannot be searched: the quota of the embedding provider is used up.",
            action="Top up the provider's quota or choose another provider in the settings, then search again.",
        )
    return SearchFailure(
        results=(),
        disabled=True,
        unavailable=True,
        error=error,
        warning="Memory cannot be searched just now. Say so; do not answer as if nothing was found.",
        action=action or "Check the embedding provider and the index (`recollect doctor`), then search again.",
    )


def switched_off(warning: Problem) -> SearchFailure:
    """A search in a memory that the settings switch off."""
    return SearchFailure(
        results=(),
        disabled=True,
        unavailable=True,
        error=warning.message,
        warning="Memory is switched off.",
        action="Go on without memory, or have it switched on in the settings.",
    )


def unreadable(path: str, error: str, action: str = "") -> GetFailure:
    """A note that may not or cannot be read."""
    return GetFailure(path=path, text="", disabled=True, error=error, action=action)


def words_of(error: Exception) -> tuple[str, str]:
    """What went wrong, and what to do about it. An error that is not ours is told without places and likely keys."""
    if isinstance(error, RecollectError):
        return error.message, error.hint
    text = str(error)[:_LONGEST_FOREIGN].encode("utf-8", "replace").decode()
    said = " ".join(_discreet(word) for word in text.split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__, ""


def _discreet(word: str) -> str:
    is_key = len(word) > _LONGEST_WORD and any(char.isdigit() for char in word)
    return "\u2026" if is_key or "/" in word or "\\" in word else word


def count_of(number: int, one: str, many: str) -> str:
    """A number with the right form of its noun."""
    return f"{number} {one if number == 1 else many}"


def has_code(warnings: Iterable[Problem], code: str) -> Problem | None:
    """The warning with this code, if it is there."""
    return next((warning for warning in warnings if warning.code == code), None)


def _is_quota(error: str) -> bool:
    return _QUOTA.search(error) is not None
