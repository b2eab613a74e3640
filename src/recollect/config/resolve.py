"""The effective settings of one agent.

What enters: what was given, already checked, laid over each other, and the default place of the index.
What leaves: `Settings`, frozen, with every default filled in and every clamp applied.
Pure: it knows no disk, clock or environment, and writes no default of its own (they stand in `surface`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar

from msgspec import Struct

from recollect.config.surface import KEYS, REMOTE_PROVIDERS
from recollect.config.values import Given, Pairs, Secret, Value
from recollect.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.types import CitationMode, Source

Provider = Literal["auto", "offline", "none", "openai", "gemini", "voyage", "mistral", "local", "ollama"]
Fallback = Literal["none", "openai", "gemini", "voyage", "mistral", "local", "ollama", "offline"]
Backend = Literal["builtin", "qmd"]

_T = TypeVar("_T")
_PREFIXES = {
    "openai": ("openai/",),
    "gemini": ("models/", "gemini/", "google/"),
    "voyage": ("voyage/",),
    "mistral": ("mistral/",),
}
_MODELS = {
    "openai": "text-embedding-3-small",
    "gemini": "gemini-embedding-001",
    "voyage": "voyage-4-large",
    "mistral": "mistral-embed",
    "ollama": "nomic-embed-text",
}
_SUM_SLACK = 1e-12  # two weights as close to 1 as this are left as they are


class BatchSettings(Struct, frozen=True, kw_only=True):
    """How large builds use a provider's batch API."""

    enabled: bool
    wait: bool
    concurrency: int
    poll_interval_ms: int
    timeout_minutes: int


class RemoteSettings(Struct, frozen=True, kw_only=True):
    """How a remote provider is reached."""

    base_url: str | None
    api_key: str | None
    headers: Pairs
    allow_private_network: bool
    batch: BatchSettings


class LocalSettings(Struct, frozen=True, kw_only=True):
    """Which model file is used."""

    model_path: str | None
    model_cache_dir: str | None


class StoreSettings(Struct, frozen=True, kw_only=True):
    """Where the index is and what it may load."""

    path: str
    vector_enabled: bool
    vector_extension_path: str | None


class ChunkingSettings(Struct, frozen=True, kw_only=True):
    """The size of chunks, in tokens."""

    tokens: int
    overlap: int


class SyncSettings(Struct, frozen=True, kw_only=True):
    """What brings the index up to date."""

    on_session_start: bool
    on_search: bool
    watch: bool
    watch_debounce_ms: int
    interval_minutes: int
    delta_bytes: int
    delta_messages: int


class HybridSettings(Struct, frozen=True, kw_only=True):
    """How words and vectors are merged; the weights sum to 1."""

    enabled: bool
    vector_weight: float
    text_weight: float
    candidate_multiplier: int
    mmr_enabled: bool
    mmr_lambda: float
    decay_enabled: bool
    decay_half_life_days: int


class QuerySettings(Struct, frozen=True, kw_only=True):
    """What an answer holds."""

    max_results: int
    min_score: float
    hybrid: HybridSettings


class CacheSettings(Struct, frozen=True, kw_only=True):
    """Whether vectors are kept for reuse; `max_entries` None is no limit."""

    enabled: bool
    max_entries: int | None


class Settings(Struct, frozen=True, kw_only=True):
    """The effective settings of one agent."""

    enabled: bool
    agent_id: str
    sources: tuple[Source, ...]
    session_memory: bool
    extra_paths: tuple[str, ...]
    provider: Provider
    model: str
    fallback: Fallback
    remote: RemoteSettings | None
    local: LocalSettings
    store: StoreSettings
    chunking: ChunkingSettings
    sync: SyncSettings
    query: QuerySettings
    cache: CacheSettings
    citations: CitationMode
    backend: Backend
    memory_slot: str
    inactive: tuple[str, ...] = ()  # what was given for a feature that does not exist yet, by its path in the file


