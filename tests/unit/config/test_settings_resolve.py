from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.config.flat import flatten
from recollect.config.layers import Layer, merge
from recollect.config.resolve import Settings, model_for, resolve
from recollect.config.surface import KEYS
from recollect.config.values import Given
from recollect.config.walk import file_surface, memory_search_surface, walk
from recollect.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping


def resolved(memory_search: Mapping[str, object], agent: Mapping[str, object] | None = None) -> Settings:
    layers = [
        Layer(walk(document, memory_search_surface(), where="test").given) for document in (memory_search, agent or {})
    ]
    return resolve(merge(layers), agent_id="main", store_path="/state/memory/{agentId}.sqlite")


@pytest.mark.req("CONFIG-01")
def test_without_settings_every_default_is_the_seeds() -> None:
    settings = resolved({})
    hybrid = settings.query.hybrid
    assert (settings.enabled, settings.provider, settings.model) == (True, "auto", "")
    assert (settings.sources, settings.extra_paths, settings.fallback) == (("memory",), (), "none")
    assert (settings.chunking.tokens, settings.chunking.overlap) == (400, 80)
    assert (hybrid.enabled, hybrid.vector_weight, hybrid.text_weight) == (True, 0.7, 0.3)
    assert (hybrid.candidate_multiplier, hybrid.mmr_lambda, hybrid.decay_half_life_days) == (4, 0.7, 30)
    assert (hybrid.mmr_enabled, hybrid.decay_enabled) == (False, False)
    assert (settings.query.max_results, settings.query.min_score) == (6, 0.35)
    assert (settings.cache.enabled, settings.cache.max_entries) == (True, None)
    assert settings.sync.watch_debounce_ms == 1500
    assert (settings.sync.interval_minutes, settings.sync.delta_bytes, settings.sync.delta_messages) == (0, 100_000, 50)
    assert (settings.sync.on_session_start, settings.sync.on_search, settings.sync.watch) == (True, True, True)
    assert settings.store.path == "/state/memory/main.sqlite"
    assert (settings.store.vector_enabled, settings.store.vector_extension_path) == (True, None)
    assert (settings.backend, settings.citations, settings.inactive) == ("builtin", "auto", ())
    assert settings.remote is not None
    batch = settings.remote.batch
    assert (batch.enabled, batch.wait, batch.concurrency) == (False, True, 2)
    assert (batch.poll_interval_ms, batch.timeout_minutes) == (2000, 60)


@pytest.mark.req("CONFIG-03")
@pytest.mark.parametrize(
    ("defaults", "agent", "expected"),
    [
        ({"tokens": 10, "overlap": 50}, {}, (10, 9)),
        ({"tokens": 500, "overlap": 100}, {"tokens": 320}, (320, 100)),
        ({"tokens": 1}, {}, (1, 0)),
        ({"overlap": -3}, {}, (400, 0)),
    ],
)
def test_the_overlap_stays_below_the_chunk_size(
    defaults: dict[str, int], agent: dict[str, int], expected: tuple[int, int]
) -> None:
    chunking = resolved({"chunking": defaults}, {"chunking": agent}).chunking
    assert (chunking.tokens, chunking.overlap) == expected


@pytest.mark.req("CONFIG-04")
@pytest.mark.parametrize(
    ("vector", "text", "expected"), [(2, 0.5, (2 / 3, 1 / 3)), (0.2, 0.2, (0.5, 0.5)), (0, 1, (0.0, 1.0))]
)
def test_weights_are_clamped_and_divided_by_their_sum(
    vector: float, text: float, expected: tuple[float, float]
) -> None:
    hybrid = resolved({"query": {"hybrid": {"vectorWeight": vector, "textWeight": text}}}).query.hybrid
    assert (hybrid.vector_weight, hybrid.text_weight) == pytest.approx(expected)


@pytest.mark.req("CONFIG-04", "CONFIG-22")
@pytest.mark.parametrize("vector", [0, -1, -0.0])
def test_two_weights_of_nothing_are_an_error_that_names_the_place(vector: float) -> None:
    with pytest.raises(ConfigError, match=r"query\.hybrid\.vectorWeight in test leaves both weights"):
        resolved({"query": {"hybrid": {"vectorWeight": vector, "textWeight": 0}}})


