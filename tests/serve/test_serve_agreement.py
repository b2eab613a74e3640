"""Every door gives the same answers: the library, dispatch, stdio and HTTP."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import json

from recollect.agent.tools import MemoryTools
from serve.sessions import run, session

if TYPE_CHECKING:
    from mcp import Client

    from serve.conftest import Place

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

_SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "workspace"
_CALLS = 200
_HITS = 3  # as many whole snippets as always fit what is put before a model
_SUMS = 1e-6  # what sums of 32-bit numbers differ by between processes with one thread and with more

Row = tuple[str, int, int, float, str | None]


def _questions(place: Place) -> list[str]:
    """Words of the notes in groups of one to five: as many questions as there are calls, always the same."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(place.notes.root.rglob("*.md")))
    words = re.findall(r"[A-Za-z]{4,}", text)
    step = len(words) // _CALLS
    return [" ".join(words[number * step : number * step + 1 + number % 5]) for number in range(_CALLS)]


def _rows(value: object) -> list[Row]:
    assert isinstance(value, dict)
    return [
        (hit["path"], hit["startLine"], hit["endLine"], hit["score"], hit.get("citation")) for hit in value["results"]
    ]


@pytest.mark.req("MCP-14")
def test_two_hundred_calls_give_the_same_through_every_door(place: Place) -> None:
    shutil.rmtree(place.notes.root)
    shutil.copytree(_SAMPLES, place.notes.root)
    place.index()
    questions = _questions(place)

    async def answers(client: Client) -> list[list[Row]]:
        return [
            _rows((await client.call_tool("memory_search", _arguments(question))).structured_content)
            for question in questions
        ]

    async def work() -> tuple[list[list[Row]], list[list[Row]]]:
        async with (
            session(place, "stdio", "legacy", "--chat", "direct") as pipe,
            session(place, "http", "auto", "--chat", "direct") as web,
        ):
            return await answers(pipe), await answers(web)

    with place.memory() as memory:
        tools = MemoryTools(memory, chat="direct")
        library = [
            [
                (hit.path, hit.start_line, hit.end_line, hit.score, hit.citation)
                for hit in memory.search(question, max_results=_HITS)
            ]
            for question in questions
        ]
        dispatched = [
            _rows(json.decode(tools.dispatch("memory_search", _arguments(question)).json)) for question in questions
        ]
    stdio, http = run(work)
    assert len(questions) == _CALLS
    assert sum(bool(rows) for rows in library) > _CALLS / 2
    assert dispatched == library
    for rows in (stdio, http):
        assert _without_scores(rows) == _without_scores(library)
        assert _scores(rows) == pytest.approx(_scores(library), abs=_SUMS)


def _scores(answers: list[list[Row]]) -> list[float]:
    return [score for rows in answers for _, _, _, score, _ in rows]


def _without_scores(answers: list[list[Row]]) -> list[list[tuple[object, ...]]]:
    return [[(*row[:3], row[4]) for row in rows] for rows in answers]


def _arguments(question: str) -> dict[str, object]:
    return {"query": question, "maxResults": _HITS}
