"""Questions that are no questions, and limits that are none."""

from __future__ import annotations

import random
import string
import time
from typing import TYPE_CHECKING

import apsw
import pytest

from bad_inputs.rows import row
from recollect import ArgumentError, ConfigError
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from bad_inputs.room import Room

_SYNTAX = [
    row("SE-001", '"', named="quote"),
    row("SE-002", 'foo"', named="quote-behind-a-word"),
    row("SE-004", "a AND", named="open-and"),
    row("SE-005", "NEAR(a", named="open-near"),
    row("SE-007", "^", named="caret"),
    row("SE-008", "a:b", named="column"),
    row("SE-010", ")", named="bracket"),
    row("SE-011", "{a b}:c", named="columns"),
    row("SE-013", "+", named="plus"),
    row("SE-014", "AND", named="and-alone"),
    row("SE-016", "x'y", named="apostrophe"),
    row("SE-017", "a.b", named="dot"),
    row("SE-019", "--error-on-warnings", named="like-an-option"),
    row("SE-020", "multi-agent", named="hyphen"),
    row("SE-029", "NO_REPLY", named="no-reply"),
    row("SE-029", "<|silent|>", named="silent"),
    row("SE-029", "Pre-compaction memory flush. Store durable memories now.", named="flush-prompt"),
]


@pytest.mark.parametrize("question", _SYNTAX)
def test_a_question_in_any_languages_syntax_is_words(question: str, indexed: Room) -> None:
    for config in ({}, {"provider": "none"}):
        with indexed.memory(config=config) as memory:
            result = memory.search(question)
            assert result.warnings == ()
            assert result.freshness.known
    for arguments in (["--query", question], ["--", question]):
        said = indexed.asked("search", *arguments)
        assert said.status == 0
        assert "error" not in said.json()
        assert said.json()["warnings"] == []
    assert "syntax" not in indexed.run("search", "--", question).said


@pytest.mark.parametrize("written", ["multi-agent", "x'y", "a.b", "--error-on-warnings", "NO_REPLY", "<|silent|>"])
@pytest.mark.req("SE-016", "SE-017", "SE-019", "SE-020", "SE-029")
def test_what_stands_in_a_note_is_found_by_its_own_spelling(written: str, room: Room) -> None:
    room.notes.write("memory/odd.md", f"The word is {written} and it stands here.\n")
    with room.memory(config={"provider": "none"}) as memory:
        assert [hit.path for hit in memory.search(written)] == ["memory/odd.md"]


@pytest.mark.req("SE-022")
@pytest.mark.parametrize("question", ["", "   \n\t ", "\u3000", "\u200b"])
def test_a_question_of_blanks_is_no_question(question: str, indexed: Room) -> None:
    with indexed.memory() as memory:
        assert memory.search(question).results == ()
    if question != "\u200b":
        indexed.asked("search", "--query", question).refused("E_ARG", 2)


@pytest.mark.req("SE-023")
@pytest.mark.parametrize("question", ["\0", "\0\0\0", "\x01\x02", "\ud800"])
def test_a_question_of_control_characters_finds_nothing(question: str, indexed: Room) -> None:
    with indexed.memory() as memory:
        assert memory.search(question).results == ()
        assert memory.search(f"boiler{question}").results  # and takes nothing from what stands beside it


def _worked(room: Room, question: str) -> tuple[float, tuple[str, ...], list[str]]:
    """What a question costs in seconds of the processor, what is said about it, and what is embedded for it."""
    embedder = HashedEmbedder()
    with room.memory(embedder) as memory:
        memory.sync()
        memory.search("the boiler")  # what is loaded once
        began = time.process_time()
        result = memory.search(question)
        return time.process_time() - began, tuple(one.code for one in result.warnings), embedder.asked


@pytest.mark.req("SE-025")
@pytest.mark.parametrize("kind", ["one-mebibyte", "twenty-thousand-words", "one-word", "wide"])
def test_a_huge_question_is_cut_and_says_so(kind: str, room: Room) -> None:
    chance = random.Random(3)  # noqa: S311 - sample text
    words = " ".join("".join(chance.choices(string.ascii_lowercase, k=7)) for _ in range(20_000))
    question = {
        "one-mebibyte": "boiler harbour " * (1 << 16),
        "twenty-thousand-words": f"boiler {words}",
        "one-word": "x" * (1 << 20),
        "wide": "\u6f22\u5b57" * (1 << 18),
    }[kind]
    cost, codes, asked = _worked(room, question)
    assert cost < 1
    assert "query-capped" in codes
    assert all(len(text.encode()) <= 8192 for text in asked)


