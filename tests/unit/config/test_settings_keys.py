from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.config.keys import key_for
from recollect.config.load import load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ENVIRON = {"OPENAI_API_KEY": "env-o", "GOOGLE_API_KEY": "env-g", "VOYAGE_API_KEY": " env-v\n", "MISTRAL_API_KEY": ""}


def key(
    tmp_path: Path,
    provider: str,
    *,
    file: str = "{}",
    api_key: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> str | None:
    path = tmp_path / "s.json5"
    path.write_text("{models:{providers:" + file + "}}")
    env = {"HOME": str(tmp_path), **(ENVIRON if environ is None else environ)}
    config = {"remote": {"apiKey": api_key}} if api_key else None
    loaded = load(config_file=str(path), config=config, environ=env, cwd=str(tmp_path))
    return key_for(provider, loaded.settings, loaded.provider_keys, env)


@pytest.mark.req("CONFIG-24")
def test_remote_api_key_comes_first_then_the_file_then_the_environment(tmp_path: Path) -> None:
    file = "{openai:{apiKey:'file-o'}}"
    assert key(tmp_path, "openai", file=file, api_key="mine") == "mine"
    assert key(tmp_path, "openai", file=file) == "file-o"
    assert key(tmp_path, "openai") == "env-o"
    assert key(tmp_path, "openai", environ={}) is None


@pytest.mark.req("CONFIG-24")
def test_every_provider_has_its_variables(tmp_path: Path) -> None:
    assert key(tmp_path, "gemini") == "env-g"
    assert key(tmp_path, "gemini", environ={"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"}) == "a"
    assert key(tmp_path, "voyage") == "env-v"
    assert key(tmp_path, "mistral") is None
    for provider in ("local", "offline", "none", "ollama"):
        assert key(tmp_path, provider) is None


@pytest.mark.req("CONFIG-24")
def test_google_in_the_file_is_gemini(tmp_path: Path) -> None:
    assert key(tmp_path, "gemini", file="{google:{apiKey:'file-g'}}") == "file-g"
    assert key(tmp_path, "gemini", file="{gemini:{apiKey:'file-g'}}") == "file-g"


@pytest.mark.req("CONFIG-24")
def test_the_name_of_googles_variable_stands_for_its_value(tmp_path: Path) -> None:
    assert key(tmp_path, "gemini", api_key="GOOGLE_API_KEY") == "env-g"
    assert key(tmp_path, "openai", api_key="GOOGLE_API_KEY") == "GOOGLE_API_KEY"


@pytest.mark.req("CONFIG-24")
def test_a_variable_in_the_files_key_is_filled_in_or_there_is_no_key(tmp_path: Path) -> None:
    file = "{openai:{apiKey:'${MY_KEY}'}}"
    assert key(tmp_path, "openai", file=file, environ={"MY_KEY": "v"}) == "v"
    assert key(tmp_path, "openai", file=file, environ={}) is None
    assert key(tmp_path, "openai", file=file) == "env-o"
    for broken in ("${", "${}", "${A B}", "a${MY_KEY"):
        assert key(tmp_path, "openai", file=f"{{openai:{{apiKey:'{broken}'}}}}", environ={"MY_KEY": "v"}) is None


@pytest.mark.req("CONFIG-24")
def test_a_key_of_two_lines_is_no_key(tmp_path: Path) -> None:
    assert key(tmp_path, "openai", environ={"OPENAI_API_KEY": "a\r\nX: y"}) is None


@pytest.mark.req("CONFIG-24", "CONFIG-21")
def test_a_key_does_not_show_itself(tmp_path: Path) -> None:
    assert repr(key(tmp_path, "openai")) == "'***'"


@pytest.mark.req("CONFIG-17", "CONFIG-24")
def test_a_variable_that_is_not_set_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "s.json5"
    path.write_text("{models:{providers:{openai:{apiKey:'${MY_KEY}'}}}}")
    loaded = load(config_file=str(path), environ={"HOME": str(tmp_path)}, cwd=str(tmp_path))
    assert [problem.code for problem in loaded.problems] == ["unset-variable"]
    assert "MY_KEY" in loaded.problems[0].message
