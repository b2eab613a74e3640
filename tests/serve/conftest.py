"""Real servers in processes of their own, over both transports, and the raw wire to speak to them."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from recollect import Memory
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    Json = dict[str, object]

NOTES = {
    "MEMORY.md": "# Memory\n\n- The safe opens with a key that hangs in the boathouse.\n",
    "memory/2026-02-10.md": "# 2026-02-10\n\n## Redis\n\nDecision: Redis goes, the queue becomes a table.\n",
    "memory/2026-02-11.md": "# 2026-02-11\n\nLunch with Jonas: the ferry timetable changes in April.\n",
    "memory/projects/boat hall.md": "# Boat hall\n\nThe varnish needs two days at twenty degrees.\n",
}
PATIENCE_S = 20.0
HELLO: dict[str, object] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@dataclass
class Wire:
    """A server over standard input and output, spoken to line by line."""

    process: subprocess.Popen[bytes]
    _rest: bytes = b""

    def send(self, data: bytes | Mapping[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Json:
        """The next message of the server."""
        assert self.process.stdout is not None
        end = time.monotonic() + PATIENCE_S
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            assert ready, "the server says nothing"
            data = os.read(self.process.stdout.fileno(), 65536)
            assert data, "the server has gone"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def ask(self, number: int | str, method: str, params: Mapping[str, object] | None = None) -> Json:
        """Ask, and give the answer, past the notices on the way."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params or {})})
        while (message := self.receive()).get("id") != number:
            pass
        return message

    def greet(self) -> Json:
        answer = self.ask(0, "initialize", HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, number: int, tool: str, arguments: Mapping[str, object]) -> Json:
        """The structured answer of a tool."""
        result = self.ask(number, "tools/call", {"name": tool, "arguments": dict(arguments)})["result"]
        assert isinstance(result, dict)
        return result

    def end(self) -> tuple[int, bytes, bytes]:
        """Close the input; how the process ended, and what it had left to say."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, self._rest + out, err


@dataclass
class Web:
    """A server over HTTP."""

    process: subprocess.Popen[bytes]
    url: str
    port: int

    def ask(
        self, method: str, path: str = "/mcp", *, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """One request: status, headers in small letters, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body=body, headers=dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def post(self, message: object, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """One message, as a client of the protocol sends it."""
        sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.ask("POST", headers=sent | named, body=body)

    def hello(self, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self.post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}, **headers)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, bytes]:
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, err


@dataclass
class Place:
    """Notes, and a state folder of their own."""

    notes: Workspace
    state: str

    @property
    def options(self) -> list[str]:
        return ["--workspace", self.notes.path, "--state-dir", self.state]

    def argv(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "recollect", "mcp", *self.options, *arguments]

    def memory(self) -> Memory:
        return Memory(self.notes.path, state_dir=self.state)

    def index(self) -> None:
        with self.memory() as memory:
            memory.sync()

    def left_behind(self) -> list[str]:
        """What is in the state folder and is no part of a finished index."""
        return sorted(
            name
            for _, _, names in os.walk(self.state)
            for name in names
            if not re.search(r"\.sqlite(-wal|-shm)?$|\.lock$", name)
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(Workspace(NOTES, root=tmp_path / "notes"), str(tmp_path / "state"))


@pytest.fixture
def indexed(place: Place) -> Place:
    place.index()
    return place


@pytest.fixture
def wire(place: Place) -> Iterator[Callable[..., Wire]]:
    """Start a server over stdio."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, argv: list[str] | None = None) -> Wire:
        pipe = subprocess.PIPE
        process = subprocess.Popen(argv or place.argv(*arguments), stdin=pipe, stdout=pipe, stderr=pipe)
        started.append(process)
        return Wire(process)

    yield start
    for process in started:
        _finish(process)


@pytest.fixture
def web(place: Place) -> Iterator[Callable[..., Web]]:
    """Start a server over HTTP, on a port that is free."""
    started: list[Web] = []

    def start(*arguments: str, host: str = "127.0.0.1", environment: Mapping[str, str] | None = None) -> Web:
        started.append(serve(place, *arguments, host=host, environment=environment or {}))
        return started[-1]

    yield start
    for server in started:
        _finish(server.process)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server over HTTP that the tests of a file share, with no options at all."""
    folder = tmp_path_factory.mktemp("served")
    place = Place(Workspace(NOTES, root=folder / "notes"), str(folder / "state"))
    server = serve(place, environment={"HOME": str(folder)})
    yield server
    _finish(server.process)


def serve(place: Place, *arguments: str, environment: Mapping[str, str], host: str = "127.0.0.1") -> Web:
    process = subprocess.Popen(
        place.argv("--http", f"{host}:0", *arguments),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    assert process.stderr is not None
    said = process.stderr.readline().decode()
    found = re.search(r"http://\S+:(\d+)/mcp", said)
    assert found, said
    return Web(process, found[0], int(found[1]))


def _finish(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(BrokenPipeError):  # what was never sent
                stream.close()
