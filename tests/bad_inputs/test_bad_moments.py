"""What others do while the notes are indexed: edit, index as well, turn the clock, end the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from recollect.testing.clock import FixedClock
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from bad_inputs.room import Room
    from recollect.types import Progress

_PATIENCE_S = 60  # for what must come at some time; nothing is measured by it


def version(letter: str, lines: int = 4_000) -> str:
    """A note of which every line says the same: two versions in one chunk would show."""
    return f"quince version{letter}\n\n" * lines


def ended(process: subprocess.Popen[bytes], *, within: float) -> bool:
    """Whether a process ends in so many seconds."""
    try:
        process.wait(timeout=within)
    except subprocess.TimeoutExpired:
        return False
    return True


def versions_in_chunks(room: Room) -> list[set[str]]:
    return [{word for word in text.split() if word.startswith("version")} for text in room.chunks("memory/z.md")]


@pytest.mark.req("IX-034")
@pytest.mark.parametrize("change", ["truncated", "grown", "replaced"])
def test_a_note_that_changes_between_listing_and_reading_is_indexed_as_it_is_read(change: str, room: Room) -> None:
    path = room.notes.root / "memory/z.md"  # the last in order, so that it is read after the first progress
    room.notes.write("memory/z.md", version("A", 400))
    for number in range(200):
        room.notes.write(f"memory/a{number}.md", f"Filler {number}.\n" * 200)
    pending = [change]

    def meddle(progress: Progress) -> None:
        if not pending or progress.completed == 0 or progress.completed >= progress.total:
            return
        pending.pop()
        if change == "truncated":
            os.truncate(path, 0)
        elif change == "grown":
            room.notes.append("memory/z.md", version("A", 100))
        else:
            (path.parent / "z.new").write_text(version("B", 400))
            (path.parent / "z.new").rename(path)

    with room.memory() as memory:
        memory.sync(progress=meddle)
        assert not pending, "nothing was changed in between"
        memory.sync()
        assert not memory.status().dirty
    held = versions_in_chunks(room)
    wanted = {"truncated": [], "grown": [{"versionA"}], "replaced": [{"versionB"}]}[change]
    assert [one for index, one in enumerate(held) if one not in held[:index]] == wanted


@pytest.mark.req("IX-034")
def test_no_chunk_mixes_two_versions_of_a_note_that_is_replaced_all_the_time(room: Room) -> None:
    path = room.notes.root / "memory/z.md"
    path.write_text(version("A"))
    stop = threading.Event()

    def replace() -> None:
        letter = "B"
        while not stop.is_set():
            (path.parent / "z.new").write_text(version(letter))
            (path.parent / "z.new").rename(path)
            path.write_text(version(letter, 100))  # and shorter, in place
            letter = "A" if letter == "B" else "B"

    writer = threading.Thread(target=replace)
    writer.start()
    try:
        with room.memory() as memory:
            for _ in range(12):
                memory.sync()
                assert all(len(words) <= 1 for words in versions_in_chunks(room))
    finally:
        stop.set()
        writer.join()
    last = {word for word in path.read_text().split() if word.startswith("version")}
    with room.memory() as memory:
        assert memory.sync().problems == ()
        assert {word for words in versions_in_chunks(room) for word in words} == last


_COUNTING = """
import sys
from recollect import BusyError, Memory
from recollect.testing.embedder import HashedEmbedder
embedder = HashedEmbedder()
sys.stdin.readline()
with Memory(sys.argv[1], state_dir=sys.argv[2], embedder=embedder) as memory:
    try:
        memory.sync()
    except BusyError:
        pass
