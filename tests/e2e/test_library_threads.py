"""One Memory and many threads, several memories of one index, and the event loop."""

from __future__ import annotations

import asyncio
import inspect
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from e2e.kit import NONE, Open, codes, paths
from recollect import AsyncMemory, Memory
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from recollect import SearchResult
    from recollect.testing.workspace import Workspace

_ROUNDS = 15


@pytest.mark.req("LIB-20")
def test_threads_search_one_memory_while_others_sync_it(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    expected = memory.search("Who plays the trombone?")[0]
    start, done = threading.Barrier(4), threading.Event()

    def write() -> int:
        start.wait()
        for number in range(_ROUNDS):
            notes.write(f"memory/log-{number}.md", f"# Log {number}\n\nGulls and rain, {number} times.\n")
            memory.sync(force=number % 5 == 4)
        done.set()
        return memory.status().files

    def read() -> int:
        start.wait()
        answered = 0
        while not done.is_set() or not answered:
            result = memory.search("Who plays the trombone?")
            assert (result[0].path, result[0].snippet) == (expected.path, expected.snippet)
            assert {*codes(result)} <= {"stale", "busy"}
            answered += 1
        return answered

    with ThreadPoolExecutor(4) as pool:
        writer, *readers = [pool.submit(work) for work in (write, read, read, read)]
        assert writer.result() == 4 + _ROUNDS
        assert all(reader.result() > 0 for reader in readers)
    assert memory.verify() == ()
    assert len(memory.search("gulls and rain", max_results=50)) == _ROUNDS


@pytest.mark.req("LIB-20")
def test_threads_that_begin_at_once_embed_every_note_once(notes: Workspace, open_memory: Open) -> None:
    embedder = HashedEmbedder()
    memory = open_memory(embedder=embedder)
    start = threading.Barrier(4)

    def begin(number: int) -> SearchResult:
        start.wait()
        if number % 2:
            memory.sync()
        return memory.search("Redis cache", max_results=1)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(begin, range(4)))
    for number, answer in enumerate(answers):  # who did not wait for the first index may be early, and is told
        early = not number % 2 and not paths(answer)
        assert "not-indexed" in codes(answer) if early else paths(answer) == ["memory/2026-02-10.md"]
    assert len(embedder.embedded) == len({*embedder.embedded})


@pytest.mark.req("LIB-20")
@pytest.mark.parametrize("part", ["_make_indexer", "_make_searcher", "_facts"])
def test_threads_that_begin_at_once_share_what_the_memory_is_made_of(
    part: str, notes: Workspace, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting, made = threading.Barrier(2), []
    make = getattr(Memory, part)

    def making(memory: Memory) -> object:
        made.append(part)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=0.2)  # a second thread that is in here too makes a second one
        return make(memory)

    monkeypatch.setattr(Memory, part, making)
    memory = open_memory()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(memory.search, ["Redis", "trombone"]))
    assert made == [part]


@pytest.mark.req("LIB-20", "LIB-21")
def test_a_memory_may_be_closed_while_it_is_searched(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    start = threading.Barrier(3)

    def search() -> None:
        start.wait()
        for _ in range(_ROUNDS):
            assert paths(memory.search("trombone"))[0] == "memory/people.md"

    def close() -> None:
        start.wait()
        for _ in range(_ROUNDS):
            memory.close()

    with ThreadPoolExecutor(3) as pool:
        for work in [pool.submit(search), pool.submit(search), pool.submit(close)]:
            work.result()


@pytest.mark.req("LIB-20")
def test_two_memories_of_one_index_see_each_other_s_work(notes: Workspace, open_memory: Open) -> None:
    one, two = open_memory(), open_memory()
    one.sync()
    assert two.search("trombone")[0].path == "memory/people.md"
    notes.write("memory/teo.md", "# Teo\n\nTeo keeps a zeppelin.\n")
    two.sync()
    assert one.search("zeppelin")[0].path == "memory/teo.md"
    one.sync(force=True)
    assert two.search("zeppelin")[0].path == "memory/teo.md"


# --- the event loop ---

_VERBS = sorted(name for name, value in vars(Memory).items() if not name.startswith("_") and callable(value))


@pytest.mark.req("LIB-06")
def test_the_verbs_are_the_same() -> None:
    assert {"search", "get", "sync", "status", "close"} <= {*_VERBS}
    of_async = {name for name, value in vars(AsyncMemory).items() if not name.startswith("_") and callable(value)}
    assert of_async == {*_VERBS}


@pytest.mark.req("LIB-06")
@pytest.mark.parametrize("verb", ["__init__", *_VERBS])
def test_the_arguments_are_the_same(verb: str) -> None:
    plain, awaited = getattr(Memory, verb), getattr(AsyncMemory, verb)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert verb == "__init__" or inspect.iscoroutinefunction(awaited)


@pytest.mark.req("LIB-06")
def test_awaited_answers_are_the_same(notes: Workspace, open_memory: Open, tmp_path: Path) -> None:
    async def ask() -> tuple[list[object], ...]:
        async with AsyncMemory(notes.path, state_dir=tmp_path / "async", config=NONE) as memory:
            await memory.init()
            report = await memory.sync(reason="test")
            result = await memory.search("Redis cache", max_results=2, explain=True)
            text = await memory.get("MEMORY.md", start=1, lines=1)
            status = await memory.status()
            return [report], list(result), [text], [status.files, await memory.verify()]

    report, hits, text, rest = asyncio.run(ask())
    memory = open_memory(NONE, embedder=None)
    assert report == [memory.sync(reason="test")]
    assert hits == list(memory.search("Redis cache", max_results=2, explain=True))
    assert text == [memory.get("MEMORY.md", start=1, lines=1)]
    assert rest == [4, ()]


@pytest.mark.req("LIB-06", "LIB-20")
def test_many_awaited_searches_run_beside_a_sync(notes: Workspace, tmp_path: Path) -> None:
    async def ask() -> list[str]:
        async with AsyncMemory(notes.path, state_dir=tmp_path / "async", config=NONE) as memory:
            await memory.sync()
            rebuild = asyncio.create_task(memory.sync(force=True))
            answers = await asyncio.gather(*(memory.search("trombone", max_results=1) for _ in range(8)))
            await rebuild
            return [answer[0].path for answer in answers]

    assert asyncio.run(ask()) == ["memory/people.md"] * 8


@pytest.mark.req("LIB-06")
def test_an_error_arrives_where_it_was_awaited(notes: Workspace, tmp_path: Path) -> None:
    from recollect import PathError

    async def ask() -> None:
        async with AsyncMemory(notes.path, state_dir=tmp_path / "async", config=NONE) as memory:
            await memory.get("../elsewhere.md")

    with pytest.raises(PathError):
        asyncio.run(ask())