def resolve(given: Mapping[str, Given], *, agent_id: str, store_path: str) -> Settings:
    """The effective settings. `given` holds one entry for each setting that was given, by its name."""
    read = _Reader(given)
    provider: Provider = read.choice("provider", _PROVIDER)
    slot = read.text("plugins.slots.memory").strip() or "memory-core"
    session_memory = read.flag("experimental.sessionMemory")
    return Settings(
        enabled=read.flag("enabled") and slot != "none",
        agent_id=agent_id,
        sources=_sources(read.texts("sources"), session_memory=session_memory),
        session_memory=session_memory,
        extra_paths=_distinct(read.texts("extraPaths")),
        provider=provider,
        model=model_for(provider, read.text("model")),
        fallback=read.choice("fallback", _FALLBACK),
        remote=_remote(read, provider),
        local=LocalSettings(
            model_path=read.optional_text("local.modelPath"),
            model_cache_dir=read.optional_text("local.modelCacheDir"),
        ),
        store=StoreSettings(
            path=(read.optional_text("store.path") or store_path).replace("{agentId}", agent_id),
            vector_enabled=read.flag("store.vector.enabled"),
            vector_extension_path=read.optional_text("store.vector.extensionPath"),
        ),
        chunking=_chunking(read),
        sync=_sync(read),
        query=QuerySettings(
            max_results=read.whole("query.maxResults"),
            min_score=read.number("query.minScore"),
            hybrid=_hybrid(read),
        ),
        cache=_cache(read),
        citations=read.choice("memory.citations", _CITATIONS),
        backend=read.choice("memory.backend", _BACKEND),
        memory_slot=slot,
        inactive=_inactive(given),
    )


def model_for(provider: str, model: str) -> str:
    """The model's name as the provider knows it: without a provider's prefix, and the provider's own where empty."""
    name = model.strip()
    prefixes = _PREFIXES.get(provider, ())
    while prefix := next((p for p in prefixes if name.startswith(p)), ""):
        name = name[len(prefix) :].lstrip()
    return name or _MODELS.get(provider, "")


class _Reader:
    """Settings by name, each with its default and its clamps."""

    def __init__(self, given: Mapping[str, Given]) -> None:
        self.given = given

    def value(self, name: str) -> Value | None:
        full = full_name(name)
        return self.given[full].value if full in self.given else KEYS[full].default

    def has(self, name: str) -> bool:
        return full_name(name) in self.given

    def flag(self, name: str) -> bool:
        return self.value(name) is True

    def text(self, name: str) -> str:
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def optional_text(self, name: str) -> str | None:
        value = self.text(name)
        stripped = value.strip()
        return (Secret(stripped) if isinstance(value, Secret) else stripped) or None

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.value(name)
        return tuple(v for v in value if isinstance(v, str)) if isinstance(value, tuple) else ()

    def pairs(self, name: str) -> Pairs:
        value = self.value(name)
        return tuple(v for v in value if isinstance(v, tuple)) if isinstance(value, tuple) else ()

    def number(self, name: str) -> float:
        value = self.value(name)
        return _clamped(float(value), name) if isinstance(value, int | float) else 0.0

    def whole(self, name: str) -> int:
        value = self.value(name)
        # Not through a float: a whole number may have more digits than one holds.
        return int(_clamped(value, name)) if isinstance(value, int | float) else 0

    def choice(self, name: str, choices: Mapping[str, _T]) -> _T:
        return choices[self.text(name)]


_PROVIDER: Mapping[str, Provider] = {
    "auto": "auto",
    "offline": "offline",
    "none": "none",
    "openai": "openai",
    "gemini": "gemini",
    "voyage": "voyage",
    "mistral": "mistral",
    "local": "local",
    "ollama": "ollama",
}
_FALLBACK: Mapping[str, Fallback] = {
    "none": "none",
    "openai": "openai",
    "gemini": "gemini",
    "voyage": "voyage",
    "mistral": "mistral",
    "local": "local",
    "ollama": "ollama",
    "offline": "offline",
}
_CITATIONS: Mapping[str, CitationMode] = {"auto": "auto", "on": "on", "off": "off"}
_BACKEND: Mapping[str, Backend] = {"builtin": "builtin", "qmd": "qmd"}


def full_name(name: str) -> str:
    """A setting's name on the surface; those of memorySearch may be named without it."""
    return name if name in KEYS else f"memorySearch.{name}"


def _clamped(value: float, name: str) -> float:
    key = KEYS[full_name(name)]
    if key.least is not None and value < key.least:
        return key.least
    return key.most if key.most is not None and value > key.most else value