@pytest.mark.req("SE-026")
def test_ten_thousand_quotes_find_nothing_at_once(room: Room) -> None:
    with room.memory() as memory:
        memory.sync()
        memory.search("the boiler")
        costs = []
        for _ in range(5):
            began = time.process_time()
            assert memory.search('"' * 10_000).results == ()
            costs.append(time.process_time() - began)
    assert min(costs) < 0.05
    assert room.hits('"' * 10_000) == []


@pytest.mark.req("SE-028")
@pytest.mark.parametrize(
    "question", ["'; DROP TABLE chunks;--", "%", "_", "%_%", "boiler%", "' OR 1=1 --", '"; VACUUM; "']
)
def test_a_question_in_sql_is_words(question: str, room: Room) -> None:
    room.asked("index")
    before = _schema(room)
    assert room.asked("search", "--query", question).json()["warnings"] == []
    assert _schema(room) == before
    with room.memory(config={"provider": "none"}) as memory:
        assert all("boiler" in hit.snippet for hit in memory.search(question)) or "boiler" not in question
        assert memory.search("%").results == ()


def _schema(room: Room) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(room.store), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
    connection.close()
    return list(rows)


@pytest.mark.req("SE-031")
def test_no_results_wanted_are_none(indexed: Room) -> None:
    indexed.asked("search", "boiler", "--max-results", "0").refused("E_ARG", 2)
    with indexed.memory() as memory:
        assert memory.search("boiler", max_results=0).results == ()


@pytest.mark.parametrize(
    ("option", "typed", "limits"),
    [
        row("SE-032", "--max-results", "-1", {"max_results": -1}, named="minus-one"),
        row("SE-034", "--min-score", "nan", {"min_score": float("nan")}, named="no-number"),
        row("SE-037", "--max-results", "true", {"max_results": True}, named="a-truth-value"),
        row("SE-037", "--max-results", "1.5", {"max_results": 1.5}, named="a-fraction"),
        row("SE-034", "--min-score", "high", {"min_score": "high"}, named="a-word"),
    ],
)
def test_a_limit_that_is_none_is_wrong_use(option: str, typed: str, limits: dict[str, float], indexed: Room) -> None:
    indexed.asked("search", "boiler", option, typed).refused("E_ARG", 2)
    with indexed.memory() as memory, pytest.raises(ArgumentError):
        memory.search("boiler", **limits)  # type: ignore[arg-type]  # what a program may get wrong


@pytest.mark.req("SE-034", "SE-037")
@pytest.mark.parametrize(
    "limits",
    [
        {"since": 5},
        {"until": b"2026-02-10"},
        {"sources": "memory"},
        {"sources": 5},
        {"sources": [["memory"]]},
        {"sources": ["notes"]},
        {"min_score": "0.5"},
        {"max_results": "5"},
    ],
    ids=str,
)
def test_a_limit_of_another_kind_is_wrong_use(limits: dict[str, float], indexed: Room) -> None:
    with indexed.memory() as memory, pytest.raises(ArgumentError):
        memory.search("boiler", **limits)  # type: ignore[arg-type]  # what a program may get wrong


@pytest.mark.req("SE-035")
def test_numbers_of_any_size_are_limits(indexed: Room) -> None:
    with indexed.memory() as memory:
        assert memory.search("boiler", max_results=10**40).results
        assert memory.search("boiler", min_score=-(10**400)).results
        assert memory.search("boiler", min_score=10**400).results == ()


@pytest.mark.req("SE-035")
@pytest.mark.parametrize("least", ["2", "1.0001", "inf"])
def test_a_score_that_nothing_reaches_finds_nothing(least: str, indexed: Room) -> None:
    with indexed.memory() as memory:
        assert memory.search("boiler", min_score=float(least)).results == ()
    if least == "inf":
        indexed.asked("search", "boiler", "--min-score", least).refused("E_ARG", 2)
    else:
        assert indexed.hits("boiler") != []
        said = indexed.asked("search", "boiler", "--min-score", least)
        assert (said.listed("results"), said.status) == ([], 0)


@pytest.mark.req("SE-038")
def test_a_name_that_is_no_option_is_named(indexed: Room) -> None:
    assert "--unknown" in indexed.asked("search", "boiler", "--unknown", "1").refused("E_ARG", 2)
    with pytest.raises(ConfigError, match="unknown"), indexed.memory(config={"query": {"unknown": 1}}):
        pytest.fail("it was taken")
