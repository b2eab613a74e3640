from __future__ import annotations

from datetime import date

import pytest

from recollect.errors import ArgumentError
from recollect.text.dates import date_words, is_evergreen, note_date, parse_day

DAY = date(2026, 2, 10)


@pytest.mark.req("NOTEDAY-01")
@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-02-10.md",
        "./memory/2026-02-10.md",
        "notes/memory/2026-02-10.md",
        "../x/memory/2026-02-10.md",
        "memory\\2026-02-10.md",
        "memory/2026-02-10-slug.md",
        "memory/2026-02-10_slug.md",
        "memory/2026-02-10 slug.MD",
        "memory/2026-02-10会议.md",
        "memory/sub/2026-02-10.md",
        "memory/2026/02/2026-02-10-slug.md",
    ],
)
def test_a_note_is_of_the_day_that_its_name_begins_with(path: str) -> None:
    assert note_date(path) == DAY
    assert not is_evergreen(path)


@pytest.mark.req("NOTEDAY-01")
@pytest.mark.parametrize(
    "path",
    [
        "",
        "memory",
        "memory/x-2026-02-10.md",
        "memory/2026-02-101.md",
        "memory/2026-02-30.md",
        "memory/0000-01-01.md",
        "memory/2026-02-10/notes.md",
        "memory/2026-02-10.txt",
        "memory/٢٠٢٦-02-10.md",
        "2026-02-10.md",
        "extra/2026-02-10.md",
        "sessions/s1.jsonl",
    ],
)
def test_other_notes_have_no_day(path: str) -> None:
    assert note_date(path) is None


@pytest.mark.req("NOTEDAY-02")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("MEMORY.md", True),
        ("./MEMORY.md", True),
        ("USER.md", True),
        ("memory.md", True),
        ("memory/topics.md", True),
        ("memory/sub/topics.md", True),
        ("memory/x-2026-02-10.md", True),
        ("memory/2026-02-30.md", False),
        ("", False),
        ("extra/n.md", False),
        ("extra/MEMORY.md", False),
        ("notes/memory/topics.md", False),
        ("../x/memory/topics.md", False),
        ("/memory/topics.md", False),
        ("sessions/s1.jsonl", False),
    ],
)
def test_evergreen_notes_are_the_root_files_and_topics(path: str, *, expected: bool) -> None:
    assert is_evergreen(path) is expected


@pytest.mark.req("NOTEDAY-03")
def test_a_day_is_written_out_in_english() -> None:
    assert date_words(DAY) == "Tuesday 10 February 2026"
    assert date_words(date(2024, 12, 1)) == "Sunday 1 December 2024"


@pytest.mark.req("NOTEDAY-04")
def test_a_day_is_read() -> None:
    assert parse_day(" 2026-02-10 ") == DAY


@pytest.mark.req("NOTEDAY-04")
@pytest.mark.parametrize(
    "text", ["", "today", "2026-2-10", "20260210", "2026-02-30", "2026-W07-2", "10.2.2026", "x" * 99]
)
def test_what_is_no_day_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ArgumentError, match="YYYY-MM-DD") as caught:
        parse_day(text)
    assert len(str(caught.value)) < 140
