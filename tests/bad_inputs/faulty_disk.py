"""SQLite's door to the disk, with faults on demand: operations are counted, and fail when their turn has come."""

# ruff: noqa: N802 - the names are SQLite's
from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterator


class _File(apsw.VFSFile):
    def __init__(self, name: str | apsw.URIFilename | None, flags: list[int], disk: FaultyDisk) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.count()
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.count()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._disk.count()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self._disk.count()
        super().xTruncate(size)


class FaultyDisk(apsw.VFS):
    """What every connection uses while it is registered."""

    def __init__(self) -> None:
        self.done = 0
        self._at = 0
        self._lasting = False
        super().__init__("faulty-disk", "unix", makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        self.count()
        return _File(name, flags, self)

    def count(self) -> None:
        """One more operation; it may be the one that fails."""
        self.done += 1
        if self._at and (self.done == self._at or (self._lasting and self.done > self._at)):
            raise apsw.IOError("fault")

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what is done within."""
        self.done = 0
        yield

    @contextmanager
    def failing(self, at: int, *, lasting: bool) -> Iterator[None]:
        """The operation number `at` within fails, and with `lasting` all that follow."""
        self.done, self._at, self._lasting = 0, at, lasting
        try:
            yield
        finally:
            self._at = 0
