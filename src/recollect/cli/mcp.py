"""`recollect mcp`: serve the memory to agents over the Model Context Protocol, or say how a host is set up for it.

In come the common options and a way to listen; out goes a server that runs until its client or a signal ends it. The
protocol is spoken on standard output; everything for a person goes to standard error.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from recollect.cli.options import common, common_options
from recollect.cli.output import is_terminal, say, write
from recollect.errors import ArgumentError

if TYPE_CHECKING:
    from recollect.agent.scope import ChatType
    from recollect.cli.options import Common
    from recollect.memory import Memory

_CHATS = ("direct", "group", "channel")
_HOSTS = ("claude-code", "codex", "cursor", "vscode", "sdk")
_EXAMPLES = """\b
recollect mcp --print-config claude-code
recollect mcp --chat direct --workspace ~/notes
recollect mcp --http --chat direct
"""


@click.command("mcp", epilog=_EXAMPLES)
@click.option(
    "--http",
    is_flag=False,
    flag_value="",
    metavar="[HOST:PORT]",
    help="Serve over HTTP (127.0.0.1:8754, or a free port) instead of standard input and output.",
)
@click.option("--token-file", metavar="FILE", help="A bearer token that HTTP clients must send (RECOLLECT_MCP_TOKEN).")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A further name that HTTP clients may call it by.")
@click.option(
    "--chat",
    type=click.Choice(_CHATS),
    help="Who reads the answers. Without it, or in a group, MEMORY.md is left out.",
)
@click.option("--print-config", "host", type=click.Choice(_HOSTS), help="Print the lines for a host, and end.")
@common_options
@click.pass_context
def mcp_command(
    context: click.Context,
    *,
    http: str | None,
    token_file: str | None,
    allow_host: tuple[str, ...],
    chat: str | None,
    host: str | None,
) -> int:
    """Serve the memory to agents (Model Context Protocol)."""
    options = common(context)
    if http is None and (token_file is not None or allow_host):
        raise click.UsageError("--token-file and --allow-host are for --http.", context)
    with _open(options) as memory:
        if host is not None:
            write(_lines(host, memory, options, http, token_file))
            return 0
        if find_spec("mcp") is None:
            raise ArgumentError(
                "The server needs the mcp package, which is not installed.", hint="Run: pip install 'recollect[mcp]'"
            )
        if http is None:
            from recollect.serve.run import run_stdio

            if is_terminal(sys.stdin):
                say("Waiting for a client; Ctrl-D ends it. To set one up: recollect mcp --print-config HOST")
            run_stdio(memory, _chat(chat))
        else:
            _serve_http(memory, http, token_file, allow_host, chat)
    return 0


def _open(options: Common) -> Memory:
    """The memory, with a worker that brings in what is missing while searches are answered."""
    from recollect.memory import Memory

    return Memory(
        workspace=options.workspace,
        agent=options.agent,
        state_dir=options.state_dir,
        config_file=options.config,
        background=True,
    )


def _chat(chosen: str | None) -> ChatType:
    """Who reads along; nobody said so, nobody knows."""
    match chosen:
        case "direct" | "group" | "channel":
            return chosen
        case _:
            return "unknown"


def _serve_http(memory: Memory, http: str, token_file: str | None, hosts: tuple[str, ...], chat: str | None) -> None:
    from recollect.serve.address import listen, parse, token_of
    from recollect.serve.run import run_http

    token = token_of(token_file)
    listening = listen(parse(http), token=token, more_hosts=hosts)
    with listening.socket:
        say(f"Serving {listening.url}{' with a token' if token else ''}; Ctrl-C ends it.")
        run_http(memory, _chat(chat), listening, token=token)


def _lines(host: str, memory: Memory, options: Common, http: str | None, token_file: str | None) -> str:
    """The lines for a host, with the real paths; a private, direct chat is what a person sets up for themselves."""
    from recollect.serve.address import DEFAULT_PORT, PATH, TOKEN_VARIABLE, parse
    from recollect.serve.hosts import Reached, Server, Started, lines_for, this_command

    if http is not None:
        address = parse(http)
        name = f"[{address.host}]" if ":" in address.host else address.host
        token = token_file is not None or bool(os.environ.get(TOKEN_VARIABLE))
        server: Server = Reached(url=f"http://{name}:{address.port or DEFAULT_PORT}{PATH}", token=token)
        return lines_for(host, server)
    command, *arguments = this_command()
    arguments += ["mcp", "--chat", "direct", "--workspace", os.path.abspath(memory.workspace)]
    if options.agent is not None:
        arguments += ["--agent", options.agent]
    for flag, path in (("--config", options.config), ("--state-dir", options.state_dir)):
        if path is not None:
            arguments += [flag, os.path.abspath(os.path.expanduser(path))]
    return lines_for(host, Started(command=command, arguments=tuple(arguments)))
