"""Settings that cannot be meant."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from bad_inputs.room import SECRET, need_bound_modes
from bad_inputs.rows import row
from recollect import ConfigError

if TYPE_CHECKING:
    from bad_inputs.room import Room


def settings(room: Room, memory_search: object) -> None:
    write(room, json.dumps({"agents": {"defaults": {"memorySearch": memory_search}}}).encode())


def write(room: Room, data: bytes) -> None:
    room.state.mkdir(exist_ok=True)
    (room.state / "recollect.json").write_bytes(data)


_REFUSED = [
    row("CF-004", {"chunking": {"tokens": 0}}, "chunking.tokens", named="no-tokens"),
    row("CF-006", {"chunking": {"tokens": 1e12}}, "chunking.tokens", named="too-many-tokens"),
    row("CF-007", {"query": {"hybrid": {"vectorWeight": 0, "textWeight": 0}}}, "weights", named="no-weights"),
    row("CF-010", {"provider": "opneai"}, "openai, gemini, voyage", named="misspelt-provider"),
    row("CF-012", {"remote": {"baseUrl": "file:///etc/passwd"}}, "http", named="file-address"),
    row("CF-013", {"remote": {"baseUrl": "http://169.254.169.254/"}}, "metadata", named="metadata-address"),
    row("CF-013", {"remote": {"baseUrl": "http://10.0.0.7/v1"}}, "private", named="private-address"),
    row("CF-015", {"remote": {"headers": {"X-A": "a\r\nX-B: b"}}}, "line break", named="header-injection"),
    row("CF-016", {"remote": {"apiKey": "${RECOLLECT_TEST_MISSING}"}}, "RECOLLECT_TEST_MISSING", named="unset-name"),
    row("CF-019", {"store": {"path": "/dev/null"}}, "store.path", named="a-device"),
    row("CF-021", {"redactPatterns": ["(a+)+$"]}, "redactPatterns", named="costly-pattern"),
    row("CF-022", {"redactPatterns": ["("]}, "redactPatterns", named="broken-pattern"),
    row("SO-018", {"cache": {"maxEntries": -1}}, "cache.maxEntries", named="minus-one-entry"),
]


@pytest.mark.parametrize(("given", "named"), _REFUSED)
def test_a_setting_that_cannot_be_meant_is_refused_by_name(given: dict[str, object], named: str, room: Room) -> None:
    with pytest.raises(ConfigError, match=named), room.memory(config=given):
        pytest.fail("it was taken")
    settings(room, given)
    for command in (["config", "check"], ["search", "boiler"], ["index"], ["status"]):
        said = room.run(*command, "--json")
        assert named in said.refused("E_CONFIG", 2)
    assert sorted(path.name for path in room.state.iterdir()) == ["recollect.json"]


@pytest.mark.req("CF-001")
def test_empty_settings_are_the_defaults(room: Room) -> None:
    without = room.asked("config", "show").listed("settings")
    for data in (b"{}", b'{"agents":{}}', b'{"agents":{"defaults":{"memorySearch":{}}}}'):
        write(room, data)
        assert room.asked("config", "show").listed("settings") == without


@pytest.mark.req("CF-003")
@pytest.mark.parametrize("document", [{"agents": None}, {"agents": {"defaults": None}}, {"memory": None}])
def test_a_part_that_is_null_gives_the_defaults(document: object, room: Room) -> None:
    without = room.asked("config", "show").listed("settings")
    write(room, json.dumps(document).encode())
    assert room.asked("config", "show").listed("settings") == without
    assert room.asked("index").status == 0


@pytest.mark.req("CF-009")
@pytest.mark.parametrize(("given", "held"), [(1.5, 1), (-0.5, 0), (1e300, 1)])
def test_a_share_beyond_one_is_moved_to_one(given: float, held: float, room: Room) -> None:
    settings(room, {"query": {"hybrid": {"mmr": {"enabled": True, "lambda": given}}}})
    [shown] = room.asked("config", "show", "mmr.lambda").listed("settings")
    assert shown["value"] == held
    assert room.finds("boiler") == ["memory/home/boiler.md"]


@pytest.mark.req("CF-013")
def test_a_private_address_may_be_allowed_but_the_metadata_service_may_not(room: Room) -> None:
    allowed = {"baseUrl": "http://10.0.0.7/v1", "allowPrivateNetwork": True}
    with room.memory(config={"remote": allowed, "provider": "none"}):
        pass
    with pytest.raises(ConfigError):
        room.memory(config={"remote": {**allowed, "baseUrl": "http://169.254.169.254/"}})


@pytest.mark.req("CF-015", "CF-016")
def test_a_refused_header_or_key_is_not_repeated(room: Room) -> None:
    settings(room, {"remote": {"headers": {"Authorization": f"Bearer {SECRET}\r\nX: y"}, "apiKey": SECRET}})
    said = room.run("config", "check", "--json")
    assert SECRET not in said.refused("E_CONFIG", 2)
    assert SECRET not in room.run("config", "show").said


@pytest.mark.req("CF-018")
def test_a_store_path_is_resolved_and_shown_and_an_agents_name_adds_no_folder(room: Room) -> None:
    settings(room, {"store": {"path": "../../x/{agentId}.sqlite"}})
    [shown] = room.asked("config", "show", "store.path", "--agent", "writer").listed("settings")
    path = str(shown["value"])
    assert path.startswith("/")
    assert path.endswith("/x/writer.sqlite")
    assert ".." not in path
    for agent in ("../../evil", "a/b", "a\\b", "..", "", ".hidden", "a\nb"):
        room.run("config", "show", "--json", "--agent", agent).refused("E_ARG", 2)
    assert not (room.folder / "x").exists()


_FILES = [
    ("absent", None, None),
    ("byte-order-mark", b"\xef\xbb\xbf{}", None),
    ("comments", b"// mine\n{agents: {defaults: {memorySearch: {query: {maxResults: 9,},},},},} /* end */", None),
    ("utf-16", '{"agents":{}}'.encode("utf-16"), "line 1, column 1"),
    ("latin-1", b'{\n  "x": "caf\xe9"\n}', "line 2, column 12"),
    ("half-written", b'{\n  "agents": {\n    "defau', "line 3"),
    ("empty", b"", "line 1, column 1"),
    ("fifty-mebibytes", b"{" + b" " * (50 << 20) + b"}", "larger than"),
    ("deep", b"[" * 100_000, "line 1"),
    ("a-list", b"[]", "object"),
    ("a-word", b"hello", "line 1"),
    ("not-a-number", b'{"agents":{"defaults":{"memorySearch":{"query":{"minScore":NaN}}}}}', "finite"),
]


@pytest.mark.req("CF-024")
@pytest.mark.parametrize(("kind", "data", "words"), _FILES, ids=[kind for kind, _, _ in _FILES])
def test_a_settings_file_is_read_or_refused_with_its_place(
    kind: str, data: bytes | None, words: str | None, room: Room
) -> None:
    if data is not None:
        write(room, data)
    said = room.run("config", "check", "--json")
    if words is None:
        assert said.status == 0, said.out
        [shown] = room.asked("config", "show", "query.maxResults").listed("settings")
        assert shown["value"] == (9 if kind == "comments" else 6)
    else:
        assert words in said.refused("E_CONFIG", 2)
        room.run("index", "--json").refused("E_CONFIG", 2)


@pytest.mark.req("CF-024")
@pytest.mark.parametrize("kind", ["folder", "pipe-like-link", "closed"])
def test_what_is_no_settings_file_is_refused(kind: str, room: Room, tmp_path_factory: pytest.TempPathFactory) -> None:
    room.state.mkdir()
    place = room.state / "recollect.json"
    if kind == "folder":
        place.mkdir()
    elif kind == "closed":
        need_bound_modes(tmp_path_factory.mktemp("modes"))
        place.write_text("{}")
        place.chmod(0)
    else:
        place.symlink_to("/dev/zero")
    room.run("index", "--json", bound=kind == "closed").refused("E_CONFIG", 2)


@pytest.mark.req("CF-021")
def test_nothing_that_a_setting_holds_costs_more_than_its_length(room: Room) -> None:
    began = time.process_time()
    for text in ("a" * 100_000 + "!", "${" * 50_000, "../" * 30_000, "x\\" * 50_000):
        for place in ({"model": text}, {"extraPaths": [text]}, {"redactPatterns": [text]}):
            with suppress(ConfigError):
                room.memory(config=place).close()
    assert time.process_time() - began < 1


@pytest.mark.req("CF-025")
def test_settings_that_are_broken_while_a_memory_is_open_change_nothing_and_are_told(room: Room) -> None:
    settings(room, {"query": {"maxResults": 2}, "chunking": {"tokens": 300}})
    for number in range(5):
        room.notes.write(f"memory/{number}.md", f"The quince number {number}.\n")
    with room.memory() as memory:
        assert not [one for one in memory.status().problems if one.code == "settings-changed"]
        write(room, b'{"agents": {"defaults": {"memorySea')
        memory.sync()
        assert len(memory.search("quince")) == 2
        assert memory.settings.chunking.tokens == 300
        told = [one for one in memory.status().problems if one.code == "settings-changed"]
        assert told
    room.run("search", "quince", "--json").refused("E_CONFIG", 2)
