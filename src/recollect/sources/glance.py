"""A glance at the files between two looks: whether one of those changed that people and agents mostly change.

Enters: a workspace. Leaves: the files of the memory (as discovery gives them), and between two such looks, cheaply,
whether a folder changed (a note was made, removed or renamed) or one of the notes last written. Never: reads a note.
"""

from __future__ import annotations

import os
from heapq import nlargest
from typing import TYPE_CHECKING

from recollect.sources.discovery import discover
from recollect.sources.filestat import file_stat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.sources.discovery import Discovery

_WATCHED = 32  # notes, the last written first: today's log and what is being worked on
_FOLDERS = 64  # a memory of more folders is not glanced at, but looked at


class Looker:
    """Looks at the files of a memory, and glances at them in between."""

    def __init__(self, workspace: str, extra_paths: Sequence[str]) -> None:
        self._workspace, self._extra_paths = workspace, tuple(extra_paths)
        self._marks: dict[str, object] | None = None

    def discover(self) -> Discovery:
        """All files of the memory, with their stats."""
        found = discover(self._workspace, self._extra_paths)
        latest = nlargest(_WATCHED, found.files, key=lambda file: file.stat.mtime_ns)
        folders = {os.path.dirname(file.location) for file in found.files}
        folders |= {self._workspace, os.path.join(self._workspace, "memory")}
        if len(folders) > _FOLDERS:
            self._marks = None
        else:
            self._marks = {file.location: file.stat for file in latest} | {path: _mark(path) for path in folders}
        return found

    def sees_no_change(self) -> bool:
        """Whether what was marked at the last look is as it was; False where that cannot be told."""
        return self._marks is not None and all(_now(path, mark) == mark for path, mark in self._marks.items())


def _mark(folder: str) -> tuple[int, int] | None:
    """What changes when a name in a folder comes or goes."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _now(path: str, mark: object) -> object:
    if mark is None or isinstance(mark, tuple):
        return _mark(path)
    try:
        return file_stat(os.lstat(path))
    except OSError:
        return None
