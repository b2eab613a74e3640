"""The command as a process: streams, signals, terminals, and what it loads."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.testing.workspace import Workspace

    class Said(Protocol):
        """What the fixtures of conftest give."""

        status: int
        out: str
        err: str

        def json(self) -> object: ...
        def entry(self) -> dict[str, object]: ...

    Process = Callable[..., Said]

_COMMANDS = [["search", "Redis"], ["get", "memory/home/flat.md"], ["status"], ["index"], ["doctor"], ["config", "show"]]


@pytest.mark.req("CLI-10", "CLI-09")
@pytest.mark.parametrize("arguments", [*_COMMANDS, ["--help"], ["nonsense"]])
def test_a_closed_stdout_changes_no_outcome(arguments: list[str], process: Process, notes: Workspace) -> None:
    options = ["--workspace", notes.path] if arguments != ["--help"] else []
    said = process(*arguments, *options, redirect=">&-")
    assert said.status == (2 if arguments == ["nonsense"] else 0)


@pytest.mark.req("CLI-10", "CLI-07")
def test_closed_streams_keep_the_index_whole(process: Process, notes: Workspace) -> None:
    assert process("index", "--workspace", notes.path, redirect="<&- >&- 2>&-").status == 0
    found = process("search", "Redis", "--json", "--workspace", notes.path).entry()
    assert found["results"]


@pytest.mark.req("CLI-10", "CLI-07")
@pytest.mark.parametrize("arguments", [*_COMMANDS[:3], ["config", "show"], ["get", "memory/日本.md"]])
def test_an_ascii_locale_gets_valid_json_and_text(arguments: list[str], process: Process, notes: Workspace) -> None:
    narrow = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1", "COLUMNS": "20"}
    said = process(*arguments, "--json", "--workspace", notes.path, environment=narrow)
    assert said.out.isascii()
    json.loads(said.out)
    assert process(*arguments, "--workspace", notes.path, environment=narrow).status == said.status


@pytest.mark.req("CLI-11")
@pytest.mark.parametrize("arguments", [["config", "schema"], ["get", "memory/long.md"], ["--help"]])
def test_a_reader_that_goes_away_is_no_fault(arguments: list[str], home: object, notes: Workspace) -> None:
    notes.write("memory/long.md", "x" * 12_000)
    read_end, write_end = os.pipe()
    os.close(read_end)
    argv = [sys.executable, "-m", "recollect", *arguments]
    run = subprocess.run(argv, cwd=notes.root, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert run.returncode == 141
    assert [line for line in run.stderr.splitlines() if not line.startswith("Workspace: ~/notes (")] == []


@pytest.mark.req("CLI-10", "CLI-08")
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device on this system")
def test_a_full_disk_under_stdout_is_told(process: Process, notes: Workspace) -> None:
    said = process("get", "MEMORY.md", "--workspace", notes.path, redirect=">/dev/full")
    assert said.status == 1
    assert "No space is left" in said.err


@pytest.mark.req("CLI-09", "CLI-10")
@pytest.mark.parametrize("limit", ["ulimit -n 64", "ulimit -n 8"])
@pytest.mark.parametrize("arguments", _COMMANDS)
def test_few_descriptors_are_enough_or_told_in_a_sentence(
    limit: str, arguments: list[str], process: Process, notes: Workspace
) -> None:
    said = process(*arguments, "--workspace", notes.path, limit=limit)
    assert said.status == 0 or (said.status == 1 and said.err)
    assert said.status == 0 or limit != "ulimit -n 64"


@pytest.mark.req("CLI-09", "CLI-10")
def test_too_little_memory_leaves_the_index_whole(process: Process, notes: Workspace) -> None:
    process("index", "--workspace", notes.path)
    for kilobytes in (120_000, 250_000, 400_000):
        # Whoever is refused memory may be ended from outside; what counts is what is left.
        process("index", "--force", "--workspace", notes.path, limit=f"ulimit -v {kilobytes}")
    after = process("doctor", "--verify-data", "--json", "--workspace", notes.path).entry()
    assert after["ok"] is True
    assert process("search", "Redis", "--json", "--workspace", notes.path).entry()["results"]


_HANGING = """
import os, signal, sys
{first}
from recollect.cli import app, signals
signals.PATIENCE_S = 0.05
def hang(_context):
    os.write(1, b"ready")
    {how}
