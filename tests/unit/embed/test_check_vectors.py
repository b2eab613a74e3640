from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.embed.validate import check_vectors
from recollect.errors import ProviderError


@pytest.mark.req("EMBED-10")
@given(st.integers(0, 4), st.integers(1, 5), st.sampled_from(["f4", "f8"]))
def test_an_answer_as_it_was_asked_for_is_taken(count: int, dims: int, kind: str) -> None:
    check_vectors(np.full((count, dims), 0.5, dtype=kind), count, dims)


@pytest.mark.req("EMBED-10")
@pytest.mark.parametrize("given_count", [0, 2, 4])
def test_another_count_than_asked_for_is_refused(given_count: int) -> None:
    with pytest.raises(ProviderError, match=f"{given_count} vectors for 3 texts"):
        check_vectors(np.ones((given_count, 8), dtype=np.float32), 3, 8)


@pytest.mark.req("EMBED-10")
@pytest.mark.parametrize("dims", [0, 7, 9])
def test_other_dimensions_than_named_are_refused(dims: int) -> None:
    with pytest.raises(ProviderError, match=f"{dims} dimensions instead of 8"):
        check_vectors(np.ones((3, dims), dtype=np.float32), 3, 8)


@pytest.mark.req("EMBED-10")
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), 1e39, -1e300])
@pytest.mark.parametrize("place", [(0, 0), (2, 7), (1, 3)])
def test_one_number_that_is_not_finite_in_float32_is_enough_to_refuse_all(bad: float, place: tuple[int, int]) -> None:
    vectors = np.ones((3, 8), dtype=np.float64)
    vectors[place] = bad
    with pytest.raises(ProviderError, match="not finite"):
        check_vectors(vectors, 3, 8)


@pytest.mark.req("EMBED-10")
@pytest.mark.parametrize("shape", [(8,), (3, 8, 1)])
def test_an_answer_that_is_no_table_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ProviderError, match="axes instead of 2"):
        check_vectors(np.ones(shape, dtype=np.float32), 3, 8)


@pytest.mark.req("EMBED-10")
@pytest.mark.parametrize("kind", ["i4", "c8", "?"])
def test_numbers_that_are_no_floats_are_refused(kind: str) -> None:
    with pytest.raises(ProviderError, match="instead of floats"):
        check_vectors(np.ones((3, 8), dtype=kind), 3, 8)
