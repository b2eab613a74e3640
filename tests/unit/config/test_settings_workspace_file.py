from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from recollect.config.load import Loaded, load

if TYPE_CHECKING:
    from pathlib import Path


def opened(folder: Path, text: str | None = None) -> Loaded:
    """The settings of a workspace that brings a file of its own."""
    if text is not None:
        (folder / ".recollect.json5").write_text(text)
    return load(workspace=str(folder), environ={"HOME": str(folder.parent)}, cwd=str(folder))


def codes(loaded: Loaded) -> list[str]:
    return [problem.code for problem in loaded.problems]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "here"
    path.mkdir()
    (tmp_path / "home").mkdir()
    return path


@pytest.mark.req("CONFIG-19")
def test_a_workspaces_file_sets_harmless_keys_only(folder: Path) -> None:
    (folder / ".recollect.json5").write_text("""{
      provider: "openai", enabled: false,
      remote: { baseUrl: "http://169.254.169.254", apiKey: "${HOME}" },
      store: { path: "/dev/null", vector: { extensionPath: "./evil.so" } },
      chunking: { tokens: 100 },
      query: { maxResults: 2 },
    }""")
    loaded = opened(folder)
    settings = loaded.settings
    assert (settings.chunking.tokens, settings.query.max_results) == (100, 2)
    assert (settings.provider, settings.enabled, settings.store.vector_extension_path) == ("auto", True, None)
    assert settings.remote is not None
    assert (settings.remote.base_url, settings.remote.api_key) == (None, None)
    assert codes(loaded) == ["workspace-setting-refused"] * 6
    assert settings.inactive == ()


@pytest.mark.req("CONFIG-19")
def test_a_workspaces_extra_paths_stay_inside(folder: Path) -> None:
    (folder / "inside").mkdir()
    (folder / "link").symlink_to(folder.parent / "home")
    paths = ["inside", ".", "../home", "~/x", "/etc", "link/x", "inside/../../here2", str(folder / "inside")]
    (folder / ".recollect.json5").write_text(f"{{extraPaths: {paths!r}}}")
    loaded = opened(folder)
    assert loaded.settings.extra_paths == ("inside", ".", str(folder / "inside"))
    assert codes(loaded) == ["workspace-setting-refused"] * 5


@pytest.mark.req("CONFIG-19")
def test_a_workspaces_file_that_is_a_link_is_not_followed(folder: Path) -> None:
    (folder.parent / "home" / "secret").write_text("{chunking:{tokens:5}}")
    (folder / ".recollect.json5").symlink_to(folder.parent / "home" / "secret")
    loaded = opened(folder)
    assert loaded.settings.chunking.tokens == 400
    assert codes(loaded) == ["workspace-setting-refused"]


@pytest.mark.req("CONFIG-19")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{chunking: {token: 5, overlap: 7}}", "chunking.token in .recollect.json5 is no setting. It is not used. Did"),
        ("{qurey: 1, chunking: {overlap: 7}}", "qurey in .recollect.json5 is no setting. It is not used. Did you mean"),
        ("{query: {maxResults: 0}, chunking: {overlap: 7}}", "query.maxResults in .recollect.json5 must be from 1"),
        ("{query: 5, chunking: {overlap: 7}}", "query in .recollect.json5 must be an object. It is not used."),
        ("{extraPaths: [5], chunking: {overlap: 7}}", "extraPaths[0] in .recollect.json5 must be text"),
        ("{memorySearch: {chunking: {overlap: 7}}, agents: {}}", "agents in .recollect.json5 is no setting."),
        (
            "{query: {hybrid: {vectorWeight: 0, textWeight: 0}}, chunking: {overlap: 7}}",
            "query.hybrid.vectorWeight in .recollect.json5 leaves both weights of the hybrid search at 0.",
        ),
    ],
)
def test_a_mistake_in_a_workspaces_file_is_named_and_the_rest_of_it_holds(folder: Path, text: str, says: str) -> None:
    loaded = opened(folder, text)
    (problem,) = loaded.problems
    assert problem.code == "workspace-setting-refused"
    assert problem.message.startswith(says)
    assert loaded.settings.chunking.overlap == 7
    assert loaded.settings.query == opened(folder, "{}").settings.query


