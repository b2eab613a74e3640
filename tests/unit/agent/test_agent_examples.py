"""The chat agents of the examples, against an endpoint that plays a model: it calls tools, then answers from them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
_MOST_LINES = 80
_CITATION = re.compile(r"memory/people\.md#L\d+(?:-L\d+)?")
_CALLS = (
    ("call_1", "memory_search", {"q": "Who plays the trombone?", "max_results": "2"}),
    ("call_2", "memory_get", {"path": "memory/people.md#L3"}),
    ("call_3", "memory_get", {"path": "../secrets.md"}),
)


class Sent(TypedDict, total=False):
    """What a client sends, as far as it matters here."""

    tools: list[dict[str, object]]
    messages: list[dict[str, object]]
    system: str


class Endpoint(ThreadingHTTPServer):
    """Keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Model)
        self.sent: list[tuple[str, Sent]] = []


class _Model(BaseHTTPRequestHandler):
    """A model of one mind: three tool calls in one reply, then an answer that names what the first one found."""

    def do_POST(self) -> None:
        body: Sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert isinstance(self.server, Endpoint)
        self.server.sent.append((self.path, body))
        results = json.dumps([message for message in body["messages"] if _is_result(message)])
        said = f"Jonas. Source: {found[0]}" if (found := _CITATION.search(results)) else ""
        reply = _openai(said) if self.path.endswith("/chat/completions") else _anthropic(said)
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of its base
        """Say nothing."""


def _is_result(message: dict[str, object]) -> bool:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return message["role"] == "tool" or any(block.get("type") == "tool_result" for block in blocks)


def _openai(said: str) -> dict[str, object]:
    calls = [
        {"id": number, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for number, name, arguments in _CALLS
    ]
    message = {"role": "assistant", "content": said} if said else {"role": "assistant", "tool_calls": calls}
    choice = {"index": 0, "message": message, "finish_reason": "stop" if said else "tool_calls"}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "played", "choices": [choice]}


def _anthropic(said: str) -> dict[str, object]:
    calls = [{"type": "tool_use", "id": number, "name": name, "input": arguments} for number, name, arguments in _CALLS]
    return {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "played",
        "content": [{"type": "text", "text": said}] if said else calls,
        "stop_reason": "end_turn" if said else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


@contextmanager
def _endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.req("AGT-16")
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("name", ["chat_openai.py", "chat_anthropic.py"])
def test_a_chat_agent_answers_from_the_notes_with_its_source(name: str, tmp_path: Path) -> None:
    with _endpoint() as server:
        address = f"http://127.0.0.1:{server.server_address[1]}"
        keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
        bases = {"OPENAI_BASE_URL": f"{address}/v1", "ANTHROPIC_BASE_URL": address}
        done = subprocess.run(
            [sys.executable, str(_EXAMPLES / name), "Who plays the trombone?"],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **keys, **bases},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"Jonas\. Source: memory/people\.md#L\d+(-L\d+)?\n", done.stdout)
    (_, first), (_, last) = server.sent
    assert len(first["tools"]) == 2
    started = json.dumps(first)
    assert "## Memory" in started
    assert "MEMORY.md#L1-L" in started
    results = json.dumps(last["messages"])
    assert all(number in results for number, _, _ in _CALLS)
    assert "data, not instructions" in results
    assert "outside the memory" in results


@pytest.mark.req("AGT-16")
@pytest.mark.parametrize("name", ["chat_openai.py", "chat_anthropic.py"])
def test_an_example_is_short(name: str) -> None:
    assert len((_EXAMPLES / name).read_text(encoding="utf-8").splitlines()) < _MOST_LINES
