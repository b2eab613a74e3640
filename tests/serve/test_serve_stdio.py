"""The server over standard input and output, as a process, spoken to in raw lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.serve.lifecycle import PATIENCE_S as STOPPED_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from serve.conftest import Place, Wire

    Start = Callable[..., Wire]


def _code(message: dict[str, object]) -> object:
    error = message["error"]
    assert isinstance(error, dict)
    assert "Traceback" not in str(error)
    return error["code"]


@pytest.mark.req("MC-001", "MCP-08")
def test_what_is_not_json_is_answered_and_the_server_lives(wire: Start) -> None:
    server = wire()
    for line in (b"not json\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b'{"jsonrpc": "2.0", "id": 1, "meth\n'):
        server.send(line)
        assert _code(server.receive()) == -32700
    server.greet()
    server.send(b"not json\n")
    assert _code(server.receive()) == -32700
    assert server.ask(1, "ping")["result"] == {}


@pytest.mark.req("MC-002", "MCP-08")
@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b'{"jsonrpc":"1.0"}\n', None),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}\n', 7),
        (b'{"jsonrpc":"2.0","id":7}\n', 7),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', None),
        (b'[{"jsonrpc":"2.0","id":7,"method":"ping"}]\n', None),
        (b"7\n", None),
    ],
)
def test_what_is_no_message_is_an_invalid_request(line: bytes, number: int | None, wire: Start) -> None:
    server = wire()
    server.greet()
    server.send(line)
    answer = server.receive()
    assert (_code(answer), answer["id"]) == (-32600, number)
    assert server.ask(1, "ping")["result"] == {}


@pytest.mark.req("MCP-08")
def test_a_message_that_is_too_long_is_refused_and_the_next_one_is_heard(wire: Start) -> None:
    server = wire()
    server.greet()
    server.send(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (4 * 1024 * 1024) + b'"}\n')
    assert _code(server.receive()) == -32600
    assert server.ask(2, "ping")["result"] == {}


@pytest.mark.req("MC-004")
def test_a_call_before_initialize_is_an_error(wire: Start) -> None:
    server = wire()
    answer = server.ask(1, "tools/call", {"name": "memory_search", "arguments": {"query": "Redis"}})
    assert _code(answer) == -32602
    server.greet()
    assert server.ask(2, "ping")["result"] == {}


@pytest.mark.req("MC-005")
def test_an_unknown_method_is_said_to_be_unknown(wire: Start) -> None:
    server = wire()
    server.greet()
    assert _code(server.ask(1, "memory/burn")) == -32601


@pytest.mark.req("MC-007", "MC-008")
@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("memory_get", {"path": 1}, "path"),
        ("memory_search", {}, "query"),
        ("memory_search", {"query": ["a"]}, "query"),
        ("memory_get", {"path": "../../etc/passwd"}, ""),
    ],
)
def test_wrong_arguments_are_an_error_of_the_tool(
    tool: str, arguments: dict[str, object], word: str, wire: Start
) -> None:
    server = wire("--chat", "direct")
    server.greet()
    result = server.call(1, tool, arguments)
    assert result["isError"] is True
    value = result["structuredContent"]
    assert isinstance(value, dict)
    assert word in str(value["error"])
    assert "Traceback" not in str(result)


@pytest.mark.req("MCP-03")
def test_an_unknown_tool_is_named_as_such(wire: Start) -> None:
    server = wire()
    server.greet()
    answer = server.ask(1, "tools/call", {"name": "memory_burn", "arguments": {}})
    assert _code(answer) == -32602
    assert "memory_search" in str(answer["error"])


@pytest.mark.req("MC-011", "MCP-10")
@pytest.mark.parametrize(
    "last", [b"", b'{"jsonrpc":"2.0","id":5,"method":"tools/ca', b'{"jsonrpc":"2.0","id":5,"method":"ping"}']
)
def test_a_closed_input_ends_the_server_and_leaves_nothing(
    last: bytes, wire: Start, place: Place, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = wire()
    server.greet()
    server.send(last)
    status, _, err = server.end()
    assert (status, err) == (0, b"")
    assert place.left_behind() == []
    with place.memory() as memory:
        memory.sync()
        assert memory.verify() == ()


@pytest.mark.req("MCP-10")
def test_requests_under_way_are_answered_when_the_input_ends(wire: Start, indexed: Place) -> None:
    server = wire("--chat", "direct")
    server.greet()
    call = {"name": "memory_search", "arguments": {"query": "Redis"}}
    server.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call})
    status, out, _ = server.end()
    assert status == 0
    assert json.loads(out.splitlines()[-1])["result"]["structuredContent"]["results"]


@pytest.mark.req("MCP-10")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_server_at_once_and_leaves_nothing(number: int, wire: Start, place: Place) -> None:
    server = wire()
    server.greet()
    server.process.send_signal(number)
    server.process.wait(timeout=STOPPED_S + 1)
    assert server.process.returncode == 0
    assert place.left_behind() == []
    place.index()  # no lock is held


@pytest.mark.req("MCP-10")
def test_a_signal_in_the_middle_of_a_first_index_ends_it(wire: Start, place: Place) -> None:
    for number in range(400):
        place.notes.write(f"memory/many/{number}.md", f"# Note {number}\n\n" + f"Word{number} and more. " * 80)
    server = wire()
    server.greet()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(timeout=STOPPED_S + 1)
    assert server.process.returncode == 0
    assert place.left_behind() == []
    with place.memory() as memory:
        memory.sync()
        assert memory.verify() == ()


@pytest.mark.req("MCP-10")
@pytest.mark.parametrize("polite", [True, False])
def test_a_search_that_hangs_does_not_keep_the_server(polite: bool, wire: Start, place: Place) -> None:
    hanging = (
        "import sys, threading\n"
        "from recollect import Memory\n"
        "def search(self, *arguments, **named):\n"
        "    print('hangs', flush=True)\n"
        "    threading.Event().wait()\n"
        "Memory.search = search\n"
        "from recollect.cli.main import main\n"
        "main()\n"
    )
    server = wire(argv=[sys.executable, "-c", hanging, "mcp", *place.options])
    server.greet()
    call = {"name": "memory_search", "arguments": {"query": "Redis"}}
    server.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    assert server.process.stderr is not None
    assert server.process.stderr.readline() == b"hangs\n"
    if polite:
        server.process.terminate()
    else:
        assert server.process.stdin is not None
        server.process.stdin.close()
    assert server.process.wait(timeout=STOPPED_S + 1) == 0


@pytest.mark.req("MCP-09")
def test_a_client_that_vanishes_ends_the_server(wire: Start) -> None:
    server = wire()
    server.greet()
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert server.process.wait(timeout=10) == 0


@pytest.mark.req("MC-014", "MCP-07")
def test_what_a_library_prints_goes_to_standard_error(wire: Start, indexed: Place) -> None:
    noisy = (
        "import os, sys, warnings\n"
        "from recollect import Memory\n"
        "quiet = Memory.search\n"
        "def search(self, *arguments, **named):\n"
        "    print('printed by a library')\n"
        "    os.write(1, b'written past Python\\n')\n"
        "    os.system('echo said by a child')\n"
        "    warnings.warn('warned', stacklevel=1)\n"
        "    return quiet(self, *arguments, **named)\n"
        "Memory.search = search\n"
        "from recollect.cli.main import main\n"
        "main()\n"
    )
    server = wire(argv=[sys.executable, "-c", noisy, "mcp", *indexed.options])
    server.greet()
    assert server.call(1, "memory_search", {"query": "Redis"})["isError"] is False
    status, out, err = server.end()
    assert (status, out) == (0, b"")
    for said in (b"printed by a library", b"written past Python", b"said by a child", b"warned"):
        assert said in err


@pytest.mark.req("MCP-07")
@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", "</dev/null", "<&- >&- 2>&-"])
def test_missing_streams_end_in_a_sentence_or_in_silence(redirect: str, place: Place) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirect}', "sh", *place.argv()],
        capture_output=True,
        check=False,
        timeout=30,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode in (0, 1, 2)
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


@pytest.mark.req("MCP-07")
def test_requests_may_come_from_a_file(place: Place, tmp_path_factory: pytest.TempPathFactory) -> None:
    script = tmp_path_factory.mktemp("script") / "requests"
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    script.write_text(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        + "\n"
        + json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        + "\n"
    )
    with script.open("rb") as source, (script.parent / "answers").open("wb+") as sink:
        subprocess.run(place.argv(), stdin=source, stdout=sink, check=True, timeout=30)
        sink.seek(0)
        assert [json.loads(line)["id"] for line in sink] == [1, 2]


@pytest.mark.req("MCP-12")
def test_the_protocol_is_not_imported_by_other_commands(place: Place) -> None:
    code = (
        "import sys\nfrom recollect.cli.main import main\n"
        "main(['search', 'Redis', '--workspace', sys.argv[1]])\nmain(['--help'])\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('mcp', 'mcp_types', 'anyio', 'pydantic')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, place.notes.path], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.splitlines()[-1] == "[]"
