"""Status where nothing may be written, and the command in a hostile shell."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, NoReturn

import pytest

from bad_inputs.room import SECRET, How, need_bound_modes
from recollect.testing.clock import FixedClock
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bad_inputs.room import Room

_WRITING = ("O_CREAT", "O_WRONLY", "O_RDWR", "O_TRUNC")
_CHANGING = (
    "unlink",
    "rename",
    "mkdir",
    "rmdir",
    "ftruncate",
    "pwrite",
    "fsync",
    "fdatasync",
    "flock",
    "chmod",
    "utime",
)


def laid_out(folder: Path) -> dict[str, tuple[int, ...]]:
    """All that lies in a folder, and everything by which a change would show."""
    return {
        str(path.relative_to(folder)): (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        for path in sorted(folder.rglob("*"))
        for status in (path.stat(),)
    }


@pytest.mark.req("ST-001")
def test_status_and_search_work_where_the_store_cannot_be_written(
    room: Room, tmp_path_factory: pytest.TempPathFactory
) -> None:
    need_bound_modes(tmp_path_factory.mktemp("modes"))
    room.asked("index")
    room.store.parent.chmod(0o500)
    room.store.chmod(0o400)
    told = room.asked("status", bound=True)
    assert told.status == 0
    assert '"dirty":false' in told.out
    assert '"indexed":true' in told.out
    assert room.run("status", bound=True).status == 0
    assert room.finds("boiler", bound=True) == ["memory/home/boiler.md"]
    room.store.parent.chmod(0o700)


@pytest.mark.req("ST-001")
@pytest.mark.skipif(shutil.which("unshare") is None, reason="LEFT OUT: unshare is not installed")
def test_status_works_on_a_file_system_that_is_read_only(room: Room) -> None:
    room.asked("index")
    folder = str(room.state)
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    argv = [sys.executable, "-m", "recollect", "status", "--json", "--workspace", room.notes.path]
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, folder, *argv],
        capture_output=True, text=True, check=False, env=room.environment(),
    )  # fmt: skip
    if "ermission" in done.stderr or "not permitted" in done.stderr:
        pytest.skip("LEFT OUT: file systems may not be mounted here; it needs root")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["status"]["dirty"] is False


@pytest.mark.req("ST-002")
@pytest.mark.parametrize("state", ["indexed", "missing", "stale", "damaged"])
def test_status_writes_creates_and_locks_nothing(state: str, room: Room) -> None:
    room.state.mkdir(mode=0o700)
    if state != "missing":
        room.asked("index")
    if state == "stale":
        room.notes.append("MEMORY.md", "More.\n")
    if state == "damaged":
        room.store.write_bytes(b"no index" * 1000)
    before = laid_out(room.state)
    room.asked("status")
    room.run("status")
    after = laid_out(room.state)
    if state == "damaged":
        # Who meets damage asks the next writer to look, by one empty file; the index itself stays as it is.
        [asked] = set(after) - set(before)
        assert asked.endswith(".suspect")
        del before["memory"], after["memory"], after[asked]
    assert after == before
    assert not [name for name in after if name.endswith(("-wal", "-shm", "-journal"))]


@pytest.mark.req("ST-002")
@pytest.mark.skipif(shutil.which("strace") is None, reason="LEFT OUT: strace is not installed")
def test_status_makes_no_call_that_writes_or_locks(room: Room, tmp_path: Path) -> None:
    room.asked("index")
    log = tmp_path / "calls"
    argv = [sys.executable, "-m", "recollect", "status", "--workspace", room.notes.path]
    traced = ["strace", "-f", "-y", "-o", str(log), "-e", "trace=file,desc", *argv]
    done = subprocess.run(traced, capture_output=True, text=True, check=False, env=room.environment())
    if not log.exists() or "ptrace" in done.stderr:
        pytest.skip("LEFT OUT: processes may not be traced here")
    assert done.returncode == 0, done.stderr
    calls = [line for line in log.read_text().splitlines() if str(room.state) in line]
    assert calls
    for call in calls:
        assert not any(word in call for word in _WRITING), call
        assert not any(word in call.partition("(")[0] for word in _CHANGING), call
        assert "F_SETLK" not in call, call


@pytest.mark.req("ST-004")
def test_status_after_a_clean_index_is_clean_twice(room: Room) -> None:
    room.asked("index")
    for _ in range(2):
        assert '"dirty":false' in room.asked("status").out
    room.notes.touch("MEMORY.md", 1_700_000_000)
    assert '"dirty":true' in room.asked("status").out
    room.asked("index")
    for _ in range(2):
        assert '"dirty":false' in room.asked("status").out


@pytest.mark.req("ST-005")
def test_a_failed_sync_is_remembered_with_what_when_and_no_key(room: Room) -> None:
    failing = FailingEmbedder(message=f"The provider answered 500 to the key {SECRET}.")
    failing.fail_from = 1
    config = {"remote": {"apiKey": SECRET}}
    with room.memory(failing, FixedClock(1_770_724_800.0), config) as memory:
        memory.sync()
        assert SECRET not in str(memory.search("boiler").warnings)
    with room.memory(HashedEmbedder(), config=config) as memory:
        status = memory.status()
    assert status.last_error is not None
    assert status.last_error.code == "provider-failed"
    assert "500" in status.last_error.message
    assert SECRET not in repr(status)
    assert status.last_sync_at == "2026-02-10T12:00:00+00:00"
    assert status.dirty
    assert SECRET.encode() not in room.store.read_bytes()


class _Hanging(HashedEmbedder):
    """A provider that would never answer: whoever asks it is caught."""

    def embed_documents(self, texts: Sequence[str]) -> NoReturn:
        raise AssertionError(f"it was asked to embed {len(texts)} texts")

    def embed_query(self, text: str) -> NoReturn:
        raise AssertionError(f"it was asked {text}")


@pytest.mark.req("ST-007")
def test_status_asks_no_provider_unless_it_is_told_to_look_deep(room: Room) -> None:
    with room.memory(HashedEmbedder()) as memory:
        memory.sync()
    room.notes.append("MEMORY.md", "More.\n")
    with room.memory(_Hanging()) as memory:
        status = memory.status()
        assert status.dirty
        assert status.embedding_probe is None
        with pytest.raises(AssertionError, match="asked"):
            memory.status(deep=True)


# --- the command ---

_HOSTILE_SHELLS: dict[str, How] = {
    "closed-stdout": {"redirect": ">&-"},
    "ascii": {"environment": {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}},
    "no-colour-and-narrow": {"environment": {"NO_COLOR": "1", "COLUMNS": "20", "TERM": "dumb"}},
    "all-closed": {"redirect": "<&- >&- 2>&-"},
}


@pytest.mark.req("CL-001")
@pytest.mark.parametrize("shell", _HOSTILE_SHELLS)
def test_the_command_ends_well_in_a_hostile_shell(shell: str, room: Room) -> None:
    room.notes.write("memory/\u76f4\u5cf6.md", "\u7f8e\u8853\u9928 boiler \U0001f600\n")
    how = _HOSTILE_SHELLS[shell]
    commands = (["index"], ["search", "boiler"], ["get", "memory/\u76f4\u5cf6.md"], ["status"], ["config", "show"])
    for command in commands:
        for json_wanted in (["--json"], []):
            said = room.run(*command, *json_wanted, **how)
            assert said.status == 0, said.err
            if "redirect" not in how and json_wanted:
                json.loads(said.out)
    room.is_sound()


@pytest.mark.req("CL-003")
@pytest.mark.parametrize("limit", [64, 32, 16, 10, 8])
def test_few_descriptors_are_enough_or_told_in_one_sentence(limit: int, room: Room) -> None:
    for number in range(80):
        room.notes.write(f"memory/{number % 9}/{number}.md", f"The quince number {number}.\n")
    for command in (["index"], ["search", "quince"], ["get", "MEMORY.md"], ["status"], ["index", "--force"]):
        said = room.run(*command, first=f"ulimit -n {limit}", check=limit >= 16)
        assert said.status in (0, 1) or limit < 16
        assert limit != 64 or said.status == 0, said.err
    room.is_sound()


@pytest.mark.req("CL-003")
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="LEFT OUT: open files are counted in /proc")
def test_no_descriptor_is_left_open(room: Room) -> None:
    def work() -> int:
        with room.memory() as memory:
            for number in range(3):
                room.notes.write("memory/changing.md", f"The quince number {number}.\n")
                memory.sync()
                memory.search("quince")
                memory.status()
        return len(os.listdir("/proc/self/fd"))

    work()
    before = work()
    assert {work() for _ in range(5)} == {before}


@pytest.mark.req("CL-004")
@pytest.mark.parametrize("mebibytes", [60, 110, 160, 220, 300, 400])
def test_too_little_memory_leaves_the_index_whole(mebibytes: int, room: Room) -> None:
    text = "".join(f"Paragraph {number} of this note speaks of quinces.\n\n" for number in range(200))
    room.asked("index")
    for number in range(60):
        room.notes.write(f"memory/{number}.md", text)
    for command in (["index"], ["index", "--force"], ["search", "quinces"]):
        # Below some amount not even the interpreter starts, and what it says then is its own.
        said = room.run(*command, first=f"ulimit -v {mebibytes << 10}", check=mebibytes > 100)
        assert said.status != 0 or said.out
    room.is_sound()
    assert room.finds("boiler") == ["memory/home/boiler.md"]


@pytest.mark.req("CL-001")
def test_a_person_reads_no_secret_and_no_home_in_any_failure(room: Room) -> None:
    room.state.mkdir()
    (room.state / "recollect.json").write_text(
        json.dumps({"agents": {"defaults": {"memorySearch": {"remote": {"apiKey": SECRET, "baseUrl": "ftp://x"}}}}})
    )
    for command in (["index"], ["search", "boiler"], ["status"], ["doctor"], ["config", "check"]):
        said = room.run(*command)
        assert said.status in (1, 2)
        assert SECRET not in said.said
    assert stat.S_ISREG((room.state / "recollect.json").stat().st_mode)
