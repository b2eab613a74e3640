"""Messages over two descriptors: bytes of a client enter, messages for the SDK's server leave, and the other way round.

The SDK has a transport of its own; this one also answers what is no message (-32700, -32600) instead of dropping it,
caps a message, needs no thread (so that nothing is left waiting when the process is asked to end), and lets requests
that are under way be answered when the input ends.
"""

from __future__ import annotations

import errno
import os
import select
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import anyio
import anyio.lowlevel
from mcp.shared.message import SessionMessage
from mcp_types import (
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from msgspec import json

from recollect.serve.envelope import INVALID_REQUEST, Fault, fault_of, no_message
from recollect.serve.lifecycle import stop_signals

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from recollect.serve.mcp import Door

    Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
    Outgoing = MemoryObjectSendStream[SessionMessage]

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
LAST_ANSWERS_S: Final = 1.0  # how long requests that are under way may take when the input has ended

_BLOCK: Final = 64 * 1024


class Lines:
    """Cuts what arrives into lines; one that is longer than a message may be is told once and left out."""

    def __init__(self, limit: int = MAX_MESSAGE_BYTES) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that are whole now; None for one that was too long."""
        *whole, rest = data.split(b"\n")
        for end in whole:
            self._keep(end)
            yield None if self._size > self._limit else b"".join(self._parts)
            self._parts, self._size = [], 0
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._limit:
            self._parts = []
        else:
            self._parts.append(part)


def understood(line: bytes | None) -> SessionMessage | JSONRPCError:
    """The message that a line is, or the error to answer it with."""
    if line is None:
        return _error(Fault(code=INVALID_REQUEST, message=f"A message may have {MAX_MESSAGE_BYTES} bytes."))
    if (fault := fault_of(line)) is not None:
        return _error(fault)
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:  # pydantic's error is one
        return _error(no_message(json.decode(line).get("id")))


def _error(fault: Fault) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=fault.id, error=ErrorData(code=fault.code, message=fault.message))


class _Wire:
    """What was asked and what was answered on one pair of descriptors."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._writing = anyio.Lock()
        self._open: set[str | int] = set()
        self._idle = anyio.Event()

    async def read_into(self, send: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand messages on until the input ends, then leave the last ones the time to be answered."""
        lines = Lines()
        async with send:
            while data := await _read(self._source):
                for line in lines.feed(data):
                    if line is None or line.strip():
                        await self._hand_on(line, send)
            self._idle = anyio.Event()
            if self._open:
                with anyio.move_on_after(LAST_ANSWERS_S):
                    await self._idle.wait()

    async def _hand_on(self, line: bytes | None, send: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        message = understood(line)
        if isinstance(message, JSONRPCError):
            await self._write(message)
            return
        match message.message:
            case JSONRPCRequest(id=number):
                self._open.add(number)
            case JSONRPCNotification(method="notifications/cancelled", params={"requestId": number}):
                self._answered(number)  # which needs no answer any more
            case _:
                pass
        await send.send(message)

    async def write_from(self, receive: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write messages until there are none, or until nobody reads them."""
        async with receive:
            async for message in receive:
                await self._write(message.message)
                match message.message:
                    case JSONRPCResponse(id=number) | JSONRPCError(id=number):
                        self._answered(number)
                    case _:
                        pass

    def _answered(self, number: object) -> None:
        if isinstance(number, str | int):
            self._open.discard(number)
        if not self._open:
            self._idle.set()

    async def _write(self, message: JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError) -> None:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        async with self._writing:
            await _write(self._sink, text.encode() + b"\n")


async def _read(descriptor: int) -> bytes:
    """What has arrived; nothing means that there will be nothing more."""
    while True:
        try:
            await anyio.wait_readable(descriptor)
        except PermissionError:  # a regular file, which is always ready
            await anyio.lowlevel.checkpoint()
        try:
            return os.read(descriptor, _BLOCK)
        except BlockingIOError:  # somebody else took it
            continue
        except OSError as error:
            if error.errno in (errno.EIO, errno.ECONNRESET):  # the terminal or the client has gone
                return b""
            raise


async def _write(descriptor: int, data: bytes) -> None:
    """Write all of it, never more at once than a ready pipe takes without waiting."""
    rest = memoryview(data)
    while rest:
        with suppress(PermissionError):  # a regular file
            await anyio.wait_writable(descriptor)
        with suppress(BlockingIOError):
            rest = rest[os.write(descriptor, rest[: select.PIPE_BUF]) :]


@asynccontextmanager
async def messages(source: int, sink: int) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The streams that the SDK's server runs over. A client that has gone ends the input."""
    incoming_send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_receive = anyio.create_memory_object_stream[SessionMessage](0)
    wire = _Wire(source, sink)

    async def read() -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await wire.read_into(incoming_send)

    async def write() -> None:
        try:
            await wire.write_from(outgoing_receive)
        except OSError:  # nobody reads: there is nothing left to do
            tasks.cancel_scope.cancel()
        finally:
            written.set()

    written = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write)
        tasks.start_soon(read)
        try:
            yield incoming, outgoing
        finally:
            outgoing.close()
            with anyio.move_on_after(LAST_ANSWERS_S):
                await written.wait()
            tasks.cancel_scope.cancel()


async def serve_stdio(door: Door, source: int, sink: int) -> None:
    """Serve one client until its input ends, it has gone, or a signal asks to stop."""
    server = door.server()
    async with stop_signals() as stop, anyio.create_task_group() as tasks:

        async def end() -> None:
            await stop.wait()
            tasks.cancel_scope.cancel()

        tasks.start_soon(end)
        async with messages(source, sink) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()
