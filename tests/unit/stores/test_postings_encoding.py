"""Postings as bytes: what was gathered comes back, merged or not, and damage never passes for data."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.stores.sqlite import blocks, postings
from recollect.stores.sqlite.driver import DamagedError

_TERMS = st.lists(st.sampled_from(["a", "b", "ä", "漢字", "memory-search", "z" * 40]), max_size=40)
_UNITS = st.lists(
    st.tuples(st.sampled_from([1, 2, 255, 256, 257, 65_535, 65_536, 9_000_000]), _TERMS, _TERMS, _TERMS), max_size=12
)
_NEAR_UNITS = st.lists(st.tuples(st.sampled_from([1, 2, 255, 300, 70_000]), _TERMS, _TERMS, _TERMS), max_size=8)
Rows = list[tuple[int, list[str], list[str], list[str]]]


Encoded = list[tuple[str, bytes]]


def stored_rows(lists: blocks.Lists) -> Encoded:
    """The lists after they went through blocks."""
    return [row for first, stored in blocks.pack(7, lists) for row in blocks.Block(7, first, stored).rows()]


def gathered(rows: Rows, first: int) -> tuple[Encoded, int, dict[str, list[tuple[int, int]]]]:
    """A segment of these units with its number of postings, and by brute force what it must hold."""
    builder, wanted, unit = postings.SegmentBuilder(), dict[str, list[tuple[int, int]]](), first
    for step, own, heading, note in rows:
        unit += step
        builder.add(unit, own, heading, note)
        for term in {*own, *heading, *note}:
            flags = min(31, own.count(term)) << 3 | (term in heading) | (term in note) << 1
            wanted.setdefault(term, []).append((unit, flags))
    parts = list(builder.build())
    return [row for part in parts for row in stored_rows(part.lists)], sum(part.postings for part in parts), wanted


def read(rows: Encoded) -> dict[str, list[tuple[int, int]]]:
    return {
        term: list(zip(*(column.tolist() for column in postings.decode(stored)), strict=True)) for term, stored in rows
    }


@pytest.mark.req("STORE-16")
@settings(deadline=None)
@given(_UNITS, st.integers(0, 4_000_000_000))
def test_what_was_gathered_comes_back_in_the_order_of_the_terms(rows: Rows, first: int) -> None:
    segment, count, wanted = gathered(rows, first)
    assert [term for term, _ in segment] == sorted(wanted)
    assert read(segment) == wanted
    assert count == sum(map(len, wanted.values()))


@pytest.mark.req("STORE-16")
def test_a_segment_made_in_many_parts_is_the_same_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Rows = [(1, [f"word{n % 7}", "common"], ["common"], [f"note{n}"]) for n in range(50)]
    whole, _, _ = gathered(rows, 5)
    for size in (1, 3, 60, 100):
        monkeypatch.setattr(postings, "_PART", size)
        assert gathered(rows, 5)[0] == whole
        monkeypatch.setattr(blocks, "TARGET", size)
        assert gathered(rows, 5)[0] == whole


@pytest.mark.req("STORE-16")
@settings(deadline=None)
@given(_NEAR_UNITS, _NEAR_UNITS, st.integers(0, 3))
def test_merged_segments_hold_what_lives_of_both(one: Rows, two: Rows, dead: int) -> None:
    first, _, wanted_one = gathered(one, 0)
    offset = 1 + sum(step for step, *_ in one)
    second, _, wanted_two = gathered(two, offset)
    span = offset + sum(step for step, *_ in two) + 1
    living = np.arange(span) % 4 != dead
    rows = sorted(first + second, key=lambda row: row[0])
    wanted: dict[str, list[tuple[int, int]]] = {}
    for term in sorted({*wanted_one, *wanted_two}):
        both = [*wanted_one.get(term, []), *wanted_two.get(term, [])]
        if kept := [(unit, flags) for unit, flags in both if living[unit]]:
            wanted[term] = kept
    merged = stored_rows(postings.merge(rows, living, 0).lists)
    assert read(merged) == wanted
    assert [term for term, _ in merged] == list(wanted)


@pytest.mark.req("STORE-16")
@settings(deadline=None)
@given(_UNITS.filter(lambda rows: any(own for _, own, *_ in rows)), st.data())
def test_a_block_with_a_flipped_bit_is_refused(rows: Rows, data: st.DataObject) -> None:
    builder = postings.SegmentBuilder()
    for number, (_, own, heading, note) in enumerate(rows):
        builder.add(number, own, heading, note)
    (part,) = builder.build()
    ((first, stored),) = blocks.pack(7, part.lists)
    flipped = bytearray(stored)
    flipped[data.draw(st.integers(0, len(stored) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    for segment, term, damaged in ((7, first, bytes(flipped)), (8, first, stored), (7, first + "x", stored)):
        with pytest.raises(DamagedError):
            blocks.Block(segment, term, damaged)
    for cut in range(len(stored)):
        with pytest.raises(DamagedError):
            blocks.Block(7, first, stored[:cut])


@pytest.mark.req("STORE-16")
@given(st.lists(st.text(max_size=6), unique=True, min_size=1, max_size=60), st.integers(1, 80))
def test_every_term_is_found_in_its_block_and_no_other(terms: list[str], target: int) -> None:
    terms = sorted({postings.storable(term) for term in terms}, key=str.encode)
    lists = blocks.Lists(
        terms, b"".join([term.encode() for term in terms]), list(accumulate(len(t.encode()) for t in terms))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "TARGET", target)
        rows = list(blocks.pack(1, lists))
    assert [first for first, _ in rows] == sorted(first for first, _ in rows)
    for term in terms:
        first, stored = max(row for row in rows if row[0] <= term)
        block = blocks.Block(1, first, stored)
        assert block.find(term) == term.encode()
        assert term + "!" in terms or block.find(term + "!") is None


@pytest.mark.req("STORE-16")
def test_a_lone_surrogate_in_a_word_is_stored_as_a_mark() -> None:
    builder = postings.SegmentBuilder()
    builder.add(1, ["\ud800", "plain", "\ufffd"], ["\ud83c\udf88"], [])
    assert [term for part in builder.build() for term in part.lists.terms] == ["plain", "\ufffd", "\U0001f388"]