def _distinct(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stripped for text in texts if (stripped := text.strip())))


def _sources(given: tuple[str, ...], *, session_memory: bool) -> tuple[Source, ...]:
    sources: list[Source] = []
    for source in given:
        if source == "memory" and "memory" not in sources:
            sources.append("memory")
        if source == "sessions" and session_memory and "sessions" not in sources:
            sources.append("sessions")
    return tuple(sources) or ("memory",)


def _remote(read: _Reader, provider: Provider) -> RemoteSettings | None:
    written = any(key.startswith("memorySearch.remote.") for key in read.given)
    if not (written or provider == "auto" or provider in REMOTE_PROVIDERS):
        return None
    return RemoteSettings(
        base_url=read.optional_text("remote.baseUrl"),
        api_key=read.optional_text("remote.apiKey"),
        headers=read.pairs("remote.headers"),
        allow_private_network=read.flag("remote.allowPrivateNetwork"),
        batch=BatchSettings(
            enabled=read.flag("remote.batch.enabled"),
            wait=read.flag("remote.batch.wait"),
            concurrency=read.whole("remote.batch.concurrency"),
            poll_interval_ms=read.whole("remote.batch.pollIntervalMs"),
            timeout_minutes=read.whole("remote.batch.timeoutMinutes"),
        ),
    )


def _chunking(read: _Reader) -> ChunkingSettings:
    tokens = read.whole("chunking.tokens")
    return ChunkingSettings(tokens=tokens, overlap=min(read.whole("chunking.overlap"), tokens - 1))


def _sync(read: _Reader) -> SyncSettings:
    return SyncSettings(
        on_session_start=read.flag("sync.onSessionStart"),
        on_search=read.flag("sync.onSearch"),
        watch=read.flag("sync.watch"),
        watch_debounce_ms=read.whole("sync.watchDebounceMs"),
        interval_minutes=read.whole("sync.intervalMinutes"),
        delta_bytes=read.whole("sync.sessions.deltaBytes"),
        delta_messages=read.whole("sync.sessions.deltaMessages"),
    )


def _hybrid(read: _Reader) -> HybridSettings:
    vector, text = _weights(read)
    return HybridSettings(
        enabled=read.flag("query.hybrid.enabled"),
        vector_weight=vector,
        text_weight=text,
        candidate_multiplier=read.whole("query.hybrid.candidateMultiplier"),
        mmr_enabled=read.flag("query.hybrid.mmr.enabled"),
        mmr_lambda=read.number("query.hybrid.mmr.lambda"),
        decay_enabled=read.flag("query.hybrid.temporalDecay.enabled"),
        decay_half_life_days=read.whole("query.hybrid.temporalDecay.halfLifeDays"),
    )


def _weights(read: _Reader) -> tuple[float, float]:
    vector, text = read.number("query.hybrid.vectorWeight"), read.number("query.hybrid.textWeight")
    total = vector + text
    if total <= 0:
        name = "query.hybrid.vectorWeight" if read.has("query.hybrid.vectorWeight") else "query.hybrid.textWeight"
        at_fault = read.given[full_name(name)]
        raise ConfigError(
            f"{at_fault.path} in {at_fault.where} leaves both weights of the hybrid search at 0.",
            hint="Give vectorWeight or textWeight a share above 0.",
        )
    return (vector, text) if abs(total - 1) <= _SUM_SLACK else (vector / total, text / total)


def _cache(read: _Reader) -> CacheSettings:
    enabled = read.flag("cache.enabled")
    if not read.has("cache.maxEntries"):
        return CacheSettings(enabled=enabled, max_entries=None)
    entries = read.whole("cache.maxEntries")
    return CacheSettings(enabled=enabled and entries > 0, max_entries=entries)


def _inactive(given: Mapping[str, Given]) -> tuple[str, ...]:
    return tuple(sorted({one.path for one in given.values() if _asks_for_later(one)}))


def _asks_for_later(one: Given) -> bool:
    key = KEYS[one.key]
    values = one.value if isinstance(one.value, tuple) else (one.value,)
    if any(value in key.later for value in values):
        return True
    if one.key.startswith("models."):
        return True
    # To leave out what is not there yet asks for nothing.
    return not key.active and one.value is not False and one.value not in ("none", "", ())