@pytest.mark.req("CONFIG-05")
def test_values_out_of_bounds_are_moved_into_them() -> None:
    query = {"minScore": 3, "hybrid": {"candidateMultiplier": 99, "mmr": {"lambda": 7}}}
    settings = resolved({"query": query | {"hybrid": {**query["hybrid"], "temporalDecay": {"halfLifeDays": 0.2}}}})  # type: ignore[dict-item]  # a plain dict of settings as they stand on disk
    hybrid = settings.query.hybrid
    assert (hybrid.candidate_multiplier, hybrid.mmr_lambda, hybrid.decay_half_life_days) == (20, 1, 1)
    assert settings.query.min_score == 1


@pytest.mark.req("CONFIG-06")
def test_transcripts_are_a_source_only_with_the_flag() -> None:
    assert resolved({"sources": ["sessions"]}).sources == ("memory",)
    assert resolved({"sources": ["sessions"], "experimental": {"sessionMemory": True}}).sources == ("sessions",)
    both = resolved({"sources": ["sessions", "memory", "sessions"], "experimental": {"sessionMemory": True}})
    assert both.sources == ("sessions", "memory")
    assert resolved({"sources": []}).sources == ("memory",)


@pytest.mark.req("CONFIG-07")
def test_the_agent_is_filled_into_the_stores_path_everywhere() -> None:
    assert resolved({"store": {"path": "/x/{agentId}/{agentId}.db"}}).store.path == "/x/main/main.db"


@pytest.mark.req("CONFIG-08")
@pytest.mark.parametrize(
    ("given_entries", "enabled", "entries"), [(0.5, True, 1), (50_000, True, 50_000), (7.9, True, 7), (0, False, 0)]
)
def test_max_entries_is_whole_and_nothing_means_off(given_entries: float, enabled: bool, entries: int) -> None:
    cache = resolved({"cache": {"maxEntries": given_entries}}).cache
    assert (cache.enabled, cache.max_entries) == (enabled, entries)


@pytest.mark.req("CONFIG-09")
def test_extra_paths_add_up_trimmed_and_once() -> None:
    settings = resolved({"extraPaths": [" a ", "a"]}, {"extraPaths": ["b", "a", " "]})
    assert settings.extra_paths == ("a", "b")


@pytest.mark.req("CONFIG-10")
def test_remote_settings_are_there_only_where_a_remote_provider_may_be_used() -> None:
    assert resolved({"provider": "local"}).remote is None
    assert resolved({"provider": "offline"}).remote is None
    assert resolved({"provider": "openai"}).remote is not None
    written = resolved({"provider": "local", "fallback": "openai", "remote": {"baseUrl": "https://a.example"}})
    assert written.remote is not None


@pytest.mark.req("CONFIG-11")
def test_an_agents_address_keeps_the_key_and_headers_of_the_defaults() -> None:
    defaults = {"remote": {"apiKey": "k", "headers": {"X-A": "1"}, "baseUrl": "https://a.example"}}
    remote = resolved(defaults, {"remote": {"baseUrl": "https://b.example"}}).remote
    assert remote is not None
    assert (remote.base_url, remote.api_key, remote.headers) == ("https://b.example", "k", (("X-A", "1"),))


@pytest.mark.req("CONFIG-12")
@pytest.mark.parametrize(
    ("provider", "model", "expected"),
    [
        ("openai", "openai/text-embedding-3-large", "text-embedding-3-large"),
        ("gemini", "models/google/gemini-embedding-001", "gemini-embedding-001"),
        ("voyage", "voyage/voyage-3", "voyage-3"),
        ("mistral", " mistral/mistral-embed ", "mistral-embed"),
        ("openai", "", "text-embedding-3-small"),
        ("gemini", "google/", "gemini-embedding-001"),
        ("voyage", "  ", "voyage-4-large"),
        ("mistral", "", "mistral-embed"),
        ("auto", "openai/text-embedding-3-large", "openai/text-embedding-3-large"),
        ("auto", "", ""),
        ("local", "", ""),
    ],
)
def test_a_models_name_loses_its_providers_prefix(provider: str, model: str, expected: str) -> None:
    assert model_for(provider, model) == expected
    assert model_for(provider, model_for(provider, model)) == expected


NUMBERS = st.one_of(st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False))


