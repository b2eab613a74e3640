from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.rank.bm25 import corpus, score_words
from recollect.rank.fuse import normalise_words
from recollect.rank.weights import KEYWORD, KeywordWeights
from unit.rank.layouts import Shelf

ALONE = KeywordWeights(chunk_share=0, note_share=0, previous_share=0)


def _scores(
    shelf: Shelf, words: list[str], weights: KeywordWeights = ALONE, supporting: tuple[str, ...] = ()
) -> list[float]:
    asked = [(shelf.postings(word), 1.0) for word in words]
    support = [(shelf.postings(word), 1.0) for word in supporting]
    found = score_words(shelf.layout, corpus(shelf.layout, weights), asked, support, weights)
    scores: list[float] = normalise_words(found.scores, found.possible, weights.possible_share).tolist()
    return scores


@pytest.mark.req("BM25-01", "BM25-05")
@pytest.mark.parametrize("others", [0, 1, 2, 10, 200])
def test_a_better_match_scores_higher_at_any_size_of_the_store(others: int) -> None:
    notes = {
        "a.md": [["redis cache ttl"]],
        "b.md": [["redis and something else"]],
        **{f"{i}.md": [["nothing of that kind"]] for i in range(others)},
    }
    both, one, *rest = _scores(Shelf(notes), ["redis", "cache", "ttl"])
    assert 1 >= both > one > 0.02
    assert not any(rest)


@pytest.mark.req("BM25-02")
def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    notes = {f"{i}.md": [["team meeting notes"]] for i in range(9)} | {"rare.md": [["team kubernetes notes"]]}
    shelf = Shelf(notes | {"x.md": [["kubernetes alone here"]], "y.md": [["meeting alone here"]]})
    scores = _scores(shelf, ["kubernetes", "meeting"])
    assert scores[-2] > scores[-1]


@pytest.mark.req("BM25-03")
def test_a_unit_gains_from_its_chunk_and_its_note() -> None:
    shelf = Shelf(
        {
            "same-chunk.md": [["port 8080", "the gateway host"], ["end"]],
            "same-note.md": [["port 8080"], ["the gateway host"]],
            "alone.md": [["port 8080", "a different host"], ["end"]],
        }
    )
    weights = KeywordWeights(previous_share=0)
    scores = _scores(shelf, ["port", "gateway"], weights)
    assert scores[0] > scores[3] > scores[5]


@pytest.mark.req("BM25-04")
def test_a_unit_gains_from_the_one_before_it_but_not_from_another_note() -> None:
    shelf = Shelf({"a.md": [["who fixed the router", "it was me"]], "b.md": [["it was me"]]})
    scores = _scores(shelf, ["router"], KeywordWeights(chunk_share=0, note_share=0, previous_share=0.3))
    assert scores[0] > scores[1] > 0
    assert scores[2] == 0


@pytest.mark.req("BM25-06")
def test_a_supporting_word_lifts_a_match_and_makes_none() -> None:
    shelf = Shelf({"a.md": [["my router"]], "b.md": [["the router"]], "c.md": [["my dog"]], "d.md": [["x"]] * 9})
    mine, other, no_match, *_ = _scores(shelf, ["router"], supporting=("my", "absent"))
    assert mine > other > 0
    assert no_match == 0


@pytest.mark.req("MERGE-05")
def test_a_question_whose_words_are_not_there_gives_nothing_the_score_1() -> None:
    shelf = Shelf({f"{i}.md": [["the weather was fine"]] for i in range(20)} | {"z.md": [["the invoice"]]})
    scores = _scores(shelf, ["weather", "cryptography", "elliptic", "curves"])
    assert 0 < max(scores) < 0.5


@pytest.mark.req("BM25-05")
@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5), min_size=1, max_size=3),
        min_size=1,
        max_size=6,
    ),
    st.lists(st.sampled_from("abcdefxyz"), min_size=1, max_size=6, unique=True),
)
def test_scores_stay_between_0_and_1_and_only_units_near_a_word_score(
    notes: list[list[list[str]]], words: list[str]
) -> None:
    shelf = Shelf({f"{i}.md": [[" ".join(unit)] for unit in units] for i, units in enumerate(notes)})
    scores = np.array(_scores(shelf, words, KEYWORD))
    assert ((scores >= 0) & (scores <= 1)).all()
    for note, units in enumerate(notes):
        if not set(words) & {word for unit in units for word in unit}:
            assert not scores[shelf.layout.unit_note == note].any()
