"""Sessions of the SDK's own client with real servers, over each transport and in each era of the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from mcp import Client, StdioServerParameters

from serve.conftest import PATIENCE_S, serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from mcp.client.session import MessageHandlerFnT

    from serve.conftest import Place

Result = TypeVar("Result")
Transport = Literal["stdio", "http"]
Era = Literal["legacy", "auto"]
WAYS: Final[tuple[tuple[Transport, Era], ...]] = (
    ("stdio", "legacy"),
    ("stdio", "auto"),
    ("http", "legacy"),
    ("http", "auto"),
)


@asynccontextmanager
async def session(
    place: Place, transport: Transport, era: Era, *arguments: str, notices: MessageHandlerFnT | None = None
) -> AsyncIterator[Client]:
    """A client that has shaken hands with a server of its own."""
    if transport == "stdio":
        command, *rest = [sys.executable, "-m", "recollect", "mcp", *place.options, *arguments]
        server = StdioServerParameters(command=command, args=rest, env={"HOME": os.environ["HOME"]})
        async with Client(server, mode=era, message_handler=notices, read_timeout_seconds=PATIENCE_S) as client:
            yield client
        return
    process = await asyncio.to_thread(serve, place, *arguments, environment={})
    try:
        async with Client(process.url, mode=era, message_handler=notices, read_timeout_seconds=PATIENCE_S) as client:
            yield client
    finally:
        process.process.terminate()
        await asyncio.to_thread(process.process.communicate)


def run(work: Callable[[], Coroutine[object, object, Result]]) -> Result:
    """Run a session to its end."""
    return asyncio.run(work())
