"""memory_search and memory_get, as a host's loop calls them: a name and arguments enter, text for the model leaves.

The definitions stand in `specs` and are handed out here, for OpenAI, Anthropic and MCP. Errors are values: `dispatch`
never raises, so that no host has to tell a model what a traceback means. Reads through the memory that it is handed;
opens nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from recollect.agent import results
from recollect.agent.arguments import SEND_GET, SEND_SEARCH, asked_path, get_arguments, search_arguments
from recollect.agent.budget import Shown, fit
from recollect.agent.fence import fence
from recollect.agent.scope import CHAT_TYPES, ChatType, cites, may_read
from recollect.agent.specs import GET, SEARCH, TOOLS, ToolSpec, anthropic_tools, openai_tools
from recollect.errors import ArgumentError, StoreError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recollect.agent.arguments import SearchArguments
    from recollect.agent.recall import Recall
    from recollect.types import GetResult, Hit, SearchResult

__all__ = [
    "GET",
    "SEARCH",
    "TOOLS",
    "ChatType",
    "MemoryTools",
    "ToolAnswer",
    "ToolSpec",
    "anthropic_tools",
    "openai_tools",
]

MAX_INJECTED_CHARS: Final = 4_000
_MOST_RESULTS: Final = 200  # what a memory gives at a time
_CURATED: Final = "MEMORY.md"


class ToolAnswer(Struct, frozen=True, kw_only=True):
    """What a tool answered: `text` is for the model, `json` the same value for a program.

    Both are JSON. In `text`, what stands in notes is fenced as data; in `json` it stands as it is.
    """

    text: str
    json: str
    is_error: bool


class MemoryTools:
    """The tools of one memory in one chat. Who reads along is told by `chat`; unknown counts as others may."""

    def __init__(
        self, memory: Recall, *, chat: ChatType = "unknown", max_injected_chars: int = MAX_INJECTED_CHARS
    ) -> None:
        if chat not in CHAT_TYPES:
            raise ArgumentError(f"{chat!r} is no kind of chat.", hint=f"Kinds are {', '.join(CHAT_TYPES)}.")
        given: object = max_injected_chars
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise ArgumentError("max_injected_chars must be a whole number, 1 or more.", hint="Try 4000.")
        self._memory = memory
        self._chat = chat
        self._budget = max_injected_chars

    def dispatch(self, name: str, arguments: Mapping[str, object] | str | None = None) -> ToolAnswer:
        """Run a tool that a model called. Whatever goes wrong is said in the answer; nothing is raised."""
        match _folded(name):
            case "memorysearch":
                return self._search(arguments)
            case "memoryget":
                return self._get(arguments)
            case _:
                return _answer(
                    results.ToolFailure(
                        error="There is no such tool.", action="The tools are memory_search and memory_get."
                    )
                )

    async def adispatch(self, name: str, arguments: Mapping[str, object] | str | None = None) -> ToolAnswer:
        """As dispatch, in a thread of its own."""
        import asyncio

        return await asyncio.to_thread(self.dispatch, name, arguments)

    # --- memory_search -----------------------------------------------------------------------------------------------

    def _search(self, arguments: object) -> ToolAnswer:
        try:
            wanted = search_arguments(arguments)
            found, private = self._readable(wanted)
        except ArgumentError as error:
            return _answer(results.SearchFailure(results=(), error=error.message, action=SEND_SEARCH))
        except Exception as error:  # noqa: BLE001 - a host's embedder may raise anything; the model is told
            return _answer(results.unavailable(*results.words_of(error)))
        off = results.has_code(found.warnings, "disabled")
        if off is not None:
            return _answer(results.switched_off(off))
        broken = results.has_code(found.warnings, StoreError.code)
        if broken is not None and found.mode == "none":
            return _answer(results.unavailable(broken.message))
        return self._found(found, private)

    def _readable(self, wanted: SearchArguments) -> tuple[SearchResult, int]:
        """What this chat may read of the hits, and how many better ones it may not.

        Where some may not be read, more are asked for, so that a chat gets as many hits as it would otherwise.
        """
        found = self._ask(wanted, wanted.max_results)
        count = len(found)
        exhausted = wanted.max_results is not None and count < wanted.max_results
        while True:
            allowed = [hit for hit in found if may_read(hit.path, self._chat)]
            private = len(found) - len(allowed)
            asked = min(_MOST_RESULTS, count + 2 * private)
            if exhausted or len(allowed) >= count or asked <= len(found):
                break
            found = self._ask(wanted, asked)
            exhausted = len(found) < asked
        shown = tuple(allowed[:count])
        last = found.results.index(shown[-1]) if len(allowed) >= count and shown else len(found)
        private = sum(not may_read(hit.path, self._chat) for hit in found.results[:last])
        return replace(found, results=shown), private

    def _ask(self, wanted: SearchArguments, most: int | None) -> SearchResult:
        return self._memory.search(wanted.query, max_results=most, min_score=wanted.min_score)

    def _found(self, found: SearchResult, private: int) -> ToolAnswer:
        cited = cites(found.citations, self._chat)
        footers = [_footer(hit) if cited else "" for hit in found]
        shown = fit([(hit.snippet, footer) for hit, footer in zip(found, footers, strict=True)], self._budget)
        warnings = (*found.warnings, *_left_out(private, len(found) - len(shown)))
        pairs = list(zip(found, shown, strict=False))
        value = results.SearchValue(
            results=tuple(_hit(hit, part, part.text, cited=cited) for hit, part in pairs),
            provider=found.provider,
            model=found.model,
            mode=found.mode,
            citations=found.citations,
            freshness=found.freshness,
            warnings=warnings,
        )
        fenced = (_hit(hit, part, fence(part.text, place_of(hit)), cited=cited) for hit, part in pairs)
        return _answer(value, replace(value, results=tuple(fenced)))

    # --- memory_get --------------------------------------------------------------------------------------------------

    def _get(self, arguments: object) -> ToolAnswer:
        try:
            wanted = get_arguments(arguments)
        except ArgumentError as error:
            failure = results.GetFailure(path=asked_path(arguments), text="", error=error.message, action=SEND_GET)
            return _answer(failure)
        if not may_read(wanted.path, self._chat):
            return self._refused(wanted.path)
        try:
            read = self._memory.get(wanted.path, start=wanted.start, lines=wanted.lines)
        except ArgumentError as error:
            return _answer(results.GetFailure(path=wanted.path, text="", error=error.message, action=SEND_GET))
        except Exception as error:  # noqa: BLE001 - a disk may fail in any way; the model is told
            return _answer(results.unreadable(wanted.path, *results.words_of(error)))
        return self._read(read) if may_read(read.path, self._chat) else self._refused(wanted.path)

    @staticmethod
    def _read(read: GetResult) -> ToolAnswer:
        value = results.GetValue(
            path=read.path, text=read.text, exists=read.exists, truncated=read.truncated, next_line=read.next_line
        )
        if not read.text:
            return _answer(value)
        place = f"{read.path}#L{read.start_line}-L{read.end_line}"
        return _answer(value, replace(value, text=fence(read.text, place)))

    @staticmethod
    def _refused(path: str) -> ToolAnswer:
        return _answer(
            results.unreadable(
                path,
                f"{_CURATED} is private: it is read in a direct chat alone, and this is not known to be one.",
                "Go on without it.",
            )
        )


def place_of(hit: Hit) -> str:
    """Where a hit stands: path#L5 or path#L5-L9."""
    lines = f"#L{hit.start_line}" if hit.start_line == hit.end_line else f"#L{hit.start_line}-L{hit.end_line}"
    return hit.path + lines