app.recollect.invoke = hang
sys.exit(app.run(["status"]))
"""
# Whoever runs the tests may have been started in the background, where a shell has these ignored.
_AS_FROM_A_TERMINAL = (
    "signal.signal(signal.SIGINT, signal.default_int_handler); signal.signal(signal.SIGHUP, signal.SIG_DFL)"
)
_LISTENING = "signal.pause()"
_DEAF = (
    "import apsw; list(apsw.Connection('').execute("
    "'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'))"
)


@pytest.mark.req("CLI-11", "CLI-09")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("how", [_LISTENING, _DEAF], ids=["listening", "deaf"])
def test_a_signal_to_end_is_obeyed_whatever_the_command_does(number: signal.Signals, how: str) -> None:
    code = _HANGING.replace("{first}", _AS_FROM_A_TERMINAL).replace("{how}", how)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stdout.read(5) == b"ready"
        run.send_signal(number)
        try:
            _, told = run.communicate(timeout=30)
        finally:
            run.kill()  # one that does not obey must not stay behind
    assert run.returncode == 128 + number
    assert b"Stopped." in told
    assert b"Traceback" not in told


@pytest.mark.req("CLI-11")
def test_a_signal_that_was_to_be_ignored_stays_ignored() -> None:
    code = _HANGING.replace("{first}", "").replace("{how}", "os.kill(os.getpid(), signal.SIGHUP); return 0")
    run = subprocess.run(
        ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", code], capture_output=True, check=False
    )
    assert run.returncode == 0


def _in_terminal(argv: list[str], environment: dict[str, str]) -> bytes:
    """What a person sees: both streams in one terminal."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", **environment}
    with subprocess.Popen(argv, stdout=slave, stderr=slave, stdin=slave, env=environment) as run:
        os.close(slave)
        seen = b""
        try:
            while data := os.read(master, 4096):
                seen += data
        except OSError:  # the other end is closed: all was read
            pass
        run.wait(timeout=60)
    os.close(master)
    assert run.returncode == 0
    return seen


@pytest.mark.req("CLI-25")
def test_a_person_at_a_terminal_sees_the_words_marked(home: object, notes: Workspace) -> None:
    argv = [sys.executable, "-m", "recollect", "search", "Redis", "--workspace", notes.path]
    seen = _in_terminal(argv, {})
    assert b"\x1b[1;33mRedis\x1b[0m" in seen
    assert b"\x1b[" not in _in_terminal(argv, {"TERM": "dumb"})


@pytest.mark.req("CLI-25", "CLI-10")
def test_a_terminal_of_twenty_columns_shows_everything(home: object, notes: Workspace) -> None:
    argv = [sys.executable, "-m", "recollect", "search", "cache replacement", "--workspace", notes.path]
    seen = _in_terminal(argv, {"COLUMNS": "20", "TERM": "dumb"})
    assert b"The cache is dropped without replacement." in seen


_SLOW_SYNC = """
import sys
from recollect.cli import app, progress
from recollect.memory import Memory
from recollect.types import Progress, SyncReport
progress._PATIENCE_S = 0
def sync(self, *, reason, force, progress):
    if progress is not None:
        for number in range(5):
            progress(Progress(completed=number, total=5, label="Reading [b]notes[/b]"))
    return SyncReport(reason=reason, files_seen=5, files_added=5)
Memory.sync = sync
sys.exit(app.run(sys.argv[1:]))
"""


@pytest.mark.req("CLI-25")
def test_long_work_shows_a_bar_to_a_person_and_none_to_a_pipe(home: object, notes: Workspace) -> None:
    argv = [sys.executable, "-c", _SLOW_SYNC, "index", "--workspace", notes.path]
    seen = _in_terminal(argv, {})
    assert b"Reading [b]notes[/b]" in seen
    assert b"/5" in seen
    piped = subprocess.run(argv, capture_output=True, check=True)
    assert b"Reading" not in piped.stdout + piped.stderr


def _loaded_by(arguments: list[str]) -> set[str]:
    code = f"import sys; from recollect.cli.main import main; main({arguments!r}); print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stderr.split("\n")[-2].split())


@pytest.mark.req("CLI-12")
@pytest.mark.parametrize("arguments", [["status"], ["status", "--json"], ["get", "MEMORY.md"], ["config", "show"]])
def test_status_and_get_load_neither_arrays_nor_models_nor_colours(
    arguments: list[str], home: object, notes: Workspace
) -> None:
    subprocess.run([sys.executable, "-m", "recollect", "index", "--workspace", notes.path], check=True, timeout=60)
    loaded = _loaded_by([*arguments, "--workspace", notes.path])
    assert "click" in loaded
    heavy = {"numpy", "simsimd", "Stemmer", "rich", "sqlite3", "asyncio", "urllib.request", "difflib"}
    assert not heavy & loaded
    assert not [name for name in loaded if name.startswith(("recollect.rank", "recollect.retrieve"))]


@pytest.mark.req("CLI-12")
def test_get_does_not_even_load_the_database(home: object, notes: Workspace) -> None:
    loaded = _loaded_by(["get", "MEMORY.md", "--workspace", notes.path])
    assert not {"apsw", "recollect.engines.builtin", "recollect.cli.render_search", "recollect.cli.status"} & loaded
    assert not [name for name in loaded if name.startswith(("recollect.embed", "recollect.stores", "recollect.index"))]


@pytest.mark.req("CLI-01")
def test_the_module_is_the_command(process: Process) -> None:
    assert process("--version").out.startswith("recollect ")
    assert process().out == process("--help").out == process("help").out
