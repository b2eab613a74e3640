"""Score every unit of the index for a question: what the words say, what the vectors say, and who may not vote.

In: one read transaction, the question's words, the question's vector. Out: scores for all units, and in words why a
side did not vote. Reads nothing but what the store hands out; never writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from recollect.errors import StoreError
from recollect.rank import bm25, fuse
from recollect.rank.weights import VECTOR
from recollect.types import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recollect.protocols import Layout, StoreReader
    from recollect.rank.bm25 import Corpus
    from recollect.rank.fuse import Fused
    from recollect.rank.weights import KeywordWeights
    from recollect.text.query import Query


class SideSettings(Struct, frozen=True, kw_only=True):
    """Which sides may vote, and what their votes count."""

    words_wanted: bool
    text_weight: float
    vector_weight: float
    trust: float


class Candidates(Struct, frozen=True, eq=False, kw_only=True):
    """Every unit's scores for a question."""

    fused: Fused
    cosines: NDArray[np.float32] | None  # of each unit alone; None when the vectors did not vote
    words: bm25.WordScores | None  # None when the words did not vote
    words_voted: bool
    vectors_voted: bool
    problems: tuple[Problem, ...]


def score_units(
    reader: StoreReader,
    layout: Layout,
    lengths: Corpus,
    query: Query,
    vector: NDArray[np.float32] | None,
    sides: SideSettings,
    weights: KeywordWeights,
) -> Candidates:
    """Ask both sides and join their answers."""
    problems: list[Problem] = []
    words = _ask_words(reader, layout, lengths, query, weights, problems) if sides.words_wanted else None
    cosines = _ask_vectors(reader, vector, problems)
    if words is not None and cosines is not None and not words.scores.any():
        words = None  # a side that knows nothing about the question does not vote
    side_weights = fuse.side_weights(
        text_weight=sides.text_weight,
        vector_weight=sides.vector_weight,
        trust=sides.trust,
        text_votes=words is not None,
        vector_votes=cosines is not None,
    )
    if words is None:
        text = np.zeros(len(layout.unit_length), dtype=np.float32)
    else:
        text = fuse.normalise_words(words.scores, words.possible, weights.possible_share)
    blended = None if cosines is None else fuse.blend_cosines(cosines, layout, VECTOR.chunk_share)
    return Candidates(
        fused=fuse.fuse(text, blended, side_weights),
        cosines=cosines,
        words=words,
        words_voted=words is not None,
        vectors_voted=cosines is not None,
        problems=tuple(problems),
    )


def _ask_words(
    reader: StoreReader,
    layout: Layout,
    lengths: Corpus,
    query: Query,
    weights: KeywordWeights,
    problems: list[Problem],
) -> bm25.WordScores | None:
    if not query.terms:
        return None
    asked, count = (*query.terms, *query.support), len(query.terms)
    try:
        found = reader.postings([term.term for term in asked])
    except StoreError as error:
        problems.append(Problem(code="keyword-side-missing", message=str(error)))
        return None
    postings = [(where, term.weight) for where, term in zip(found, asked, strict=True)]
    return bm25.score_words(layout, lengths, postings[:count], postings[count:], weights)


def _ask_vectors(
    reader: StoreReader, vector: NDArray[np.float32] | None, problems: list[Problem]
) -> NDArray[np.float32] | None:
    if vector is None or not vector.any():
        return None
    try:
        cosines = reader.cosines(vector)
    except StoreError as error:
        problems.append(Problem(code="vector-side-missing", message=str(error)))
        return None
    return None if np.isnan(cosines).all() else cosines
