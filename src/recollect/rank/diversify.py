"""Maximal marginal relevance: order hits so that each brings something that the ones before it did not say.

Relevance is taken as it is, not stretched over the candidates, so that a near-duplicate really drops; similarity is
Jaccard over the words and, in scripts without spaces, over characters and their pairs. O(n k) for k of n hits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def tokens(text: str) -> frozenset[str]:
    """The words of a text in lower case; runs of Han, kana and Hangul as characters and pairs of neighbours."""
    folded = text.lower()
    found = set(_WORD.findall(_DENSE.sub(" ", folded)))
    for run in _DENSE.findall(folded):
        found.update(run)
        found.update(run[i : i + 2] for i in range(len(run) - 1))
    return frozenset(found)


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of common words; two empty sets are alike."""
    if not left and not right:
        return 1.0
    common = len(left & right)
    return common / (len(left) + len(right) - common)


def mmr_score(relevance: float, similarity: float, lam: float) -> float:
    """What a hit is worth beside those already chosen."""
    return lam * relevance - (1 - lam) * similarity


def diversify(scores: Sequence[float], texts: Sequence[str], lam: float, most: int | None = None) -> tuple[int, ...]:
    """The order in which to show hits: indexes into `scores`. lam 1 is the order of scores, lam 0 pure diversity.

    With `most` only so many are chosen, the same as would come first without it.
    """
    most = len(scores) if most is None else most
    lam = min(1.0, max(0.0, lam))
    by_score = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    if lam == 1.0 or len(scores) < 2:  # noqa: PLR2004  # nothing to choose between
        return tuple(by_score[:most])
    words = [tokens(text) for text in texts]
    nearest = [0.0] * len(scores)  # similarity to the closest chosen hit, kept up to date: no pair is compared twice
    left, chosen = by_score, list[int]()
    while left and len(chosen) < most:
        best = max(left, key=lambda i: (mmr_score(scores[i], nearest[i], lam), scores[i], -i))
        left = [i for i in left if i != best]
        chosen.append(best)
        for i in left:
            nearest[i] = max(nearest[i], jaccard(words[i], words[best]))
    return tuple(chosen)
