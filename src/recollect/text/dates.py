"""The day that a note speaks of, told from its path, and days written out in words.

In: paths as they are cited, days as text. Out: dates, words. Never: a clock, a file's times, or the locale.
"""

from __future__ import annotations

import re
from datetime import date

from recollect.errors import ArgumentError

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# "2026-02-101.md" begins with a longer number, not with a day.
_DAY_AT_START = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")

_FOLDER = "memory"
# Notes that hold what stays true. Both spellings of the first name are one file where the disk folds case.
_LASTING = frozenset({"MEMORY.md", "memory.md", "USER.md"})

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def note_date(path: str) -> date | None:
    """The day at the start of a note's file name somewhere below a memory/ folder; None: it names no real day."""
    named = _named_day(_parts(path))
    return None if named is None else _real_day(named)


def is_evergreen(path: str) -> bool:
    """Whether a note never ages: the root files, and notes of the workspace's memory/ folder that name no day."""
    parts = _parts(path)
    if len(parts) == 1:
        return parts[0] in _LASTING
    # A name like 2026-02-30.md was meant as a day: such a note ages by its file's time instead.
    inside = parts[:1] == [_FOLDER] and not path.startswith(("/", "\\"))
    return inside and _named_day(parts) is None


def date_words(day: date) -> str:
    """A day as a person writes it, in English whatever the locale: "Tuesday 10 February 2026"."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def parse_day(text: str) -> date:
    """The day that YYYY-MM-DD names. Raises ArgumentError for anything else."""
    if not isinstance(text, str):
        raise ArgumentError("A day must be a text.", hint="Write a day as YYYY-MM-DD, for example 2026-02-10.")
    found = _DAY.fullmatch(text.strip())
    day = None if found is None else _real_day(found)
    if day is None:
        shown = text if len(text) <= 40 else text[:40] + "…"  # noqa: PLR2004 - enough to recognise a wrong argument
        raise ArgumentError(f"{shown!r} is no day.", hint="Write a day as YYYY-MM-DD, for example 2026-02-10.")
    return day


def _parts(path: str) -> list[str]:
    """The names in a path, whichever slash it was written with."""
    return [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]


def _named_day(parts: list[str]) -> re.Match[str] | None:
    if not parts or _FOLDER not in parts[:-1] or not parts[-1].lower().endswith(".md"):
        return None
    return _DAY_AT_START.match(parts[-1])


def _real_day(found: re.Match[str]) -> date | None:
    try:
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
