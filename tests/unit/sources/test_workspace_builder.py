"""The workspace builder that tests use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("TESTING-WORKSPACE-01")
def test_a_workspace_holds_its_notes_until_it_is_closed() -> None:
    with Workspace({"MEMORY.md": "one\r\n", "memory/a/b.md": b"\xff"}) as workspace:
        assert (workspace.root / "MEMORY.md").read_bytes() == b"one\r\n"
        assert (workspace.root / "memory/a/b.md").read_bytes() == b"\xff"
    assert not workspace.root.exists()


@pytest.mark.req("TESTING-WORKSPACE-01")
def test_a_workspace_below_a_given_folder_stays(tmp_path: Path) -> None:
    with Workspace({"MEMORY.md": "one"}, root=tmp_path) as workspace:
        assert workspace.path == str(tmp_path)
    assert (tmp_path / "MEMORY.md").read_text() == "one"


@pytest.mark.req("TESTING-WORKSPACE-01")
def test_the_verbs_change_the_notes(tmp_path: Path) -> None:
    workspace = Workspace({"MEMORY.md": "one"}, root=tmp_path)
    workspace.append("MEMORY.md", " two").move("MEMORY.md", "memory/old.md").write("memory/x.md", "x", at=86_400)
    workspace.link("memory/link.md", "x.md").write("memory/gone.md", "").remove("memory/gone.md")
    assert (tmp_path / "memory/old.md").read_text() == "one two"
    assert (tmp_path / "memory/x.md").stat().st_mtime == 86_400
    assert (tmp_path / "memory/link.md").readlink().name == "x.md"
    assert sorted(entry.name for entry in (tmp_path / "memory").iterdir()) == ["link.md", "old.md", "x.md"]
