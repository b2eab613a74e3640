"""How much of what was found fits into an answer: whole snippets first, then one that is cut.

Hits and a number of characters enter; what is shown of each leaves, best first. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.text.snippet import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_CUT = 80  # a shorter beginning of a snippet says nothing; unless it is all that there is room for


class Shown(Struct, frozen=True):
    """What fits of a snippet and of the line below it."""

    text: str
    footer: str
    cut: bool


def fit(snippets: Sequence[tuple[str, str]], budget: int) -> tuple[Shown, ...]:
    """What fits of snippets with their footers; those that do not fit at all are left out at the end."""
    shown: list[Shown] = []
    left = budget
    for text, footer in snippets:
        if len(text) + len(footer) <= left:
            shown.append(Shown(text, footer, cut=False))
            left -= len(text) + len(footer)
            continue
        cut = _cut(text, footer, left, alone=not shown)
        if cut is not None:
            shown.append(cut)
        break
    return tuple(shown)


def _cut(text: str, footer: str, room: int, *, alone: bool) -> Shown | None:
    """The beginning of a snippet that fits, with its footer where there is room for both."""
    kept = footer if len(footer) + _LEAST_CUT <= room else ""
    if not alone and room - len(kept) < _LEAST_CUT:
        return None
    beginning = clip(text, room - len(kept))
    return Shown(beginning, kept, cut=len(beginning) < len(text)) if beginning else None
