from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recollect.config.load import Loaded, load
from recollect.config.show import Entry, check, effective, json_schema, settings_markdown
from recollect.config.surface import KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[3]


def loaded(tmp_path: Path, config: Mapping[str, object], file: str = "{}") -> Loaded:
    path = tmp_path / "recollect.json5"
    path.write_text(file)
    return load(config=config, config_file=str(path), environ={"HOME": str(tmp_path)}, cwd=str(tmp_path))


def entries(one: Loaded) -> dict[str, Entry]:
    return {entry.key: entry for entry in effective(one)}


@pytest.mark.req("CONFIG-21")
def test_every_effective_value_is_shown_with_its_origin(tmp_path: Path) -> None:
    shown = entries(loaded(tmp_path, {"query": {"maxResults": 9}}, "{memory:{citations:'on'}}"))
    assert shown["memorySearch.query.maxResults"] == Entry(
        key="memorySearch.query.maxResults", value="9", origin="argument", active=True
    )
    assert (shown["memory.citations"].value, shown["memory.citations"].origin) == ('"on"', "recollect.json5")
    assert (shown["memorySearch.chunking.tokens"].value, shown["memorySearch.chunking.tokens"].origin) == (
        "400",
        "default",
    )
    assert {name for name in KEYS if name.startswith("memorySearch.")} <= set(shown)
    for entry in shown.values():
        json.loads(entry.value)


@pytest.mark.req("CONFIG-21")
def test_no_key_header_or_address_with_a_key_is_shown(tmp_path: Path) -> None:
    config = {
        "remote": {"apiKey": "sk-1", "headers": {"X-Key": "sk-2"}, "baseUrl": "https://a.example/v1?key=sk-3"},
        "provider": "openai",
    }
    one = loaded(tmp_path, config, "{models:{providers:{voyage:{apiKey:'sk-4'}}}}")
    text = repr(effective(one)) + repr(check(one))
    assert "sk-" not in text
    shown = entries(one)
    assert shown["memorySearch.remote.apiKey"].value == '"***"'
    assert shown["memorySearch.remote.headers"].value == '{"X-Key":"***"}'
    assert shown["memorySearch.remote.baseUrl"].value == '"https://a.example/v1?***"'
    assert shown["models.providers.voyage.apiKey"].value == '"***"'


@pytest.mark.req("CONFIG-17", "CONFIG-21")
def test_what_waits_for_its_feature_is_marked(tmp_path: Path) -> None:
    one = loaded(tmp_path, {"sync": {"watch": True}}, "{memory:{backend:'qmd',qmd:{command:'q'}}}")
    shown = entries(one)
    assert shown["memory.qmd.command"] == Entry(
        key="memory.qmd.command", value='"q"', origin="recollect.json5", active=False
    )
    assert shown["memory.backend"].active is False
    assert shown["memorySearch.provider"].active is True
    waiting = [problem.message for problem in check(one) if problem.code == "not-active-yet"]
    assert [message.split(" ")[0] for message in waiting] == ["memory.backend", "memory.qmd.command", "sync.watch"]


@pytest.mark.req("CONFIG-05", "CONFIG-17")
def test_what_was_moved_into_bounds_is_reported(tmp_path: Path) -> None:
    config = {
        "chunking": {"tokens": 10, "overlap": 50},
        "query": {"minScore": 3, "hybrid": {"candidateMultiplier": 99, "vectorWeight": 0.2, "textWeight": 0.2}},
        "sources": ["sessions"],
    }
    problems = {problem.code: problem.message for problem in check(loaded(tmp_path, config))}
    messages = [problem.message for problem in check(loaded(tmp_path, config)) if problem.code == "clamped"]
    assert messages == [
        "chunking.overlap is 50; 9 is used.",
        "query.minScore is 3; 1 is used.",
        "query.hybrid.candidateMultiplier is 99; 20 is used.",
    ]
    assert problems["not-used"].startswith("sources names sessions")


@pytest.mark.req("CONFIG-17")
def test_sound_settings_give_nothing_to_say(tmp_path: Path) -> None:
    assert check(loaded(tmp_path, {"query": {"maxResults": 9}, "chunking": {"tokens": 300, "overlap": 0}})) == ()


@pytest.mark.req("CONFIG-26")
def test_the_page_on_settings_is_the_generated_one() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == settings_markdown(), "generate it anew with settings_markdown()"


@pytest.mark.req("CONFIG-26")
def test_the_page_names_every_setting_and_what_is_not_active() -> None:
    rows = {line.split("`")[1]: line for line in settings_markdown().splitlines() if line.startswith("| `")}
    for name, key in KEYS.items():
        assert name in rows
        assert ("Not active yet" in rows[name]) is (not key.active or bool(key.later))


@pytest.mark.req("CONFIG-26")
def test_the_schema_names_every_setting_where_it_stands() -> None:
    schema = json.loads(json_schema())
    names: set[str] = set()
    waiting = [("", schema)]
    while waiting:
        path, inner = waiting.pop()
        if "properties" in inner:
            waiting += [(f"{path}.{name}".lstrip("."), part) for name, part in inner["properties"].items()]
        elif inner.get("type") == ["array", "null"]:
            waiting.append((f"{path}[]", inner["items"]))
        else:
            names.add(path)
    expected = {name for name in KEYS if not name.startswith("memorySearch.")}
    for place in ("agents.defaults", "agents.list[]"):
        expected |= {f"{place}.{name}" for name in KEYS if name.startswith("memorySearch.")}
    assert names == expected
