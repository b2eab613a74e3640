"""AsyncMemory: the same verbs for programs that run an event loop. Each call goes to a thread; no logic of its own."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from recollect.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from recollect.memory import StrPath
    from recollect.protocols import Clock, Embedder, ProgressCallback
    from recollect.types import GetResult, SearchResult, Source, Status, SyncReport

P = ParamSpec("P")
T = TypeVar("T")


class AsyncMemory:
    """A Memory whose verbs are awaited. Progress callbacks run in the thread that does the work."""

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
        self._memory = Memory(
            workspace,
            agent=agent,
            state_dir=state_dir,
            config=config,
            config_file=config_file,
            embedder=embedder,
            clock=clock,
            background=background,
        )

    @property
    def memory(self) -> Memory:
        """The synchronous memory behind this one."""
        return self._memory

    async def search(
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
        """As Memory.search."""
        return await _in_thread(
            self._memory.search,
            query,
            max_results=max_results,
            min_score=min_score,
            sources=sources,
            since=since,
            until=until,
            explain=explain,
        )

    async def get(self, path: str, *, start: int | None = None, lines: int | None = None) -> GetResult:
        """As Memory.get."""
        return await _in_thread(self._memory.get, path, start=start, lines=lines)

    async def sync(
        self, *, reason: str = "api", force: bool = False, progress: ProgressCallback | None = None
    ) -> SyncReport:
        """As Memory.sync."""
        return await _in_thread(self._memory.sync, reason=reason, force=force, progress=progress)

    async def warm(self, session: str = "main") -> bool:
        """As Memory.warm."""
        return await _in_thread(self._memory.warm, session)

    async def status(self, *, deep: bool = False) -> Status:
        """As Memory.status."""
        return await _in_thread(self._memory.status, deep=deep)

    async def verify(self) -> tuple[str, ...]:
        """As Memory.verify."""
        return await _in_thread(self._memory.verify)

    async def init(self) -> tuple[str, ...]:
        """As Memory.init."""
        return await _in_thread(self._memory.init)

    async def close(self) -> None:
        """As Memory.close."""
        await _in_thread(self._memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await asyncio.to_thread(partial(work, *args, **kwargs))
