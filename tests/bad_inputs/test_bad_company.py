"""An index that many use at once, whoever made what lies beside it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from recollect import BusyError, Memory
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from bad_inputs.room import Room

_DOCUMENTED = Path(__file__).parents[2] / "docs" / "limits.md"
_LOOKING = """
import os, sys
from recollect import Memory

def look(_):
    folder = os.path.expanduser("~/.recollect/memory")
    for name in os.listdir(folder):
        print(name, oct(os.stat(os.path.join(folder, name)).st_mode & 0o777))

with Memory(sys.argv[1]) as memory:
    memory.sync(force=True, progress=look)
"""


@pytest.mark.req("SO-011")
def test_eight_processes_that_open_a_new_index_at_once_all_succeed(room: Room) -> None:
    runs = []
    for number in range(8):
        command = ["index"] if number % 2 else ["search", "--query", "boiler"]
        argv = [sys.executable, "-m", "recollect", *command, "--json", "--workspace", room.notes.path]
        runs.append(subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=room.environment()))
    for process in runs:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        assert err == b""
    room.is_sound()
    assert '"files":3' in room.asked("status").out


@pytest.mark.req("SO-012")
def test_two_memories_that_read_and_then_write_in_turns_never_meet_an_old_snapshot(room: Room) -> None:
    with room.memory(HashedEmbedder()) as one, room.memory(HashedEmbedder()) as other:
        for number in range(6):
            for memory in (one, other):
                assert memory.search("boiler").results
                room.notes.write(f"memory/{number}.md", f"The quince number {number} of {id(memory)}.\n")
                assert memory.sync().problems == ()
        failures: list[Exception] = []

        def work(memory: Memory, name: str) -> None:
            for number in range(12):
                room.notes.write(f"memory/{name}.md", f"The medlar number {number} of {name}.\n")
                try:
                    memory.search("medlar")
                    memory.sync()
                except BusyError:
                    continue
                except Exception as error:  # noqa: BLE001 - whatever it is, it is told below
                    failures.append(error)

        threads = [threading.Thread(target=work, args=(memory, name)) for memory, name in ((one, "a"), (other, "b"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        one.sync()
        assert one.verify() == ()
        assert {hit.path for hit in one.search("medlar")} >= {"memory/a.md", "memory/b.md"}


_ALL_VERBS = """
import sys
from recollect.cli import app
for command in ("index", "search boiler", "status --deep", "doctor --verify-data", "index --force"):
    assert app.run([*command.split(), "--workspace", sys.argv[1]]) == 0, command
assert "apsw" in sys.modules
assert not {"sqlite3", "_sqlite3", "pysqlite3"} & set(sys.modules)
"""


@pytest.mark.req("SO-014")
def test_one_process_never_has_two_sqlite_libraries(room: Room) -> None:
    argv = [sys.executable, "-c", _ALL_VERBS, room.notes.path]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env=room.environment())
    assert done.returncode == 0, done.stderr


@pytest.mark.req("SO-015")
@pytest.mark.parametrize("mask", ["000", "077", "022"])
def test_whatever_the_umask_what_is_made_is_for_its_owner_alone(mask: str, room: Room) -> None:
    room.run("index", first=f"umask {mask}")
    seen: set[str] = set()
    argv = ["sh", "-c", f'umask {mask}; exec "$@"', "sh", sys.executable, "-c", _LOOKING, room.notes.path]
    looked = subprocess.run(argv, capture_output=True, text=True, check=True, env=room.environment())
    for line in looked.stdout.splitlines():
        name, mode = line.split()
        seen.add(name.removeprefix(room.store.name)[:7])
        assert mode == "0o600", line
    assert {"", ".lock", ".build-", "-wal"} <= seen
    for folder in (room.state, room.state / "memory"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in room.store.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


@pytest.mark.req("SO-017")
@pytest.mark.parametrize("content", ["", "1", "{own}", "999999", "garbage \0\xff"])
def test_a_lock_file_that_nobody_holds_holds_nobody_up(content: str, room: Room) -> None:
    room.asked("index")
    lock = room.store.with_name(room.store.name + ".lock")
    lock.write_text(content.format(own=os.getpid()))
    room.notes.append("MEMORY.md", "The quince.\n")
    done = room.asked("index")
    assert done.json()["filesChanged"] == 1
    room.is_sound()


@pytest.mark.req("SO-018")
def test_the_cache_of_vectors_keeps_no_more_than_it_may(room: Room) -> None:
    for number in range(30):
        room.notes.write(f"memory/{number}.md", f"The quince number {number}.\n")
    for limit in (10, 3):
        with room.memory(HashedEmbedder(), config={"cache": {"maxEntries": limit}}) as memory:
            memory.sync(force=True)
            status = memory.status().cache
            assert status.enabled
            assert 0 < status.entries <= limit
    with room.memory(HashedEmbedder(), config={"cache": {"maxEntries": 0}}) as memory:
        memory.sync(force=True)
        assert not memory.status().cache.enabled
        assert memory.search("quince").results


@pytest.mark.req("SO-020")
def test_an_index_whose_journal_mode_somebody_changed_works_as_documented(room: Room) -> None:
    room.asked("index")
    connection = apsw.Connection(str(room.store))
    assert connection.pragma("journal_mode", "delete") == "delete"
    connection.close()
    room.notes.append("MEMORY.md", "The quince.\n")
    assert room.finds("quince") == ["MEMORY.md"]
    room.is_sound()
    assert "network" in _DOCUMENTED.read_text().lower()
