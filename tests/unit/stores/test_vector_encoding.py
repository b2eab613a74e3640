"""Vectors as bytes: near to what they were, and cosines equal to brute force over what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.stores.sqlite import vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

_VALUE = st.floats(-4, 4, width=32)
_DIMS = 5
_MATRIX = st.lists(st.lists(_VALUE, min_size=_DIMS, max_size=_DIMS), min_size=1, max_size=8).map(
    lambda rows: np.array(rows, dtype=np.float32)
)


def brute_force(rows: NDArray[np.float64], query: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    return np.asarray(rows @ query / np.where(lengths > 0, lengths, np.nan))


@pytest.mark.req("STORE-06")
@pytest.mark.parametrize("dtype", ["int8", "float32"])
@settings(deadline=None)
@given(_MATRIX, st.lists(_VALUE, min_size=_DIMS, max_size=_DIMS))
def test_cosines_are_those_of_the_stored_rows(
    dtype: vectors.Dtype, matrix: NDArray[np.float32], one: list[float]
) -> None:
    matrix = np.where(np.abs(matrix) < 1e-6, 0, matrix).astype(np.float32)
    query = np.array(one, dtype=np.float32)
    query = np.where(np.abs(query) < 1e-6, 0, query).astype(np.float32)
    stored = vectors.encode(matrix, dtype)
    found = vectors.Matrix(stored).cosines(query)
    wanted = brute_force(stored.astype(np.float64), query.astype(np.float64))
    assert np.allclose(found, wanted, atol=1e-4, equal_nan=True)
    assert not np.isinf(found).any()


@pytest.mark.req("STORE-06")
@pytest.mark.parametrize("dtype", ["int8", "float32"])
@settings(deadline=None)
@given(_MATRIX)
def test_a_stored_row_stays_near_to_what_it_was_and_does_not_drift(
    dtype: vectors.Dtype, matrix: NDArray[np.float32]
) -> None:
    stored = vectors.encode(matrix, dtype)
    read = vectors.decode(stored.tobytes(), _DIMS, dtype)
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1)
    for row, length, original in zip(read, lengths, matrix, strict=True):
        if length > 1e-3:
            assert np.allclose(row, original / length, atol=0.02)
    if dtype == "int8":
        assert (vectors.encode(read, dtype) == stored).all()


@pytest.mark.req("STORE-06")
def test_a_row_of_the_tiniest_numbers_keeps_its_direction() -> None:
    row = np.array([[1e-39, -5e-40, 0]], dtype=np.float32)
    assert vectors.encode(row, "int8").tolist() in ([[127, -63, 0]], [[127, -64, 0]])


@pytest.mark.req("STORE-06")
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite_is_no_vector(bad: float) -> None:
    matrix = np.array([[1, 2], [bad, 1], [0, 0]], dtype=np.float32)
    for dtype in ("int8", "float32"):
        stored = vectors.encode(matrix, "int8" if dtype == "int8" else "float32")
        assert stored[1].tolist() == [0, 0]
        assert np.isnan(vectors.Matrix(stored).cosines(np.ones(2, dtype=np.float32))).tolist() == [False, True, True]