def documents() -> st.SearchStrategy[dict[str, object]]:
    """MemorySearch objects, some of them refused."""
    hybrid = st.fixed_dictionaries(
        {},
        optional={
            "enabled": st.booleans(),
            "vectorWeight": NUMBERS,
            "textWeight": NUMBERS,
            "candidateMultiplier": NUMBERS,
            "mmr": st.fixed_dictionaries({}, optional={"enabled": st.booleans(), "lambda": NUMBERS}),
            "temporalDecay": st.fixed_dictionaries({}, optional={"halfLifeDays": NUMBERS}),
        },
    )
    return st.fixed_dictionaries(
        {},
        optional={
            "enabled": st.booleans(),
            "provider": st.sampled_from(["auto", "offline", "none", "openai", "gemini", "local"]),
            "model": st.sampled_from(["", "openai/x", "models/gemini/y", " z "]),
            "sources": st.lists(st.sampled_from(["memory", "sessions"])),
            "extraPaths": st.lists(st.text(alphabet="ab /.", max_size=4)),
            "chunking": st.fixed_dictionaries(
                {}, optional={"tokens": st.integers(-5, 200_000), "overlap": st.integers(-5, 10**9)}
            ),
            "query": st.fixed_dictionaries(
                {}, optional={"minScore": NUMBERS, "maxResults": st.integers(-1, 1001), "hybrid": hybrid}
            ),
            "cache": st.fixed_dictionaries({}, optional={"maxEntries": NUMBERS}),
            "remote": st.fixed_dictionaries({}, optional={"batch": st.fixed_dictionaries({"concurrency": NUMBERS})}),
            "experimental": st.fixed_dictionaries({"sessionMemory": st.booleans()}),
        },
    )


@pytest.mark.req("CONFIG-04", "CONFIG-05", "CONFIG-29")
@given(documents(), documents())
def test_whatever_is_accepted_resolves_into_its_bounds(defaults: dict[str, object], agent: dict[str, object]) -> None:
    try:
        settings = resolved(defaults, agent)
    except ConfigError:
        return
    hybrid = settings.query.hybrid
    assert hybrid.vector_weight + hybrid.text_weight == pytest.approx(1)
    assert 0 <= hybrid.vector_weight <= 1
    assert 0 <= settings.chunking.overlap < settings.chunking.tokens <= 100_000
    assert 1 <= hybrid.candidate_multiplier <= 20
    assert 0 <= hybrid.mmr_lambda <= 1
    assert hybrid.decay_half_life_days >= 1
    assert 0 <= settings.query.min_score <= 1
    assert 1 <= settings.query.max_results <= 1000
    assert settings.cache.max_entries is None or settings.cache.max_entries >= 0
    assert settings.sources
    assert len(set(settings.extra_paths)) == len(settings.extra_paths)


@pytest.mark.req("CONFIG-29")
@given(documents())
def test_what_resolving_gives_given_back_gives_the_same(document: dict[str, object]) -> None:
    try:
        once = resolved(document)
    except ConfigError:
        return
    back = {name: Given(key=name, path=name, value=value) for name, value in flatten(once).items() if value is not None}
    again = resolve(back, agent_id="main", store_path="/elsewhere")
    same = msgspec.structs.replace(again, inactive=once.inactive)
    assert same == once


@pytest.mark.req("CONFIG-11")
@given(documents(), documents())
def test_what_an_agent_sets_wins_and_the_rest_is_inherited(
    defaults: dict[str, object], agent: dict[str, object]
) -> None:
    def flat(document: dict[str, object]) -> dict[str, Given]:
        return {one.key: one for one in walk(document, memory_search_surface(), where="test").given}

    try:
        below, above = flat(defaults), flat(agent)
    except ConfigError:
        return
    together = merge([Layer(tuple(below.values())), Layer(tuple(above.values()))])
    assert set(together) == {*below, *above}
    for name, one in together.items():
        if name != "memorySearch.extraPaths":
            assert one is above.get(name, below.get(name))


@pytest.mark.req("CONFIG-26")
def test_every_setting_of_the_memory_has_one_effective_value() -> None:
    flat = flatten(resolved({}))
    ours = {name for name in KEYS if name.startswith("memorySearch.")}
    assert ours <= set(flat)
    assert set(flat) <= set(KEYS)
    unset = {name for name in flat if KEYS[name].default is None and name != "memorySearch.store.path"}
    for name, value in flat.items():
        if name != "memorySearch.store.path":
            assert value == KEYS[name].default, name
    assert all(flat[name] is None for name in unset)


@pytest.mark.req("CONFIG-13")
def test_the_surface_of_one_agent_is_the_surface_of_the_defaults() -> None:
    agents = file_surface().parts["agents"]
    of_defaults = agents.parts["defaults"].parts["memorySearch"]
    assert agents.parts["list"].parts["[]"].parts["memorySearch"] == of_defaults
