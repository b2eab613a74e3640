"""The library and dispatch, asked the same."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import pytest

from recollect import Memory, MemoryTools
from recollect.agent.scope import may_read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect import Hit


class Found(TypedDict):
    """A hit as JSON."""

    path: str
    startLine: int
    endLine: int
    score: float
    source: str
    citation: str
    snippet: str


class Answer(TypedDict):
    """What memory_search answers."""

    results: list[Found]
    mode: str
    provider: str
    model: str | None
    warnings: list[object]


_SAMPLES = Path(__file__).resolve().parents[3] / "examples" / "workspace"
_COUNT = 200


def _questions() -> list[tuple[str, int | None, float | None]]:
    """Questions made of the notes' own words, with and without limits; the same in every run."""
    chance = random.Random(20260210)  # noqa: S311 - no secret is made of it
    words = " ".join(path.read_text(encoding="utf-8") for path in sorted(_SAMPLES.rglob("*.md"))).split()
    return [
        (
            " ".join(chance.sample(words, chance.randint(1, 6))),
            chance.choice([None, 1, 3, 8]),
            chance.choice([None, None, 0.2, 0.6]),
        )
        for _ in range(_COUNT)
    ]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    state = tmp_path_factory.mktemp("samples")
    with Memory(_SAMPLES, state_dir=state, config={"sync": {"onSearch": False}}) as memory:
        memory.sync()
        yield memory


def _asked(tools: MemoryTools, question: str, most: int | None, least: float | None) -> Answer:
    answer: Answer = json.loads(
        tools.dispatch("memory_search", {"query": question, "maxResults": most, "minScore": least}).json
    )
    return answer


def _facts(hit: Hit) -> tuple[object, ...]:
    return hit.path, hit.start_line, hit.end_line, hit.score, hit.source, hit.citation, hit.snippet


@pytest.mark.req("AGT-12")
def test_two_hundred_questions_have_the_hits_scores_and_citations_of_the_library(samples: Memory) -> None:
    tools = MemoryTools(samples, chat="direct", max_injected_chars=1_000_000)
    found = 0
    for question, most, least in _questions():
        expected = samples.search(question, max_results=most, min_score=least)
        answer = _asked(tools, question, most, least)
        got = [
            (
                one["path"],
                one["startLine"],
                one["endLine"],
                one["score"],
                one["source"],
                one["citation"],
                one["snippet"].removesuffix(f"\n\nSource: {one['citation']}"),
            )
            for one in answer["results"]
        ]
        assert got == [_facts(hit) for hit in expected], question
        assert (answer["mode"], answer["provider"], answer["model"], answer["warnings"]) == (
            expected.mode,
            expected.provider,
            expected.model,
            [],
        )
        found += len(got)
    assert found > _COUNT


@pytest.mark.req("AGT-08", "AGT-12")
def test_a_chat_that_is_not_private_has_the_same_hits_but_for_the_private_ones(samples: Memory) -> None:
    tools = MemoryTools(samples, chat="unknown", max_injected_chars=1_000_000)
    left_out = 0
    for question, most, least in _questions():
        best = samples.search(question, max_results=60, min_score=least)
        expected = [(hit.path, hit.score) for hit in best if may_read(hit.path, "unknown")]
        answer = _asked(tools, question, most, least)
        assert [(one["path"], one["score"]) for one in answer["results"]] == expected[: most or 6], question
        left_out += bool(answer["warnings"])
    assert left_out > _COUNT / 10


@pytest.mark.req("AGT-12")
def test_every_hit_is_read_back_by_its_citation(samples: Memory) -> None:
    tools = MemoryTools(samples, chat="direct")
    for question, *_ in _questions()[:20]:
        for one in json.loads(tools.dispatch("memory_search", {"query": question}).json)["results"]:
            read = json.loads(tools.dispatch("memory_get", {"path": one["citation"]}).json)
            lines = one["endLine"] - one["startLine"] + 1
            assert read["text"] == samples.get(one["path"], start=one["startLine"], lines=lines).text
