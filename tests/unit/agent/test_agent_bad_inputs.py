"""Bad paths and bad questions of the catalogue, sent as a model would send them."""

from __future__ import annotations

import json
import math
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recollect import Memory, MemoryTools
from recollect.text.query import LONGEST_QUERY

if TYPE_CHECKING:
    from recollect.agent.tools import ToolAnswer
    from recollect.testing.workspace import Workspace

_OUTSIDE = "kumquat"
_EXCHANGER = Path(__file__).resolve().parents[2] / "bad_inputs" / "exchanger.py"


def _get(memory: Memory, **sent: object) -> tuple[ToolAnswer, dict[str, object]]:
    answer = MemoryTools(memory, chat="direct").dispatch("memory_get", sent)
    value = json.loads(answer.json)
    assert isinstance(value, dict)
    return answer, value


def _is_clean(answer: ToolAnswer, memory: Memory) -> None:
    for word in (_OUTSIDE, "Traceback", "sqlite", "apsw", memory.workspace, os.path.dirname(memory.workspace)):
        assert word not in answer.text + answer.json


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "memory/../../outside.md",
        "memory/../../../../../../etc/passwd",
        "..\\outside.md",
        "C:\\Windows\\win.ini",
        "\\\\srv\\share\\x.md",
        "file:///etc/passwd",
        "memory:///etc/passwd",
        "memory://../outside.md",
        "~/.ssh/id_rsa",
        "MEMORY.md/../../outside.md",
        "./memory/./../../outside.md",
        "../notes-of-others/secret.md",
        ".",
        "memory/",
        "memory/link/a.md",
        "memory/loop.md",
        "memory/gone.md",
        "memory/s.md",
        "memory/pipe.md",
        "memory/x.MD",
        "memory/x.txt",
        "a" * 300 + ".md",
        "memory/\ud800.md",
    ],
)
def test_a_bad_path_is_refused_as_a_value(
    path: str, notes: Workspace, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes.write("../outside.md", _OUTSIDE).write("../notes-of-others/secret.md", _OUTSIDE)
    notes.write("../outside/a.md", _OUTSIDE).link("memory/link", notes.root.parent / "outside")
    notes.link("memory/loop.md", "loop.md").link("memory/gone.md", "nowhere.md")
    notes.write("memory/x.MD", _OUTSIDE).write("memory/x.txt", _OUTSIDE)
    os.mkfifo(notes.root / "memory/pipe.md")
    monkeypatch.chdir(notes.root / "memory")  # the name of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.md")
        for sent in (path, f"{path}#L1", {"path": path}):
            answer = MemoryTools(memory, chat="direct").dispatch("memory_get", sent)
            value = json.loads(answer.json)
            assert value["text"] == ""
            assert value.get("disabled") or value.get("exists") is False
            _is_clean(answer, memory)


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("path", ["memory/%2e%2e/%2e%2e/outside.md", "memory/..%00/x.md", "memory/2099-01-01.md"])
def test_a_name_that_is_absent_is_an_empty_text(path: str, notes: Workspace, memory: Memory) -> None:
    notes.write("../outside.md", _OUTSIDE)
    answer, value = _get(memory, path=path)
    assert (value, answer.is_error) == ({"path": path, "text": "", "exists": False}, False)


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize(
    "sent",
    [
        {"path": ""},
        {"path": "a\0b.md"},
        {"path": 123},
        {"path": ["MEMORY.md"]},
        {"path": "MEMORY.md", "from": 0},
        {"path": "MEMORY.md", "from": -5, "lines": 3},
        {"path": "MEMORY.md", "from": 1.5},
        {"path": "MEMORY.md", "from": True},
    ],
)
def test_wrong_use_of_get_says_what_to_send(sent: dict[str, object], memory: Memory) -> None:
    answer, value = _get(memory, **sent)
    assert answer.is_error
    assert value["text"] == ""
    assert value["error"]
    assert str(value["action"]).startswith("Send {")


@pytest.mark.req("AGT-13")
def test_a_billion_lines_are_the_note_up_to_the_cap(notes: Workspace, memory: Memory) -> None:
    notes.write("memory/long.md", "word " * 20 + "\n" + "line\n" * 10_000)
    _, value = _get(memory, path="memory/long.md", lines=1_000_000_000)
    assert value["truncated"]
    assert 0 < len(str(value["text"])) <= 12_000


@pytest.mark.req("AGT-13")
def test_separators_that_are_no_line_feed_end_no_line(notes: Workspace, memory: Memory) -> None:
    notes.write("memory/odd.md", "quince\x0b\x0c\x1c\x85\u2028\u2029 one\nquince two\n")
    assert _get(memory, path="memory/odd.md#L2")[1]["text"] == "quince two"


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("tries", [2_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_folder_swapped_for_a_link_never_leads_outside(tries: int, notes: Workspace, memory: Memory) -> None:
    notes.write("memory/d/a.md", "inside").write("../outside/a.md", _OUTSIDE)
    notes.link("d-link", notes.root.parent / "outside")
    argv = [sys.executable, str(_EXCHANGER), str(notes.root / "memory/d"), str(notes.root / "d-link")]
    seen: set[str] = set()
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as exchanger:
        assert exchanger.stdin is not None
        assert exchanger.stdout is not None
        try:
            assert exchanger.stdout.readline() == b"ready\n"
            count = 0
            while count < tries or (len(seen) < 2 and count < 40 * tries):
                count += 1
                answer = MemoryTools(memory).dispatch("memory_get", "memory/d/a.md")
                assert _OUTSIDE not in answer.text + answer.json
                seen.add("refused" if answer.is_error else str(json.loads(answer.json)["text"]))
        finally:
            exchanger.stdin.close()
    assert seen - {""} == {"inside", "refused"}


# --- questions ---

_SYNTAX = ['"', 'foo"', "a AND", "NEAR(a", "^", "a:b", ")", "{a b}:c", "+", "AND", "x'y", "a.b", "--x", "multi-agent"]


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize(
    "query",
    [
        *_SYNTAX,
        "   \n\t ",
        "\0",
        '"' * 10_000,
        "'; DROP TABLE chunks;-- %_",
        "NO_REPLY",
        "<|silent|>",
        "\ud800",
        "x" * (1 << 20),
    ],
)
def test_a_question_that_is_none_is_answered(query: str, memory: Memory) -> None:
    answer = MemoryTools(memory).dispatch("memory_search", {"query": query})
    value = json.loads(answer.json)
    assert not answer.is_error
    assert isinstance(value["results"], list)
    capped = "query-capped" in [warning["code"] for warning in value["warnings"]]
    assert capped == (len(query) > LONGEST_QUERY)
    _is_clean(answer, memory)


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"maxResults": -1}, "maxResults"),
        ({"maxResults": True}, "maxResults"),
        ({"minScore": math.nan}, "minScore"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_limit_that_is_none_is_named(more: dict[str, object], named: str, memory: Memory) -> None:
    answer = MemoryTools(memory).dispatch("memory_search", {"query": "a", **more})
    assert answer.is_error
    assert named in json.loads(answer.json)["error"]


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("more", [{"maxResults": 0}, {"minScore": 2}])
def test_a_limit_that_nothing_reaches_is_an_empty_answer(more: dict[str, object], memory: Memory) -> None:
    answer = MemoryTools(memory).dispatch("memory_search", {"query": "Redis", **more})
    assert (json.loads(answer.json)["results"], answer.is_error) == ([], False)


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("content", [b"", b"no database at all\n" * 100])
def test_an_index_that_is_none_is_made_anew(content: bytes, memory: Memory) -> None:
    os.makedirs(os.path.dirname(memory.settings.store.path))
    with open(memory.settings.store.path, "wb") as file:
        file.write(content)
    value = json.loads(MemoryTools(memory).dispatch("memory_search", {"query": "trombone"}).json)
    assert value["results"][0]["path"] == "memory/people.md"
