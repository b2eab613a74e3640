"""A memory in a host that runs for long: what is missing follows on one worker thread."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from recollect import AsyncMemory, Memory, Progress, ProviderError, SearchResult, StoreError, SyncReport
from recollect.engines import background as module
from recollect.engines.background import REST_SECONDS, Background
from recollect.sources.reader import Reader
from recollect.testing.clock import FixedClock
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from recollect.protocols import ProgressCallback
    from recollect.testing.workspace import Workspace
    from recollect.types import NoteText, SourceFile

_MANY = {
    f"memory/n{number}.md": f"# Note {number}\n\nThe lantern number {number} hangs here.\n" for number in range(70)
}
_PATIENCE = 20  # seconds for what must happen at once; passing it is a failure


class Gate:
    """Holds the worker at the first note that it reads, until it is let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        self.threads: set[str] = set()
        read = Reader.read

        def held(reader: Reader, file: SourceFile) -> NoteText:
            self.threads.add(threading.current_thread().name)
            if threading.current_thread().name == "recollect-background-sync":
                self.reached.set()
                assert self.opened.wait(_PATIENCE)
            return read(reader, file)

        monkeypatch.setattr(Reader, "read", held)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate(monkeypatch)
    yield made
    made.opened.set()


@pytest.fixture
def hosted(notes: Workspace, tmp_path: Path, gate: Gate) -> Iterator[Callable[..., Memory]]:
    """Open a memory as a long-running host does; all are closed in the end."""
    opened: list[Memory] = []

    def open_(config: Mapping[str, object] | None = None, *, background: bool = True) -> Memory:
        memory = Memory(
            notes.path,
            state_dir=tmp_path / "state",
            embedder=HashedEmbedder(),
            clock=FixedClock(),
            config=config,
            background=background,
        )
        opened.append(memory)
        return memory

    yield open_
    gate.opened.set()
    for memory in opened:
        memory.close()


def _worker(memory: Memory) -> threading.Thread | None:
    background = memory._engine._background
    assert background is not None
    return background._thread


def _finish(memory: Memory, gate: Gate) -> None:
    """Let the worker through and wait for its end."""
    worker = _worker(memory)
    gate.opened.set()
    if worker is not None:
        worker.join(_PATIENCE)
        assert not worker.is_alive()


def _codes(result: SearchResult) -> list[str]:
    return [warning.code for warning in result.warnings]


@pytest.mark.req("AGT-14")
def test_a_first_index_is_made_beside_the_searches(notes: Workspace, hosted: Callable[..., Memory], gate: Gate) -> None:
    for path, text in _MANY.items():
        notes.write(path, text)
    memory = hosted()
    early = memory.search("lantern")
    assert gate.reached.wait(_PATIENCE)
    assert list(early) == []
    assert "indexing" in _codes(early)
    assert {*_codes(early)} & {"not-indexed", "index-incomplete"}  # the worker may have begun by then
    again = memory.search("lantern")
    assert "background" in " ".join(warning.message for warning in again.warnings)
    _finish(memory, gate)
    late = memory.search("lantern")
    assert (len(late), _codes(late), late.freshness.changed) == (6, [], 0)


@pytest.mark.req("AGT-14")
def test_a_large_change_is_answered_from_the_index_that_is_there(
    notes: Workspace, hosted: Callable[..., Memory], gate: Gate
) -> None:
    hosted(background=False).sync()
    for path, text in _MANY.items():
        notes.write(path, text)
    memory = hosted()
    for _ in range(3):
        result = memory.search("lantern trombone")
        assert [hit.path for hit in result] == ["memory/people.md"]
        assert (_codes(result), result.freshness.changed) == (["stale"], len(_MANY))
        assert "in the background" in result.warnings[0].message
        assert "recollect index" not in result.warnings[0].message
    assert gate.reached.wait(_PATIENCE)
    assert [problem.code for problem in memory.status().problems] == ["indexing"]
    _finish(memory, gate)
    after = memory.search("lantern")
    assert (after[0].path in _MANY, _codes(after)) == (True, [])
    assert gate.threads == {"recollect-background-sync", "MainThread"}
    assert memory.status().problems == ()


