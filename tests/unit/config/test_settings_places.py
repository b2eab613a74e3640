"""Where settings, homes and index files may lie, and how a message names them."""

from __future__ import annotations

import os
import pwd
from typing import TYPE_CHECKING

import pytest

from recollect.config import paths
from recollect.config.load import Loaded, load
from recollect.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def loaded(home: Path, config: Mapping[str, object], workspace: str = "notes") -> Loaded:
    return load(workspace=workspace, config=config, environ={"HOME": str(home)}, cwd=str(home))


@pytest.mark.req("CONFIG-32")
@pytest.mark.parametrize(
    "path", ["notes/memory/2026-02-10.md", "notes/MEMORY.md", "elsewhere/x.MD", "~/x.md", "{agentId}.md"]
)
def test_an_index_is_never_put_at_a_notes_name(tmp_path: Path, path: str) -> None:
    with pytest.raises(ConfigError, match=r"store\.path in the settings given names a note"):
        loaded(tmp_path, {"store": {"path": path}})


@pytest.mark.req("CONFIG-32")
@pytest.mark.parametrize("path", ["notes/memory/index.sqlite", "notes/memory", "team/index", "link/deep/x.sqlite"])
def test_an_index_is_never_put_among_the_notes(tmp_path: Path, path: str) -> None:
    (tmp_path / "notes/memory").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "notes/memory")
    with pytest.raises(ConfigError, match=r"store\.path in the settings given (lies in a folder of notes|is a folder)"):
        loaded(tmp_path, {"store": {"path": path}, "extraPaths": ["../team"]})


@pytest.mark.req("CONFIG-32")
def test_an_index_may_lie_beside_the_notes(tmp_path: Path) -> None:
    for path in ("notes/index.sqlite", "notes/memory-index/x", "notes/.index/{agentId}.sqlite", "teams/x"):
        loaded(tmp_path, {"store": {"path": path}, "extraPaths": ["../team"]})


@pytest.mark.req("CONFIG-32", "CONFIG-19")
def test_a_workspaces_file_cannot_make_the_index_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/.recollect.json5").write_text("{extraPaths: ['.']}")
    assert loaded(tmp_path, {"store": {"path": "notes/x.sqlite"}}).settings.extra_paths == (".",)


@pytest.mark.req("CONFIG-33")
def test_a_mistake_names_the_settings_file_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / ".recollect").mkdir()
    file = tmp_path / ".recollect/recollect.json5"
    for text, says in (
        ("{agents: 5}", "agents in ~/.recollect/recollect.json5"),
        ("{", "~/.recollect/recollect.json5, line"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigError) as caught:
            load(environ={"HOME": str(tmp_path)}, cwd=str(tmp_path))
        assert caught.value.message.startswith(says)


@pytest.mark.req("CONFIG-33")
def test_a_message_never_holds_the_way_to_somebodys_home() -> None:
    env = {"HOME": "/srv/mira"}
    assert paths.shown_path("/srv/mira/a/x.json5", env) == "~/a/x.json5"
    assert paths.shown_path("/srv/miracle/a/x.json5", env) == "a/x.json5"
    assert paths.shown_path("/x.json5", env) == "x.json5"
    assert paths.shown_path("/srv/a/x.json5", {"HOME": "/"}) == "a/x.json5"


@pytest.mark.req("CONFIG-34")
@pytest.mark.parametrize("home", ["", "relative", ".", None])
def test_a_home_that_is_no_absolute_path_is_the_one_that_the_system_knows(home: str | None, tmp_path: Path) -> None:
    known = pwd.getpwuid(os.getuid()).pw_dir
    environ = {} if home is None else {"HOME": home}
    assert load(environ=environ, cwd=str(tmp_path)).state_dir == os.path.join(known, ".recollect")


@pytest.mark.req("CONFIG-34")
def test_where_there_is_no_home_at_all_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: int) -> pwd.struct_passwd:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(ConfigError, match="There is no home folder") as caught:
        load(environ={"HOME": ""}, cwd=str(tmp_path))
    assert "Set HOME" in caught.value.hint
    assert load(environ={"HOME": ""}, state_dir=str(tmp_path), cwd=str(tmp_path)).state_dir == str(tmp_path)


@pytest.mark.req("CONFIG-15")
@pytest.mark.parametrize("number", [6.5, 1.0001, 999.999])
def test_a_number_of_results_with_a_fraction_is_refused(tmp_path: Path, number: float) -> None:
    with pytest.raises(ConfigError, match=r"query\.maxResults in the settings given must be a whole number, not"):
        loaded(tmp_path, {"query": {"maxResults": number}})
    assert loaded(tmp_path, {"query": {"maxResults": 6.0}}).settings.query.max_results == 6
