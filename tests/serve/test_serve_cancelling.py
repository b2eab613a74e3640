"""A search that its client gave up: nobody waits for it."""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import pytest

from recollect import Memory
from recollect.serve.mcp import Door
from recollect.serve.stdio import messages
from recollect.testing.embedder import HashedEmbedder
from serve.conftest import HELLO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from serve.conftest import Place


class _Stuck(HashedEmbedder):
    """An embedder that answers a question when it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = threading.Event()
        self.go_on = threading.Event()

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if text == "stuck":
            self.entered.set()
            self.go_on.wait()
        return super().embed_query(text)


def _search(number: int, query: str) -> bytes:
    return _line(number, "tools/call", {"name": "memory_search", "arguments": {"query": query}})


def _line(number: int | None, method: str, params: dict[str, object]) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if number is None else {**message, "id": number}).encode() + b"\n"


async def _talk(source: int, sink: int, embedder: _Stuck, answered: list[object]) -> None:
    """Ask and give up more often than there are threads, then ask something that has an answer."""
    os.write(source, _line(0, "initialize", HELLO))
    for number in range(1, 13):
        embedder.entered.clear()
        os.write(source, _search(number, "stuck"))
        assert await anyio.to_thread.run_sync(embedder.entered.wait, 20)
        os.write(source, _line(None, "notifications/cancelled", {"requestId": number}))
    os.write(source, _search(99, "Redis"))
    while 99 not in answered:
        await anyio.wait_readable(sink)
        answered.extend(json.loads(line)["id"] for line in os.read(sink, 1 << 20).splitlines())
    assert not embedder.go_on.is_set()


@pytest.mark.req("MC-013")
def test_a_cancelled_search_keeps_nobody_waiting(place: Place) -> None:
    embedder = _Stuck()
    answered: list[object] = []

    async def work() -> None:
        with Memory(place.notes.path, state_dir=place.state, embedder=embedder, background=True) as memory:
            memory.sync()
            there, source = os.pipe()
            sink, here = os.pipe()
            try:
                server = Door(memory, "direct").server()
                async with anyio.create_task_group() as tasks:

                    async def serve() -> None:
                        async with messages(there, here) as (incoming, outgoing):
                            await server.run(incoming, outgoing, server.create_initialization_options())

                    tasks.start_soon(serve)
                    try:
                        await _talk(source, sink, embedder, answered)
                    finally:
                        embedder.go_on.set()
                        os.close(source)
            finally:
                for descriptor in (there, sink, here):
                    with suppress(OSError):
                        os.close(descriptor)

    anyio.run(work)
    assert answered == [0, 99]