@pytest.mark.req("AGT-14")
def test_a_quick_change_is_in_the_answer(notes: Workspace, hosted: Callable[..., Memory], gate: Gate) -> None:
    hosted(background=False).sync()
    memory = hosted()
    memory.search("trombone")
    notes.append("memory/people.md", "\nTeo keeps a zeppelin.\n")
    memory._engine._next_look = float("-inf")  # as if some time had passed
    result = memory.search("zeppelin")
    assert (result[0].path, _codes(result)) == ("memory/people.md", [])
    assert not gate.reached.is_set()


@pytest.mark.req("AGT-14")
def test_a_quick_change_is_left_to_the_worker_that_is_at_it(hosted: Callable[..., Memory], gate: Gate) -> None:
    memory = hosted()
    memory.warm()
    assert gate.reached.wait(_PATIENCE)
    result = memory.search("trombone")
    assert "in the background" in " ".join(warning.message for warning in result.warnings)
    assert "busy" not in _codes(result)


@pytest.mark.req("AGT-14")
def test_an_index_of_other_settings_is_made_anew_by_the_worker(hosted: Callable[..., Memory], gate: Gate) -> None:
    hosted(background=False).sync()
    memory = hosted({"chunking": {"tokens": 100, "overlap": 0}})
    assert memory.search("trombone")[0].path == "memory/people.md"
    assert gate.reached.wait(_PATIENCE)
    assert memory.search("trombone")[0].path == "memory/people.md"
    _finish(memory, gate)
    assert not [problem for problem in memory.status().problems if problem.code == "rebuild-waits"]


@pytest.mark.req("AGT-14")
def test_a_search_that_may_not_sync_starts_no_worker(notes: Workspace, hosted: Callable[..., Memory]) -> None:
    memory = hosted({"sync": {"onSearch": False}})
    assert _codes(memory.search("trombone")) == ["not-indexed"]
    assert _worker(memory) is None


@pytest.mark.req("AGT-15")
def test_a_session_begins_with_one_sync(hosted: Callable[..., Memory], gate: Gate) -> None:
    memory = hosted()
    assert memory.warm("first")
    assert not memory.warm("first")
    _finish(memory, gate)
    assert memory.status().last_sync_reason == "session-start"
    assert (memory.warm("first"), memory.warm("second")) == (False, True)
    _finish(memory, gate)


@pytest.mark.req("AGT-15")
@pytest.mark.parametrize(
    ("config", "background"),
    [({}, False), ({"sync": {"onSessionStart": False}}, True), ({"enabled": False}, True)],
)
def test_a_session_begins_without_a_sync_where_none_is_wanted(
    config: Mapping[str, object], background: bool, hosted: Callable[..., Memory]
) -> None:
    assert not hosted(config, background=background).warm()


@pytest.mark.req("AGT-15")
def test_an_awaited_memory_has_a_background_too(notes: Workspace, tmp_path: Path, gate: Gate) -> None:
    async def begin() -> tuple[bool, int]:
        async with AsyncMemory(
            notes.path, state_dir=tmp_path / "state", embedder=HashedEmbedder(), background=True
        ) as memory:
            begun = await memory.warm()
            _finish(memory.memory, gate)
            return begun, (await memory.status()).files

    assert asyncio.run(begin()) == (True, 4)


@pytest.mark.req("AGT-15")
def test_closing_stops_the_worker_at_the_next_note_and_what_is_done_stays(
    notes: Workspace, hosted: Callable[..., Memory], gate: Gate
) -> None:
    memory = hosted()
    memory.warm()
    assert gate.reached.wait(_PATIENCE)
    worker = _worker(memory)
    assert worker is not None
    memory._engine._background._stop.set()  # type: ignore[union-attr] # there is one: the worker is its
    gate.opened.set()
    memory.close()
    assert not worker.is_alive()
    assert memory.status().files < 4
    assert memory.sync().files_seen == 4
    assert memory.status().files == 4


