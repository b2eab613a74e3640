"""A clock that stands still until it is told to move. Enters: a moment. Leaves: that moment, in seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime


class FixedClock:
    """A Clock for tests: `FixedClock(datetime(2026, 2, 10, tzinfo=UTC))`, or seconds; call it to read it."""

    def __init__(self, at: datetime | float = 1_770_724_800.0) -> None:
        """Stand at `at`; a moment without a zone is taken as UTC. The default is noon of 2026-02-10, UTC."""
        self._now = _seconds(at)

    def __call__(self) -> float:
        """The moment at which this clock stands."""
        return self._now

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Move on, or back with negative numbers."""
        self._now += days * 86_400 + hours * 3_600 + seconds

    def move_to(self, at: datetime | float) -> None:
        """Jump to another moment."""
        self._now = _seconds(at)


def _seconds(at: datetime | float) -> float:
    if not isinstance(at, datetime):
        return float(at)
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()
