"""A place in which bad inputs are tried: a home of its own with notes, and both public doors.

Enters: what somebody types, writes or breaks. Leaves: how it ended. Every run of the command is held to what must be
true of any outcome: no traceback, no path of the home in what is said, and the notes as they were.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import stat
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, Unpack

import pytest

from recollect import Memory
from recollect.stores.sqlite import SqliteStore
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from recollect.protocols import Clock, Embedder

NOTES = {
    "MEMORY.md": "# Memory\n\n- The queue moves from Redis into PostgreSQL.\n- Tea, not coffee.\n",
    "memory/2026-02-10.md": "# 2026-02-10\n\n## Cache\n\nThe Redis cache is dropped without replacement.\n",
    "memory/home/boiler.md": "# Boiler\n\nThe boiler is serviced every March by the firm at the harbour.\n",
}
SECRET = "sk-live-7f3a9c1e5b8d2046"  # noqa: S105 - opens nothing; it must never be shown
_HASHED_BYTES = 1 << 20
_PR_CAPBSET_DROP = 24
_RIGHTS_OVER_MODES = (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


class How(TypedDict, total=False):
    """How the command is run. `first`: what a shell does before it; `redirect`: its streams; `environment`: more of it;
    `bound`: without root's right to pass over the modes of files."""

    first: str
    redirect: str
    environment: dict[str, str]
    bound: bool


