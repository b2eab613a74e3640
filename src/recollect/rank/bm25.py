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

    Words = Sequence[tuple[Postings | None, float]]  # where each word stands, and what it counts


_NOBODY = np.zeros(0, dtype=np.int32)
_LEAST_TOLD = 0.3  # a supporting word that tells less is not worth a look at its many units


class WordScores(Struct, frozen=True, eq=False):
    """What the words of a question say about every unit."""

    scores: NDArray[np.float32]
    possible: float  # the score of a unit, in a chunk, in a note, that are all about every word of the question
    matched: NDArray[np.bool_]  # whether a unit itself holds a word of the question
    holders: tuple[NDArray[np.int32], ...]  # for each word the units that hold it, ascending

    def words_of(self, units: Sequence[int]) -> tuple[int, ...]:
        """The numbers of the words that some of these units hold."""
        return tuple(number for number, holders in enumerate(self.holders) if _holds_any(holders, units))


def _holds_any(holders: NDArray[np.int32], units: Sequence[int]) -> bool:
    places = np.searchsorted(holders, units)
    inside = places < len(holders)
    return bool((holders[places[inside]] == np.asarray(units)[inside]).any())


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
    words: Words,
    support: Words,
    weights: KeywordWeights,
) -> WordScores:
    """Score all units by all words; a word that the index does not hold adds nothing, but it was possible.

    Supporting words make no hit: they only add to a unit that holds a word of the question.
    The work is in proportion to the postings of the words, but for one pass over all units at the end.
    """
    tally = _Tally(layout, lengths, weights)
    for postings, weight in words:
        if postings is None or not len(postings.units):
            tally.miss(weight)
        else:
            tally.add(postings, weight)
    for postings, weight in support:
        if postings is not None:
            tally.support(postings, weight)
    return tally.result()


class _Tally:
    """The scores as word after word is added."""

    def __init__(self, layout: Layout, lengths: Corpus, weights: KeywordWeights) -> None:
        self._layout, self._lengths, self._weights = layout, lengths, weights
        self._units = np.zeros(len(layout.unit_length), dtype=np.float32)
        self._chunks = np.zeros(len(layout.chunk_ids), dtype=np.float32)
        self._notes = np.zeros(len(layout.notes), dtype=np.float32)
        self._described = np.zeros(len(layout.notes), dtype=np.float32)  # by words of title, path and date
        self._matched = np.zeros(len(layout.unit_length), dtype=np.bool_)
        self._holders: list[NDArray[np.int32]] = []
        self._possible = 0.0
        self._shares = 1 + weights.chunk_share + weights.note_share

    def miss(self, weight: float) -> None:
        self._holders.append(_NOBODY)
        self._possible += weight * idf(1, max(len(self._units), 1)) * (self._weights.k1 + 1) * self._shares

    def add(self, postings: Postings, weight: float) -> None:
        weights, layout = self._weights, self._layout
        own = postings.counts > 0
        everywhere = bool(own.all())
        held = postings.units if everywhere else postings.units[own]
        counts = (postings.counts if everywhere else postings.counts[own]).astype(np.float32)
        gain = weight * idf(len(held) or len(postings.units), len(self._units)) * (weights.k1 + 1)
        self._possible += gain * self._shares
        self._matched[held] = True
        self._holders.append(held)
        self._units[held] += gain * counts / (counts + self._lengths.unit_norm[held])
        self._share(postings, held, counts, gain)
        self._group(self._chunks, layout.unit_chunk[held], counts, self._lengths.chunk_norm, weight)
        self._group(self._notes, layout.unit_note[held], counts, self._lengths.note_norm, weight)

    def support(self, postings: Postings, weight: float) -> None:
        """Add a word to the units that hold a word of the question already."""
        told = weight * idf(len(postings.units), len(self._units))
        if told < _LEAST_TOLD:
            return
        own = self._matched[postings.units]
        own &= postings.counts > 0
        held, counts = postings.units[own], postings.counts[own].astype(np.float32)
        gain = told * (self._weights.k1 + 1)
        self._units[held] += gain * counts / (counts + self._lengths.unit_norm[held])

    def _share(self, postings: Postings, held: NDArray[np.int32], counts: NDArray[np.float32], gain: float) -> None:
        """What a word gives to units that do not hold it: after the unit that does, under a heading, in a note."""
        weights, norm = self._weights, self._lengths.unit_norm
        if len(held):
            last = held[-1] + 1 == len(self._units)
            heirs = (held[:-1] if last else held) + 1
            free = self._lengths.follows[heirs]
            free &= np.append(np.diff(held) != 1, True)[: len(heirs)]  # whoever holds the word itself, inherits nothing
            heirs, frequency = heirs[free], counts[: len(free)][free] * np.float32(weights.previous_share)
            self._units[heirs] += gain * frequency / (frequency + norm[heirs])
        if postings.in_heading.any():
            headed = postings.units[postings.in_heading & (postings.counts == 0)]
            self._units[headed] += gain * weights.heading_weight / (weights.heading_weight + norm[headed])
        if postings.in_note.any():
            notes = np.unique(self._layout.unit_note[postings.units[postings.in_note]])
            self._described[notes] += gain * weights.note_weight / (weights.note_weight + weights.k1)

    def _group(
        self,
        scores: NDArray[np.float32],
        groups: NDArray[np.int32],
        counts: NDArray[np.float32],
        norm: NDArray[np.float32],
        weight: float,
    ) -> None:
        """Add the BM25 of a word to groups of units (chunks or notes), whose frequency is the sum over their units."""
        if not len(groups):
            return
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        held, frequency = groups[starts], np.add.reduceat(counts, starts)
        gain = weight * idf(len(held), len(scores)) * (self._weights.k1 + 1)
        scores[held] += gain * frequency / (frequency + norm[held])

    def result(self) -> WordScores:
        weights, layout = self._weights, self._layout
        notes = weights.note_share * self._notes + self._described
        chunks = weights.chunk_share * self._chunks + notes[layout.chunk_note]
        self._units += np.repeat(chunks, np.diff(layout.chunk_first_unit))
        return WordScores(self._units, self._possible, self._matched, tuple(self._holders))
