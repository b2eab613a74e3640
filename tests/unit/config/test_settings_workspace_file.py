from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.config.load import Loaded, load
from recollect.errors import ConfigError

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


@pytest.mark.req("CONFIG-19", "CONFIG-23")
def test_a_mistake_in_a_workspaces_file_names_that_file(folder: Path) -> None:
    file = folder / ".recollect.json5"
    for text, says in (
        ("{chunking: {token: 5}}", r"chunking\.token in \.recollect\.json5 is no setting"),
        ("{query: {hybrid: {vectorWeight: 0, textWeight: 0}}}", r"vectorWeight in \.recollect\.json5 leaves both"),
        ("{\n chunking: 5,,}", r"\.recollect\.json5, line 2"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigError, match=says):
            opened(folder)


@pytest.mark.req("CONFIG-19")
def test_a_workspace_that_is_reached_through_a_link_has_its_own_inside(folder: Path) -> None:
    (folder / "inside").mkdir()
    (folder / ".recollect.json5").write_text("{extraPaths: ['inside', '../home']}")
    link = folder.parent / "link"
    link.symlink_to(folder)
    loaded = opened(link)
    assert loaded.settings.extra_paths == ("inside",)
    assert codes(loaded) == ["workspace-setting-refused"]


@pytest.mark.req("CONFIG-19", "CONFIG-23")
def test_a_workspaces_file_is_small(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"\.recollect\.json5 is larger than 65,536 bytes"):
        opened(folder, "{}" + " " * 65_536)
