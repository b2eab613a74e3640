"""What stands before the HTTP server: a request enters and is handed on, or is refused in one sentence.

In this order: who is spoken to (Host, 421), from which page (Origin, 403), with which token (401), where (404), how
(405), what kind (415), how much (413), how slowly (408) and whether it is a message at all (400). It allows no page of
another origin anything, takes no token from an address, and shows nothing of the inside: no path, no SQL, no stack.
"""

from __future__ import annotations

import hmac
import logging
from collections import deque
from typing import TYPE_CHECKING, Final

import anyio
from msgspec import json

from recollect.serve.address import PATH
from recollect.serve.envelope import INVALID_REQUEST, fault_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY: Final = 4 * 1024 * 1024
BODY_S: Final = 10.0  # how long a body may take
_DRAINED: Final = 4 * MAX_BODY  # of a body that is too large, read so that the refusal arrives
_METHODS: Final = ("GET", "POST", "DELETE")
_SESSION: Final = b"mcp-session-id"
_log = logging.getLogger("recollect.serve")


class Refused(Exception):  # noqa: N818 - a verdict, not an accident
    """A request that goes no further."""

    def __init__(self, status: int, message: str, *headers: tuple[bytes, bytes], code: int = INVALID_REQUEST) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.message = message
        self.headers = headers


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str], origins: Sequence[str], token: str | None) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        began = False

        async def watched(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            self._admit(scope)
            await self._app(scope, await _with_body(scope, receive), watched)
        except Refused as refused:
            await _refuse(send, refused)
        except Exception as error:  # noqa: BLE001 - the border: what is inside stays inside
            _log.error("A request failed: %s", type(error).__name__)  # neither text nor stack
            if not began:
                await _refuse(send, Refused(500, "Something went wrong inside recollect."))

    def _admit(self, scope: Scope) -> None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        if [_text(value) for value in _values(headers, b"host")] not in [[host] for host in self._hosts]:
            raise Refused(421, "This server is not called so.")
        if any(_text(value) not in self._origins for value in _values(headers, b"origin")):
            raise Refused(403, "Pages of this origin may not ask here.")
        if not self._knows(_values(headers, b"authorization")):
            raise Refused(401, "A token is wanted: Authorization: Bearer ...", (b"www-authenticate", b"Bearer"))
        if scope["path"] != PATH:
            raise Refused(404, f"There is nothing here; the protocol is spoken at {PATH}.")
        method = scope["method"]
        if method not in _METHODS or (method == "DELETE" and not _values(headers, _SESSION)):
            raise Refused(405, "This cannot be done here.", (b"allow", b"GET, POST"))
        if method == "POST" and not _is_json(_values(headers, b"content-type")):
            raise Refused(415, "A message is sent as application/json.")

    def _knows(self, given: Sequence[bytes]) -> bool:
        if self._token is None:
            return True
        if len(given) != 1:
            return False
        kind, _, token = given[0].partition(b" ")
        return kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def _values(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for key, value in headers if key == name]


def _is_json(kinds: Sequence[bytes]) -> bool:
    return len(kinds) == 1 and _text(kinds[0]).partition(";")[0].strip() == "application/json"


def _text(value: bytes) -> str:
    return value.decode("latin-1").lower()


async def _with_body(scope: Scope, receive: Receive) -> Receive:
    """The request with its whole body, which must come soon and fit."""
    if scope["method"] != "POST":
        return receive
    with anyio.move_on_after(BODY_S):
        first = await _whole(receive)
        if first["type"] == "http.request" and (fault := fault_of(first["body"])) is not None:
            raise Refused(400, fault.message, code=fault.code)
        return _again(first, receive)
    raise Refused(408, "The request took too long.", (b"connection", b"close"))


async def _whole(receive: Receive) -> Message:
    body = bytearray()
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return message
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= MAX_BODY:
            body += part
        if size > _DRAINED or (size > MAX_BODY and not message.get("more_body", False)):
            raise Refused(413, f"A request may have {MAX_BODY} bytes.", (b"connection", b"close"))
        if not message.get("more_body", False):
            return {"type": "http.request", "body": bytes(body), "more_body": False}


def _again(first: Message, receive: Receive) -> Receive:
    waiting = deque([first])

    async def replay() -> Message:
        return waiting.popleft() if waiting else await receive()

    return replay


async def _refuse(send: Send, refused: Refused) -> None:
    body = json.encode({"jsonrpc": "2.0", "id": None, "error": {"code": refused.code, "message": refused.message}})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *refused.headers]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
