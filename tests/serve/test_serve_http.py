"""The server over HTTP, as a process, spoken to in raw requests."""

from __future__ import annotations

import json
import pathlib
import resource
import socket
import subprocess
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from recollect.serve.lifecycle import PATIENCE_S as STOPPED_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from serve.conftest import Place, Web

    Start = Callable[..., Web]

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

_TOKEN = "0123456789abcdef-xyz"  # noqa: S105 - of these tests alone
_PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def _message(body: bytes) -> str:
    """The one sentence of a refusal, which shows nothing of the inside."""
    value = json.loads(body)
    assert value["jsonrpc"] == "2.0"
    said = str(value["error"]["message"])
    assert not any(word in said for word in ("Traceback", ".py", "SELECT", "/home", "notes/"))
    return said


@pytest.mark.req("HT-002", "HT-003", "HT-014")
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "file://"])
def test_a_page_of_another_origin_is_refused(origin: str, served: Web) -> None:
    status, _, body = served.hello(Origin=origin)
    assert status == 403
    assert _message(body)
    form = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
    assert served.ask("POST", headers=form, body=b"jsonrpc=2.0")[0] == 403


@pytest.mark.req("HT-002", "MCP-19")
def test_the_own_origin_and_the_own_names_are_heard(served: Web) -> None:
    assert served.hello()[0] == 200
    assert served.hello(Origin=f"http://localhost:{served.port}")[0] == 200
    assert served.hello(Host=f"localhost:{served.port}")[0] == 200


@pytest.mark.req("HT-002", "MCP-19")
@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1:1", "127.0.0.1", "127.0.0.1.evil:80"])
def test_another_name_of_the_host_is_refused(host: str, served: Web) -> None:
    status, _, body = served.hello(Host=host)
    assert status == 421
    assert _message(body)


