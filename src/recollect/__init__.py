"""Memory for AI agents in plain Markdown: cited answers from your notes, with no key and no download.

    from recollect import Memory

    with Memory(workspace="~/notes") as memory:
        for hit in memory.search("what did we decide about Redis?"):
            print(hit.citation, hit.snippet)

The public names load on first use, so that a command that needs few of them imports few.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.agent.tools import MemoryTools
    from recollect.aio import AsyncMemory
    from recollect.errors import (
        ArgumentError,
        BusyError,
        ConfigError,
        FullError,
        PathError,
        ProviderError,
        RecollectError,
        StoreError,
    )
    from recollect.memory import Memory
    from recollect.types import (
        Explanation,
        Freshness,
        GetResult,
        Hit,
        Problem,
        Progress,
        SearchResult,
        Span,
        Status,
        SyncReport,
    )

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "AsyncMemory",
    "BusyError",
    "ConfigError",
    "Explanation",
    "Freshness",
    "FullError",
    "GetResult",
    "Hit",
    "Memory",
    "MemoryTools",
    "PathError",
    "Problem",
    "Progress",
    "ProviderError",
    "RecollectError",
    "SearchResult",
    "Span",
    "Status",
    "StoreError",
    "SyncReport",
]

_HOMES = {"Memory": "memory", "AsyncMemory": "aio", "MemoryTools": "agent.tools"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES.get(name) or ("errors" if name.endswith("Error") else "types")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
