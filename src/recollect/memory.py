"""Memory: the one object that a program needs. The facade, and the only place that names concrete classes.

It reads settings and environment once, in the constructor, and hands values to everything else. Nothing is opened and
nothing heavy is imported until a verb needs it.
"""

from __future__ import annotations

import os
import time
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Self

from msgspec import structs

from recollect.config.arguments import check_kinds, path_of, sources_of
from recollect.config.load import Loaded, load
from recollect.errors import ArgumentError
from recollect.types import Freshness, Problem, SearchResult, Source, SyncReport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from recollect.config.resolve import Settings
    from recollect.embed.registry import Chosen
    from recollect.engines.builtin import BuiltinEngine, Facts
    from recollect.index.sync import Indexer
    from recollect.protocols import ChunkStore, Clock, Embedder, ProgressCallback
    from recollect.retrieve.search import QuerySettings, Searcher
    from recollect.sources.glance import Looker
    from recollect.text.tokens import Analyzer
    from recollect.types import GetResult, Status

    StrPath = str | os.PathLike[str]

_STARTER = """# Memory

What should not be forgotten: decisions, preferences, durable facts. One line each is enough.
Day-to-day notes go to memory/YYYY-MM-DD.md.
"""


class Memory:
    """The memory of an agent: Markdown files and a derived index of them.

    `config` holds `memorySearch` settings as they stand on disk (camelCase) and wins over the settings file.
    `embedder` replaces the provider that the settings choose. `background` is for hosts that run for long: a search
    answers at once, and a worker thread brings in what is missing. A Memory is a context manager; close it when done.
    """

    def __init__(
        self,
        workspace: StrPath | None = None,
        *,
        agent: str | None = None,
        state_dir: StrPath | None = None,
        config: Mapping[str, object] | None = None,
        config_file: StrPath | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        background: bool = False,
    ) -> None:
        check_kinds(config, embedder, clock)
        self._loaded = load(
            workspace=path_of(workspace, "workspace"),
            agent=agent,
            state_dir=path_of(state_dir, "state_dir"),
            config=config,
            config_file=path_of(config_file, "config_file"),
        )
        self._given_embedder = embedder
        self._clock: Clock = clock if clock is not None else time.time
        self._with_worker = background
        self._sessions: set[str] = set()  # that have begun
        self._wiring = Lock()  # threads that begin at once share one engine

    # --- verbs -------------------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        max_results: int | None = None,
        min_score: float | None = None,
        sources: Sequence[Source] | None = None,
        since: str | None = None,
        until: str | None = None,
        explain: bool = False,
    ) -> SearchResult:
        """Answer "what do we know about this?" with cited snippets, and say if the answer may be incomplete."""
        from recollect.protocols import SearchRequest

        if not isinstance(query, str):
            raise ArgumentError("The query must be a text.", hint='Try memory.search("what did we decide?").')
        if not self.settings.enabled:
            return self._nothing()
        request = SearchRequest(
            query=query,
            max_results=max_results,
            min_score=min_score,
            sources=sources_of(sources),
            since=since,
            until=until,
            explain=explain,
        )
        return self._engine.search(request)

    def get(self, path: str, *, start: int | None = None, lines: int | None = None) -> GetResult:
        """Read lines of a note; a note that does not exist yet is an empty text."""
        from recollect.sources.lines import get

        return get(self.workspace, self.settings.extra_paths, path, start, lines)

    def sync(self, *, reason: str = "api", force: bool = False, progress: ProgressCallback | None = None) -> SyncReport:
        """Bring the index to the state of the files; `force` makes it anew."""
        given: object = reason
        if not (isinstance(given, str) and given.isprintable()):
            raise ArgumentError("The reason must be a short text.", hint='Try memory.sync(reason="my program").')
        if not self.settings.enabled:
            return SyncReport(reason=reason, problems=(_disabled(self._loaded),))
        return self._engine.sync(reason=reason, force=force, progress=progress)

    def warm(self, session: str = "main") -> bool:
        """A session begins: bring the index up to date in the background, once for each session.

        Says whether that was begun. Without `background`, or where the settings say no, there is nothing to do.
        """
        wanted = self._with_worker and self.settings.enabled and self.settings.sync.on_session_start
        if not wanted or session in self._sessions:
            return False
        self._sessions.add(session)
        return self._engine.warm()

    def status(self, *, deep: bool = False) -> Status:
        """Everything about this memory; `deep` also asks the embedding provider."""
        status = self._engine.status(deep=deep)
        if not self._loaded.changed:
            return status
        return structs.replace(status, problems=(_SETTINGS_CHANGED, *status.problems))

    def verify(self) -> tuple[str, ...]:
        """Read the whole index and say what is damaged; empty: nothing is."""
        return self._engine.verify()

    def init(self) -> tuple[str, ...]:
        """Make MEMORY.md and memory/ where there are none, and say what was made; nothing is overwritten."""
        made = []
        folder = os.path.join(self.workspace, "memory")
        if not os.path.isdir(folder):
            os.makedirs(folder)
            made.append("memory/")
        try:
            with open(os.path.join(self.workspace, "MEMORY.md"), "x", encoding="utf-8") as note:
                note.write(_STARTER)
            made.append("MEMORY.md")
        except FileExistsError:
            pass
        return tuple(made)

    def close(self) -> None:
        """Let go of the index."""
        if "_wired" in self.__dict__:
            self._wired.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what it rests on --------------------------------------------------------------------------------------------

    @property
    def loaded(self) -> Loaded:
        """The settings with their origins."""
        return self._loaded

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._loaded.settings

    @property
    def workspace(self) -> str:
        """The folder that holds MEMORY.md and memory/."""
        return self._loaded.workspace

    @property
    def workspace_origin(self) -> str:
        """Why it is this folder."""
        return self._loaded.workspace_origin

    @property
    def config_problems(self) -> tuple[Problem, ...]:
        """What is odd about the settings."""
        return self._loaded.problems

    # --- wiring ------------------------------------------------------------------------------------------------------

    def _nothing(self) -> SearchResult:
        return SearchResult(
            results=(),
            provider="none",
            model=None,
            mode="none",
            citations=self.settings.citations,
            freshness=Freshness(known=False),
            warnings=(_disabled(self._loaded),),
        )

    @cached_property
    def _chosen(self) -> Chosen:
        from recollect.embed.registry import Chosen

        if self._given_embedder is not None:
            from recollect.embed.discreet import Discreet

            identity = self._given_embedder.identity
            return Chosen(
                embedder=Discreet(self._given_embedder, self._secrets()),
                provider=identity.provider,
                requested=identity.provider,
                model=identity.model,
                problems=(),
                fallback_from=None,
                fallback_reason=None,
            )
        return chosen_provider(self._loaded)

    def _secrets(self) -> tuple[str, ...]:
        """What must not be said of the settings, whoever says it."""
        from recollect.config.keys import VARIABLES, key_for

        keys = [key_for(name, self.settings, self._loaded.provider_keys, os.environ) for name in VARIABLES]
        remote = self.settings.remote
        return (*(key for key in keys if key), *(value for _, value in (remote.headers if remote else ())))

    @cached_property
    def _store(self) -> ChunkStore:
        from recollect.stores.sqlite.store import SqliteStore

        store = self.settings.store
        return SqliteStore(
            store.path,
            vector_extension=store.vector_extension_path if store.vector_enabled else None,
            clock=self._clock,
        )

    @cached_property
    def _looker(self) -> Looker:
        from recollect.sources.glance import Looker

        return Looker(self.workspace, self.settings.extra_paths)

    @cached_property
    def _analyzer(self) -> Analyzer:
        from recollect.text.tokens import Analyzer

        return Analyzer()

    @property
    def _engine(self) -> BuiltinEngine:
        with self._wiring:
            return self._wired

    @cached_property
    def _wired(self) -> BuiltinEngine:
        from recollect.engines.builtin import BuiltinEngine

        return BuiltinEngine(
            store=self._store,
            embedder=self._chosen.embedder,
            indexer=self._make_indexer,
            searcher=self._make_searcher,
            get=lambda path, start, lines: self.get(path, start=start, lines=lines),
            facts=self._facts(),
            sync_on_search=self.settings.sync.on_search,
            sees_no_change=self._looker.sees_no_change,
            ticks=time.monotonic,
            background=self._with_worker,
        )

    def _make_indexer(self) -> Indexer:
        from recollect.index.sync import Indexer
        from recollect.sources.reader import Reader

        settings = self.settings
        reader = Reader(self.workspace, settings.extra_paths)
        return Indexer(
            store=self._store,
            embedder=self._chosen.embedder,
            discover=self._looker.discover,
            read=reader.read,
            chunk_tokens=settings.chunking.tokens,
            chunk_overlap=settings.chunking.overlap,
            sources=settings.sources,
            cache_enabled=settings.cache.enabled,
            cache_max_entries=settings.cache.max_entries,
            clock=self._clock,
        )

    def _make_searcher(self) -> Searcher:
        from recollect.retrieve.search import Searcher

        return Searcher(
            store=self._store,
            embedder=self._chosen.embedder,
            settings=self._query_settings(),
            analyzer=self._analyzer,
            clock=self._clock,
            provider=self._chosen.provider,
        )

    def _query_settings(self) -> QuerySettings:
        from recollect.retrieve.search import QuerySettings

        query = self.settings.query
        hybrid = query.hybrid
        return QuerySettings(
            max_results=query.max_results,
            min_score=query.min_score,
            hybrid=hybrid.enabled,
            vector_weight=hybrid.vector_weight,
            text_weight=hybrid.text_weight,
            candidate_multiplier=hybrid.candidate_multiplier,
            mmr=hybrid.mmr_enabled,
            mmr_lambda=hybrid.mmr_lambda,
            decay=hybrid.decay_enabled,
            half_life_days=hybrid.decay_half_life_days,
            citations=self.settings.citations,
        )

    def _facts(self) -> Facts:
        from recollect.engines.builtin import Facts
        from recollect.types import FallbackStatus

        settings, chosen = self.settings, self._chosen
        fallback = (
            FallbackStatus(from_=chosen.fallback_from, reason=chosen.fallback_reason or "")
            if chosen.fallback_from is not None
            else None
        )
        return Facts(
            agent_id=settings.agent_id,
            workspace=self.workspace,
            workspace_origin=self.workspace_origin,
            db_path=settings.store.path,
            provider=chosen.provider,
            requested_provider=chosen.requested,
            model=chosen.model,
            fallback=fallback,
            sources=settings.sources,
            extra_paths=settings.extra_paths,
            cache_enabled=settings.cache.enabled,
            cache_max_entries=settings.cache.max_entries,
            vectors_enabled=True,
            problems=(*self._loaded.problems, *chosen.problems),
        )


_SETTINGS_CHANGED = Problem(
    code="settings-changed",
    message="The settings file changed since it was read; the settings of then go on to hold until the next start.",
)


def chosen_provider(loaded: Loaded) -> Chosen:
    """The embedder that the settings choose; ConfigError for one that cannot be had."""
    from recollect.config.keys import key_for
    from recollect.embed.registry import choose

    settings = loaded.settings
    return choose(
        provider=settings.provider,
        model=settings.model,
        fallback=settings.fallback,
        local_model_path=settings.local.model_path,
        has_key=lambda provider: key_for(provider, settings, loaded.provider_keys, os.environ) is not None,
    )


def _disabled(loaded: Loaded) -> Problem:
    """Why there is no memory, and where that was said."""
    by_slot = loaded.settings.memory_slot == "none"
    setting = 'plugins.slots.memory is "none"' if by_slot else "memorySearch.enabled is false"
    return Problem(code="disabled", message=f"Memory search is switched off in the settings: {setting}.")
