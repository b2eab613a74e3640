from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.config.load import load

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("CONFIG-13", "CONFIG-16", "CONFIG-17")
def test_a_seed_era_file_works_unchanged_and_says_what_waits(tmp_path: Path) -> None:
    (tmp_path / "openclaw.json").write_text(
        """{
      // a file as the seeds show it
      gateway: { mode: "local" },
      agents: {
        defaults: {
          workspace: "~/notes",
          compaction: {
            mode: "safeguard", reserveTokensFloor: 20000,
            memoryFlush: { enabled: true, softThresholdTokens: 4000, systemPrompt: "s", prompt: "p" },
          },
          memorySearch: {
            enabled: true, sources: ["memory", "sessions"], experimental: { sessionMemory: true },
            extraPaths: ["../team-docs", "/srv/shared-notes/overview.md"],
            provider: "gemini", model: "gemini-embedding-001", fallback: "openai",
            remote: {
              baseUrl: "https://api.example.com/v1/", apiKey: "k", headers: { "X-Custom-Header": "value" },
              batch: { enabled: true, wait: true, concurrency: 2, pollIntervalMs: 2000, timeoutMinutes: 60 },
            },
            local: { modelPath: "hf:someone/some-model.gguf", modelCacheDir: "~/models" },
            store: {
              driver: "sqlite", path: "~/i/{agentId}.sqlite",
              vector: { enabled: true, extensionPath: "/opt/vec0" },
            },
            chunking: { tokens: 400, overlap: 80 },
            sync: {
              onSessionStart: true, onSearch: true, watch: true, watchDebounceMs: 1500, intervalMinutes: 0,
              sessions: { deltaBytes: 100000, deltaMessages: 50 },
            },
            query: {
              maxResults: 6, minScore: 0.35,
              hybrid: {
                enabled: true, vectorWeight: 0.7, textWeight: 0.3, candidateMultiplier: 4,
                mmr: { enabled: true, lambda: 0.7 }, temporalDecay: { enabled: true, halfLifeDays: 30 },
              },
            },
            cache: { enabled: true, maxEntries: 50000 },
          },
        },
        list: [{ id: "main", workspace: "~/mine", memorySearch: { enabled: true } }],
      },
      memory: {
        backend: "qmd", citations: "auto",
        qmd: {
          command: "qmd", searchMode: "search", includeDefaultMemory: true,
          paths: [{ name: "docs", path: "~/notes", pattern: "**/*.md" }],
          sessions: { enabled: true, retentionDays: 30, exportDir: "~/x" },
          update: {
            interval: "5m", debounceMs: 15000, onBoot: true, waitForBootSync: false, embedInterval: "60m",
            commandTimeoutMs: 30000, updateTimeoutMs: 120000, embedTimeoutMs: 120000,
          },
          limits: { maxResults: 6, maxSnippetChars: 700, maxInjectedChars: 4000, timeoutMs: 4000 },
          scope: {
            default: "deny",
            rules: [
              { action: "allow", match: { chatType: "direct" } },
              { action: "deny", match: { keyPrefix: "discord:channel:" } },
              { action: "deny", match: { rawKeyPrefix: "agent:main:discord:", channel: "discord" } },
            ],
          },
          mcporter: { enabled: false, serverName: "qmd", startDaemon: true },
        },
      },
      plugins: { slots: { memory: "memory-lancedb" }, entries: { "memory-lancedb": { enabled: true } } },
      models: { providers: { openai: { apiKey: "a" }, google: { apiKey: { source: "env", id: "X" } }, other: 5 } },
    }"""
    )
    loaded = load(state_dir=str(tmp_path), environ={"HOME": str(tmp_path)}, cwd=str(tmp_path))
    settings = loaded.settings
    assert loaded.workspace == str(tmp_path / "mine")
    assert (settings.provider, settings.model, settings.fallback) == ("gemini", "gemini-embedding-001", "openai")
    assert settings.local.model_path == "hf:someone/some-model.gguf"
    assert settings.local.model_cache_dir == str(tmp_path / "models")
    assert settings.store.path == str(tmp_path / "i" / "main.sqlite")
    assert settings.backend == "qmd"
    base = "agents.defaults.memorySearch."
    waiting = set(settings.inactive)
    assert {
        base + "provider",
        base + "sources",
        base + "fallback",
        base + "remote.batch.enabled",
        base + "sync.watch",
        base + "experimental.sessionMemory",
        "agents.defaults.compaction.memoryFlush.prompt",
        "memory.backend",
        "memory.qmd.paths[0].path",
        "memory.qmd.scope.rules[2].match.channel",
        "plugins.slots.memory",
        "models.providers.openai.apiKey",
        "models.providers.google.apiKey",
    } <= waiting
    assert not {base + "chunking.tokens", base + "query.hybrid.mmr.enabled", "memory.citations"} & waiting


@pytest.mark.req("CONFIG-17")
def test_what_is_switched_off_is_not_reported_as_waiting(tmp_path: Path) -> None:
    off = {"sync": {"watch": False}, "fallback": "none", "experimental": {"sessionMemory": False}, "provider": "auto"}
    assert load(config=off, environ={"HOME": str(tmp_path)}, cwd=str(tmp_path)).settings.inactive == ()
