"""The server over HTTP: an open socket and a door enter; it runs until it is told to stop.

The SDK speaks the protocol, uvicorn HTTP; the guard stands before both, and a connection on which nothing is asked is
closed. Sessions are counted and forgotten when nobody uses them.
"""

from __future__ import annotations

import contextlib
import resource
from typing import TYPE_CHECKING, Final

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from recollect.serve.guard import MAX_BODY, Guard
from recollect.serve.lifecycle import stop_signals

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

    from recollect.serve.address import Listening
    from recollect.serve.mcp import Door

MAX_SESSIONS: Final = 500
SESSION_IDLE_S: Final = 15 * 60
HEAD_S: Final = 10.0  # how long the head of a request may take
KEEP_ALIVE_S: Final = 60
_LAST_ANSWERS_S: Final = 1
_DESCRIPTORS: Final = 8192


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, which does not wait for ever for the head of a request."""

    _head_since: float | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """A client is there and may say what it wants."""
        super().connection_made(transport)
        self._head_since = self.loop.time()
        self._deadline = self.loop.call_later(HEAD_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something came: a whole head, or a part of one."""
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle  # uvicorn's annotation leaves None out
        if cycle is not None and not cycle.response_complete:
            self._head_since = None
        elif self._head_since is None:
            self._head_since = self.loop.time()

    def on_response_complete(self) -> None:
        """An answer left; the next head may take its time to begin."""
        self._head_since = None
        super().on_response_complete()

    def _look(self) -> None:
        now = self.loop.time()
        if self._head_since is not None and now - self._head_since >= HEAD_S:
            self.transport.close()
            return
        self._deadline = self.loop.call_later(HEAD_S / 2, self._look)


class _Server(uvicorn.Server):
    """uvicorn without its own handling of signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to us."""
        yield


async def serve_http(door: Door, listening: Listening, *, token: str | None) -> None:
    """Serve until a signal asks to stop."""
    _allow_many_connections()
    manager = StreamableHTTPSessionManager(
        app=door.server(),
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=list(listening.hosts),
            allowed_origins=list(listening.origins),
        ),
        max_request_body_size=MAX_BODY,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=MAX_SESSIONS,
    )
    guard = Guard(manager.handle_request, hosts=listening.hosts, origins=listening.origins, token=token)
    server = _Server(
        uvicorn.Config(
            guard,
            http=PatientProtocol,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=_LAST_ANSWERS_S,
        )
    )
    async with stop_signals() as stop, manager.run(), anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listening.socket])
        await stop.wait()
        server.should_exit = True


def _allow_many_connections() -> None:
    """A thousand idle clients must not use up the descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
