"""Rows of the reference on scores and variety that the other tests of this room do not hold."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.rank.bm25 import corpus, score_words
from recollect.rank.diversify import diversify
from recollect.rank.fuse import normalise_words
from recollect.rank.weights import KEYWORD
from unit.rank.layouts import Shelf


def _scores(shelf: Shelf, word: str) -> list[float]:
    found = score_words(shelf.layout, corpus(shelf.layout, KEYWORD), [(shelf.postings(word), 1.0)], (), KEYWORD)
    scores: list[float] = normalise_words(found.scores, found.possible, KEYWORD.possible_share).tolist()
    return scores


@pytest.mark.req("ROW-SCORE-01")
@pytest.mark.parametrize("size", [1, 2, 3, 5, 10, 50, 200, 1000])
def test_a_distinctive_word_scores_the_same_at_every_size_of_the_store(size: int) -> None:
    shelf = Shelf({f"{n}.md": [["a zeppelin passed" if n == 0 else "a seagull passed"]] for n in range(size)})
    first, *others = _scores(shelf, "zeppelin")
    assert first == 1
    assert not any(others)


@pytest.mark.req("ROW-SCORE-01")
@pytest.mark.parametrize("size", [1, 2, 3, 5, 10, 50, 200, 1000])
def test_a_word_that_every_note_holds_scores_at_every_size_of_the_store(size: int) -> None:
    shelf = Shelf({f"{n}.md": [["a seagull passed"]] for n in range(size)})
    assert _scores(shelf, "seagull") == [1.0] * size


@pytest.mark.req("ROW-MMR-01")
def test_the_near_duplicate_of_the_router_example_comes_last_with_half_a_lambda() -> None:
    texts = [
        "Configured Omada router, set VLAN 10 for IoT devices",
        "Configured Omada router, moved IoT to VLAN 10",
        "Set up AdGuard DNS on 192.168.10.2",
        "Router: Omada ER605, AdGuard: 192.168.10.2, VLAN 10: IoT",
    ]
    assert diversify([0.92, 0.89, 0.78, 0.85], texts, 0.5) == (0, 2, 3, 1)


@pytest.mark.req("ROW-MMR-02")
@pytest.mark.parametrize("lam", [0.0, 0.5, 0.95, 1.0])
def test_the_first_of_an_order_are_the_order_cut_short(lam: float) -> None:
    scores = np.linspace(1, 0.2, 40).tolist()
    texts = [f"word{n % 7} word{n % 5} word{n}" for n in range(40)]
    whole = diversify(scores, texts, lam)
    assert sorted(whole) == list(range(40))
    for most in (0, 1, 6, 39, 40, 99):
        assert diversify(scores, texts, lam, most=most) == whole[:most]
