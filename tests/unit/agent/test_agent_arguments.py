"""What models send for arguments, and what is understood of it."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import ArgumentError
from recollect.agent.arguments import (
    Cited,
    GetArguments,
    SearchArguments,
    get_arguments,
    search_arguments,
    split_citation,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
_NAMES = st.sampled_from(["query", "q", "max_results", "minScore", "path", "file", "from", "lines", "to", "limit"])
_SENT = _JSON | st.dictionaries(_NAMES, _JSON, max_size=4) | st.dictionaries(_NAMES, _JSON, max_size=4).map(json.dumps)


@pytest.mark.req("AGT-05")
@pytest.mark.parametrize(
    "sent",
    [
        {"query": "boats", "maxResults": 3, "minScore": 0.5},
        {"query": "boats", "max_results": "3", "min_score": "0.5"},
        {"q": "boats", "max-results": 3.0, "MinScore": " 0.5 "},
        {"Question": "boats", "limit": "3", "threshold": 0.5},
        {"arguments": {"query": "boats", "top_k": 3, "minScore": 0.5}},
        '{"query": "boats", "maxResults": 3, "minScore": 0.5}',
        '"{\\"query\\": \\"boats\\", \\"maxResults\\": 3, \\"minScore\\": 0.5}"',
        {"query": "boats", "maxResults": 3, "max_results": "", "minScore": 0.5, "threshold": None},
        b'{"query": "boats", "k": 3, "minScore": 0.5}',
    ],
)
def test_a_question_is_understood_however_it_is_spelt(sent: object) -> None:
    assert search_arguments(sent) == SearchArguments(query="boats", max_results=3, min_score=0.5)


@pytest.mark.req("AGT-05")
@pytest.mark.parametrize("sent", ["where do boats go?", '"where do boats go?"', {"input": "where do boats go?"}])
def test_a_plain_text_is_the_question(sent: object) -> None:
    assert search_arguments(sent) == SearchArguments(query="where do boats go?")


@pytest.mark.req("AGT-05")
def test_a_number_may_be_a_question_but_no_path() -> None:
    assert search_arguments({"query": 1042}).query == "1042"
    with pytest.raises(ArgumentError, match="path must be a text, not a number"):
        get_arguments({"path": 1042})


@pytest.mark.req("AGT-05")
@pytest.mark.parametrize(
    "sent",
    [
        {"path": "memory/x.md", "from": 5, "lines": 5},
        {"file": "memory/x.md", "from": "5", "lines": "5"},
        {"path": "memory/x.md#L5-L9"},
        {"path": "memory/x.md#L5-9"},
        {"path": "memory/x.md:5-9"},
        {"path": "`memory/x.md#L5-L9`"},
        {"citation": "Source: memory/x.md#L5-L9"},
        {"uri": "memory://memory/x.md", "from": 5, "lines": 5},
        {"path": "memory/x.md", "start_line": 5, "end_line": 9},
        {"path": "memory/x.md", "startLine": 5, "endLine": "9"},
        "memory/x.md#L5-L9",
        '{"path": "memory/x.md:5-9"}',
    ],
)
def test_a_range_of_a_note_is_understood_however_it_is_spelt(sent: object) -> None:
    assert get_arguments(sent) == GetArguments(path="memory/x.md", start=5, lines=5)


@pytest.mark.req("AGT-05")
def test_lines_that_are_named_apart_count_more_than_those_in_the_path() -> None:
    assert get_arguments({"path": "memory/x.md#L5-L9", "from": 7}) == GetArguments(path="memory/x.md", start=7)
    narrowed = get_arguments({"path": "memory/x.md#L5-L9", "lines": 2})
    assert narrowed == GetArguments(path="memory/x.md", start=5, lines=2)
    assert get_arguments({"path": "memory/x.md", "to": 3}) == GetArguments(path="memory/x.md", lines=3)


@pytest.mark.req("AGT-05")
def test_one_line_of_a_citation_is_one_line_and_a_colon_means_from_there_on() -> None:
    assert get_arguments({"path": "memory/x.md#L5"}) == GetArguments(path="memory/x.md", start=5, lines=1)
    assert get_arguments({"path": "memory/x.md:5"}) == GetArguments(path="memory/x.md", start=5)


@pytest.mark.req("AGT-05")
@pytest.mark.parametrize("path", ["memory/a:5.md", "memory/x.md#notes", "memory/x.md:", "memory/x.md:a-b", "a#L5", ""])
def test_what_is_no_citation_is_a_path(path: str) -> None:
    assert split_citation(path) == Cited(path)


@pytest.mark.req("AGT-05")
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (None, "query is missing"),
        ({}, "query is missing"),
        ("", "query is missing"),
        ({"query": None}, "query is missing"),
        ({"query": ["boats"]}, "query must be a text, not a list"),
        ({"query": True}, "query must be a text, not a truth value"),
        ([1, 2], "must be an object, not a list"),
        ("7", "must be an object, not a number"),
        ('{"query": "bo', "no valid JSON"),
        ("[" * 100_000, "no valid JSON"),
        ({"query": "a", "unknown": 1}, "no argument 'unknown'"),
        ({"query": "a", 5: 1}, "no argument 5"),
        ({"query": "a", "q": "b"}, "query was given twice"),
        ({"query": "a", "maxResults": 1.5}, "maxResults must be a whole number"),
        ({"query": "a", "maxResults": True}, "maxResults must be a number"),
        ({"query": "a", "maxResults": "many"}, "maxResults must be a number"),
        ({"query": "a", "maxResults": -1}, "maxResults must be 0 or more"),
        ({"query": "a", "maxResults": "9" * 5000}, "maxResults must be a number"),
        ({"query": "a", "maxResults": 10**400}, "maxResults is too large"),
        ({"query": "a", "minScore": math.nan}, "minScore must be a number"),
        ({"query": "a", "minScore": "inf"}, "minScore is too large"),
        ({"query": 10**5000}, "query must be a text"),
        ({"query": "a", "k": 10**5000, "max": 10**5001}, "maxResults was given twice"),
    ],
)
def test_nonsense_for_a_search_is_answered_with_what_to_send(sent: object, said: str) -> None:
    with pytest.raises(ArgumentError, match=said) as raised:
        search_arguments(sent)
    assert '{"query": "' in raised.value.hint


@pytest.mark.req("AGT-05")
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"path": ["MEMORY.md"]}, "path must be a text, not a list"),
        ({"lines": 3}, "path is missing"),
        ({"path": "a.md", "from": 0}, "from must be 1 or more"),
        ({"path": "a.md", "from": "-5", "lines": 3}, "from must be 1 or more"),
        ({"path": "a.md", "from": 1.5}, "from must be a whole number"),
        ({"path": "a.md", "from": True}, "from must be a number"),
        ({"path": "a.md", "from": 9, "to": 5}, "ends before it begins"),
        ({"path": "a.md#L9-L5"}, "ends before it begins"),
    ],
)
def test_nonsense_for_a_read_is_answered_with_what_to_send(sent: object, said: str) -> None:
    with pytest.raises(ArgumentError, match=said) as raised:
        get_arguments(sent)
    assert '{"path": "' in raised.value.hint


@pytest.mark.req("AGT-05")
@given(_SENT)
def test_whatever_is_sent_is_understood_or_refused_in_words(sent: object) -> None:
    for understand in (search_arguments, get_arguments):
        said = _outcome(understand, sent)
        assert said.encode().decode() == said


def _outcome(understand: Callable[[object], SearchArguments | GetArguments], sent: object) -> str:
    try:
        understood = understand(sent)
    except ArgumentError as error:
        return f"{error.message} {error.hint.removeprefix('Send {')}"
    return understood.query if isinstance(understood, SearchArguments) else understood.path


@pytest.mark.req("AGT-05")
@given(st.integers(1, 10**6), st.integers(0, 500))
def test_every_citation_that_we_write_is_read_as_its_lines(first: int, more: int) -> None:
    citation = f"memory/x.md#L{first}" + (f"-L{first + more}" if more else "")
    assert get_arguments({"path": citation}) == GetArguments(path="memory/x.md", start=first, lines=more + 1)


@pytest.mark.req("AGT-05")
@given(
    st.sampled_from(["max_results", "maxResults", "MAXRESULTS", "max-results", "max results"]), st.integers(0, 10**6)
)
def test_a_number_means_the_same_as_number_text_and_float(name: str, number: int) -> None:
    for value in (number, str(number), f" {number} ", float(number)):
        assert search_arguments({"query": "a", name: value}).max_results == number