@dataclass(frozen=True)
class Outcome:
    """How a run of the command ended."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """All that was printed."""
        return self.out + self.err

    def json(self) -> dict[str, object]:
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value

    def listed(self, key: str) -> list[dict[str, object]]:
        value = self.json()[key]
        assert isinstance(value, list)
        return value

    def problems(self) -> list[tuple[str, str]]:
        """Code and path of what was left out."""
        return [(str(one["code"]), str(one.get("path", ""))) for one in self.listed("problems")]

    def refused(self, code: str, status: int) -> str:
        """That it was refused so, and in which words."""
        error = self.json()["error"]
        assert isinstance(error, dict)
        assert (error["code"], self.status) == (code, status)
        return f"{error['message']} {error.get('hint', '')}"


class Room:
    """A home with notes below it, and both doors."""

    def __init__(self, folder: Path, notes: Mapping[str, str | bytes] | None = None) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        self.notes = Workspace(NOTES if notes is None else notes, root=self.home / "notes")
        self.state = self.home / ".recollect"

    # --- the doors ---

    def run(self, *arguments: str | bytes, check: bool = True, **how: Unpack[How]) -> Outcome:
        """Run the command to its end; see `start` for how."""
        before = self.truth()
        with self.start(*arguments, **how) as process:
            out, err = process.communicate(timeout=300)
        assert self.truth() == before, "the notes were changed"
        outcome = Outcome(process.returncode, out.decode(), err.decode())
        if check:
            self.is_clean(outcome, names_places=arguments[0] == "config")
        return outcome

    def asked(self, *arguments: str | bytes, **how: Unpack[How]) -> Outcome:
        """The same with --json: what comes out is one JSON value."""
        outcome = self.run(arguments[0], "--json", *arguments[1:], **how)
        assert not outcome.err
        json.loads(outcome.out)
        return outcome

    @contextmanager
    def start(self, *arguments: str | bytes, **how: Unpack[How]) -> Iterator[subprocess.Popen[bytes]]:
        """The command as a process."""
        named = ["--workspace", self.notes.path]
        at = arguments.index("--") if "--" in arguments else len(arguments)
        argv = [sys.executable, "-m", "recollect", *arguments[:at], *named, *arguments[at:]]
        if "first" in how or "redirect" in how:
            argv = ["sh", "-c", f'{how.get("first", ":")}; exec "$@" {how.get("redirect", "")}', "sh", *argv]
        process = subprocess.Popen(
            argv,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env={**self.environment(), **how.get("environment", {})},
            cwd=self.notes.root,
            preexec_fn=_give_up_rights if how.get("bound") else None,  # noqa: PLW1509 - one system call, no lock held
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def environment(self) -> dict[str, str]:
        kept = ("PATH", "SYSTEMROOT", "COVERAGE_PROCESS_START")
        return {"HOME": str(self.home), **{name: os.environ[name] for name in kept if name in os.environ}}

    def memory(
        self,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        config: Mapping[str, object] | None = None,
    ) -> Memory:
        """The library's door on the same notes and the same index."""
        return Memory(self.notes.path, state_dir=self.state, embedder=embedder, clock=clock, config=config)

    # --- what is there ---

    @property
    def store(self) -> Path:
        """The index file."""
        with self.memory() as memory:
            return type(self.folder)(memory.settings.store.path)

    def truth(self) -> dict[str, tuple[object, ...]]:
        """All that lies in the home and beside it but for the index: a run may change none of it."""
        found: dict[str, tuple[object, ...]] = {}
        for folder, folders, files in os.walk(os.fsencode(self.folder)):
            folders[:] = [name for name in folders if name != b".recollect"]
            for name in (*folders, *files):
                path = os.path.join(folder, name)
                if path == os.fsencode(self.home):
                    continue  # the index is made in it
                status = os.lstat(path)
                found[repr(path)] = (status.st_mode, status.st_size, status.st_mtime_ns, _digest(path, status))
        return found

    def is_clean(self, outcome: Outcome, *, names_places: bool = False) -> None:
        """What must be true of every outcome."""
        for word in ("Traceback", "Exception ignored", "sqlite3.", "apsw."):
            assert word not in outcome.said, outcome.said
        for path in (str(self.folder), str(self.home)):
            assert path not in outcome.err, outcome.err
            assert names_places or path not in _messages(outcome.out), outcome.out
        assert SECRET not in outcome.said

    def hits(self, question: str, **how: Unpack[How]) -> list[dict[str, object]]:
        """What a search through the command finds."""
        outcome = self.asked("search", "--query", question, **how)
        assert outcome.status == 0, outcome.said
        return outcome.listed("results")

    def finds(self, word: str, **how: Unpack[How]) -> list[str]:
        """The notes whose shown lines hold a word."""
        return [str(hit["path"]) for hit in self.hits(word, **how) if word in str(hit["snippet"])]

    def chunks(self, path: str) -> list[str]:
        """The texts of a note's chunks, in order, as the index holds them."""
        store = SqliteStore(str(self.store))
        try:
            return store.read(lambda reader: list(reader.texts([chunk.id for chunk in reader.chunks_of(path)])))
        finally:
            store.close()

    def is_sound(self) -> None:
        """The index is whole, and whoever wants to write it can."""
        done = self.asked("index")
        assert done.status == 0, done.said
        looked = self.asked("doctor", "--verify-data")
        assert looked.status == 0, looked.said


def _messages(out: str) -> str:
    """What is said in words: of JSON the messages alone, for its data may name places."""
    try:
        value = json.loads(out)
    except ValueError:
        return out
    words: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            words += [str(text) for key, text in one.items() if key in ("message", "hint", "snippet", "text", "error")]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return "\n".join(words)


def _digest(path: bytes, status: os.stat_result) -> object:
    if stat.S_ISLNK(status.st_mode):
        return os.readlink(path)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _HASHED_BYTES:
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).digest()


def _give_up_rights() -> None:
    """Let the modes of files bind this process even when it is root's."""
    library = ctypes.CDLL(None)
    for right in _RIGHTS_OVER_MODES:
        library.prctl(_PR_CAPBSET_DROP, right, 0, 0, 0)


def need_bound_modes(folder: Path) -> None:
    """Skip where modes bind nobody, not even a process that gave up its rights."""
    probe = folder / "probe"
    probe.write_text("")
    probe.chmod(0)
    held = subprocess.run(["cat", str(probe)], capture_output=True, check=False, preexec_fn=_give_up_rights)
    probe.unlink()
    if held.returncode == 0:
        pytest.skip("LEFT OUT: file modes bind no process here, so nothing can be shown about permissions")
