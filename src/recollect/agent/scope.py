"""Which chat may read which note, and whether it is told where a hit stands.

A path and the kind of chat enter, a yes or no leaves. Search, get, the session start and every server ask `may_read`,
so that there is one place in which this is decided. What is not known is not allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from recollect.types import CitationMode

ChatType = Literal["direct", "group", "channel", "unknown"]
CHAT_TYPES: Final[tuple[str, ...]] = get_args(ChatType)

_CURATED: Final = "memory.md"  # in any case: some disks do not tell MEMORY.md from Memory.md
_FOLDER: Final = "memory"


def may_read(path: str, chat: ChatType) -> bool:
    """Whether a chat of this kind may read a note: what is curated is for a private, direct chat alone."""
    return chat == "direct" or not _is_private(path)


def cites(mode: CitationMode, chat: ChatType) -> bool:
    """Whether a hit carries its citation: `auto` leaves it out where others read along."""
    match mode:
        case "on":
            return True
        case "off":
            return False
        case "auto":
            return chat not in ("group", "channel")


def _is_private(path: str) -> bool:
    """Whether this is a curated MEMORY.md: of this workspace, or of another one that an extra path reaches."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return bool(parts) and parts[-1].casefold() == _CURATED and (parts[0] != _FOLDER or ".." in parts)
