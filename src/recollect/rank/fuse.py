"""Join what the words say and what the vectors say into one score between 0 and 1.

A keyword score is divided by the best that was reached, but never by less than a share of the best possible: else a
junk hit would count 1 where the question's words are not in the notes at all. A cosine is taken as it is. A side that
knows nothing does not vote: its weight goes to the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recollect.protocols import Layout


class SideWeights(Struct, frozen=True):
    """What each side counts; the two sum to 1 unless neither votes."""

    text: float
    vector: float


class Fused(Struct, frozen=True, eq=False):
    """Scores of all units: the parts and their weighted sum."""

    score: NDArray[np.float32]
    text: NDArray[np.float32]
    vector: NDArray[np.float32]
    weights: SideWeights


def side_weights(
    *, text_weight: float, vector_weight: float, trust: float, text_votes: bool, vector_votes: bool
) -> SideWeights:
    """The settings' weights, the vector's scaled by how far its model is to be trusted against plain words."""
    text = text_weight if text_votes else 0.0
    vector = vector_weight * trust if vector_votes else 0.0
    total = text + vector
    if total <= 0:  # a side that alone can answer answers, even where the settings give it no weight
        return SideWeights(float(text_votes), float(vector_votes and not text_votes))
    return SideWeights(text / total, vector / total)


def normalise_words(scores: NDArray[np.float32], possible: float, possible_share: float) -> NDArray[np.float32]:
    """Keyword scores between 0 and 1, comparable between questions and stores of any size."""
    best = max(float(scores.max(initial=0.0)), possible_share * possible)
    if best <= 0:
        return np.zeros_like(scores)
    normal: NDArray[np.float32] = scores / np.float32(best)
    return normal


def blend_cosines(cosines: NDArray[np.float32], layout: Layout, chunk_share: float) -> NDArray[np.float32]:
    """Cosines between 0 and 1, with a share of the mean of the chunk; a unit without a vector has the cosine 0."""
    own = np.fmin(np.fmax(cosines, np.float32(0)), np.float32(1))  # fmax takes the number where the other is NaN
    counts = np.maximum(np.diff(layout.chunk_first_unit), 1)
    means = np.bincount(layout.unit_chunk, weights=own, minlength=len(counts)) / counts
    shares = np.repeat((means * chunk_share).astype(np.float32), np.diff(layout.chunk_first_unit))
    own += shares
    own /= np.float32(1 + chunk_share)
    return own


def fuse(text: NDArray[np.float32], vector: NDArray[np.float32] | None, weights: SideWeights) -> Fused:
    """The weighted sum of both sides."""
    cosine = np.zeros_like(text) if vector is None else vector
    score = np.float32(weights.text) * text + np.float32(weights.vector) * cosine
    return Fused(score.astype(np.float32), text, cosine, weights)