@pytest.mark.req("CONFIG-19", "CONFIG-23")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{\n chunking: 5,,}", ".recollect.json5, line 2"),
        ("[]", "The outermost value of .recollect.json5 must be an object."),
        ("{memorySearch: []}", "memorySearch in .recollect.json5 must be an object."),
        ("{}" + " " * 65_536, "The settings file .recollect.json5 is larger than 65,536 bytes. Nothing in it is used."),
        ("", ".recollect.json5, line 1, column 1: the file is empty. Nothing in it is used."),
    ],
    ids=["broken", "list", "inner-list", "large", "empty"],
)
def test_a_workspaces_file_that_cannot_be_read_stops_nothing(folder: Path, text: str, says: str) -> None:
    loaded = opened(folder, text)
    (problem,) = loaded.problems
    assert problem.message.startswith(says)
    assert loaded.given == ()


@pytest.mark.req("CONFIG-19")
def test_a_workspaces_file_may_name_its_object_or_be_it(folder: Path) -> None:
    by_itself = opened(folder, "{chunking: {tokens: 100}, query: {maxResults: 2}}").settings
    named = opened(folder, "{memorySearch: {chunking: {tokens: 100}, query: {maxResults: 2}}}").settings
    assert by_itself == named
    assert (named.chunking.tokens, named.query.max_results) == (100, 2)


@pytest.mark.req("CONFIG-19")
def test_weights_that_only_together_leave_nothing_are_left_out_of_the_workspaces_file(folder: Path) -> None:
    (folder / ".recollect.json5").write_text("{query: {maxResults: 3, hybrid: {vectorWeight: 0}}}")
    mine = {"query": {"hybrid": {"textWeight": 0}}}
    loaded = load(workspace=str(folder), config=mine, environ={"HOME": str(folder.parent)}, cwd=str(folder))
    assert (loaded.settings.query.hybrid.vector_weight, loaded.settings.query.max_results) == (1, 3)
    assert codes(loaded) == ["workspace-setting-refused"]


@pytest.mark.req("CONFIG-19", "CONFIG-22")
def test_of_very_many_mistakes_in_a_workspaces_file_the_first_are_named(folder: Path) -> None:
    began = time.process_time()
    text = "{" + "".join(f"chunkin{number}: 1," for number in range(4_000)) + "}"
    loaded = opened(folder, text)
    assert len(loaded.problems) == 11
    assert "chunkin0" in loaded.problems[0].message
    assert "the first mistakes are named" in loaded.problems[-1].message
    assert time.process_time() - began < 1


@pytest.mark.req("CONFIG-19", "CONFIG-22")
def test_what_was_refused_in_a_workspaces_file_is_named_up_to_a_number(folder: Path) -> None:
    loaded = opened(folder, "{extraPaths: [" + "".join(f"'../{number}'," for number in range(300)) + "]}")
    assert len(loaded.problems) == 11
    assert loaded.settings.extra_paths == ()


@pytest.mark.req("CONFIG-19")
def test_whether_there_is_a_workspaces_file_can_be_told(folder: Path) -> None:
    assert opened(folder).workspace_file is False
    assert opened(folder, "{").workspace_file is True


@pytest.mark.req("CONFIG-19")
def test_a_workspace_that_is_reached_through_a_link_has_its_own_inside(folder: Path) -> None:
    (folder / "inside").mkdir()
    (folder / ".recollect.json5").write_text("{extraPaths: ['inside', '../home']}")
    link = folder.parent / "link"
    link.symlink_to(folder)
    loaded = opened(link)
    assert loaded.settings.extra_paths == ("inside",)
    assert codes(loaded) == ["workspace-setting-refused"]
