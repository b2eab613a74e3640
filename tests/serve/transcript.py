"""A real session over both transports, written down: what a client sends, what the server answers.

Run it to write docs/mcp-transcript.md again: PYTHONPATH=tests python -m serve.transcript
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.testing.workspace import Workspace
from serve.conftest import HELLO, NOTES, Place, Wire, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from serve.conftest import Json

    Ask = Callable[[Json], Json | None]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "mcp-transcript.md"
_INTRODUCTION = """# A session with the server

What goes over the wire, as a test has seen it: `→` is the client, `←` the server. Schemas, dates and the server's
instructions are left out. [How to set a client up](mcp.md).
"""
_QUESTION = {"query": "what did we decide about Redis?", "maxResults": 1}
_SCRIPT: tuple[tuple[str, Json], ...] = (
    ("initialize", HELLO),
    ("tools/list", {}),
    ("tools/call", {"name": "memory_search", "arguments": _QUESTION}),
    ("tools/call", {"name": "memory_get", "arguments": {"path": "memory/2026-02-10.md#L3-L5"}}),
    ("resources/list", {}),
    ("resources/read", {"uri": "memory://memory/2026-02-11.md"}),
)
_EDIT = "\nPostgreSQL holds the queue since today.\n"


def page() -> str:
    """The whole page."""
    return "\n".join(
        (_INTRODUCTION, "## Over standard input and output\n", _over(_stdio), "## Over HTTP\n", _over(_http))
    )


def _over(transport: Callable[[Place], Iterator[Ask]]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Workspace(NOTES, root=f"{folder}/notes"), f"{folder}/state")
        place.index()
        session = transport(place)
        ask = next(session)
        lines = ["```text", *_lines(place, ask), "```", ""]
        session.close()  # type: ignore[attr-defined] # a generator
    return "\n".join(lines)


def _lines(place: Place, ask: Ask) -> Iterator[str]:
    for number, (method, params) in enumerate(_SCRIPT, start=1):
        yield from _exchange(
            partial(_settled, ask), {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        )
        if method == "initialize":
            yield from _exchange(ask, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    place.notes.append("memory/2026-02-10.md", _EDIT)
    yield f"  (memory/2026-02-10.md is edited: {_EDIT.strip()!r})\n"
    again: Json = {"jsonrpc": "2.0", "id": 7, "method": "tools/call"}
    again["params"] = {"name": "memory_search", "arguments": _QUESTION}
    yield from _exchange(lambda message: _settled(ask, message, "PostgreSQL"), again)


def _settled(ask: Ask, message: Json, word: str = "") -> Json | None:
    """The answer when nothing is missing from it: what was written just now is looked at again a little later."""
    answer = ask(message)
    while message["method"] == "tools/call" and not (word in str(answer) and "'stale'" not in str(answer)):
        answer = ask(message)
    return answer


def _exchange(ask: Ask, message: Json) -> Iterator[str]:
    yield f"→ {json.dumps(message)}"
    answer = ask(message)
    if answer is not None:
        yield f"← {json.dumps(_shown(answer), ensure_ascii=False)}"
    yield ""


def _shown(value: object) -> object:
    """The value without what is long, and without what differs from day to day."""
    match value:
        case dict():
            return {
                key: "…" if key in ("inputSchema", "outputSchema", "instructions", "lastModified") else _shown(part)
                for key, part in value.items()
            }
        case list():
            return [_shown(part) for part in value]
        case float():
            return round(value, 2)
        case str() if value.startswith("{"):  # JSON in a text
            return json.dumps(_shown(json.loads(value)), ensure_ascii=False)
        case _:
            return value


def _stdio(place: Place) -> Iterator[Ask]:
    pipe = subprocess.PIPE
    with subprocess.Popen(place.argv("--chat", "direct"), stdin=pipe, stdout=pipe, stderr=pipe) as process:
        wire = Wire(process)

        def ask(message: Json) -> Json | None:
            wire.send(message)
            return wire.receive() if "id" in message else None

        try:
            yield ask
        finally:
            wire.end()


def _http(place: Place) -> Iterator[Ask]:
    server = serve(place, "--chat", "direct", environment={})
    headers: dict[str, str] = {}

    def ask(message: Json) -> Json | None:
        status, answered, body = server.post(message, **headers)
        assert status in (200, 202), body
        if "mcp-session-id" in answered:
            headers["Mcp_Session_Id"] = answered["mcp-session-id"]
        data = [line[len(b"data:") :] for line in body.splitlines() if line.startswith(b"data: {")]
        return dict(json.loads(data[-1])) if data else None

    try:
        yield ask
    finally:
        server.stop()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
