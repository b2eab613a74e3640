"""A note that was just written is in the next answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect import Memory

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("LIB-30")
def test_what_was_written_between_two_questions_is_in_the_second_answer(tmp_path: Path) -> None:
    """However soon the questions follow one another: an agent writes a note and asks."""
    (tmp_path / "memory").mkdir()
    for number in range(150):
        (tmp_path / f"memory/note-{number}.md").write_text(f"# Note {number}\n\nAbout the harbour.\n")
    with Memory(tmp_path, state_dir=tmp_path / "state") as memory:
        memory.sync()
        for number in range(20):
            assert memory.search("harbour")
            with (tmp_path / "memory/2026-02-10.md").open("a") as log:
                log.write(f"- The quokka{number} was seen.\n")
            found = memory.search(f"quokka{number}")
            assert f"quokka{number} was seen" in found[0].snippet, (number, found.freshness, found[0])
            assert found.warnings == ()


@pytest.mark.req("LIB-31")
def test_a_folder_that_is_not_there_gets_no_index(tmp_path: Path) -> None:
    with Memory(tmp_path / "nope", state_dir=tmp_path / "state") as memory:
        found = memory.search("anything")
    assert [warning.code for warning in found.warnings] == ["missing-workspace", "not-indexed"]
    assert not found.freshness.indexed
    assert not (tmp_path / "state").exists()


@pytest.mark.req("LIB-32")
def test_after_a_change_of_settings_a_small_memory_is_brought_up_to_date_all_the_same(tmp_path: Path) -> None:
    note = tmp_path / "memory/harbour.md"
    note.parent.mkdir()
    note.write_text("The harbour is closed on Mondays.\n")
    with Memory(tmp_path, state_dir=tmp_path / "state") as memory:
        memory.sync()
    note.unlink()
    (tmp_path / "MEMORY.md").write_text("The lighthouse is open on Sundays.\n")
    with Memory(tmp_path, state_dir=tmp_path / "state", config={"chunking": {"tokens": 300}}) as memory:
        assert "memory/harbour.md" not in [hit.path for hit in memory.search("is the harbour closed?")]
        found = memory.search("lighthouse")
    assert [hit.path for hit in found] == ["MEMORY.md"]
    assert found.warnings == ()