# --- the worker alone ---


class Ticks:
    """A clock that runs when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _background(sync: Callable[[str, ProgressCallback], SyncReport], ticks: Ticks, left: list[str]) -> Background:
    return Background(sync, done=lambda: left.append("done"), left=lambda: left.append("left"), ticks=ticks)


def _ended(background: Background) -> None:
    thread = background._thread
    if thread is not None:
        thread.join(_PATIENCE)
        assert not thread.is_alive()


@pytest.mark.req("AGT-14")
def test_there_is_never_a_second_worker() -> None:
    go, runs = threading.Event(), []

    def sync(reason: str, progress: ProgressCallback) -> SyncReport:
        runs.append(reason)
        progress(Progress(completed=1, total=2, label=""))
        assert go.wait(_PATIENCE)
        return SyncReport(reason=reason)

    background = _background(sync, Ticks(), [])
    assert background.start("search")
    assert not any([background.start("search"), background.start("session-start")])
    assert background.working
    go.set()
    _ended(background)
    assert (runs, background.working, background.said()) == (["search"], False, "")


@pytest.mark.req("AGT-15")
def test_a_stop_ends_the_work_at_its_next_sign_of_progress() -> None:
    begun, left = threading.Event(), list[str]()

    def sync(reason: str, progress: ProgressCallback) -> SyncReport:
        while True:
            progress(Progress(completed=1, total=2, label=reason))
            begun.set()

    background = _background(sync, Ticks(), left)
    background.start("search")
    assert begun.wait(_PATIENCE)
    assert background.said() == "The index is being updated in the background (1 of 2 files)."
    background.stop()
    assert (background.working, background.failure, left) == (False, None, ["left", "done"])


@pytest.mark.req("AGT-15")
def test_a_stop_does_not_wait_for_work_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", 0.01)
    begun, go, left = threading.Event(), threading.Event(), list[str]()

    def sync(reason: str, progress: ProgressCallback) -> SyncReport:
        begun.set()
        assert go.wait(_PATIENCE)
        progress(Progress(completed=1, total=2, label=""))
        return SyncReport(reason=reason)

    background = _background(sync, Ticks(), left)
    background.start("search")
    assert begun.wait(_PATIENCE)
    background.stop()
    assert (background.working, left) == (True, [])
    go.set()
    _ended(background)
    assert left == ["left", "done"]


@pytest.mark.req("AGT-15")
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreError("The disk is full."), "The disk is full."),
        (ProviderError("No."), "No."),
        (ValueError("x"), "ValueError"),
    ],
)
def test_a_failure_is_kept_and_the_same_work_rests_for_a_while(error: Exception, said: str) -> None:
    def sync(reason: str, progress: ProgressCallback) -> SyncReport:
        assert (reason, callable(progress)) == ("search", True)
        raise error

    ticks = Ticks()
    background = _background(sync, ticks, [])
    background.start("search", "some files")
    _ended(background)
    assert said in background.said()
    assert background.failure is not None
    assert not background.start("search", "some files")
    assert background.start("search", "other files")
    _ended(background)
    ticks.now += REST_SECONDS
    assert background.start("search", "other files")
    _ended(background)


@pytest.mark.req("AGT-15")
def test_a_failure_is_told_by_status_and_search(
    notes: Workspace, hosted: Callable[..., Memory], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recollect.index.sync import Indexer

    hosted(background=False).sync()
    for path, text in _MANY.items():
        notes.write(path, text)

    def full(*_: object, **__: object) -> SyncReport:
        raise StoreError("No space is left for the index.")

    monkeypatch.setattr(Indexer, "sync", full)
    memory = hosted()
    memory.search("trombone")
    _finish(memory, gate)
    result = memory.search("trombone")
    assert "No space is left" in result.warnings[0].message
    assert [problem.code for problem in memory.status().problems] == ["indexing-failed"]
