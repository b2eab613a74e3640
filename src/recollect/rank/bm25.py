"""Score every unit by the question's words: BM25 of the unit, with shares of its chunk's and its note's score.

In: the layout, a posting list and a weight for each word. Out: a score for each unit, and the best that any unit
could have reached. The words are indexed once, by unit; chunk and note scores are sums over their units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.protocols import Layout, Postings
    from recollect.rank.weights import KeywordWeights


class WordScores(Struct, frozen=True, eq=False):
    """What the words of a question say about every unit."""

    scores: NDArray[np.float32]
    possible: float  # the score of a unit, in a chunk, in a note, that are all about every word of the question
    matched: NDArray[np.uint64]  # bit i: the unit itself holds word i (the first 64 words)


class Corpus(Struct, frozen=True, eq=False):
    """Lengths of units, chunks and notes, as saturation needs them; made once for a layout."""

    unit_norm: NDArray[np.float32]
    chunk_norm: NDArray[np.float32]
    note_norm: NDArray[np.float32]
    follows: NDArray[np.bool_]  # whether a unit has a predecessor in its note


def corpus(layout: Layout, weights: KeywordWeights) -> Corpus:
    """Prepare the lengths of a layout."""
    lengths = layout.unit_length.astype(np.float32)
    chunks = np.bincount(layout.unit_chunk, weights=lengths, minlength=len(layout.chunk_ids)).astype(np.float32)
    notes = np.bincount(layout.unit_note, weights=lengths, minlength=len(layout.notes)).astype(np.float32)
    follows = np.zeros(len(lengths), dtype=np.bool_)
    follows[1:] = layout.unit_note[1:] == layout.unit_note[:-1]
    return Corpus(_norm(lengths, weights), _norm(chunks, weights), _norm(notes, weights), follows)


def _norm(lengths: NDArray[np.float32], weights: KeywordWeights) -> NDArray[np.float32]:
    """The denominator's constant part, k1 * (1 - b + b * length / mean length)."""
    mean = float(lengths.mean()) if len(lengths) else 1.0
    norm: NDArray[np.float32] = (weights.k1 * (1 - weights.b + weights.b * lengths / max(mean, 1.0))).astype(np.float32)
    return norm


def idf(count: int, total: int) -> float:
    """How much a word tells: rare words count most, and no word counts against a text."""
    return float(np.log1p((total - count + 0.5) / (count + 0.5))) if count else 0.0


def score_words(
    layout: Layout,
    lengths: Corpus,
    words: Sequence[tuple[Postings | None, float]],
    weights: KeywordWeights,
) -> WordScores:
    """Score all units by all words; a word that the index does not hold adds nothing, but it was possible."""
    units = len(layout.unit_length)
    scores = np.zeros(units, dtype=np.float32)
    matched = np.zeros(units, dtype=np.uint64)
    chunk_scores = np.zeros(len(layout.chunk_ids), dtype=np.float32)
    note_scores = np.zeros(len(layout.notes), dtype=np.float32)
    possible = 0.0
    shares = 1 + weights.chunk_share + weights.note_share
    for number, (postings, weight) in enumerate(words):
        if postings is None or not len(postings.units):
            possible += weight * idf(1, max(units, 1)) * (weights.k1 + 1) * shares
            continue
        own = postings.counts > 0
        count = int(np.count_nonzero(own)) or len(postings.units)
        gain = weight * idf(count, units) * (weights.k1 + 1)
        possible += gain * shares
        if number < 64:  # noqa: PLR2004  # the bits of a word
            matched[postings.units[own]] |= np.uint64(1 << number)
        where, frequency = _frequencies(layout, lengths, postings, weights)
        scores[where] += gain * frequency / (frequency + lengths.unit_norm[where])
        held, counts = postings.units[own], postings.counts[own].astype(np.float32)
        _add(chunk_scores, layout.unit_chunk[held], counts, lengths.chunk_norm, weight, weights)
        _add(note_scores, layout.unit_note[held], counts, lengths.note_norm, weight, weights)
    scores += weights.chunk_share * chunk_scores[layout.unit_chunk]
    scores += weights.note_share * note_scores[layout.unit_note]
    return WordScores(scores, possible, matched)


def _frequencies(
    layout: Layout, lengths: Corpus, postings: Postings, weights: KeywordWeights
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The units that a word touches and how much of the word each holds: its own, its headings', its note's, and a
    share of what its predecessor says."""
    dense = np.zeros(len(layout.unit_length), dtype=np.float32)
    dense[postings.units] = postings.counts
    shared = np.flatnonzero(dense[:-1]) + 1
    shared = shared[lengths.follows[shared]]
    before = dense[shared - 1] * np.float32(weights.previous_share)
    dense[shared] += before
    if postings.in_heading.any():
        headed = postings.units[postings.in_heading]
        dense[headed] += np.float32(weights.heading_weight)
    if postings.in_note.any():
        for note in np.unique(layout.unit_note[postings.units[postings.in_note]]).tolist():
            dense[layout.note_first_unit[note] : layout.note_first_unit[note + 1]] += np.float32(weights.note_weight)
    where = np.flatnonzero(dense)
    return where, dense[where]


def _add(
    scores: NDArray[np.float32],
    groups: NDArray[np.int32],
    counts: NDArray[np.float32],
    norm: NDArray[np.float32],
    weight: float,
    weights: KeywordWeights,
) -> None:
    """Add the BM25 of a word to groups of units (chunks or notes), whose frequency is the sum over their units."""
    frequency = np.bincount(groups, weights=counts, minlength=len(scores)).astype(np.float32)
    held = np.flatnonzero(frequency)
    if len(held):
        gain = weight * idf(len(held), len(scores)) * (weights.k1 + 1)
        scores[held] += gain * frequency[held] / (frequency[held] + norm[held])
