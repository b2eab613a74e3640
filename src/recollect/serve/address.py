"""Where the HTTP server listens, and who may talk to it: words of a command enter, a socket and allow-lists leave.

Beyond loopback it demands a token. Nothing here reads a request.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Final

from msgspec import Struct

from recollect.errors import ArgumentError

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8754
PATH: Final = "/mcp"
TOKEN_VARIABLE: Final = "RECOLLECT_MCP_TOKEN"  # noqa: S105 - the name of a variable
SHORTEST_TOKEN: Final = 16

_MOST = 65_535
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_TOKEN_HINT: Final = f"Name a file with --token-file, or set {TOKEN_VARIABLE}."


class Address(Struct, frozen=True, kw_only=True):
    """A host and a port as somebody wrote them; without a port, the usual one or a free one."""

    host: str
    port: int | None


class Listening(Struct, frozen=True, kw_only=True):
    """An open socket, and the names under which it may be spoken to."""

    socket: socket.socket
    url: str
    hosts: tuple[str, ...]  # values of Host
    origins: tuple[str, ...]  # values of Origin


def parse(text: str) -> Address:
    """`HOST:PORT`, `HOST`, `:PORT`, `PORT`, `[::1]:PORT`; nothing is the default."""
    host, port = text.strip(), ""
    if host.isdigit():
        host, port = "", host
    elif host.startswith("["):
        host, _, port = host[1:].partition("]")
        port = port.removeprefix(":")
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
    if port and not (port.isascii() and port.isdigit() and len(port) <= len(str(_MOST)) and int(port) <= _MOST):
        raise ArgumentError("The port is no number up to 65535.", hint=f"Try --http {DEFAULT_HOST}:{DEFAULT_PORT}")
    return Address(host=host or DEFAULT_HOST, port=int(port) if port else None)


def token_of(file: str | None) -> str | None:
    """The token of the file or of the environment, from which it is taken away; None where there is none."""
    found = os.environ.pop(TOKEN_VARIABLE, None)
    if file is not None:
        try:
            with open(file, encoding="ascii") as opened:
                found = opened.read(4096)
        except (OSError, UnicodeDecodeError) as error:
            raise ArgumentError("The token file cannot be read.", hint="Name a file with one line of ASCII.") from error
    if found is None:
        return None
    token = found.strip()
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise ArgumentError(
            f"A token has {SHORTEST_TOKEN} characters or more, ASCII and without spaces.",
            hint="Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )
    return token


def listen(address: Address, *, token: str | None, more_hosts: tuple[str, ...] = ()) -> Listening:
    """Open the socket. Beyond loopback without a token there is none."""
    family, bound = _resolve(address.host)
    loopback = ipaddress.ip_address(bound.partition("%")[0]).is_loopback
    if not loopback and token is None:
        raise ArgumentError("Beyond this machine the server wants a token.", hint=_TOKEN_HINT)
    opened = _open(family, bound, address.port)
    port = opened.getsockname()[1]
    name = f"[{bound}]" if family == socket.AF_INET6 else bound
    unspecified = ipaddress.ip_address(bound.partition("%")[0]).is_unspecified
    own = (*(_LOOPBACK if loopback or unspecified else ()), *(() if unspecified else (name,)), _bracketed(address.host))
    names = tuple(dict.fromkeys((*own, *(_bracketed(host) for host in more_hosts))))
    return Listening(
        socket=opened,
        url=f"http://{DEFAULT_HOST if unspecified else name}:{port}{PATH}",
        hosts=tuple(f"{one.lower()}:{port}" for one in names),
        origins=tuple(f"http://{one.lower()}:{port}" for one in names),
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _resolve(host: str) -> tuple[socket.AddressFamily, str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ArgumentError("This is no address of this machine.", hint=f"Try --http {DEFAULT_HOST}") from error
    ordered = sorted(found, key=lambda one: one[0] != socket.AF_INET)
    return ordered[0][0], str(ordered[0][4][0])


def _open(family: socket.AddressFamily, host: str, port: int | None) -> socket.socket:
    """The wanted port; where none was wanted, the usual one or any that is free."""
    wanted = (port,) if port is not None else (DEFAULT_PORT, 0)
    for last, one in enumerate(wanted, start=1):
        opened = socket.socket(family, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, one))
            opened.listen(512)
        except OSError as error:
            opened.close()
            if last == len(wanted):
                reason = os.strerror(error.errno) if error.errno else "it is no address of this machine"
                raise ArgumentError(
                    f"The server cannot listen there: {reason}.", hint="Name another port: --http 127.0.0.1:0"
                ) from error
        else:
            return opened
    raise AssertionError  # the last one returned or raised
