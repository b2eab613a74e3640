"""Effective settings as a flat table, by their names on the surface.

What enters: `Settings`. What leaves: one value for each setting that has an effective one. Pure; never a default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.config.resolve import HybridSettings, RemoteSettings, Settings
    from recollect.config.values import Value


def flatten(settings: Settings) -> dict[str, Value | None]:
    """Each setting's effective value; None: unset."""
    memory_search: dict[str, Value | None] = {
        "enabled": settings.enabled,
        "sources": settings.sources,
        "extraPaths": settings.extra_paths,
        "provider": settings.provider,
        "model": settings.model,
        "fallback": settings.fallback,
        **(_remote(settings.remote) if settings.remote is not None else {}),
        "local.modelPath": settings.local.model_path,
        "local.modelCacheDir": settings.local.model_cache_dir,
        "store.driver": "sqlite",
        "store.path": settings.store.path,
        "store.vector.enabled": settings.store.vector_enabled,
        "store.vector.extensionPath": settings.store.vector_extension_path,
        "chunking.tokens": settings.chunking.tokens,
        "chunking.overlap": settings.chunking.overlap,
        "sync.onSessionStart": settings.sync.on_session_start,
        "sync.onSearch": settings.sync.on_search,
        "sync.watch": settings.sync.watch,
        "sync.watchDebounceMs": settings.sync.watch_debounce_ms,
        "sync.intervalMinutes": settings.sync.interval_minutes,
        "sync.sessions.deltaBytes": settings.sync.delta_bytes,
        "sync.sessions.deltaMessages": settings.sync.delta_messages,
        "query.maxResults": settings.query.max_results,
        "query.minScore": settings.query.min_score,
        **_hybrid(settings.query.hybrid),
        "cache.enabled": settings.cache.enabled,
        "cache.maxEntries": settings.cache.max_entries,
        "experimental.sessionMemory": settings.session_memory,
    }
    return {
        **{f"memorySearch.{name}": value for name, value in memory_search.items()},
        "memory.backend": settings.backend,
        "memory.citations": settings.citations,
        "plugins.slots.memory": settings.memory_slot,
    }


def _remote(remote: RemoteSettings) -> dict[str, Value | None]:
    return {
        "remote.baseUrl": remote.base_url,
        "remote.apiKey": remote.api_key,
        "remote.headers": remote.headers,
        "remote.allowPrivateNetwork": remote.allow_private_network,
        "remote.batch.enabled": remote.batch.enabled,
        "remote.batch.wait": remote.batch.wait,
        "remote.batch.concurrency": remote.batch.concurrency,
        "remote.batch.pollIntervalMs": remote.batch.poll_interval_ms,
        "remote.batch.timeoutMinutes": remote.batch.timeout_minutes,
    }


def _hybrid(hybrid: HybridSettings) -> dict[str, Value | None]:
    return {
        "query.hybrid.enabled": hybrid.enabled,
        "query.hybrid.vectorWeight": hybrid.vector_weight,
        "query.hybrid.textWeight": hybrid.text_weight,
        "query.hybrid.candidateMultiplier": hybrid.candidate_multiplier,
        "query.hybrid.mmr.enabled": hybrid.mmr_enabled,
        "query.hybrid.mmr.lambda": hybrid.mmr_lambda,
        "query.hybrid.temporalDecay.enabled": hybrid.decay_enabled,
        "query.hybrid.temporalDecay.halfLifeDays": hybrid.decay_half_life_days,
    }
