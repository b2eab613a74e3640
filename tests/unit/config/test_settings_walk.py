from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.config.walk import file_surface, memory_search_surface, walk
from recollect.errors import ConfigError


def at(path: str, value: object) -> dict[str, object]:
    """A document with one value at a dotted path."""
    document: dict[str, object] = {}
    names = path.split(".")
    inner = document
    for name in names[:-1]:
        below: dict[str, object] = {}
        inner[name] = below
        inner = below
    inner[names[-1]] = value
    return document


@pytest.mark.req("CONFIG-14")
@pytest.mark.parametrize(
    ("path", "likely"),
    [
        ("agents.defaults.memorySearch.chunking.tokns", "agents.defaults.memorySearch.chunking.tokens"),
        ("agents.defaults.memorySearch.maxResults", "agents.defaults.memorySearch.query.maxResults"),
        ("agents.defaults.memorySearch.query.vectorWeight", "agents.defaults.memorySearch.query.hybrid.vectorWeight"),
        ("agents.defaults.memorySearch.redactPatterns", None),
        ("memory.citation", "memory.citations"),
        ("memory.qmd.searchmode", "memory.qmd.searchMode"),
        ("agents.defaults.compaction.memoryFlush.enable", "agents.defaults.compaction.memoryFlush.enabled"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(path: str, likely: str | None) -> None:
    with pytest.raises(ConfigError) as caught:
        walk(at(path, 1), file_surface(), where="recollect.json5")
    assert caught.value.message == f"{path} in recollect.json5 is no setting."
    if likely:
        assert caught.value.hint == f"Did you mean {likely}?"
    else:
        assert caught.value.hint


@pytest.mark.req("CONFIG-14")
def test_a_name_in_an_item_of_a_list_is_refused_with_its_number() -> None:
    agents = [{"id": "a"}, {"id": "b", "memorySearch": {"chunking": {"token": 5}}}]
    with pytest.raises(ConfigError, match=r"agents\.list\[1\]\.memorySearch\.chunking\.token in f is no setting"):
        walk({"agents": {"list": agents}}, file_surface(), where="f")


@pytest.mark.req("CONFIG-15")
@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("enabled", "yes", "enabled in f must be true or false, not text."),
        ("enabled", 1, "enabled in f must be true or false, not a number."),
        ("enabled", None, "enabled in f must be true or false, not null."),
        ("chunking.tokens", True, "chunking.tokens in f must be a whole number, not true."),
        ("chunking.tokens", "400", "chunking.tokens in f must be a whole number, not text."),
        ("chunking.tokens", 0, "chunking.tokens in f must be from 1 to 100,000."),
        ("chunking.tokens", 1e12, "chunking.tokens in f must be from 1 to 100,000."),
        ("chunking.tokens", float("nan"), "chunking.tokens in f must be a finite number."),
        ("chunking.overlap", 10**400, "chunking.overlap in f is too large a number."),
        ("query.minScore", float("inf"), "query.minScore in f must be a finite number."),
        ("query.minScore", [1], "query.minScore in f must be a number, not a list."),
        ("query.maxResults", 0, "query.maxResults in f must be from 1 to 1,000."),
        ("cache.maxEntries", -1, "cache.maxEntries in f must be from 0 to 1,000,000,000."),
        ("extraPaths", "notes", "extraPaths in f must be a list of texts, not text."),
        ("extraPaths", ["a", 1], "extraPaths[1] in f must be text, not a number."),
        ("extraPaths", ["a\0b"], "extraPaths[0] in f holds a character that no setting can hold."),
        ("sources", ["notes"], "sources[0] in f must be a list of some of memory, sessions, not 'notes'."),
        ("store.path", " ", "store.path in f must be a path, not empty."),
        ("remote.headers", {"a": 1}, "remote.headers.a in f must be text, not a number."),
        ("remote.headers", "a: b", "remote.headers in f must be an object whose values are texts, not text."),
        ("query", 5, "query in f must be an object."),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(path: str, value: object, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        walk(at(path, value), memory_search_surface(), where="f")
    assert caught.value.message == says


@pytest.mark.req("CONFIG-15", "CONFIG-22")
def test_a_misspelt_provider_is_refused_with_all_the_choices() -> None:
    with pytest.raises(ConfigError) as caught:
        walk({"provider": "opneai"}, memory_search_surface(), where="f")
    for choice in ("auto", "offline", "none", "openai", "gemini", "voyage", "mistral", "local", "ollama"):
        assert choice in caught.value.message
    assert caught.value.hint == "Did you mean 'openai'?"


@pytest.mark.req("CONFIG-15")
def test_a_list_that_is_no_list_and_a_file_that_is_no_object_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"agents\.list in f must be a list"):
        walk({"agents": {"list": {}}}, file_surface(), where="f")
    with pytest.raises(ConfigError, match="The outermost value of f must be an object"):
        walk([], file_surface(), where="f")


@pytest.mark.req("CONFIG-16")
def test_other_programs_sections_are_left_alone() -> None:
    document = {
        "gateway": {"port": 1},
        "agents": {
            "defaults": {"model": {"primary": "x"}, "compaction": {"mode": "safeguard"}, "heartbeat": None},
            "list": [{"id": "a", "name": "A", "tools": {}}],
        },
        "plugins": {"entries": {"memory-lancedb": {"config": {}}}, "slots": {"voice": "x"}},
        "models": {"mode": "merge", "providers": {"anthropic": {"apiKey": 5}, "openai": {"baseUrl": "https://a"}}},
    }
    walked = walk(document, file_surface(), where="f")
    assert [one.key for one in walked.given] == ["agents.list[].id"]
    assert walked.doubts == ()


@pytest.mark.req("CONFIG-16", "CONFIG-22")
@pytest.mark.parametrize("document", [{}, {"agents": None}, {"agents": {"defaults": None, "list": None}}])
def test_an_empty_section_gives_nothing(document: dict[str, object]) -> None:
    assert walk(document, file_surface(), where="f").given == ()


@pytest.mark.req("CONFIG-14")
def test_a_name_beside_others_settings_that_looks_like_ours_is_doubted() -> None:
    document = {"agents": {"defaults": {"memorysearch": {}, "workspaces": "x"}}, "plugin": {}}
    assert set(walk(document, file_surface(), where="f").doubts) == {
        ("agents.defaults.memorysearch", "agents.defaults.memorySearch"),
        ("agents.defaults.workspaces", "agents.defaults.workspace"),
        ("plugin", "plugins"),
    }


@pytest.mark.req("CONFIG-14")
def test_memory_search_at_the_top_is_sent_to_its_place() -> None:
    with pytest.raises(ConfigError, match=r"Move it into agents\.defaults\.memorySearch"):
        walk({"memorySearch": {}}, file_surface(), where="f")


@pytest.mark.req("CONFIG-15")
def test_a_hostile_name_is_short_and_printable_in_the_message() -> None:
    with pytest.raises(ConfigError) as caught:
        walk({"\x1b[31m" + "x" * 100_000: 1}, memory_search_surface(), where="f")
    assert len(caught.value.message) < 200
    assert caught.value.message.isprintable()


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["agents", "defaults", "list", "memorySearch", "chunking", "memory", "qmd", "paths", "x"]),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=12,
)


@pytest.mark.req("CONFIG-15")
@given(ANYTHING)
def test_any_document_is_either_accepted_or_explained(document: object) -> None:
    for surface in (file_surface(), memory_search_surface()):
        explained = ""
        try:
            walk(document, surface, where="f")
        except ConfigError as error:
            explained = error.message
        assert explained == "" or explained.endswith(".")
