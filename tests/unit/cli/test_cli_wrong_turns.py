"""What a person types by mistake, and what is answered."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from recollect.testing.workspace import Workspace

    class Said(Protocol):
        """What the fixtures of conftest give."""

        status: int
        out: str
        err: str

        def entry(self) -> dict[str, object]: ...

    Command = Callable[..., Said]


@pytest.mark.req("CLI-29", "CLI-15")
def test_a_misspelt_workspace_is_named_by_every_command(command: Command, home: Path) -> None:
    says = "The folder ~/nope does not exist. Check its name, or begin a memory there: recollect init ~/nope"
    for arguments in (["search", "tea"], ["index"], ["status"], ["get", "MEMORY.md"], ["get", "README.txt"]):
        said = command(*arguments, "--workspace", "~/nope")
        assert says in said.out + said.err, arguments
        assert "Run `recollect init`" not in said.out + said.err
        assert said.status == (0 if arguments == ["status"] else 1)
    assert says in command("doctor", "--workspace", "~/nope").out
    assert "recollect init '~/my nope'" in command("search", "tea", "--workspace", "~/my nope").out
    assert not (home / "nope").exists()


@pytest.mark.req("CLI-29")
def test_a_folder_that_the_settings_name_and_that_is_gone_is_named_too(command: Command, home: Path) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {workspace: '~/gone'}}}")
    said = command("search", "tea", "--config", "settings.json5")
    assert (said.status, "The folder ~/gone does not exist." in said.out) == (1, True)


@pytest.mark.req("CLI-29")
def test_an_index_over_a_folder_that_was_removed_says_so_in_status(
    command: Command, process: Command, notes: Workspace, home: Path
) -> None:
    process("index", "--workspace", notes.path)
    os.rename(notes.root, home / "moved")
    assert "The folder ~/notes does not exist." in command("status", "--workspace", notes.path).err


@pytest.mark.req("CLI-14")
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_cannot_be_read_is_never_suggested(kind: str, command: Command, notes: Workspace) -> None:
    place = notes.root / "memory/odd.md"
    if kind == "link":
        place.symlink_to("/etc/hostname")
    else:
        os.mkfifo(place)
    for path in ("memory/odd.md", "./memory//odd.md", "memory/od.md"):
        said = command("get", path, "--workspace", notes.path)
        assert said.status == 1
        assert "odd.md?" not in said.err


@pytest.mark.req("CLI-14")
def test_a_misspelt_name_is_said_not_to_be_there(command: Command, notes: Workspace) -> None:
    said = command("get", "MEMROY.md", "--workspace", notes.path)
    assert "There is no file MEMROY.md in the memory." in said.err
    assert "Did you mean MEMORY.md?" in said.err
    notes.write("README.md", "not of the memory")
    for path in ("README.md", "../outside.md"):
        assert "lies outside the memory" in command("get", path, "--workspace", notes.path).err


@pytest.mark.req("CLI-13")
@pytest.mark.parametrize("behind", [":abc", ":3-", ":1-99999999999", "#L", "#Redis", ":"])
def test_a_range_that_cannot_be_read_is_met_by_how_one_looks(behind: str, command: Command, notes: Workspace) -> None:
    said = command("get", f"MEMORY.md{behind}", "--workspace", notes.path)
    assert said.status == 1
    assert f"{behind!r} is no range of lines." in said.err
    assert "A range looks like MEMORY.md:3-12, MEMORY.md:3 or MEMORY.md#L3-L12." in said.err


@pytest.mark.req("CLI-16", "CLI-07")
def test_get_as_json_says_which_workspace(command: Command, notes: Workspace) -> None:
    said = command("get", "MEMORY.md", "--json", "--workspace", notes.path)
    found = said.entry()
    assert (found["workspace"], found["workspaceOrigin"], said.err) == (notes.path, "given", "")
    assert "text" in found


@pytest.mark.req("CLI-28")
def test_days_that_exclude_each_other_are_wrong_use(command: Command, notes: Workspace) -> None:
    said = command("search", "tea", "--since", "2026-03-01", "--until", "2026-02-01", "--workspace", notes.path)
    assert said.status == 2
    assert "--since 2026-03-01 is after --until 2026-02-01" in said.err
    one_day = command("search", "Redis", "--since", "2026-02-10", "--until", "2026-02-10", "--workspace", notes.path)
    assert (one_day.status, "memory/2026-02-10.md:" in one_day.out) == (0, True)


@pytest.mark.req("CLI-28", "CLI-06")
def test_a_score_that_nothing_reaches_and_a_source_that_is_not_there_are_told(
    command: Command, notes: Workspace
) -> None:
    said = command("search", "Redis", "--min-score", "2", "--workspace", notes.path)
    assert (said.status, "Nothing can reach 2: scores are from 0 to 1." in said.out) == (0, True)
    assert command("search", "Redis", "--min-score", "-0.1", "--workspace", notes.path).status == 2
    said = command("search", "Redis", "--source", "sessions", "--workspace", notes.path)
    assert (said.status, "Session transcripts are not indexed yet" in said.out) == (0, True)
    both = command("search", "Redis", "--source", "memory", "--source", "sessions", "--json", "--workspace", notes.path)
    warnings = both.entry()["warnings"]
    assert isinstance(warnings, list)
    assert [warning["code"] for warning in warnings] == ["not-active-yet"]


@pytest.mark.req("CLI-24")
def test_init_begins_here_whatever_lies_above(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "MEMORY.md").write_text("x")
    (home / "memory").mkdir()
    project = home / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert command("init").out.startswith("Made memory/ and MEMORY.md in ~/project.")


@pytest.mark.req("CLI-24")
def test_init_goes_where_the_settings_lead(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {workspace: '~/mine'}}}")
    (home / "memory").mkdir()
    project = home / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert "in ~/mine." in command("init", "--config", "~/settings.json5").out
    assert "in ~/named." in command("init", "--config", "~/settings.json5", "--workspace", "~/named").out
    assert "in ~/by-name." in command("init", "~/by-name", "--config", "~/settings.json5").out
    assert [*project.iterdir()] == []


@pytest.mark.req("CLI-24")
def test_init_in_the_home_makes_the_default_workspace(command: Command, home: Path) -> None:
    (home / "memory").mkdir()
    assert "in ~/.recollect/workspace." in command("init").out
