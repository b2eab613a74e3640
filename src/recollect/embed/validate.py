"""The one check that every provider's answer goes through before it is stored or ranked.

Enters: what a provider gave for vectors. Leaves: nothing, or a ProviderError. Never: repairs an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ASK_AGAIN = "Try again; if it happens again, choose another model or provider."


def check_vectors(vectors: NDArray[np.float32] | NDArray[np.float64], count: int, dims: int) -> None:
    """Refuse an answer that has not `count` rows of `dims` finite numbers, each small enough for float32."""
    import numpy as np  # loaded where vectors are, and nowhere else

    if vectors.ndim != 2:  # noqa: PLR2004 - rows and columns
        raise ProviderError(f"The embedding provider answered {vectors.ndim} axes instead of 2.", hint=_ASK_AGAIN)
    if vectors.shape[0] != count:
        raise ProviderError(
            f"The embedding provider answered {vectors.shape[0]} vectors for {count} texts.", hint=_ASK_AGAIN
        )
    if vectors.shape[1] != dims:
        raise ProviderError(
            f"The embedding provider answered vectors of {vectors.shape[1]} dimensions instead of {dims}.",
            hint="Check which model the settings name, and build the index again if it was changed.",
        )
    if not np.issubdtype(vectors.dtype, np.floating):
        raise ProviderError(
            f"The embedding provider answered numbers of type {vectors.dtype} instead of floats.", hint=_ASK_AGAIN
        )
    largest = np.abs(vectors).max(initial=0.0)
    if not largest <= np.finfo(np.float32).max:  # also false for NaN
        raise ProviderError("The embedding provider answered numbers that are not finite.", hint=_ASK_AGAIN)
