"""Which notes a question may draw on (source, since, until) and how much their age takes off their score.

Works on whole notes, before anything is ranked. Pure but for the time that it is handed.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from recollect.rank import decay
from recollect.text.dates import is_evergreen, note_date

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from recollect.protocols import Layout, NoteEntry

_SECONDS_PER_DAY = 86_400
_FAINTEST = 1e-30  # of a score: an old note comes last, but no age makes it nothing
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def allowed_notes(
    layout: Layout, sources: Collection[str] | None, since: date | None, until: date | None
) -> NDArray[np.bool_] | None:
    """Which notes may answer; None: all of them."""
    if sources is None and since is None and until is None:
        return None
    return np.fromiter(
        (
            (sources is None or note.source in sources)
            and (since is None or _day(note) >= since)
            and (until is None or _day(note) <= until)
            for note in layout.notes
        ),
        dtype=np.bool_,
        count=len(layout.notes),
    )


def _day(note: NoteEntry) -> date:
    return note_date(note.path) or _modified(note).date()


def _modified(note: NoteEntry) -> datetime:
    """The file's own time; clamped, because a file may claim any."""
    seconds = min(max(note.mtime_ns / 1e9, -60_000_000_000), 250_000_000_000)
    return _EPOCH + timedelta(seconds=seconds)


def decay_multipliers(layout: Layout, now: float, half_life_days: float) -> NDArray[np.float32]:
    """What each note's age leaves of its score: by its date, else by its mtime; all of it where it is evergreen."""
    today = _EPOCH + timedelta(seconds=now)
    return np.fromiter(
        (max(decay.multiplier(_age_days(note, today), half_life_days), _FAINTEST) for note in layout.notes),
        dtype=np.float32,
        count=len(layout.notes),
    )


def _age_days(note: NoteEntry, today: datetime) -> float:
    day = note_date(note.path)
    if day is not None:
        return (today - datetime(day.year, day.month, day.day, tzinfo=UTC)).total_seconds() // _SECONDS_PER_DAY
    if is_evergreen(note.path):
        return 0.0
    return (today - _modified(note)).total_seconds() / _SECONDS_PER_DAY
