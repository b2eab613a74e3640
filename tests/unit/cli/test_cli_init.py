"""`recollect init`, and the way from nothing to an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    class Said(Protocol):
        """What the fixtures of conftest give."""

        status: int
        out: str
        err: str

        def entry(self) -> dict[str, object]: ...

    Command = Callable[..., Said]


@pytest.mark.req("CLI-24")
def test_init_makes_a_memory_and_never_changes_what_exists(command: Command, home: Path) -> None:
    said = command("init", "fresh")
    assert said.status == 0
    assert (home / "fresh/MEMORY.md").is_file()
    assert (home / "fresh/memory").is_dir()
    assert "MEMORY.md" in said.out
    (home / "fresh/MEMORY.md").write_text("mine")
    again = command("init", "--workspace", "fresh", "--json").entry()
    assert again["created"] == []
    assert (home / "fresh/MEMORY.md").read_text() == "mine"


@pytest.mark.req("CLI-24", "CLI-08")
def test_a_folder_that_cannot_be_made_is_told(command: Command, home: Path) -> None:
    (home / "file").write_text("")
    said = command("init", "file/below")
    assert said.status == 1
    assert "~/file/below" in said.err
    assert "recollect init FOLDER" in said.err


@pytest.mark.req("CLI-24", "CLI-15", "CLI-16")
def test_a_new_user_gets_from_nothing_to_an_answer(command: Command, home: Path) -> None:
    assert command("init").status == 0
    note = home / ".recollect/workspace/MEMORY.md"
    note.write_text(note.read_text() + "\n- The bicycle lock opens with 4711.\n")
    said = command("search", "how does the bicycle lock open?")
    assert "4711" in said.out
    assert "Workspace: ~/.recollect/workspace (" in said.err


@pytest.mark.req("CLI-24")
def test_init_starts_here_where_nobody_named_a_workspace(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = home / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    said = command("init")
    assert said.out.startswith("Made memory/ and MEMORY.md in ~/project.")
    assert (project / "MEMORY.md").is_file()
    assert not (home / ".recollect/workspace").exists()


@pytest.mark.req("CLI-16")
def test_indexing_a_folder_that_is_not_there_fails_and_says_so(command: Command) -> None:
    said = command("index", "--workspace", "nowhere")
    assert said.status == 1
    assert said.out.startswith("No note could be indexed.")
    assert "The workspace folder does not exist." in said.err
