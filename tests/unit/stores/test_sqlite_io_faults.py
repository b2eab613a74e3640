"""Any operation on the disk may fail, once or for good: nothing acknowledged is lost, nothing half done is seen."""

# ruff: noqa: N802, PT017 - the names are SQLite's; what an error may say is part of every round

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import apsw
import pytest

from recollect.errors import FullError, StoreError
from recollect.protocols import CacheKey, SyncState
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_samples import chunk_of, identity_of, logical_digest, update_of, vector_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Mode = Literal["once", "sticky", "full"]

_POINTS = int(os.environ.get("RECOLLECT_FAULT_POINTS", "24"))  # of each kind of work and each mode
_KEY = CacheKey("test", "words", "0")


class FaultyFile(apsw.VFSFile):
    """A file whose operations are counted, and fail when their turn has come."""

    def __init__(self, name: str | apsw.URIFilename | None, flags: list[int], faults: Faults) -> None:
        super().__init__("unix", name, flags)
        self._faults = faults

    def xRead(self, amount: int, offset: int) -> bytes:
        self._faults.count("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._faults.count("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._faults.count("sync")
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self._faults.count("truncate")
        super().xTruncate(size)


class Faults(apsw.VFS):
    """SQLite's door to the disk, with a fault at operation `at`."""

    def __init__(self) -> None:
        self.done = 0
        self.at = 0
        self.mode: Mode = "once"
        super().__init__("faults", "unix", makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        self.count("open")
        return FaultyFile(name, flags, self)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.count("delete")
        super().xDelete(filename, syncdir)

    def count(self, what: str) -> None:
        self.done += 1
        if self.at and (self.done == self.at or (self.mode != "once" and self.done > self.at)):
            if self.mode == "full" and what in ("write", "truncate"):
                raise apsw.FullError("no space")
            if self.mode != "full":
                raise apsw.CantOpenError("fault") if what == "open" else apsw.IOError("fault")


@pytest.fixture
def faults() -> Iterator[Faults]:
    shim = Faults()
    yield shim
    shim.unregister()


def _prepare(store: SqliteStore) -> None:
    with store.write() as writer:
        writer.begin(identity_of())
        writer.apply([update_of("a.md", chunk_of(0, "alpha", "beta"), chunk_of(1, "gamma"))])
        writer.finish(SyncState(at=1.0, reason="test"))


def _sync(store: SqliteStore) -> Iterator[None]:
    """A sync in steps, each acknowledged by a yield."""
    with store.write() as writer:
        writer.apply([update_of("b.md", chunk_of(0, "delta " * 300))])
        yield
        writer.cache(_KEY, {b"1": vector_of("1")}, 10)
        writer.apply([update_of("c.md", *[chunk_of(n, f"word{n} " * 200) for n in range(30)])], removed=["a.md"])
        yield
        writer.finish(SyncState(at=2.0, reason="test"))
        yield


def _rebuild(store: SqliteStore) -> Iterator[None]:
    with store.rebuild() as writer:
        writer.begin(identity_of())
        writer.apply([update_of("d.md", *[chunk_of(n, f"word{n} " * 200) for n in range(30)])])
        writer.finish(SyncState(at=2.0, reason="test"))
    yield


def _states(work: Callable[[SqliteStore], Iterator[None]], folder: Path) -> list[str]:
    """The digests before the work and after each acknowledgement."""
    store = SqliteStore(str(folder / "index.sqlite"))
    _prepare(store)
    return [store.read(logical_digest), *[store.read(logical_digest) for _ in work(store)]]


@contextmanager
def _fault(faults: Faults, at: int, mode: Mode) -> Iterator[None]:
    faults.done, faults.at, faults.mode = 0, at, mode
    try:
        yield
    finally:
        faults.at = 0


@pytest.mark.req("STORE-02", "STORE-11")
@pytest.mark.parametrize("mode", ["once", "sticky", "full"])
@pytest.mark.parametrize("work", [_sync, _rebuild])
def test_a_fault_at_any_operation_loses_nothing_acknowledged(
    tmp_path: Path, faults: Faults, work: Callable[[SqliteStore], Iterator[None]], mode: Mode
) -> None:
    states = _states(work, tmp_path / "reference")
    counted = SqliteStore(str(tmp_path / "counted" / "index.sqlite"))
    _prepare(counted)
    with _fault(faults, 0, mode):
        list(work(counted))
        total = faults.done
    failed = 0
    for at in sorted({1 + number * total // _POINTS for number in range(_POINTS)}):
        path = tmp_path / f"{at}" / "index.sqlite"
        store = SqliteStore(str(path))
        _prepare(store)
        acknowledged = 0
        with _fault(faults, at, mode):
            try:
                for _ in work(store):
                    acknowledged += 1
            except StoreError as error:
                failed += 1
                assert "damaged" not in error.message, (at, error)
                assert mode != "full" or isinstance(error, FullError), (at, error)
            store.close()
        assert store.read(logical_digest) in states[acknowledged : acknowledged + 2], at
        assert list(store.verify()) == [], at
        with store.write():
            pass
        assert sorted(entry.name for entry in path.parent.iterdir()) == ["index.sqlite", "index.sqlite.lock"], at
    assert failed > 0


@pytest.mark.req("STORE-02")
@pytest.mark.parametrize("mode", ["once", "sticky"])
def test_a_fault_while_reading_is_an_error_and_never_a_wrong_answer(tmp_path: Path, faults: Faults, mode: Mode) -> None:
    path = str(tmp_path / "index.sqlite")
    _prepare(SqliteStore(path))
    wanted = SqliteStore(path).read(logical_digest)
    with _fault(faults, 0, mode):
        SqliteStore(path).read(logical_digest)
        total = faults.done
    for at in range(1, total + 1):
        store = SqliteStore(path)
        with _fault(faults, at, mode):
            try:
                assert store.read(logical_digest) == wanted
            except StoreError as error:
                assert "damaged" not in error.message
        assert store.read(logical_digest) == wanted
        store.close()
