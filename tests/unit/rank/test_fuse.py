from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.rank.fuse import SideWeights, blend_cosines, fuse, side_weights
from unit.rank.layouts import Shelf


def _merge(text: list[float], vector: list[float] | None, tw: float, vw: float) -> list[float]:
    weights = side_weights(
        text_weight=tw, vector_weight=vw, trust=1.0, text_votes=any(text), vector_votes=vector is not None
    )
    cosines = None if vector is None else np.array(vector, dtype=np.float32)
    return [round(score, 4) for score in fuse(np.array(text, dtype=np.float32), cosines, weights).score.tolist()]


@pytest.mark.req("MERGE-01")
def test_the_rows_of_the_reference_come_out_when_both_sides_vote() -> None:
    assert _merge([0, 1], [0.9, 0], 0.3, 0.7) == [0.63, 0.3]
    assert _merge([1], [0.2], 0.5, 0.5) == [0.6]
    assert _merge([0.6, 1, 0], [0.9, 0, 0.5], 0.3, 0.7) == [0.81, 0.3, 0.35]


@pytest.mark.req("MERGE-02")
def test_without_a_query_vector_the_words_decide_alone() -> None:
    assert _merge([1, 0.5], None, 1.0, 0.0) == [1, 0.5]
    assert _merge([1, 0.5], None, 0.3, 0.7) == [1, 0.5]


@pytest.mark.req("MERGE-03")
def test_extreme_weights_flip_the_order() -> None:
    by_vector = _merge([0.1, 1], [0.9, 0.1], 0.01, 0.99)
    by_words = _merge([0.1, 1], [0.9, 0.1], 0.99, 0.01)
    assert by_vector[0] > by_vector[1]
    assert by_words[0] < by_words[1]


@pytest.mark.req("MERGE-01")
def test_a_unit_without_a_vector_has_the_cosine_nought_and_a_share_of_its_chunk() -> None:
    shelf = Shelf({"a.md": [["one", "two"], ["three"]]})
    cosines = np.array([float("nan"), 0.5, -0.2], dtype=np.float32)
    assert blend_cosines(cosines, shelf.layout, 0).tolist() == [0, 0.5, 0]
    assert blend_cosines(cosines, shelf.layout, 1).tolist() == [0.125, 0.375, 0]


@pytest.mark.req("MERGE-01")
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.booleans(), st.booleans())
def test_weights_sum_to_1_unless_nobody_votes(tw: float, vw: float, trust: float, text: bool, vector: bool) -> None:
    weights = side_weights(text_weight=tw, vector_weight=vw, trust=trust, text_votes=text, vector_votes=vector)
    if text or vector:
        assert weights.text + weights.vector == pytest.approx(1)
    else:
        assert weights == SideWeights(0.0, 0.0)
