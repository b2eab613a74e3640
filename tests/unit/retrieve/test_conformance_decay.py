"""How much age takes off the score of each kind of path."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from recollect.protocols import NoteEntry
from recollect.retrieve.filters import decay_multipliers
from unit.rank.layouts import Shelf

if TYPE_CHECKING:
    from recollect.types import Source

NOW = datetime(2026, 2, 10, tzinfo=UTC)


def _multiplier(path: str, *, days_old: float = 0, source: Source = "memory") -> float:
    """Of a note whose file was last written so many days ago."""
    written = NOW - timedelta(days=days_old)
    note = NoteEntry(path, source, int(written.timestamp()) * 10**9)
    layout = replace(Shelf({path: [["text"]]}).layout, notes=(note,))
    return float(decay_multipliers(layout, NOW.timestamp(), 30)[0])


@pytest.mark.req("ROW-DECAY-01")
@pytest.mark.parametrize(
    ("path", "days_old", "expected"),
    [
        ("memory/2026-01-11.md", 0, 0.5),
        ("memory/2026-01-11-slug.md", 0, 0.5),
        ("memory/sub/2026-01-11.md", 0, 0.5),
        ("notes/memory/2026-01-11.md", 0, 0.5),
        ("extra/n.md", 30, 0.5),
        ("memory/2026-02-30.md", 30, 0.5),
        ("MEMORY.md", 3000, 1.0),
        ("USER.md", 3000, 1.0),
        ("memory/topics.md", 3000, 1.0),
        ("memory/x-2026-02-10.md", 3000, 1.0),
        ("memory/2026-02-10.md", 3000, 1.0),
        ("memory/2030-01-01.md", 0, 1.0),
        ("extra/n.md", -5, 1.0),
    ],
)
def test_a_path_ages_by_its_day_or_its_file_or_not_at_all(path: str, days_old: float, expected: float) -> None:
    assert _multiplier(path, days_old=days_old) == pytest.approx(expected, abs=1e-6)


@pytest.mark.req("ROW-DECAY-01")
def test_a_transcript_ages_by_its_file() -> None:
    assert _multiplier("sessions/s1.jsonl", days_old=30, source="sessions") == pytest.approx(0.5, abs=1e-6)


@pytest.mark.req("ROW-DECAY-02")
def test_the_documented_example_comes_out_in_the_documented_order() -> None:
    aged = {
        score: score * _multiplier(f"memory/{NOW.date() - timedelta(days=days)}.md")
        for score, days in ((0.91, 148), (0.82, 0), (0.80, 7))
    }
    assert sorted(aged, key=lambda score: -aged[score]) == [0.82, 0.80, 0.91]
    assert [aged[score] for score in (0.82, 0.80, 0.91)] == pytest.approx([0.82, 0.6805, 0.0298], abs=1e-4)


@pytest.mark.req("ROW-DECAY-02")
def test_an_old_strong_match_loses_to_a_new_one_and_a_very_old_one_nearly_vanishes() -> None:
    assert 0.95 * _multiplier("memory/2025-01-01.md") < 0.8 * _multiplier("memory/2026-02-10.md")
    assert 0.9 * _multiplier("memory/2026-12-01.md") == pytest.approx(0.9)
    assert 0 < _multiplier("memory/2000-01-01.md") < 0.001
