"""kill -9 at any moment of an index or a rebuild, while one process reads and another writes notes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recollect import Memory
from soak.kill_helpers import STEADY, steady_text

HELPERS = Path(__file__).with_name("kill_helpers.py")


def _start(role: str, workspace: Path, state: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(HELPERS), role, str(workspace), str(state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _stop(process: subprocess.Popen[str]) -> dict[str, object]:
    output, errors = process.communicate("stop\n", timeout=60)
    assert process.returncode == 0, errors
    said: dict[str, object] = json.loads(output)
    return said


def _index(workspace: Path, state: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "recollect", "index", "--workspace", str(workspace), "--state-dir", str(state)]
    return subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _kill_rounds(workspace: Path, state: Path, rounds: int, took: float, chance: random.Random) -> int:
    """Start an index or a rebuild, kill it somewhere in the time that one takes; how many were really killed."""
    killed = 0
    for number in range(rounds):
        (workspace / "memory" / f"round-{number % 20:03}.md").write_text(f"# Round\n\nround{number:03}marker\n")
        process = _index(workspace, state, *(["--force"] if number % 2 else []))
        try:
            process.wait(timeout=took * chance.uniform(0.2, 1))
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
        process.wait()
    return killed


def _run(tmp_path: Path, rounds: int) -> None:
    workspace, state = tmp_path / "ws", tmp_path / "state"
    (workspace / "memory").mkdir(parents=True)
    for number in range(STEADY):
        (workspace / "memory" / f"steady-{number:03}.md").write_text(steady_text(number))
    begun = time.monotonic()
    assert _index(workspace, state).wait() == 0
    took = time.monotonic() - begun
    reader, writer = _start("reader", workspace, state), _start("writer", workspace, state)
    try:
        killed = _kill_rounds(workspace, state, rounds, took, random.Random(20260210))  # noqa: S311  # moments to kill at, no secret
        wrote, read = _stop(writer), _stop(reader)
    finally:
        reader.kill()
        writer.kill()
    assert read["count"] == 0, read["faults"]
    assert int(str(read["answers"])) > rounds
    assert int(str(wrote["written"])) > rounds
    assert killed > rounds // 3
    assert _index(workspace, state).wait() == 0
    _all_is_well(workspace, state, rounds)


def _all_is_well(workspace: Path, state: Path, rounds: int) -> None:
    """Nothing is lost, nothing damaged, nothing left over; and the index is what a fresh one would be."""
    with Memory(workspace, state_dir=state) as memory, Memory(workspace, state_dir=state / "fresh") as fresh:
        assert memory.verify() == ()
        assert not memory.status().dirty
        fresh.sync()
        words = [f"steady{number:03}marker" for number in range(STEADY)]
        words += [f"round{number:03}marker" for number in range(max(0, rounds - 20), rounds)]
        for word in words:
            mine, anew = memory.search(word), fresh.search(word)
            assert mine[0].snippet == anew[0].snippet
            assert mine[0].score == pytest.approx(anew[0].score, abs=1e-5)
            assert word in mine[0].snippet
    left = {path.name.split(".sqlite")[1] for path in (state / "memory").iterdir()}
    assert left <= {"", "-wal", "-shm", ".lock"}


@pytest.mark.req("KILL-01")
def test_a_killed_index_loses_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    _run(tmp_path, 8)


@pytest.mark.slow
@pytest.mark.req("KILL-01")
def test_two_hundred_killed_indexes_lose_nothing_and_leave_nothing(tmp_path: Path) -> None:
    _run(tmp_path, 200)
