"""Several processes on one store: writers that are killed, readers that look on, and who may read the files."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from recollect.errors import BusyError, StoreError
from recollect.protocols import SyncState
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_asserts import places_of
from recollect.testing.store_samples import chunk_of, identity_of, update_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recollect.protocols import StoreReader

_ROUNDS = int(os.environ.get("RECOLLECT_KILL_ROUNDS", "20"))
_DONE = SyncState(at=1.0, reason="test")

# Every generation holds the same notes, and in all of them the one word that names it: a mixture would show.
_WRITER = """
import sys
from recollect.protocols import SyncState
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_samples import chunk_of, identity_of, update_of

path, kind, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = SqliteStore(path)

def updates(number):
    return [update_of(f"{n}.md", chunk_of(0, f"generation{number} common"), version=str(number)) for n in range(6)]

print("ready", flush=True)
while True:
    number += 1
    if kind == "apply":
        with store.write() as writer:
            writer.apply(updates(number))
            print(number, flush=True)
            writer.finish(SyncState(at=float(number), reason="test"))
    else:
        with store.rebuild() as writer:
            writer.begin(identity_of())
            for update in updates(number):
                writer.apply([update])
            writer.finish(SyncState(at=float(number), reason="test"))
        print(number, flush=True)
"""


def generation_of(reader: StoreReader) -> int:
    """The generation that a reader sees, after making sure that it sees no other."""
    layout = reader.layout()
    texts = set(reader.texts(layout.chunk_ids.tolist()))
    assert len(layout.notes) == 6
    assert len(texts) == 1
    word, _ = texts.pop().split()
    of_word, common = reader.postings([word, "common"])
    assert of_word is not None
    assert common is not None
    assert of_word.units.tolist() == common.units.tolist() == [0, 1, 2, 3, 4, 5]
    return int(word.removeprefix("generation"))


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process that is surely gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-c", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.req("STORE-10")
@pytest.mark.parametrize("kind", ["apply", "rebuild"])
def test_a_killed_writer_loses_nothing_acknowledged_and_shows_nothing_mixed(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "index.sqlite")
    store = SqliteStore(path)
    with store.write() as writer:
        writer.begin(identity_of())
        writer.apply([update_of(f"{n}.md", chunk_of(0, "generation0 common")) for n in range(6)])
    last = 0
    for number in range(_ROUNDS):
        with running(_WRITER, path, kind, str(last)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            for _ in range(2 + 7 * number % 23):  # so many reads, whatever the writer is at
                seen = store.read(generation_of)
                assert seen >= last
                last = seen
            process.send_signal(signal.SIGKILL)
            acknowledged = [int(line) for line in process.stdout]
        seen = store.read(generation_of)
        assert seen >= max(acknowledged, default=0)
        last = seen
    with store.write(wait=0) as writer:
        writer.finish(_DONE)
    assert list(store.verify()) == []
    store.close()
    assert sorted(os.listdir(tmp_path)) == ["index.sqlite", "index.sqlite.lock"]


_OPENER = """
import sys
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_samples import chunk_of, identity_of, update_of

store, name = SqliteStore(sys.argv[1]), sys.argv[2]
sys.stdin.readline()
with store.write() as writer:
    if not store.exists():
        writer.begin(identity_of())
    writer.apply([update_of(f"{name}.md", chunk_of(0, f"from{name}"))])
print(len(store.read(lambda reader: reader.files())))
"""


@pytest.mark.req("STORE-12")
def test_eight_processes_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "index.sqlite")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _OPENER, path, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        output, _ = process.communicate()
        assert process.returncode == 0
        assert 1 <= int(output) <= 8
    store = SqliteStore(path)
    assert sorted(store.read(lambda reader: reader.files())) == [f"{number}.md" for number in range(8)]
    assert list(store.verify()) == []


_HOLDER = """
import sys
from recollect.stores.sqlite import SqliteStore

with SqliteStore(sys.argv[1]).write():
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.req("STORE-12")
def test_the_lock_goes_with_its_holder_however_that_ends(tmp_path: Path) -> None:
    path = str(tmp_path / "index.sqlite")
    store = SqliteStore(path)
    with store.write() as writer:
        writer.begin(identity_of())
    with running(_HOLDER, path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(BusyError) as caught, store.write(wait=0):
            pytest.fail("two writers")
        assert caught.value.retryable
        assert store.read(lambda reader: reader.files()) == {}  # a reader does not wait
    with store.write(wait=0):
        pass


@pytest.mark.req("STORE-13")
@pytest.mark.parametrize("umask", [0o000, 0o077, 0o777])
def test_only_the_owner_may_read_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "state" / "memory"
    store = SqliteStore(str(folder / "index.sqlite"))
    seen: dict[str, int] = {}

    def look() -> None:
        for entry in os.scandir(folder):
            seen[entry.name.partition(".build-")[0]] = stat.S_IMODE(entry.stat().st_mode)

    before = os.umask(umask)
    try:
        with store.rebuild() as writer:
            writer.begin(identity_of())
            writer.apply([update_of("a.md", chunk_of(0, "alpha"))])
            look()
        with store.write() as writer:
            writer.apply([update_of("b.md", chunk_of(0, "beta"))])
            look()
            store.read(lambda reader: reader.files())
            look()
    finally:
        os.umask(before)
    assert {"index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.sqlite.lock"} <= set(seen)
    assert set(seen.values()) == {0o600}
    assert {stat.S_IMODE(one.stat().st_mode) for one in (folder, folder.parent)} == {0o700}


@pytest.mark.req("STORE-14")
def test_a_store_that_was_replaced_is_noticed_by_who_has_it_open(tmp_path: Path) -> None:
    path, other = tmp_path / "index.sqlite", tmp_path / "other.sqlite"
    store = SqliteStore(str(path))
    for place, word in ((path, "alpha"), (other, "beta")):
        with SqliteStore(str(place)).write() as writer:
            writer.begin(identity_of())
            writer.apply([update_of("a.md", chunk_of(0, word))])
    assert places_of(store, "alpha")
    with store.write() as writer:
        writer.finish(_DONE)
        assert places_of(store, "alpha")  # a connection with locks is open now
        os.replace(other, path)
        with pytest.raises(StoreError, match="replaced"):
            writer.apply([update_of("b.md", chunk_of(0, "gamma"))])
    assert places_of(store, "beta")
    assert not places_of(store, "alpha")
    assert list(store.read(lambda reader: reader.files())) == ["a.md"]


@pytest.mark.req("STORE-14")
def test_a_store_that_was_deleted_is_made_anew_by_the_next_writer(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    store = SqliteStore(str(path))
    with store.write() as writer:
        writer.begin(identity_of())
        writer.apply([update_of("a.md", chunk_of(0, "alpha"))])
        assert places_of(store, "alpha")
        path.unlink()
        assert not store.exists()
        with pytest.raises(StoreError, match="removed"):
            writer.finish(_DONE)
    assert not store.exists()
    with store.write() as writer:
        writer.begin(identity_of())
        writer.apply([update_of("b.md", chunk_of(0, "beta"))])
    assert list(store.read(lambda reader: reader.files())) == ["b.md"]
    assert list(store.verify()) == []


@pytest.mark.req("STORE-14")
def test_a_store_is_found_again_after_its_folder_was_removed(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = SqliteStore(str(folder / "index.sqlite"))
    for _ in range(2):
        assert not store.exists()
        with store.write() as writer:
            writer.begin(identity_of())
        assert store.exists()
        for entry in folder.iterdir():
            entry.unlink()
        folder.rmdir()
