"""The notes as resources: the files of a memory enter, `memory://` addresses and their text leave.

Only what the memory itself lists is listed, and only what `get` may read is read: nothing outside its roots, and
nothing that the chat may not see.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from msgspec import Struct

from recollect.agent.scope import may_read
from recollect.errors import PathError

if TYPE_CHECKING:
    from recollect.agent.scope import ChatType
    from recollect.memory import Memory
    from recollect.types import FileStat, GetResult

SCHEME: Final = "memory://"
TEMPLATE: Final = "memory://{+path}"
MAX_CHARS: Final = 1024 * 1024
PAGE: Final = 500  # resources in one answer

_SAFE: Final = "/:@!$&'()*+,;=~-._"


class Note(Struct, frozen=True, kw_only=True):
    """A note as a client sees it in a list."""

    path: str
    uri: str
    size: int
    modified: str  # ISO 8601, UTC


class NoteBody(Struct, frozen=True, kw_only=True):
    """A note's text, and how it was cut."""

    uri: str
    text: str
    truncated: bool


class Changes(Struct, frozen=True, kw_only=True):
    """What is different since the last look."""

    listed: bool  # a note came or went
    updated: tuple[str, ...]  # addresses of notes whose text may be another


class Notes:
    """The notes of one memory, as far as one kind of chat may see them."""

    def __init__(self, memory: Memory, chat: ChatType) -> None:
        self._memory = memory
        self._chat = chat
        self._seen: dict[str, FileStat] | None = None

    def listed(self) -> tuple[Note, ...]:
        """All of them, in the memory's own order."""
        return tuple(
            Note(path=path, uri=uri_of(path), size=stat.size, modified=_moment(stat.mtime_ns))
            for path, stat in self._look().items()
        )

    def read(self, uri: str) -> NoteBody:
        """The text of one. PathError says why there is none."""
        path = path_of(uri)
        if path is None:
            raise PathError("This is no address of a note.", hint=f"Addresses begin with {SCHEME}.")
        for candidate in self._candidates(path):
            self._permit(candidate)
            found = self._get(candidate)
            self._permit(found.path)  # as it is called when it is written plainly
            if found.exists:
                return NoteBody(uri=uri, text=found.text, truncated=found.truncated)
        raise PathError("There is no such note.", hint="List the resources to see which there are.")

    def changes(self) -> Changes:
        """What is different since this was asked last; at first, nothing is."""
        before, now = self._seen, self._look()
        self._seen = now
        if before is None:
            return Changes(listed=False, updated=())
        updated = tuple(uri_of(path) for path, stat in now.items() if before.get(path, stat) != stat)
        return Changes(listed=before.keys() != now.keys(), updated=updated)

    def _look(self) -> dict[str, FileStat]:
        from recollect.sources.discovery import discover

        found = discover(self._memory.workspace, self._memory.settings.extra_paths)
        return {file.path: file.stat for file in found.files if may_read(file.path, self._chat)}

    def _candidates(self, path: str) -> list[str]:
        """The path as it stands, then as it may have been before a client took it for the name of a host."""
        bare = path.rstrip("/")
        same = [known for known in self._look() if known.casefold() == bare.casefold()]
        return list(dict.fromkeys([bare, *(same if len(same) == 1 else ())]))

    def _permit(self, path: str) -> None:
        if not may_read(path, self._chat):
            raise PathError(
                "This note is kept for private, direct chats.",
                hint="Start the server with --chat direct if only its owner talks to it.",
            )

    def _get(self, path: str) -> GetResult:
        from recollect.sources.lines import get

        memory = self._memory
        return get(memory.workspace, memory.settings.extra_paths, path, max_lines=MAX_CHARS, max_chars=MAX_CHARS)


def uri_of(path: str) -> str:
    """`memory/2026-02-10.md` is `memory://memory/2026-02-10.md`."""
    return SCHEME + quote(os.fsencode(path), safe=_SAFE)


def path_of(uri: str) -> str | None:
    """The path in an address; None for an address of something else."""
    if uri[: len(SCHEME)].lower() != SCHEME:
        return None
    return unquote(uri[len(SCHEME) :], errors="surrogateescape") or None


def _moment(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds // 10**9, UTC).isoformat().replace("+00:00", "Z")
