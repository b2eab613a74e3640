"""What the commands say of settings: those that stop everything, and those that a folder brings."""

from __future__ import annotations

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


@pytest.mark.req("CLI-22", "CLI-23", "CLI-08")
def test_a_provider_that_cannot_be_had_is_no_valid_setting(command: Command, home: Path, notes: Workspace) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {provider: 'openai'}}}}")
    options = ("--config", "settings.json5", "--workspace", notes.path)
    for arguments in (["config", "check"], ["doctor"]):
        said = command(*arguments, *options)
        assert said.status == 2, arguments
        assert "`openai` is not available" in said.out + said.err
        assert "valid" not in said.out
        assert "ok       settings" not in said.out
    assert "error" in command("config", "check", "--json", *options).entry()
    assert command("search", "tea", *options).status == 2


@pytest.mark.req("CLI-22")
def test_keys_of_providers_that_are_passed_over_are_one_remark(command: Command, home: Path) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {remote: {apiKey: 'k'}}}}}")
    said = command("config", "check", "--config", "settings.json5")
    assert said.status == 0
    assert said.out.count("cannot use that yet") == 1
    assert "`openai`, `gemini`, `voyage` and `mistral`" in said.out


@pytest.mark.req("CLI-22", "CLI-23")
def test_the_settings_that_a_folder_brings_are_counted(command: Command, home: Path, notes: Workspace) -> None:
    assert "no file, the defaults hold" in command("config", "check", "--workspace", notes.path).out
    notes.write(".recollect.json5", "{query: {maxResults: 2}, chunkin: {}}")
    said = command("config", "check", "--workspace", notes.path)
    assert said.status == 0
    assert "The settings are valid, with 1 remark: ~/notes/.recollect.json5." in said.out
    assert "chunkin in .recollect.json5 is no setting" in said.out
    assert command("config", "check", "--json", "--workspace", notes.path).entry()["workspaceFile"] == str(
        notes.root / ".recollect.json5"
    )
    assert "~/notes/.recollect.json5" in command("doctor", "--workspace", notes.path).out
    (home / "mine.json5").write_text("{}")
    both = command("config", "check", "--config", "mine.json5", "--workspace", notes.path)
    assert "~/mine.json5 and ~/notes/.recollect.json5." in both.out
    assert command("search", "Redis", "--workspace", notes.path).status == 0


@pytest.mark.req("CLI-30")
@pytest.mark.parametrize("verb", [["index"], ["search", "Redis"]])
def test_a_file_that_was_put_aside_for_the_index_is_named_once(
    verb: list[str], command: Command, home: Path, notes: Workspace
) -> None:
    (home / "diary.txt").write_text("mine, and no index" * 100)
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {store: {path: '~/diary.txt'}}}}}")
    options = ("--config", "settings.json5", "--workspace", notes.path)
    said = command(*verb, *options)
    assert said.status == 0
    assert (said.out + said.err).count("it was put aside as diary.txt.damaged") == 1
    assert (home / "diary.txt.damaged").read_text().startswith("mine, and no index")
    again = command(*verb, *options)
    assert "it was put aside" not in again.out + again.err


@pytest.mark.req("CLI-30", "CLI-22")
def test_a_store_path_that_names_a_note_is_refused_and_the_note_untouched(
    command: Command, home: Path, notes: Workspace
) -> None:
    before = (notes.root / "MEMORY.md").read_bytes()
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {store: {path: '~/notes/MEMORY.md'}}}}}")
    for arguments in (["config", "check"], ["index"], ["search", "Redis"]):
        said = command(*arguments, "--config", "settings.json5", "--workspace", notes.path)
        assert said.status == 2
        assert "store.path in ~/settings.json5 names a note" in said.err
    assert (notes.root / "MEMORY.md").read_bytes() == before
    assert not (notes.root / "MEMORY.md.damaged").exists()


@pytest.mark.req("CLI-31")
@pytest.mark.parametrize("home_is", ["", "relative"])
def test_a_home_that_is_none_puts_nothing_among_the_notes(
    home_is: str, process: Callable[..., Said], notes: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.root)
    said = process("config", "path", environment={"HOME": home_is})
    assert said.out.startswith("/")
    assert not said.out.startswith(("//", str(notes.root)))


@pytest.mark.req("CLI-23")
def test_doctor_counts_what_waits_in_words_that_fit(command: Command, process: Command, notes: Workspace) -> None:
    process("index", "--workspace", notes.path)
    notes.write("memory/one.md", "One.")
    assert "1 file not in the index as it is now." in command("doctor", "--workspace", notes.path).out
    notes.write("memory/two.md", "Two.")
    assert "2 files not in the index as they are now." in command("doctor", "--workspace", notes.path).out