def _footer(hit: Hit) -> str:
    return f"\n\nSource: {hit.citation or place_of(hit)}"


def _hit(hit: Hit, part: Shown, text: str, *, cited: bool) -> results.HitValue:
    return results.HitValue(
        path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        score=hit.score,
        snippet=text + part.footer,
        source=hit.source,
        citation=(hit.citation or place_of(hit)) if cited else None,
        truncated=part.cut,
    )


def _left_out(private: int, unshown: int) -> Iterable[Problem]:
    """What was found and is not in the answer."""
    if private:
        hits = results.count_of(private, "hit was", "hits were")
        yield Problem(code="private-left-out", message=f"{hits} left out: private notes are for a direct chat alone.")
    if unshown:
        hits = results.count_of(unshown, "more hit was", "more hits were")
        yield Problem(
            code="over-budget",
            message=f"{hits} found and did not fit; ask more narrowly, or with a smaller maxResults.",
        )


def _answer(value: results.Value, fenced: results.Value | None = None) -> ToolAnswer:
    json = msgspec.json.encode(value).decode()
    failed = isinstance(value, results.SearchFailure | results.GetFailure | results.ToolFailure)
    text = json if fenced is None else msgspec.json.encode(fenced).decode()
    return ToolAnswer(text=text, json=json, is_error=failed)


def _folded(name: object) -> str:
    return "".join(char for char in name.casefold() if char.isalnum()) if isinstance(name, str) else ""
