"""Reading leaves no trace: no write, no lock, no new file, and no need for a folder that can be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.errors import StoreError
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_samples import chunk_of, identity_of, update_of

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.protocols import StoreReader

_LOOK = """
import sys
from recollect.stores.sqlite import SqliteStore

store = SqliteStore(sys.argv[1])
assert store.exists()
assert list(store.read(lambda reader: reader.files())) == ["a.md"]
assert store.read(lambda reader: reader.stats()).chunks == 1
assert store.read(lambda reader: reader.sync_state()) is None
assert [code for code, _ in store.health().notes] == sys.argv[2:]
assert "numpy" not in sys.modules, "status must not load numpy"
store.close()
"""

_READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "index.sqlite"
    with SqliteStore(str(path)).write() as writer:
        writer.begin(identity_of())
        writer.apply([update_of("a.md", chunk_of(0, "alpha"))])
    return path


def looked_at(path: Path, *before: str, notes: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, sys.executable, "-c", _LOOK, str(path), *notes], capture_output=True, text=True, check=False
    )


@pytest.mark.req("STORE-15")
def test_looking_makes_no_file_and_loads_no_numpy(path: Path) -> None:
    before = {entry.name: entry.stat().st_mtime_ns for entry in path.parent.iterdir()}
    looked = looked_at(path)
    assert looked.returncode == 0, looked.stderr
    assert {entry.name: entry.stat().st_mtime_ns for entry in path.parent.iterdir()} == before


@pytest.mark.req("STORE-15")
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_looking_makes_no_call_that_writes_or_locks(path: Path) -> None:
    log = path.parent.parent / "calls"
    looked = looked_at(path, "strace", "-f", "-y", "-o", str(log), "-e", "trace=file,desc")
    if looked.returncode != 0 and "ptrace" in looked.stderr:
        pytest.skip("processes may not be traced here")
    assert looked.returncode == 0, looked.stderr
    calls = [line for line in log.read_text().splitlines() if str(path.parent) in line]
    assert calls
    for call in calls:
        name = call.split(maxsplit=1)[1].partition("(")[0]
        assert name in ("openat", "stat", "lstat", "fstat", "newfstatat", "statx", "pread64", "close", "read", "access")
        assert "O_CREAT" not in call
        assert "O_RDWR" not in call
        assert "O_WRONLY" not in call


@pytest.mark.req("STORE-15")
@pytest.mark.skipif(os.getuid() == 0, reason="modes do not bind root")
def test_a_folder_that_cannot_be_written_is_read_all_the_same(path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        assert looked_at(path, notes=("read-only",)).returncode == 0
        with pytest.raises(StoreError), SqliteStore(str(path)).write():
            pytest.fail("nothing can be written here")
    finally:
        path.parent.chmod(0o700)


@pytest.mark.req("STORE-15")
@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_a_read_only_file_system_is_read_all_the_same(path: Path) -> None:
    folder = path.parent
    os.utime(path)  # as if it had been written this moment: the case in which locks would be wanted
    looked = looked_at(path, "unshare", "-m", "sh", "-c", _READ_ONLY, str(folder), notes=("read-only",))
    if "ermission" in looked.stderr or "not permitted" in looked.stderr:
        pytest.skip("file systems may not be mounted here")
    assert looked.returncode == 0, looked.stderr


_NOTHING_THERE = """
import sys
from recollect.errors import StoreError
from recollect.stores.sqlite import SqliteStore

def write():
    with SqliteStore(sys.argv[1]).write():
        pass

for ask in (SqliteStore(sys.argv[1]).exists, write):
    try:
        ask()
    except StoreError as error:
        print(error.message)
"""


@pytest.mark.req("STORE-19")
@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_no_index_in_a_folder_that_cannot_be_written_is_told_with_the_cause(tmp_path: Path) -> None:
    ask = ("unshare", "-m", "sh", "-c", _READ_ONLY, str(tmp_path), sys.executable, "-c", _NOTHING_THERE)
    told = subprocess.run(
        [*ask, str(tmp_path / "state" / "index.sqlite")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(tmp_path.parent)},
    )
    if "ermission" in told.stderr or "not permitted" in told.stderr:
        pytest.skip("file systems may not be mounted here")
    says = f"The index cannot be written in the folder ~/{tmp_path.name} (Read-only file system)."
    assert told.stdout.splitlines() == [says, says], told.stderr


@pytest.mark.req("STORE-19")
def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "state").write_text("mine")
    store = SqliteStore(str(tmp_path / "state" / "memory" / "index.sqlite"))
    says = "There is a file where the folder for the index should be, ~/state."
    with pytest.raises(StoreError) as asked:
        store.exists()
    with pytest.raises(StoreError) as written, store.write():
        pytest.fail("there is no place for an index")
    assert (asked.value.message, written.value.message, store.health().fts_error) == (says, says, says)
    store.sweep()
    assert (tmp_path / "state").read_text() == "mine"


@pytest.mark.req("STORE-10")
def test_what_was_read_without_a_lock_is_read_again_when_the_file_changed_meanwhile(path: Path) -> None:
    runs = []

    def work(reader: StoreReader) -> list[str]:
        runs.append(list(reader.files()))
        if len(runs) == 1:
            with SqliteStore(str(path)).write() as writer:
                writer.apply([update_of("b.md", chunk_of(0, "beta"))])
        return runs[-1]

    assert SqliteStore(str(path)).read(work) == ["a.md", "b.md"]
    assert runs == [["a.md"], ["a.md", "b.md"]]


@pytest.mark.req("STORE-15")
def test_making_a_store_object_touches_no_file(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "none" / "index.sqlite"))
    assert not store.exists()
    assert store.read(lambda reader: reader.files()) == {}
    assert list(store.verify()) == []
    assert store.health().notes == ()
    store.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("STORE-15")
def test_a_writer_leaves_nothing_but_the_store_and_its_lock(path: Path) -> None:
    store = SqliteStore(str(path))
    store.read(lambda reader: reader.files())
    store.close()
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["index.sqlite", "index.sqlite.lock"]
