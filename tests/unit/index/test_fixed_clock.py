from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.testing.clock import FixedClock

DAY = datetime(2026, 2, 10, 12, tzinfo=UTC)


@pytest.mark.req("CLOCK-01")
def test_the_clock_stands_where_it_was_put() -> None:
    assert FixedClock()() == FixedClock(DAY)() == FixedClock(DAY.replace(tzinfo=None))() == DAY.timestamp()
    assert FixedClock(5)() == 5.0


@pytest.mark.req("CLOCK-01")
def test_the_clock_moves_only_when_told() -> None:
    clock = FixedClock(DAY)
    assert clock() == clock()
    clock.advance(days=1, hours=-1, seconds=5)
    assert clock() == DAY.timestamp() + 82_805
    clock.move_to(DAY)
    assert clock() == DAY.timestamp()