@pytest.mark.req("HT-005")
@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"])
def test_beyond_loopback_it_does_not_start_without_a_token(address: str, place: Place) -> None:
    done = subprocess.run(place.argv("--http", address), capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 2
    assert "token" in done.stderr
    assert done.stdout == ""


@pytest.mark.req("HT-005", "MCP-19")
def test_beyond_loopback_it_starts_with_a_token_and_answers_to_the_names_it_was_given(web: Start) -> None:
    server = web("--allow-host", "notes.example", host="0.0.0.0", environment={"RECOLLECT_MCP_TOKEN": _TOKEN})  # noqa: S104 - what is tested
    bearer = f"Bearer {_TOKEN}"
    assert server.hello(Authorization=bearer)[0] == 200
    assert server.hello(Authorization=bearer, Host=f"notes.example:{server.port}")[0] == 200
    assert server.hello(Authorization=bearer, Host=f"other.example:{server.port}")[0] == 421
    assert server.hello(Host=f"notes.example:{server.port}")[0] == 401


@pytest.mark.req("HT-006", "HT-008")
@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Bearer {_TOKEN}x",
        f"Bearer {_TOKEN[:-1]}",
        f"Basic {_TOKEN}",
        _TOKEN,
        "Bearer sk-for-another-service-0123456789",
        "Bearer \xff\xfe",
    ],
)
def test_without_the_right_token_nothing_is_answered(given: str | None, web: Start, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{_TOKEN}\n")
    server = web("--token-file", str(file))
    headers = {} if given is None else {"Authorization": given}
    status, answered, body = server.hello(**headers)
    assert (status, answered["www-authenticate"]) == (401, "Bearer")
    assert "wrong" not in _message(body)
    assert server.hello(Authorization=f"Bearer {_TOKEN}")[0] == 200
    _, err = server.stop()
    assert b"another-service" not in err
    assert _TOKEN.encode() not in err


@pytest.mark.req("HT-006")
@pytest.mark.parametrize("query", [f"token={_TOKEN}", f"access_token={_TOKEN}", f"authorization=Bearer+{_TOKEN}"])
def test_a_token_in_the_address_counts_nothing(query: str, web: Start) -> None:
    server = web(environment={"RECOLLECT_MCP_TOKEN": _TOKEN})
    assert server.ask("POST", f"/mcp?{query}", body=b"{}")[0] == 401


@pytest.mark.req("MCP-19")
@pytest.mark.parametrize("token", ["short", "has a space in the middle", "", "ünïcödé-and-long-enough"])
def test_what_is_no_token_is_refused_at_the_start(token: str, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(token)
    done = subprocess.run(
        place.argv("--http", "127.0.0.1:0", "--token-file", str(file)), capture_output=True, check=False, timeout=30
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.req("HT-009")
@pytest.mark.parametrize("session", ["guessed", "0" * 32, "../../x", "a" * 5000])
def test_a_session_that_nobody_opened_is_not_found(session: str, served: Web) -> None:
    status, _, body = served.post(_PING, Mcp_Session_Id=session)
    assert status == 404
    assert _message(body)


@pytest.mark.req("HT-009")
def test_a_session_that_was_ended_is_not_found(served: Web) -> None:
    session = served.hello()[1]["mcp-session-id"]
    assert served.post(_PING, Mcp_Session_Id=session)[0] == 200
    assert served.ask("DELETE", headers={"Mcp-Session-Id": session})[0] == 200
    assert served.post(_PING, Mcp_Session_Id=session)[0] == 404


@pytest.mark.req("HT-009")
def test_sessions_are_bounded_and_those_that_are_open_go_on(web: Start) -> None:
    from recollect.serve.http import MAX_SESSIONS

    server = web()
    first = server.hello()[1]["mcp-session-id"]
    opened = [server.hello()[0] for _ in range(MAX_SESSIONS)]
    assert opened[-1] == 503
    assert opened.count(200) == MAX_SESSIONS - 1
    assert server.post(_PING, Mcp_Session_Id=first)[0] == 200
    assert server.ask("DELETE", headers={"Mcp-Session-Id": first})[0] == 200
    assert server.hello()[0] == 200


@pytest.mark.req("HT-011")
@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "FETCH"])
def test_other_methods_are_not_allowed(method: str, served: Web) -> None:
    status, headers, _ = served.ask(method)
    assert (status, headers["allow"]) == (405, "GET, POST")


@pytest.mark.req("HT-011", "MCP-04")
@pytest.mark.parametrize(
    "path",
    ["/", "/mcp/", "/mcp/../memory/2026-02-10.md", "/memory/2026-02-10.md", "/%2e%2e/etc/passwd", "//mcp", "/sse"],
)
def test_there_is_nothing_elsewhere(path: str, served: Web) -> None:
    for method in ("GET", "POST"):
        status, _, body = served.ask(method, path)
        assert status == 404
        assert _message(body)


@pytest.mark.req("HT-015")
def test_a_preflight_allows_nothing(served: Web) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    for origin in ("http://evil.example", f"http://127.0.0.1:{served.port}", "null"):
        status, headers, _ = served.ask("OPTIONS", headers={**asked, "Origin": origin})
        assert status in (403, 405)
        assert not [name for name in headers if name.startswith("access-control")]
    assert not [name for name in served.hello()[1] if name.startswith("access-control")]


@pytest.mark.req("MC-010")
def test_a_body_of_four_mebibytes_and_one_byte_is_too_large(served: Web) -> None:
    most = 4 * 1024 * 1024
    status, _, body = served.post(b'"' + b"x" * (most - 1) + b'"')
    assert status == 413
    assert _message(body)
    assert served.post(b'"' + b"x" * (most - 2) + b'"')[0] == 400  # fits, and is no message
    assert served.hello()[0] == 200


@pytest.mark.req("MC-010")
def test_a_body_without_a_length_is_counted_as_it_comes(served: Web) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as client:
        client.sendall(_head(served, "Transfer-Encoding: chunked"))
        block = b"%x\r\n" % 65536 + b"x" * 65536 + b"\r\n"
        for _ in range(65):
            client.sendall(block)
        client.sendall(b"0\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.req("MC-001", "MC-002")
@pytest.mark.parametrize(
    ("body", "code"),
    [(b"not json", -32700), (b"", -32700), (b'{"jsonrpc":"1.0"}', -32600), (b"[]", -32600), (b"\xff", -32700)],
)
def test_what_is_no_message_is_refused(body: bytes, code: int, served: Web) -> None:
    status, _, said = served.post(body)
    assert status == 400
    assert json.loads(said)["error"]["code"] == code
    assert _message(said)


@pytest.mark.req("HT-014")
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_what_a_form_can_send_is_no_message(kind: str, served: Web) -> None:
    status, _, body = served.ask("POST", headers={"Content-Type": kind}, body=json.dumps(_PING).encode())
    assert status == 415
    assert _message(body)


@pytest.mark.req("HT-012")
def test_slow_bodies_and_idle_connections_keep_nobody_waiting(web: Start) -> None:
    server = web()
    with _idlers(server, 100):
        assert server.hello()[0] == 200


@pytest.mark.slow  # as long as the server's patience
@pytest.mark.req("HT-012")
def test_slow_bodies_and_a_thousand_idle_connections_are_timed_out(web: Start) -> None:
    server = web()
    with _idlers(server, 1000) as (slow, *silent):
        assert server.hello()[0] == 200
        assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")
        assert all(one.recv(1) == b"" for one in silent)
        assert server.hello()[0] == 200


@contextmanager
def _idlers(server: Web, many: int) -> Iterator[list[socket.socket]]:
    """One client whose body does not come, one whose head does not end, and many that say nothing."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=30))
            for _ in range(many + 2)
        ]
        clients[0].sendall(_head(server, "Content-Length: 100") + b"{")
        clients[1].sendall(b"POST /mcp HTTP/1.1\r\nHost: ")
        yield clients


@pytest.mark.req("HT-017")
def test_an_internal_fault_shows_nothing_of_the_inside(place: Place) -> None:
    import anyio

    from recollect.serve.guard import Guard

    async def broken(_scope: object, _receive: object, _send: object) -> None:
        raise ValueError("SELECT * FROM chunks -- in /home/mira/notes/x.py")

    sent: list[Mapping[str, object]] = []

    async def send(message: Mapping[str, object]) -> None:
        sent.append(message)

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": json.dumps(_PING).encode(), "more_body": False}

    guard = Guard(broken, hosts=["here:1"], origins=[], token=None)
    headers = [(b"host", b"here:1"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}
    anyio.run(lambda: guard(scope, receive, send))
    assert sent[0]["status"] == 500
    body = sent[1]["body"]
    assert isinstance(body, bytes)
    assert b"SELECT" not in body
    assert b"mira" not in body
    assert _message(body)


@pytest.mark.req("HT-017")
def test_a_damaged_index_is_told_without_places(web: Start, indexed: Place) -> None:
    (index,) = pathlib.Path(indexed.state).rglob("*.sqlite")
    index.write_bytes(b"SQLite format 3\0" + b"\xff" * 50_000)
    server = web("--chat", "direct")
    session = server.hello()[1]["mcp-session-id"]
    call = {"name": "memory_search", "arguments": {"query": "Redis"}}
    status, _, body = server.post(
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}, Mcp_Session_Id=session
    )
    assert status == 200
    for word in (indexed.state.encode(), b"Traceback", b"SELECT", b".py"):
        assert word not in body


@pytest.mark.req("MCP-10")
def test_a_signal_ends_it_with_clients_connected(web: Start, place: Place) -> None:
    server = web()
    session = server.hello()[1]["mcp-session-id"]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as listening:
        request = f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAccept: text/event-stream\r\n"
        listening.sendall(f"{request}Mcp-Session-Id: {session}\r\n\r\n".encode())
        assert listening.recv(4096).startswith(b"HTTP/1.1 200 ")
        server.process.terminate()
        server.process.wait(timeout=STOPPED_S + 1)
    assert server.process.returncode == 0
    assert place.left_behind() == []


@pytest.mark.req("MCP-09")
def test_a_client_that_vanishes_disturbs_no_other(web: Start, indexed: Place) -> None:
    server = web("--chat", "direct")
    call = {"name": "memory_search", "arguments": {"query": "Redis"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).encode()
    for _ in range(20):
        session = server.hello()[1]["mcp-session-id"]
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
            client.sendall(_head(server, f"Content-Length: {len(message)}\r\nMcp-Session-Id: {session}") + message)
    assert server.hello()[0] == 200
    status, err = server.stop()
    assert status == 0
    assert b"Traceback" not in err


@pytest.mark.req("MCP-19")
def test_the_usual_port_gives_way_to_a_free_one(place: Place) -> None:
    from recollect.serve.address import DEFAULT_PORT, listen, parse

    first = listen(parse(""), token=None)
    with first.socket:
        second = listen(parse(""), token=None)
        with second.socket:
            ports = {one.socket.getsockname()[1] for one in (first, second)}
            assert len(ports) == 2
            assert first.socket.getsockname()[0] == "127.0.0.1"
    assert DEFAULT_PORT in ports or all(port > 1024 for port in ports)


def _head(server: Web, more: str) -> bytes:
    return (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\n{more}\r\n\r\n"
    ).encode()
