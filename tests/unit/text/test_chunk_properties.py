from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.chunking import chunk_note
from recollect.text.cost import Meter
from recollect.text.units import LONGEST, WIDE

if TYPE_CHECKING:
    from recollect.types import Chunk

_WORDS = st.lists(
    st.sampled_from(
        ["redis", "lease", "owner.", "decided!", "because", "漢字。", "한국", "«да»?", "😀", "`", "#", "a"]
    ),
    max_size=40,
)
_LINE = st.one_of(
    st.just(""),
    st.sampled_from(["  ", "\t", "\r", "---", "===", "```", "```py", "~~~", "\u3000", "...", "# ", "-"]),
    _WORDS.map(" ".join),
    st.builds(
        "{} {}".format,
        st.sampled_from(["#", "##", "######", "-", "1.", "  -", ">", "|", "**Ann:**"]),
        _WORDS.map(" ".join),
    ),
    st.builds(
        "{}{}".format, st.text(max_size=30).map(lambda line: line.replace("\n", "")), st.sampled_from(["", "\r"])
    ),
    st.builds("{0}{1}{0}".format, st.text("ab ", max_size=3), st.integers(1, 300).map(lambda size: "x " * size)),
    st.integers(1, 500).map(lambda size: "字" * size),
)
NOTES = st.lists(_LINE, max_size=60).map("\n".join)
SETTINGS = st.sampled_from([(400, 80), (400, 0), (8, 2), (20, 5), (50, 49), (100, 20)])


def cut(note: str, settings: tuple[int, int]) -> tuple[Chunk, ...]:
    return chunk_note(note, tokens=settings[0], overlap=settings[1])


def body(note: str, chunks: tuple[Chunk, ...]) -> str:
    """The note without its front matter: the generated ones may happen to have some."""
    return note[chunks[0].own_start :] if chunks and note.startswith("---") else note


@pytest.mark.req("CHUNK-08")
@given(NOTES, SETTINGS)
def test_own_parts_follow_each_other_and_hold_all_text(note: str, settings: tuple[int, int]) -> None:
    chunks = cut(note, settings)
    parts = [note[c.own_start : c.end] for c in chunks]
    for before, after in pairwise(chunks):
        assert before.end <= after.own_start
        assert not note[before.end : after.own_start].strip()
    assert re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", body(note, chunks))


@pytest.mark.req("CHUNK-09", "CHUNK-07")
@given(NOTES, SETTINGS)
def test_a_chunk_is_neither_blank_nor_beyond_the_limit(note: str, settings: tuple[int, int]) -> None:
    meter = Meter.of(note, wide=4)
    for chunk in cut(note, settings):
        assert note[chunk.own_start : chunk.end].strip()
        assert meter.at(chunk.end) - meter.at(chunk.start) <= max(32, settings[0] * 4)


@pytest.mark.req("CHUNK-02")
@given(NOTES, SETTINGS)
def test_the_overlap_stays_within_its_size(note: str, settings: tuple[int, int]) -> None:
    meter = Meter.of(note, wide=4)
    for chunk in cut(note, settings):
        assert chunk.start <= chunk.own_start
        assert meter.at(chunk.own_start) - meter.at(chunk.start) <= settings[1] * 4


@pytest.mark.req("CHUNK-06", "LINE-01")
@given(NOTES, SETTINGS)
def test_the_lines_of_a_chunk_are_exact(note: str, settings: tuple[int, int]) -> None:
    for chunk in cut(note, settings):
        assert chunk.start_line == note.count("\n", 0, chunk.start) + 1
        assert chunk.own_start_line == note.count("\n", 0, chunk.own_start) + 1
        assert chunk.end_line == note.count("\n", 0, chunk.end) + 1
        lines = note.split("\n")[chunk.start_line - 1 : chunk.end_line]
        assert note[chunk.start : chunk.end] in "\n".join(lines)


@pytest.mark.req("UNIT-01")
@given(NOTES, SETTINGS)
def test_units_hold_all_text_of_the_own_part_once_and_on_exact_lines(note: str, settings: tuple[int, int]) -> None:
    for chunk in cut(note, settings):
        at = chunk.own_start
        for unit in chunk.units:
            assert at <= unit.start < unit.end <= chunk.end
            assert not note[at : unit.start].strip()
            assert note[unit.start : unit.end].strip() == note[unit.start : unit.end]
            assert unit.start_line == note.count("\n", 0, unit.start) + 1
            assert unit.end_line == note.count("\n", 0, unit.end) + 1
            at = unit.end
        assert not note[at : chunk.end].strip()
        assert chunk.units


@pytest.mark.req("UNIT-02")
@given(NOTES, SETTINGS)
def test_no_unit_costs_more_than_the_limit(note: str, settings: tuple[int, int]) -> None:
    meter = Meter.of(note, wide=WIDE)
    for chunk in cut(note, settings):
        assert all(meter.at(unit.end) - meter.at(unit.start) <= LONGEST for unit in chunk.units)


@pytest.mark.req("CHUNK-08")
@given(NOTES, SETTINGS)
def test_the_same_text_is_always_cut_alike(note: str, settings: tuple[int, int]) -> None:
    assert cut(note, settings) == cut(note, settings)
