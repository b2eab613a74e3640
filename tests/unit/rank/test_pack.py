from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.rank.pack import GAP, pack, positions
from recollect.rank.snippets import CUT, Snippet, chunks_needed, snippet
from recollect.rank.weights import PACK, PackWeights
from unit.rank.layouts import Shelf


def _shown(shelf: Shelf, ranked: list[int], limit: int = 6, weights: PackWeights = PACK) -> list[Snippet]:
    scores = np.zeros(len(shelf.words), dtype=np.float32)
    for rank, unit in enumerate(ranked):
        scores[unit] = 1 - rank / 100
    packed = pack(ranked, scores, shelf.layout, positions(shelf.layout), limit, weights)
    for hit in packed:
        assert chunks_needed(hit, shelf.layout) <= set(shelf.texts)
    return [snippet(hit, shelf.layout, shelf.texts, weights.snippet_chars) for hit in packed]


@pytest.mark.req("PACK-01")
def test_good_units_of_one_region_make_one_hit_and_far_ones_two() -> None:
    line = "x" * 300
    shelf = Shelf({"a.md": [[line, "near", line], [line] * 12, ["far"]], "b.md": [["elsewhere"]]})
    shown = _shown(shelf, [1, 15, 0, 16])
    assert len(shown) == 3
    assert "near" in shown[0].text
    assert "far" in shown[1].text
    assert shown[2].text == "elsewhere"


@pytest.mark.req("PACK-02")
def test_a_snippet_is_filled_with_what_stands_around_the_match() -> None:
    shelf = Shelf({"a.md": [["before"] * 3 + ["match"] + ["after"] * 3]})
    (shown,) = _shown(shelf, [3])
    assert shown.text == "\n".join(["before"] * 3 + ["match"] + ["after"] * 3)
    assert [(span.start_line, span.end_line) for span in shown.spans] == [(1, 7)]


@pytest.mark.req("PACK-02")
def test_the_last_room_goes_to_a_part_of_a_neighbour_cut_between_words() -> None:
    shelf = Shelf({"a.md": [["match", "word " * 200]]})
    (shown,) = _shown(shelf, [0])
    assert 600 < len(shown.text) <= 700
    assert shown.text.endswith("word…")


@pytest.mark.req("PACK-03", "PACK-04")
def test_a_gap_is_marked_and_its_lines_are_named() -> None:
    shelf = Shelf({"a.md": [["first match", "y" * 690, "second match"]]})
    (shown,) = _shown(shelf, [0, 2], weights=PackWeights(snippet_chars=60))
    assert shown.text.startswith("first match")
    assert GAP in shown.text
    assert shown.text.endswith("second match")
    assert [(span.start_line, span.end_line) for span in shown.spans] == [(1, 1), (3, 3)]


@pytest.mark.req("PACK-03", "PACK-04")
def test_a_long_line_is_shown_as_it_stands_and_its_cut_ends_are_marked() -> None:
    """Units and chunks that divide one line leave no trace in what is shown of it."""
    line = "".join(f"第{number}段階です。" for number in range(60))
    cuts = [0, 100, 200, 260, 330, len(line)]
    pieces = [line[start:end] for start, end in itertools.pairwise(cuts)]
    shelf = Shelf({"a.md": [pieces[:2], pieces[2:4], pieces[4:]]}, joint="")
    (shown,) = _shown(shelf, [2], weights=PackWeights(snippet_chars=180))
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
    assert shown.text.strip("…") in line
    assert len(shown.text) <= 180


@pytest.mark.req("PACK-01")
def test_there_are_never_more_hits_than_asked_for() -> None:
    shelf = Shelf({f"{i}.md": [["text"]] for i in range(9)})
    assert len(_shown(shelf, list(range(9)), limit=4)) == 4
    assert _shown(shelf, [], limit=4) == []


_UNITS = st.text("ab ", min_size=1, max_size=120).filter(lambda text: bool(text.strip()))


@pytest.mark.req("PACK-04", "PACK-05")
@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.lists(st.lists(_UNITS, min_size=1, max_size=5), min_size=1, max_size=3), min_size=1, max_size=3),
    st.randoms(use_true_random=False),
)
def test_hits_show_the_notes_own_text_on_the_named_lines_within_the_limit(
    notes: list[list[list[str]]], random: object
) -> None:
    shelf = Shelf({f"{i}.md": chunks for i, chunks in enumerate(notes)})
    ranked = list(range(len(shelf.words)))
    random.shuffle(ranked)  # type: ignore[attr-defined]  # hypothesis hands out a random.Random
    weights = PackWeights(snippet_chars=150, region_chars=300)
    scores = np.linspace(1, 0.1, len(ranked), dtype=np.float32)
    packed = pack(ranked, scores, shelf.layout, positions(shelf.layout), 6, weights)
    seen: set[int] = set()
    for hit in packed:
        assert not seen & set(hit.matched)
        seen |= set(hit.matched)
        shown = snippet(hit, shelf.layout, shelf.texts, weights.snippet_chars)
        assert len(shown.text) <= weights.snippet_chars
        note = int(shelf.layout.unit_note[hit.best])
        lines = [line for chunk in notes[note] for line in chunk]
        for piece, span in zip(shown.text.strip(CUT).split(GAP), shown.spans, strict=True):
            assert piece in "\n".join(lines[span.start_line - 1 : span.end_line])
