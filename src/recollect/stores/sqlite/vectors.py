"""Vectors as bytes and back, and the cosine of a question with all of them.

Enters: float32 matrices and stored rows. Leaves: bytes, matrices, cosines. Pure; numpy and simsimd are imported where
they are used. Never a score that is not finite, except NaN for "no vector".

int8: every row is scaled so that its largest value is 127; a cosine does not know a row's scale, so none is kept.
A row of zeros is "no vector".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Dtype = Literal["int8", "float32"]

WIDTH: dict[Dtype, int] = {"int8": 1, "float32": 4}
_INT8_MAX = 127


def encode(matrix: NDArray[np.float32], dtype: Dtype) -> NDArray[np.int8] | NDArray[np.float32]:
    """Rows as they are stored. A row that is not finite becomes a row of zeros."""
    import numpy as np

    rows: NDArray[np.float32] = np.asarray(matrix, dtype=np.float32)
    finite: NDArray[np.bool_] = np.all(np.isfinite(rows), axis=1)
    if not finite.all():
        rows = np.where(finite[:, None], rows, np.float32(0))
    if dtype == "float32":
        return np.ascontiguousarray(rows, dtype="<f4")
    largest = np.abs(rows).max(axis=1, initial=0)[:, None]
    # divided first: of the tiniest numbers the inverse is not finite
    scaled = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)
    scaled *= _INT8_MAX
    steps: NDArray[np.int8] = np.rint(scaled, out=scaled).astype(np.int8)
    return steps


def as_stored(stored: bytes, dims: int, dtype: Dtype) -> NDArray[np.int8] | NDArray[np.float32]:
    """Stored bytes as rows. Raises ValueError when they are not whole rows."""
    import numpy as np

    if dtype == "int8":
        return np.frombuffer(stored, dtype=np.int8).reshape(-1, dims)
    return np.frombuffer(stored, dtype="<f4").reshape(-1, dims)


def decode(stored: bytes, dims: int, dtype: Dtype) -> NDArray[np.float32]:
    """Rows of length 1 (or 0) again."""
    import numpy as np

    rows = as_stored(stored, dims, dtype).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    ones = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    unit: NDArray[np.float32] = (rows * ones[:, None]).astype(np.float32)
    return unit


class Rows(Protocol):
    """Stored rows that can be asked for their cosines."""

    @property
    def dims(self) -> int:
        """The length of a row."""
        ...

    @property
    def sound(self) -> NDArray[np.bool_]:
        """Which rows are vectors: finite, and not all zeros."""
        ...

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of the question with every row; NaN where a row is no vector, or the question is none."""
        ...


class Matrix:
    """Stored rows, all in one array, with what a question needs of them."""

    def __init__(self, rows: NDArray[np.int8] | NDArray[np.float32]) -> None:
        import numpy as np

        self.rows = rows
        if rows.dtype == np.int8:
            import simsimd

            squares = np.asarray(simsimd.dot(rows, rows), dtype=np.float64).reshape(-1) if len(rows) else np.zeros(0)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
        self.sound: NDArray[np.bool_] = np.isfinite(squares) & (squares > 0)
        # NaN for a row that is no vector makes every cosine with it NaN
        self._inverse = (1.0 / np.sqrt(np.where(self.sound, squares, np.nan))).astype(np.float32)

    @property
    def dims(self) -> int:
        """The length of a row."""
        return int(self.rows.shape[1])

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of the question with every row; NaN where a row is no vector, or the question is none."""
        import numpy as np

        question = np.asarray(query, dtype=np.float64).reshape(-1)
        length = float(np.linalg.norm(question))
        if not len(self.rows) or len(question) != self.dims or not np.isfinite(length) or length == 0:
            return np.full(len(self.rows), np.nan, dtype=np.float32)
        question = question / length
        is_int8 = self.rows.dtype == np.int8
        dots: NDArray[np.float32] = self._int8_dots(question) if is_int8 else self._float_dots(question)
        dots *= self._inverse
        return np.clip(dots, -1, 1, out=dots)

    def _float_dots(self, question: NDArray[np.float64]) -> NDArray[np.float32]:
        import numpy as np

        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(self.rows @ question.astype(np.float32), dtype=np.float32)

    def _int8_dots(self, question: NDArray[np.float64]) -> NDArray[np.float32]:
        """The question as the sum of two int8 vectors, a coarse one and what it misses: exact to about 1e-5, at the
        speed of integer instructions."""
        import numpy as np
        import simsimd

        coarse, coarse_step = _quantised(question)
        fine, fine_step = _quantised(question - coarse * coarse_step)
        both = np.stack([coarse, fine]).astype(np.int8)
        rows = np.asarray(self.rows, dtype=np.int8)
        dots = np.asarray(simsimd.cdist(both, rows, "dot", out_dtype="float32"), dtype=np.float32)
        total: NDArray[np.float32] = dots[0] * np.float32(coarse_step) + dots[1] * np.float32(fine_step)
        return total


def _quantised(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    import numpy as np

    step = float(np.abs(values).max(initial=0)) / _INT8_MAX
    if step == 0:
        return np.zeros_like(values), 0.0
    return np.rint(values / step), step
