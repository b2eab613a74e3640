"""Postings as bytes: what was gathered comes back, merged or not, and damage never passes for data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.stores.sqlite import postings
from recollect.stores.sqlite.driver import DamagedError

_TERMS = st.lists(st.sampled_from(["a", "b", "ä", "漢字", "memory-search", "z" * 40]), max_size=40)
_UNITS = st.lists(
    st.tuples(st.sampled_from([1, 2, 255, 256, 257, 65_535, 65_536, 9_000_000]), _TERMS, _TERMS, _TERMS), max_size=12
)
_NEAR_UNITS = st.lists(st.tuples(st.sampled_from([1, 2, 255, 300, 70_000]), _TERMS, _TERMS, _TERMS), max_size=8)
Rows = list[tuple[int, list[str], list[str], list[str]]]


def gathered(rows: Rows, first: int) -> tuple[postings.EncodedSegment, dict[str, list[tuple[int, int]]]]:
    """A segment of these units, and by brute force what it must hold."""
    builder, wanted, unit = postings.SegmentBuilder(), dict[str, list[tuple[int, int]]](), first
    for step, own, heading, note in rows:
        unit += step
        builder.add(unit, own, heading, note)
        for term in {*own, *heading, *note}:
            flags = min(31, own.count(term)) << 3 | (term in heading) | (term in note) << 1
            wanted.setdefault(term, []).append((unit, flags))
    parts = list(builder.build())
    rows_of_all = [row for part in parts for row in part.rows]
    return postings.EncodedSegment(rows_of_all, sum(part.postings for part in parts)), wanted


def read(segment: postings.EncodedSegment) -> dict[str, list[tuple[int, int]]]:
    return {
        term: list(zip(*(column.tolist() for column in postings.decode(term, stored)), strict=True))
        for term, stored in segment.rows
    }


@pytest.mark.req("STORE-16")
@settings(deadline=None)
@given(_UNITS, st.integers(0, 4_000_000_000))
def test_what_was_gathered_comes_back_in_the_order_of_the_terms(rows: Rows, first: int) -> None:
    segment, wanted = gathered(rows, first)
    assert [term for term, _ in segment.rows] == sorted(wanted)
    assert read(segment) == wanted
    assert segment.postings == sum(map(len, wanted.values()))
    assert [postings.count_of(stored) for _, stored in segment.rows] == [len(wanted[term]) for term, _ in segment.rows]


@pytest.mark.req("STORE-16")
def test_a_segment_made_in_many_parts_is_the_same_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Rows = [(1, [f"word{n % 7}", "common"], ["common"], [f"note{n}"]) for n in range(50)]
    whole, _ = gathered(rows, 5)
    for size in (1, 3, 60, 100):
        monkeypatch.setattr(postings, "_PART", size)
        assert gathered(rows, 5)[0] == whole


@pytest.mark.req("STORE-16")
@settings(deadline=None)
@given(_NEAR_UNITS, _NEAR_UNITS, st.integers(0, 3))
def test_merged_segments_hold_what_lives_of_both(one: Rows, two: Rows, dead: int) -> None:
    first, wanted_one = gathered(one, 0)
    offset = 1 + sum(step for step, *_ in one)
    second, wanted_two = gathered(two, offset)
    span = offset + sum(step for step, *_ in two) + 1
    living = np.arange(span) % 4 != dead
    rows = sorted(first.rows + second.rows, key=lambda row: row[0])
    wanted: dict[str, list[tuple[int, int]]] = {}
    for term in sorted({*wanted_one, *wanted_two}):
        both = [*wanted_one.get(term, []), *wanted_two.get(term, [])]
        if kept := [(unit, flags) for unit, flags in both if living[unit]]:
            wanted[term] = kept
    merged = postings.merge(rows, living, 0)
    assert read(merged) == wanted
    assert [term for term, _ in merged.rows] == list(wanted)


@pytest.mark.req("STORE-16")
@settings(deadline=None)
@given(_UNITS.filter(lambda rows: any(own for _, own, *_ in rows)), st.data())
def test_a_list_with_a_flipped_bit_is_refused(rows: Rows, data: st.DataObject) -> None:
    segment, _ = gathered(rows, 0)
    term, stored = data.draw(st.sampled_from(segment.rows))
    flipped = bytearray(stored)
    flipped[data.draw(st.integers(0, len(stored) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(DamagedError):
        postings.decode(term, bytes(flipped))
    with pytest.raises(DamagedError):
        postings.decode(term + "x", stored)
    for cut in range(len(stored)):
        assert not postings.is_sound(term, stored[:cut])


@pytest.mark.req("STORE-16")
def test_a_lone_surrogate_in_a_word_is_stored_as_a_mark() -> None:
    builder = postings.SegmentBuilder()
    builder.add(1, ["\ud800", "plain", "\ufffd"], ["\ud83c\udf88"], [])
    assert [term for part in builder.build() for term, _ in part.rows] == ["plain", "\ufffd", "\U0001f388"]
