"""Temporal decay: an exponential multiplier by age; off unless the settings say otherwise."""

from __future__ import annotations

from math import exp, log


def multiplier(age_days: float, half_life_days: float) -> float:
    """1 for today (and for the future), one half after a half-life; 1 where no half-life is set."""
    if half_life_days <= 0:
        return 1.0
    return exp(-log(2) / half_life_days * max(0.0, age_days))
