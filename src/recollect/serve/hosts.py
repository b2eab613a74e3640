"""The lines that make a host use the server: how it is started or reached enters, text to copy leaves.

Formats of other programs' settings stand here and nowhere else. Nothing is written into anybody's files.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Final

from msgspec import Struct, json

from recollect.errors import ArgumentError
from recollect.serve.address import TOKEN_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

NAME: Final = "recollect"


class Started(Struct, frozen=True, kw_only=True):
    """A server that the host starts and speaks to over standard input and output."""

    command: str
    arguments: tuple[str, ...]


class Reached(Struct, frozen=True, kw_only=True):
    """A server that runs already."""

    url: str
    token: bool


Server = Started | Reached


def this_command() -> tuple[str, ...]:
    """How this very program is started, with real paths."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), NAME)
    return (beside,) if os.access(beside, os.X_OK) else (os.path.abspath(sys.executable), "-m", NAME)


def lines_for(host: str, server: Server) -> str:
    """What to type or to write into the host's settings."""
    make = HOSTS.get(host)
    if make is None:
        raise ArgumentError(f"{host!r} is no host that is known here.", hint=f"Known are {', '.join(HOSTS)}.")
    return make(server)


def _claude_code(server: Server) -> str:
    match server:
        case Started(command=command, arguments=arguments):
            return f"claude mcp add --scope user {NAME} -- {shlex.join((command, *arguments))}\n"
        case Reached(url=url, token=token):
            header = f' --header "Authorization: Bearer ${TOKEN_VARIABLE}"' if token else ""
            return f"claude mcp add --scope user --transport http {NAME} {url}{header}\n"


def _codex(server: Server) -> str:
    head = f"# ~/.codex/config.toml\n[mcp_servers.{NAME}]\n"
    match server:
        case Started(command=command, arguments=arguments):
            return f"{head}command = {_quoted(command)}\nargs = {_quoted(list(arguments))}\n"
        case Reached(url=url, token=token):
            bearer = f"bearer_token_env_var = {_quoted(TOKEN_VARIABLE)}\n" if token else ""
            return f"{head}url = {_quoted(url)}\n{bearer}"


def _cursor(server: Server) -> str:
    match server:
        case Started(command=command, arguments=arguments):
            entry: dict[str, object] = {"command": command, "args": list(arguments)}
        case Reached(url=url, token=token):
            entry = {"url": url}
            if token:
                entry["headers"] = {"Authorization": f"Bearer ${{env:{TOKEN_VARIABLE}}}"}
    return f"// ~/.cursor/mcp.json\n{_pretty({'mcpServers': {NAME: entry}})}\n"


def _vscode(server: Server) -> str:
    match server:
        case Started(command=command, arguments=arguments):
            entry: dict[str, object] = {"type": "stdio", "command": command, "args": list(arguments)}
        case Reached(url=url, token=token):
            entry = {"type": "http", "url": url}
            if token:
                entry["headers"] = {"Authorization": f"Bearer ${{env:{TOKEN_VARIABLE}}}"}
    return f"// .vscode/mcp.json\n{_pretty({'servers': {NAME: entry}})}\n"


def _sdk(server: Server) -> str:
    match server:
        case Started(command=command, arguments=arguments):
            return _SDK_STDIO.format(command=_quoted(command), arguments=_quoted(list(arguments)))
        case Reached(url=url, token=True):
            return _SDK_HTTP_TOKEN.format(url=_quoted(url), variable=_quoted(TOKEN_VARIABLE))
        case Reached(url=url):
            return _SDK_HTTP.format(url=_quoted(url))


def _quoted(value: str | list[str]) -> str:
    """A text or a list of texts, as JSON, TOML and Python all read it."""
    return json.encode(value).decode().replace('","', '", "')


def _pretty(value: dict[str, object]) -> str:
    return json.format(json.encode(value), indent=2).decode()


_SDK_CALL = """\
        answer = await client.call_tool("memory_search", {{"query": "what did we decide about Redis?"}})
        print(answer.content[0].text)


asyncio.run(main())
"""
_SDK_STDIO: Final = (
    """\
import asyncio

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(command={command}, args={arguments})


async def main():
    async with Client(SERVER) as client:
"""
    + _SDK_CALL
)
_SDK_HTTP: Final = (
    """\
import asyncio

from mcp import Client


async def main():
    async with Client({url}) as client:
"""
    + _SDK_CALL
)
_SDK_HTTP_TOKEN: Final = (
    """\
import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main():
    headers = {{"Authorization": "Bearer " + os.environ[{variable}]}}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client({url}, http_client=http)) as client,
    ):
"""
    + _SDK_CALL
)

HOSTS: Final[dict[str, Callable[[Server], str]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "cursor": _cursor,
    "vscode": _vscode,
    "sdk": _sdk,
}
