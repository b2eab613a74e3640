from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.rank.decay import multiplier


@pytest.mark.req("DECAY-01")
@pytest.mark.parametrize(
    ("age", "expected"), [(0, 1), (7, 0.85067), (30, 0.5), (90, 0.125), (148, 0.03273), (180, 0.015625)]
)
def test_a_score_halves_with_every_half_life(age: int, expected: float) -> None:
    assert multiplier(age, 30) == pytest.approx(expected, abs=1e-5)


@pytest.mark.req("DECAY-02")
def test_the_future_does_not_decay_and_no_half_life_means_no_decay() -> None:
    assert multiplier(-5, 30) == 1
    assert multiplier(10, 0) == 1


@pytest.mark.req("DECAY-01")
@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0.5, 1e5))
def test_older_never_counts_more(age: float, more: float, half_life: float) -> None:
    assert 0 <= multiplier(age + more, half_life) <= multiplier(age, half_life) <= 1
