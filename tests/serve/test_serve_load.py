"""Many clients at once over HTTP, while the notes change."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

import pytest
from mcp import Client

from serve.conftest import serve
from serve.sessions import run

if TYPE_CHECKING:
    from serve.conftest import Place, Web

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

_UNSEEN_S = 2.0  # for a busy machine; a memory trusts a look for a tenth of a second, see `docs/mcp.md`
_LIVE = "memory/live.md"


class _Log:
    """What the writer wrote and what the clients were told."""

    def __init__(self) -> None:
        self.written: list[float] = []  # when each number was there
        self.calls = 0
        self.stale_and_said = 0
        self.wrong: list[str] = []

    def certain(self) -> int:
        """The number that an answer must hold from now on, unless it says that it is behind."""
        before = time.monotonic() - _UNSEEN_S
        return max((number for number, at in enumerate(self.written) if at <= before), default=-1)


async def _write(place: Place, log: _Log, stop: asyncio.Event, pause: float) -> None:
    """Change a note again and again, and add another now and then."""
    while not stop.is_set():
        number = len(log.written)
        draft = place.notes.write("memory/.draft", f"# Live\n\nThe lighthouse counter stands at number {number}.\n")
        draft.move("memory/.draft", _LIVE)
        log.written.append(time.monotonic())
        if number % 10 == 0:
            place.notes.write(f"memory/more-{number}.md", f"# More\n\nA further note about ferry {number}.\n")
        try:
            await asyncio.wait_for(stop.wait(), pause)
        except TimeoutError:
            continue


async def _ask(url: str, log: _Log, stop: asyncio.Event) -> None:
    async with Client(url, read_timeout_seconds=30) as client:
        while not stop.is_set():
            certain = log.certain()
            result = await client.call_tool("memory_search", {"query": "lighthouse counter number", "maxResults": 2})
            value = result.structured_content
            assert isinstance(value, dict)
            log.calls += 1
            found = re.search(r"stands at number (\d+)", str(value["results"]))
            said = value["warnings"] or value["freshness"]["changed"] or not value["freshness"]["known"]
            if result.is_error or (certain >= 0 and not said and (found is None or int(found[1]) < certain)):
                log.wrong.append(f"at least {certain}: {value}")
            log.stale_and_said += bool(said)
            read = await client.call_tool("memory_get", {"path": _LIVE})
            if read.is_error:
                log.wrong.append(str(read.structured_content))


def _load(place: Place, *, clients: int, calls: int | None, seconds: float, pause: float) -> _Log:
    """So many clients until so many calls were answered, or for so many seconds."""
    server: Web = serve(place, "--chat", "direct", environment={})
    log = _Log()

    async def work() -> None:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_write(place, log, stop, pause))
            asking = [tasks.create_task(_ask(server.url, log, stop)) for _ in range(clients)]
            end = time.monotonic() + seconds
            while (
                time.monotonic() < end
                and (calls is None or log.calls < calls)
                and not any(task.done() for task in asking)
            ):
                await asyncio.wait(asking, timeout=0.1)
            stop.set()

    try:
        run(work)
    finally:
        status, err = server.stop()
    assert (status, err) == (0, b"")
    assert log.wrong == []
    return log


@pytest.mark.req("MCP-15")
def test_some_clients_at_once_while_notes_change(indexed: Place) -> None:
    log = _load(indexed, clients=5, calls=100, seconds=30, pause=0.05)
    assert log.calls >= 100
    assert len(log.written) > 1


@pytest.mark.slow  # two minutes
@pytest.mark.req("MCP-15")
def test_twenty_clients_for_two_minutes_while_notes_change(indexed: Place) -> None:
    log = _load(indexed, clients=20, calls=None, seconds=120, pause=0.25)
    assert log.calls > 1000
    assert len(log.written) > 100
