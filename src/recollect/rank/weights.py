"""The parameters of ranking, in one place: one default for all kinds of memory, none per set or per user.

Where a figure comes from stands beside it. What a user may set (weights of the two sides, diversity, decay) is in
the settings instead.
"""

from __future__ import annotations

from msgspec import Struct


class KeywordWeights(Struct, frozen=True, kw_only=True):
    """How words are scored: BM25 of the unit, plus shares of its chunk's and its note's."""

    k1: float = 1.2
    b: float = 0.75
    chunk_share: float = 0.6  # several good units of one region lift one another
    note_share: float = 0.4
    previous_share: float = 0.3  # what was said just before belongs to what is said
    heading_weight: float = 0.3  # a word of the heading path counts as this much of a word
    note_weight: float = 0.2  # a word of the note's title, path or date
    possible_share: float = 0.3  # a question's best hit counts 1 only if it reaches this share of the possible


class VectorWeights(Struct, frozen=True, kw_only=True):
    """How cosines are scored."""

    chunk_share: float = 0.7  # a unit in a chunk that is near to the question as a whole means it rather


class PackWeights(Struct, frozen=True, kw_only=True):
    """How units become snippets."""

    snippet_chars: int = 700
    region_chars: int = 3000  # units this close may stand in one snippet
    pool: int = 200  # best units that are looked at, whatever the number of results
    repeat_penalty: float = 0.4  # taken off for each hit that the region has, by how much of the note one hit shows
    merge_pool: int = 50  # of these, the best may join the snippet of a better one


KEYWORD = KeywordWeights()
VECTOR = VectorWeights()
PACK = PackWeights()
