"""A workspace for tests. Enters: notes by their paths. Leaves: a folder that holds them, and verbs to change it.

Only for temporary folders: it writes where it is told, through no lock and with no care for what was there.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType


class Workspace:
    """A folder of notes that a test makes and changes; every verb gives the workspace back.

    >>> with Workspace({"MEMORY.md": "We use Redis.", "memory/2026-02-10.md": "Moved to Valkey."}) as workspace:
    ...     workspace.append("MEMORY.md", "And SQLite.").remove("memory/2026-02-10.md")
    """

    def __init__(
        self, notes: Mapping[str, str | bytes] | None = None, *, root: str | os.PathLike[str] | None = None
    ) -> None:
        """Make the notes below `root` (a test's tmp_path), or in a folder that `close` or the end of a `with` removes.

        A text is written as UTF-8 exactly as it stands, bytes as they are.
        """
        self._temporary = tempfile.TemporaryDirectory(prefix="recollect-") if root is None else None
        self.root = Path(self._temporary.name if self._temporary is not None else os.fspath(root or ""))
        self.root.mkdir(parents=True, exist_ok=True)
        for path, content in (notes or {}).items():
            self.write(path, content)

    @property
    def path(self) -> str:
        """The workspace folder, as Memory(workspace=) takes it."""
        return str(self.root)

    def write(self, path: str, content: str | bytes, *, at: float | None = None) -> Self:
        """Make a note or replace it; `at` is the time of its last change, in seconds since 1970."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_bytes(content))
        return self if at is None else self.touch(path, at)

    def append(self, path: str, content: str | bytes) -> Self:
        """Add to the end of a note."""
        with (self.root / path).open("ab") as file:
            file.write(_bytes(content))
        return self

    def touch(self, path: str, at: float) -> Self:
        """Set the time of a note's last change, in seconds since 1970."""
        os.utime(self.root / path, (at, at))
        return self

    def move(self, path: str, to: str) -> Self:
        """Rename a note or a folder."""
        target = self.root / to
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).rename(target)
        return self

    def remove(self, path: str) -> Self:
        """Delete a note."""
        (self.root / path).unlink()
        return self

    def link(self, path: str, to: str | os.PathLike[str]) -> Self:
        """Make a symbolic link at `path`."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(to)
        return self

    def close(self) -> None:
        """Remove the folder, if this workspace made one of its own."""
        if self._temporary is not None:
            self._temporary.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