print(len(embedder.embedded))
"""


@pytest.mark.req("IX-039")
def test_two_processes_that_index_at_once_end_as_one_would_and_pay_once(room: Room) -> None:
    for number in range(300):
        room.notes.write(f"memory/{number}.md", f"# Note {number}\n\nThe quince number {number} stands here.\n")
    alone = HashedEmbedder()
    with room.memory(alone) as memory:
        memory.sync()
        wanted = memory.status()
    room.store.unlink()
    argv = [sys.executable, "-c", _COUNTING, room.notes.path, str(room.state)]
    both = [subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    paid = [int(process.communicate(timeout=_PATIENCE_S)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(paid) == len(alone.embedded)
    with room.memory(HashedEmbedder()) as memory:
        assert (memory.status().files, memory.status().chunks) == (wanted.files, wanted.chunks)
        assert memory.verify() == ()
        assert not memory.status().dirty


@pytest.mark.req("IX-039")
def test_two_commands_that_index_at_once_both_end_well(room: Room) -> None:
    for number in range(200):
        room.notes.write(f"memory/{number}.md", f"The quince number {number} stands here.\n")
    with room.start("index", "--json") as one, room.start("index", "--json") as other:
        ends = [process.communicate(timeout=_PATIENCE_S) for process in (one, other)]
    for process, (out, err) in zip((one, other), ends, strict=True):
        assert process.returncode == 0 or b'"E_BUSY"' in out
        assert err == b""
    assert 0 in (one.returncode, other.returncode)
    room.is_sound()
    assert room.asked("status").out.count('"files":203') >= 1


@pytest.mark.req("IX-040")
def test_a_rebuild_ends_although_a_note_is_edited_all_the_time(room: Room) -> None:
    for number in range(200):
        room.notes.write(f"memory/{number}.md", f"The quince number {number} stands here.\n")
    room.asked("index")
    edits = 0
    with room.start("index", "--force", "--json") as process:
        while not ended(process, within=0.1) and edits < 10 * _PATIENCE_S:
            room.notes.append("memory/7.md", f"edit{edits}\n")
            edits += 1
        out, _ = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 0
    assert b'"rebuilt"' in out
    room.notes.append("memory/7.md", "the last edit of all\n")
    with room.memory() as memory:
        assert memory.status().dirty
    assert room.asked("index").json()["filesChanged"] == 1
    assert "memory/7.md" in room.finds("the last edit of all")
    room.is_sound()


@pytest.mark.req("IX-042")
def test_a_clock_that_jumps_back_and_forth_changes_no_outcome(room: Room) -> None:
    for number in range(100):
        room.notes.write(f"memory/{number}.md", f"The quince number {number} stands here.\n")
    clock = FixedClock(time.time())
    jumps = [-40.0, 400.0]

    def jump(_: Progress) -> None:
        if jumps:
            clock.advance(days=jumps.pop(0))

    worked = time.process_time()
    with room.memory(HashedEmbedder(), clock) as memory:
        assert memory.sync(progress=jump).problems == ()
        assert jumps == []
        for days in (-800, 1600, -1600):
            clock.advance(days=days)
            assert memory.search("quince").results
            assert memory.sync().files_unchanged == 103
            assert not memory.status().dirty
            room.notes.write("memory/0.md", f"The medlar after {days} days.\n")
            assert memory.search("medlar").results[0].path == "memory/0.md"
            memory.sync()
            assert not memory.status().dirty
    assert time.process_time() - worked < 30  # nothing spins


_BIG = 400


def many_notes(room: Room) -> None:
    text = "".join(f"Paragraph {number} of this long note speaks of quinces.\n\n" for number in range(300))
    for number in range(_BIG):
        room.notes.write(f"memory/{number:04}.md", f"# Note {number}\n\n{text}")


def begun(store: Path) -> bool:
    """Whether a first index is being written: its log holds something."""
    log = store.with_name(store.name + "-wal")
    return log.exists() and log.stat().st_size > 300_000


def end_in_the_middle(room: Room, number: signal.Signals) -> tuple[int, float, bytes]:
    """Index, and send a signal when the index is half there."""
    store = room.store
    with room.start("index") as process:
        looks = 0
        while not begun(store) and looks < 500 * _PATIENCE_S:
            looks += 1
            assert not ended(process, within=0.002), "it was over too soon"
        process.send_signal(number)
        sent = time.monotonic()
        _, err = process.communicate(timeout=_PATIENCE_S)
        return process.returncode, time.monotonic() - sent, err


@pytest.mark.req("IX-043")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_an_index_run_within_two_seconds_and_leaves_it_whole(name: str, room: Room) -> None:
    many_notes(room)
    number = signal.Signals[name]
    status, took, err = end_in_the_middle(room, number)
    assert took < 2
    assert status == 128 + number
    assert b"Traceback" not in err
    assert '"dirty":true' in room.asked("status").out
    room.is_sound()
    assert f'"files":{_BIG + 3}' in room.asked("status").out
    assert room.finds("boiler") == ["memory/home/boiler.md"]


@pytest.mark.req("CL-004")
def test_a_run_that_is_killed_leaves_the_index_whole(room: Room) -> None:
    many_notes(room)
    status, _, _ = end_in_the_middle(room, signal.SIGKILL)
    assert status == -signal.SIGKILL
    room.is_sound()
    assert f'"files":{_BIG + 3}' in room.asked("status").out
