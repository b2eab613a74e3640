"""Rows of the reference on chunks and terms that the other tests of this room do not hold."""

from __future__ import annotations

import random

import pytest

from recollect.text.chunking import chunk_note
from recollect.text.cost import Meter
from recollect.text.query import parse_query
from recollect.text.tokens import Analyzer


@pytest.mark.req("ROW-CHUNK-01")
def test_small_chunks_with_an_overlap_stay_within_their_limit() -> None:
    text = "\n".join(["x" * 60] * 60)
    chunks = chunk_note(text, tokens=20, overlap=5)
    rows = [(c.start_line, c.end_line, c.end - c.start) for c in chunks]
    assert rows == [(1, 1, 60), *((n - 1, n, 79) for n in range(2, 61))]
    assert {c.own_start_line for c in chunks} == set(range(1, 61))


@pytest.mark.req("ROW-CHUNK-02")
def test_the_longest_chunk_of_two_hundred_random_documents_is_as_long_as_the_limit() -> None:
    chance = random.Random(20260210)  # noqa: S311 - the same documents in every run
    longest = 0
    for _ in range(200):
        text = "\n".join(
            "".join(chance.choices("abcdefgh é漢😀.", k=4)) * (chance.randrange(1700) // 4)
            for _ in range(chance.randrange(1, 12))
        )
        meter = Meter.of(text, wide=4)
        chunks = chunk_note(text, tokens=400, overlap=80)
        longest = max([longest, *(meter.at(c.end) - meter.at(c.start) for c in chunks)])
    assert longest == 1600


@pytest.mark.req("ROW-CHUNK-03")
def test_each_entry_of_a_list_is_a_unit_on_its_own_lines() -> None:
    words = " of some length, so that it is no crumb and can be shown as what it is" * 2
    lines = ["# T", "intro", "- one", "  more", "- two", "## S", "- three"]
    text = "\n".join(line if line.startswith("#") else line + words for line in lines)
    (chunk,) = chunk_note(text, tokens=400, overlap=80)
    assert [(unit.start_line, unit.end_line) for unit in chunk.units] == [(1, 2), (3, 4), (5, 5), (6, 7)]


@pytest.mark.req("ROW-TERM-01")
def test_a_decomposed_accent_leaves_its_letter() -> None:
    assert [term.term for term in parse_query("e\u0301", Analyzer()).terms] == ["e"]
