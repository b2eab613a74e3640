"""How a host is set up, and how the server finds its address: words in, lines and sockets out."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from recollect.errors import ArgumentError
from recollect.serve.address import parse
from recollect.serve.hosts import HOSTS, Reached, Started, lines_for
from recollect.serve.resources import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from serve.conftest import Place, Wire

_ODD = Started(command="/opt/my tools/recollect", arguments=("mcp", "--workspace", '/notes of "Mira"\\$HOME'))
_URL = "http://127.0.0.1:8754/mcp"


def _started(host: str, text: str) -> list[str]:
    """The command that the lines start, as the host reads them."""
    match host:
        case "claude-code":
            words = shlex.split(text)
            return words[words.index("--") + 1 :]
        case "codex":
            entry = tomllib.loads(text)["mcp_servers"]["recollect"]
        case "cursor":
            entry = json.loads(text.partition("\n")[2])["mcpServers"]["recollect"]
        case "vscode":
            entry = json.loads(text.partition("\n")[2])["servers"]["recollect"]
            assert entry["type"] == "stdio"
        case _:
            names: dict[str, dict[str, object]] = {}
            line = next(line for line in text.splitlines() if line.startswith("SERVER ="))
            exec(line, {"StdioServerParameters": lambda **named: names.setdefault("it", named)})  # noqa: S102 - our own
            entry = names["it"]
    return [entry["command"], *entry["args"]]


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize("host", HOSTS)
def test_the_lines_start_what_was_meant(host: str) -> None:
    assert _started(host, lines_for(host, _ODD)) == [_ODD.command, *_ODD.arguments]


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("token", [False, True])
def test_the_lines_lead_to_a_server_that_runs(host: str, token: bool) -> None:
    text = lines_for(host, Reached(url=_URL, token=token))
    assert _URL in text
    assert ("RECOLLECT_MCP_TOKEN" in text) is token
    if host == "sdk":
        compile(text, host, "exec")


@pytest.mark.req("MCP-13")
def test_an_unknown_host_is_told_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="claude-code"):
        lines_for("emacs", _ODD)


@pytest.mark.req("MCP-13")
def test_a_server_starts_from_the_lines_that_are_printed(place: Place, wire: Callable[..., Wire]) -> None:
    printed = subprocess.run(
        place.argv("--print-config", "claude-code"), capture_output=True, text=True, check=True
    ).stdout
    argv = _started("claude-code", printed)
    assert argv[0].startswith("/")
    assert place.notes.path in argv
    server = wire(argv=argv)
    server.greet()
    read = server.call(1, "memory_get", {"path": "MEMORY.md"})
    assert "boathouse" in str(read)  # --chat direct stands in the lines


@pytest.mark.req("MCP-12")
def test_without_the_sdk_the_command_says_what_to_install(place: Place) -> None:
    code = (
        "import sys, importlib.util\nfound = importlib.util.find_spec\n"
        "import recollect.cli.mcp as command\ncommand.find_spec = lambda name: None\n"
        "from recollect.cli.main import main\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "mcp", *place.options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "recollect[mcp]" in done.stderr
    assert done.stdout == ""


@pytest.mark.req("MCP-19")
@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", "127.0.0.1", None),
        ("9000", "127.0.0.1", 9000),
        (":9000", "127.0.0.1", 9000),
        ("localhost", "localhost", None),
        ("localhost:0", "localhost", 0),
        ("[::1]:9000", "::1", 9000),
        ("[::1]", "::1", None),
        ("::1", "::1", None),
    ],
)
def test_an_address_is_read_as_it_is_meant(text: str, host: str, port: int | None) -> None:
    address = parse(text)
    assert (address.host, address.port) == (host, port)


@pytest.mark.req("MCP-19")
@pytest.mark.parametrize("text", ["127.0.0.1:x", ":99999", "127.0.0.1:-1", "a b:1", "no.such.host.invalid:1"])
def test_what_is_no_address_is_refused(text: str, place: Place) -> None:
    done = subprocess.run(place.argv("--http", text), capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.req("MCP-04")
def test_many_notes_are_listed_in_pages(place: Place, wire: Callable[..., Wire]) -> None:
    for number in range(PAGE + 10):
        place.notes.write(f"memory/many/{number}.md", "# A note\n")
    server = wire("--chat", "direct")
    server.greet()
    first = server.ask(1, "resources/list")["result"]
    assert isinstance(first, dict)
    second = server.ask(2, "resources/list", {"cursor": first["nextCursor"]})["result"]
    assert isinstance(second, dict)
    assert "nextCursor" not in second
    listed = [one["uri"] for page in (first, second) for one in page["resources"]]
    assert len(listed) == len({*listed}) == PAGE + 14
    assert "error" in server.ask(3, "resources/list", {"cursor": "-1"})


@pytest.mark.req("MCP-04")
@pytest.mark.parametrize(
    "asked", ["memory://memory.md", "memory://memory.md/", "MEMORY://MEMORY.md", "memory://MEMORY.md/"]
)
def test_an_address_survives_what_clients_do_to_hosts(asked: str, place: Place, wire: Callable[..., Wire]) -> None:
    server = wire("--chat", "direct")
    server.greet()
    assert "boathouse" in str(server.ask(1, "resources/read", {"uri": asked})["result"])


@pytest.mark.req("MCP-04")
def test_a_long_note_is_read_whole(place: Place, wire: Callable[..., Wire]) -> None:
    text = "# Long\n\n" + "A line of some length, which ends here.\n" * 5000
    place.notes.write("memory/long.md", text)
    server = wire()
    server.greet()
    result = server.ask(1, "resources/read", {"uri": "memory://memory/long.md"})["result"]
    assert isinstance(result, dict)
    assert result["contents"][0]["text"] == text
