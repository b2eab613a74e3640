"""Rows of the reference on lists of files and reading that the other tests of this room do not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.sources import beneath
from recollect.sources.discovery import discover
from recollect.sources.lines import get
from recollect.types import GetResult

if TYPE_CHECKING:
    from recollect.testing.workspace import Workspace


@pytest.mark.req("ROW-LIST-01")
def test_a_root_file_and_two_notes_of_an_extra_folder_are_three_files(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "m").write("../extra/a.md", "a").write("../extra/b.md", "b").write(
        "../extra/c.txt", ""
    )
    found = discover(workspace.path, ["../extra"])
    assert [file.path for file in found.files] == ["MEMORY.md", "../extra/a.md", "../extra/b.md"]


@pytest.mark.req("ROW-GET-01")
def test_a_note_that_vanishes_just_before_it_is_opened_is_absent(
    workspace: Workspace, opener: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("memory/2026-02-10.md", "line 1\nline 2\nline 3")
    way = beneath.opener()

    def late(folder: int, parts: tuple[str, ...]) -> int:
        workspace.remove("memory/2026-02-10.md")
        return way(folder, parts)

    monkeypatch.setattr(beneath, "opener", lambda: late)
    expected = GetResult(path="memory/2026-02-10.md", text="", start_line=1, end_line=0, exists=False)
    assert get(workspace.path, [], "memory/2026-02-10.md") == expected
