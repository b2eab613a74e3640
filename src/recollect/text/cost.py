"""What characters cost: a measure of length in which scripts that models cut finer count for more.

In: a text and the weight of a wide character. Out: costs of ranges, and how far a budget reaches. Never: real tokens;
a cost of four stands for about one. A character costs 1. Han, kana, Hangul, full-width forms and box drawing cost
what the caller says, and other characters beyond the Basic Multilingual Plane (emoji) cost the two UTF-16 units that
the seeds count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from operator import mul, sub

from msgspec import Struct

_WIDE = (
    "\u1100-\u11ff"  # Hangul letters
    "\u2500-\u259f"  # box drawing and blocks
    "\u2e80-\u303e\u3041-\u33ff"  # radicals, CJK punctuation, kana, Bopomofo, enclosed and squared forms
    "\u3400-\u4dbf\u4e00-\u9fff"  # Han
    "\ua000-\ua4cf\ua960-\ua97f"  # Yi, more Hangul letters
    "\uac00-\ud7ff\uf900-\ufaff"  # Hangul syllables, compatibility Han
    "\ufe30-\ufe4f\uff00-\uffef"  # vertical and full-width forms
    "\U0001aff0-\U0001b16f\U00020000-\U0003ffff"  # rare kana, rare Han
)
_ASTRAL_NARROW = "\U00010000-\U0001afef\U0001b170-\U0001ffff\U000e0000-\U0010ffff"
_COSTLY = re.compile(f"([{_WIDE}]+)|[{_ASTRAL_NARROW}]+")


class Meter(Struct, frozen=True, eq=False):
    """Turns offsets of one text into costs and back. Runs of costly characters are kept, nothing else."""

    run_starts: list[int]  # offsets at which the price of a character changes; the first is 0
    run_costs: list[int]  # the cost of everything before that offset
    run_weights: list[int]  # the price of a character from there on

    @classmethod
    def of(cls, text: str, *, wide: int) -> Meter:
        """The meter of a text in which a wide character costs `wide`."""
        starts, costs, weights = [0], [0], [1]
        if not text.isascii():
            for run in _COSTLY.finditer(text):
                start, end = run.span()
                cost = costs[-1] + (start - starts[-1]) * weights[-1]
                weight = wide if run[1] else 2
                starts += (start, end)
                costs += (cost, cost + (end - start) * weight)
                weights += (weight, 1)
        return cls(starts, costs, weights)

    def reweighed(self, *, wide: int, was: int) -> Meter:
        """The meter of the same text where a wide character costs `wide`, not what it `was` (more than 2, by which it
        is told from an emoji): no need to look through the text again."""
        if self.plain:
            return self
        weights = [wide if weight == was else weight for weight in self.run_weights]
        lengths = map(sub, self.run_starts[1:], self.run_starts)
        return Meter(self.run_starts, list(accumulate(map(mul, lengths, weights), initial=0)), weights)

    @property
    def heaviest(self) -> int:
        """The most that a character costs."""
        return max(self.run_weights)

    @property
    def plain(self) -> bool:
        """Whether every character costs 1, so that an offset is its own cost."""
        return len(self.run_starts) == 1

    def at(self, offset: int) -> int:
        """The cost of everything before an offset."""
        if self.plain:
            return offset
        run = bisect_right(self.run_starts, offset) - 1
        return self.run_costs[run] + (offset - self.run_starts[run]) * self.run_weights[run]

    def all_at(self, offsets: list[int]) -> list[int]:
        """The cost of everything before each offset."""
        return offsets if self.plain else [self.at(offset) for offset in offsets]

    def reach(self, cost: int) -> int:
        """The furthest offset before which everything costs no more than this (it may lie behind the text)."""
        if self.plain:
            return cost
        run = bisect_right(self.run_costs, cost) - 1
        return self.run_starts[run] + (cost - self.run_costs[run]) // self.run_weights[run]
