"""Where a memory's files may lie: paths as people and models write them enter, places that may be opened leave.

A memory has the workspace's MEMORY.md, memory.md and memory/, and the extra paths of the settings. Every file in it
has one path, relative to the workspace, with "/"; outside the workspace it begins with "..". Nothing here touches a
disk: that what stands at a place is what it seems to be is the business of `beneath`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from recollect.errors import ArgumentError, PathError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDING: Final = ".md"
TOP_FILES: Final = ("MEMORY.md", "memory.md")
FOLDER: Final = "memory"

_LONGEST = 4096  # what no system accepts as a path anyway
_ALLOWED = "Paths are MEMORY.md, memory.md, files below memory/, and files of the extra paths in the settings."
_SLASHES = "Write it with forward slashes and relative to the workspace, as search results show it."


class Place(Struct, frozen=True, kw_only=True):
    """A file that may be opened: `anchor` is a folder that is opened as it is named, and of `parts`, the way from
    there to the file, nothing may be a symbolic link."""

    path: str  # what is cited
    anchor: str
    parts: tuple[str, ...]


class ExtraRoot(Struct, frozen=True, kw_only=True):
    """An extra path of the settings: a folder or a file."""

    path: str  # relative to the workspace; "" for the workspace itself
    location: tuple[str, ...]  # its absolute path in components
    anchor: str
    parts: tuple[str, ...]  # from the anchor to the root; none may be a symbolic link


class Roots:
    """The places of one memory. `problems` names extra paths that cannot be paths at all."""

    def __init__(self, workspace: str, extra_paths: Sequence[str] = ()) -> None:
        if not workspace or "\0" in workspace:
            raise ArgumentError("The workspace is no path.", hint="Name an existing folder.")
        self.workspace = os.path.abspath(workspace)
        self.location = split(self.workspace)
        self.problems: tuple[Problem, ...] = ()
        self.extras = self._extra_roots(extra_paths)

    def _extra_roots(self, extra_paths: Sequence[str]) -> tuple[ExtraRoot, ...]:
        found: dict[tuple[str, ...], ExtraRoot] = {}
        problems = []
        for named in extra_paths:
            wanted = named.strip()
            if "\0" in wanted or not encodable(wanted):
                problems.append(Problem(code="invalid-path", message=f"The extra path {wanted!r} cannot be a path."))
            elif wanted:
                location = split(os.path.normpath(os.path.join(self.workspace, wanted)))
                found.setdefault(location, self._extra_root(location))
        self.problems = tuple(problems)
        return tuple(found.values())

    def _extra_root(self, location: tuple[str, ...]) -> ExtraRoot:
        if _starts_with(location, self.location):
            anchor, parts = self.workspace, location[len(self.location) :]
        else:
            # What lies above a root outside the workspace is the system's (/tmp itself may be a symbolic link).
            anchor, parts = "/" + "/".join(location[:-1]), location[-1:]
        return ExtraRoot(path=self.cited(location), location=location, anchor=anchor, parts=parts)

    def cited(self, location: tuple[str, ...]) -> str:
        """The one path by which a file of this memory is known."""
        shared = 0
        for ours, theirs in zip(self.location, location, strict=False):
            if ours != theirs:
                break
            shared += 1
        return "/".join((*[".."] * (len(self.location) - shared), *location[shared:]))

    def locate(self, path: object) -> Place:
        """The place of a file that belongs to this memory by its name; PathError or ArgumentError for any other."""
        parts = components(path)
        location = self._location(parts)
        if self._own(parts):
            place = Place(path="/".join(parts), anchor=self.workspace, parts=parts)
        else:
            holders = [root for root in self.extras if _starts_with(location, root.location)]
            if not holders:
                raise PathError("The path lies outside the memory.", hint=_ALLOWED)
            # The nearest root: what a root further up reaches only over a symbolic link is still to be had.
            root = max(holders, key=lambda holder: len(holder.location))
            below = location[len(root.location) :]
            place = Place(path="/".join(parts), anchor=root.anchor, parts=root.parts + below)
        if not parts[-1].endswith(ENDING):
            raise PathError("Only Markdown can be read: the name must end in .md, in small letters.", hint=_ALLOWED)
        return place

    @staticmethod
    def _own(parts: tuple[str, ...]) -> bool:
        return (len(parts) == 1 and parts[0] in TOP_FILES) or (len(parts) > 1 and parts[0] == FOLDER)

    def _location(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        up = _climb(parts)  # components() never ends in "..", so a name follows
        kept = len(self.location) - up
        if kept < 0 or (up and parts[up] == self.location[kept]):
            # Leads above the top, or leaves the workspace and comes back: not how a file of a memory is named.
            raise PathError("The path lies outside the memory.", hint=_ALLOWED)
        return self.location[:kept] + parts[up:]


def components(path: object) -> tuple[str, ...]:
    """A path's components without "." and empty ones; ".." at most at its beginning, and never last."""
    if not isinstance(path, str):
        raise ArgumentError("The path must be a text.", hint=_ALLOWED)
    if not path or "\0" in path:
        raise ArgumentError("The path is empty or holds a NUL character.", hint=_ALLOWED)
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    refused = _unreadable(path) or refusal(parts)
    if refused:
        raise PathError(refused, hint=_SLASHES)
    if not parts or parts[-1] == ".." or path.endswith(("/", "/.")):
        raise PathError("The path names a folder.", hint=_ALLOWED)
    if ".." in parts[_climb(parts) :]:
        raise PathError('The path holds ".." after a name.', hint=_ALLOWED)
    return parts


def _unreadable(path: str) -> str:
    """Why a text is no path of a memory at all; "" where it may be one."""
    if len(path) > _LONGEST:
        return "The path is too long."
    if not encodable(path):
        return "The path is no UTF-8."
    if path.startswith("/"):
        return "The path is absolute."
    if "://" in path:
        return "The path is a URL."
    return ""


def _climb(parts: tuple[str, ...]) -> int:
    """How many ".." a path begins with."""
    return next((count for count, part in enumerate(parts) if part != ".."), len(parts))


def refusal(parts: Sequence[str]) -> str:
    r"""Why a path of these components is never read ("" where it may be), whatever lies there.

    A name on a POSIX disk may hold a backslash, begin with "~" or look like a drive; other systems and shells read
    something else into it, so such files are left out when they are found and refused when they are asked for.
    """
    if any("\\" in part for part in parts):
        return "The path holds a backslash."
    first = parts[0] if parts else ""
    if first.startswith("~"):
        return 'The path begins with "~".'
    if first[1:2] == ":" and first[0].isascii() and first[0].isalpha():
        return "The path begins with a drive letter."
    return ""


def encodable(name: str) -> bool:
    """Whether a name is UTF-8: bytes that are not arrive from the system as lone surrogates."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def split(location: str) -> tuple[str, ...]:
    """The components of an absolute path."""
    return tuple(part for part in location.split("/") if part)


def show(path: str) -> str:
    """A path for a message, so that no name can move the cursor or turn the line around."""
    return path if path.isprintable() else path.encode("unicode_escape").decode("ascii")


def _starts_with(location: tuple[str, ...], root: tuple[str, ...]) -> bool:
    return location[: len(root)] == root
