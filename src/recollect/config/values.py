"""The values that settings are made of.

What enters and leaves: plain scalars, tuples of text, pairs of text. Never a bare dict, never a value whose `repr`
shows a key.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Pairs: TypeAlias = tuple[tuple[str, str], ...]
Value: TypeAlias = bool | int | float | str | tuple[str, ...] | Pairs


class Secret(str):
    """Text that does not show itself in a `repr`: a key or a header's value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


class Given(Struct, frozen=True, kw_only=True):
    """One setting that somebody wrote down."""

    key: str  # its name on the surface, e.g. "memorySearch.chunking.tokens"
    path: str  # where it stands in its document, e.g. "agents.list[1].memorySearch.chunking.tokens"
    value: Value
    origin: str = "argument"  # who wrote it: "agents.defaults", "agents.list[1]", "workspace file", "argument", ...
    where: str = "config="  # the document, as a message names it


def shown(text: str, limit: int = 60) -> str:
    """A piece of somebody's document, made safe and short for a message."""
    safe = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: limit + 1])
    return safe if len(safe) <= limit else safe[:limit] + "\N{HORIZONTAL ELLIPSIS}"
