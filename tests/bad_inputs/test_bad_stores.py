"""An index file that is damaged, replaced, contended, or on a disk that fails."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from bad_inputs.faulty_disk import FaultyDisk
from recollect import Memory, StoreError
from recollect.stores.sqlite.schema import TABLES
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bad_inputs.room import Room

_DOCUMENTED = Path(__file__).parents[2] / "docs" / "limits.md"


def answer_of(memory: Memory) -> list[tuple[str, str, float]]:
    return [(hit.path, hit.snippet, round(hit.score, 4)) for hit in memory.search("boiler cache tea", max_results=10)]


@pytest.mark.parametrize(
    "sidecars",
    [
        pytest.param(("-wal", "-shm"), marks=pytest.mark.req("SO-002"), id="SO-002-a-log"),
        pytest.param(("-journal",), marks=pytest.mark.req("SO-003", "SO-020"), id="SO-003-a-journal"),
        pytest.param(("-wal",), marks=pytest.mark.req("SO-002"), id="SO-002-a-log-alone"),
    ],
)
def test_what_an_older_index_left_beside_it_never_comes_back(sidecars: tuple[str, ...], room: Room) -> None:
    room.notes.write("memory/old.md", "kumquat\n")
    old = Memory(room.notes.path, state_dir=room.state)
    old.sync()
    log = apsw.Connection(str(room.store))  # an open connection keeps the log
    log.execute("PRAGMA journal_mode=WAL").fetchall()
    log.execute("PRAGMA wal_autocheckpoint=0").fetchall()
    log.execute("UPDATE files SET size=size+1")
    kept = {name: room.store.with_name(room.store.name + name) for name in ("-wal", "-shm")}
    saved = {name: path.read_bytes() for name, path in kept.items()}
    assert saved["-wal"]
    journal = room.store.read_bytes()
    log.close()
    old.close()
    room.notes.remove("memory/old.md")
    room.store.unlink()
    for name in sidecars:
        room.store.with_name(room.store.name + name).write_bytes(saved.get(name, journal))
    assert room.asked("index").status == 0
    assert room.finds("kumquat") == []
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()
    assert {path.name for path in room.store.parent.iterdir()} == {room.store.name, room.store.name + ".lock"}


@pytest.mark.req("SO-002")
def test_an_index_made_anew_is_never_renamed_over_the_one_that_is_read(room: Room) -> None:
    room.asked("index")
    before = room.store.stat().st_ino
    reading = apsw.Connection(str(room.store), flags=apsw.SQLITE_OPEN_READONLY)
    reading.execute("BEGIN; SELECT count(*) FROM files").fetchall()
    assert room.asked("index", "--force").status == 0
    assert room.store.stat().st_ino == before
    assert reading.execute("SELECT count(*) FROM files").fetchall() == [(3,)]
    reading.close()
    room.is_sound()


def contents_of(path: Path) -> dict[str, object]:
    """All that stands in the index, row by row; what cannot be read is said so."""
    found: dict[str, object] = {}
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    for table in TABLES:
        try:
            rows = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - our own names
            found[table] = [tuple(row) for row in rows]
        except (apsw.Error, UnicodeDecodeError) as error:
            found[table] = str(error)
    connection.close()
    return found


@pytest.mark.req("SO-005")
@pytest.mark.parametrize("flips", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_flipped_bits_never_break_a_search_and_doctor_finds_them(flips: int, room: Room) -> None:
    for number in range(40):
        room.notes.write(f"memory/{number}.md", f"# Note {number}\n\nThe boiler number {number} takes tea.\n\n" * 20)
    with room.memory() as memory:
        memory.sync()
        wanted = answer_of(memory)
    sound, contents = room.store.read_bytes(), contents_of(room.store)
    chance = random.Random(5)  # noqa: S311 - a sample of offsets
    material = found = silent = 0
    for _ in range(flips):
        flipped = bytearray(sound)
        flipped[chance.randrange(len(sound))] ^= 1 << chance.randrange(8)
        room.store.write_bytes(flipped)
        changed = contents_of(room.store) != contents
        with room.memory(config={"sync": {"onSearch": False}}) as memory:
            answer = answer_of(memory)  # never raises
            damage = memory.verify()
        material += changed
        found += changed and bool(damage)
        silent += answer != wanted and not damage
        for path in room.store.parent.glob(room.store.name + ".*"):
            if not path.name.endswith(".lock"):
                path.unlink()
    assert silent == 0
    assert material > flips // 4  # the rest lie in free space, where nothing stands
    assert found >= 0.99 * material


@pytest.mark.req("SO-005")
def test_doctor_names_the_damage_and_index_mends_it(room: Room) -> None:
    room.asked("index")
    data = bytearray(room.store.read_bytes())
    data[len(data) // 2 :] = b"\xaa" * (len(data) - len(data) // 2)
    room.store.write_bytes(data)
    assert room.asked("doctor", "--verify-data").status == 1
    assert room.run("search", "boiler").status == 0
    assert room.asked("index").status == 0
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()


@pytest.mark.req("SO-005")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunk_text SET text=x'72616263'",
        "UPDATE postings SET blocks=x'00'",
        "UPDATE chunks SET units=zeroblob(28)",
        "UPDATE chunks SET units=x'ffffffff'",
        "UPDATE meta SET value=x'ff'",
        "UPDATE meta SET value='other'",
        "UPDATE files SET size='text'",
        "DELETE FROM chunk_text",
    ],
)
def test_damage_that_a_search_meets_is_told_and_mended_although_no_note_changed(statement: str, room: Room) -> None:
    room.asked("index")
    connection = apsw.Connection(str(room.store))
    connection.execute(statement)
    connection.close()
    with room.memory(config={"sync": {"onSearch": False}}) as memory:
        memory.search("boiler")  # never raises
        assert memory.verify() or memory.status().dirty
    room.run("search", "boiler")
    assert room.asked("index").status == 0
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()


def _first_page_gone(path: Path) -> None:
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])


def _cut_to_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 8192 * 4096)


def _cut_odd(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 3 + 1000)


@pytest.mark.req("SO-006")
@pytest.mark.parametrize("harm", [_first_page_gone, _cut_to_half, _cut_odd])
@pytest.mark.parametrize("door", ["index", "search"])
def test_a_torn_index_is_put_aside_and_made_anew(harm: object, door: str, room: Room) -> None:
    room.asked("index")
    assert callable(harm)
    harm(room.store)
    assert room.asked("status").status == 0
    if door == "index":
        assert room.asked("index").status == 0
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()
    assert room.store.with_name(room.store.name + ".damaged").exists()


@pytest.mark.req("SO-006")
def test_a_log_that_is_cut_short_loses_no_more_than_its_end(room: Room) -> None:
    room.asked("index")
    holding = apsw.Connection(str(room.store))
    holding.execute("PRAGMA journal_mode=WAL").fetchall()
    holding.execute("BEGIN")
    holding.execute("SELECT * FROM meta").fetchall()  # who reads an older state keeps the log
    room.notes.write("memory/late.md", "The quince came late.\n")
    room.asked("index")
    log = room.store.with_name(room.store.name + "-wal")
    assert log.stat().st_size > 0
    copy = room.folder / "copy"
    shutil.copytree(room.store.parent, copy)
    holding.close()
    for path in copy.iterdir():
        shutil.copy(path, room.store.parent / path.name)
    os.truncate(log, log.stat().st_size // 2)
    room.store.with_name(room.store.name + "-shm").unlink()
    shutil.rmtree(copy)
    assert room.asked("index").status == 0
    assert room.finds("quince") == ["memory/late.md"]
    room.is_sound()


def _synced(memory: Memory) -> tuple[StoreError | None, bool]:
    """What a sync raised, and whether it said that everything is in the index."""
    try:
        return None, memory.sync().complete
    except StoreError as error:
        return error, False


@pytest.fixture
def disk() -> Iterator[FaultyDisk]:
    faulty = FaultyDisk()
    yield faulty
    faulty.unregister()


@pytest.mark.req("SO-008")
@pytest.mark.parametrize("lasting", [False, True])
def test_a_disk_that_fails_at_any_operation_is_told_and_loses_nothing(
    lasting: bool, room: Room, disk: FaultyDisk
) -> None:
    with room.memory(HashedEmbedder()) as memory:
        memory.sync()
    saved = room.store.read_bytes()
    room.notes.write("memory/new.md", "The quince is new.\n")
    with room.memory(HashedEmbedder()) as memory, disk.counting():
        memory.sync()
    failures = 0
    total = disk.done
    for at in range(1, total + 1):
        for path in room.store.parent.iterdir():
            path.unlink()
        room.store.write_bytes(saved)
        with room.memory(HashedEmbedder()) as memory:
            with disk.failing(at, lasting=lasting):
                told, acknowledged = _synced(memory)
                memory.search("boiler")  # never raises
            if told is not None:
                failures += 1
                assert told.code in ("E_STORE", "E_FULL", "E_BUSY")
                assert "damaged" not in told.message
            found = [hit.path for hit in memory.search("quince new")]
            assert not acknowledged or "memory/new.md" in found
            assert "memory/home/boiler.md" in [hit.path for hit in memory.search("boiler")]
            memory.sync()
            assert memory.verify() == ()
    assert failures


@pytest.mark.req("SO-009")
@pytest.mark.parametrize("change", ["deleted", "replaced", "emptied"])
def test_an_index_that_is_replaced_while_it_is_open_is_noticed(change: str, room: Room) -> None:
    with room.memory() as memory:
        memory.sync()
        assert memory.search("boiler").results
        if change == "deleted":
            room.store.unlink()
        elif change == "emptied":
            os.truncate(room.store, 0)
        else:
            other = room.store.with_name("other")
            shutil.copy(room.store, other)
            other.rename(room.store)
        room.notes.write("memory/new.md", "The quince is new.\n")
        memory.sync()
        assert [hit.path for hit in memory.search("quince")][:1] == ["memory/new.md"]
    # What was acknowledged is in the file that has the name, not in one that has none.
    room.asked("status")
    assert '"files":4' in room.asked("status").out
    room.is_sound()


@pytest.mark.req("SO-009")
def test_an_index_that_is_deleted_while_it_is_written_is_no_success(room: Room) -> None:
    for number in range(200):
        room.notes.write(f"memory/{number}.md", f"The quince number {number}.\n")
    gone: list[int] = []

    def delete(_: object) -> None:
        if not gone and room.store.exists():
            room.store.unlink()
            gone.append(1)

    with room.memory() as memory:
        with pytest.raises(StoreError, match="removed or replaced"):
            memory.sync(progress=delete)
        memory.sync()
        assert memory.status().files == 203
