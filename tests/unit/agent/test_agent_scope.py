"""Which chat reads which note, at every door of the room."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest

from recollect import ArgumentError, Memory, MemoryTools
from recollect.agent.bootstrap import bootstrap
from recollect.agent.scope import ChatType, cites, may_read
from unit.agent.stand_in import StandIn, hit

if TYPE_CHECKING:
    from recollect.types import GetResult

_OTHERS: tuple[ChatType, ...] = ("group", "channel", "unknown")
_PRIVATE = "job queue moves"


@pytest.mark.req("AGT-08")
@pytest.mark.parametrize(
    "path", ["MEMORY.md", "memory.md", "./MEMORY.md", "Memory.md", ".//memory.md", "../other/MEMORY.md"]
)
def test_what_is_curated_is_for_a_direct_chat_alone(path: str) -> None:
    assert may_read(path, "direct")
    assert not [chat for chat in _OTHERS if may_read(path, chat)]


@pytest.mark.req("AGT-08")
@pytest.mark.parametrize(
    "path", ["memory/2026-02-10.md", "memory/people.md", "memory/memory.md", "../team/notes.md", ""]
)
def test_other_notes_are_for_every_chat(path: str) -> None:
    assert all(may_read(path, chat) for chat in ("direct", *_OTHERS))


@pytest.mark.req("AGT-08")
def test_a_kind_of_chat_that_nobody_knows_may_not_read_it() -> None:
    assert not may_read("MEMORY.md", "Direct")  # type: ignore[arg-type] # what a host may hand in
    with pytest.raises(ArgumentError, match="no kind of chat"):
        MemoryTools(StandIn(), chat="dm")  # type: ignore[arg-type] # what a host may hand in


@pytest.mark.req("AGT-08")
@pytest.mark.parametrize("chat", _OTHERS)
def test_no_door_lets_the_curated_note_out(chat: ChatType, memory: Memory) -> None:
    tools = MemoryTools(memory, chat=chat)
    found = tools.dispatch("memory_search", {"query": "Redis job queue", "maxResults": 10})
    assert "memory/people.md" in found.json
    read = [tools.dispatch("memory_get", path) for path in ("MEMORY.md", "./MEMORY.md", "memory.md", "MEMORY.md#L3")]
    started = bootstrap(memory, chat=chat, today=date(2026, 2, 10))
    said = found.text + found.json + "".join(answer.text + answer.json for answer in read) + started.text
    assert _PRIVATE not in said
    assert all(answer.is_error and json.loads(answer.json)["disabled"] for answer in read)
    assert "MEMORY.md" not in found.json
    direct = MemoryTools(memory, chat="direct")
    assert _PRIVATE in direct.dispatch("memory_search", {"query": "Redis job queue"}).text
    assert _PRIVATE in direct.dispatch("memory_get", "MEMORY.md").text
    assert _PRIVATE in bootstrap(memory, chat="direct", today=date(2026, 2, 10)).text


@pytest.mark.req("AGT-08")
def test_a_note_that_turns_out_to_be_the_curated_one_is_not_handed_over() -> None:
    class Elsewhere(StandIn):
        def get(self, path: str, *, start: int | None = None, lines: int | None = None) -> GetResult:
            assert (path, start, lines) == ("memory/alias.md", None, None)
            return super().get("MEMORY.md")

    answer = MemoryTools(Elsewhere()).dispatch("memory_get", "memory/alias.md")
    assert answer.is_error
    assert "one line" not in answer.text


@pytest.mark.req("AGT-08")
def test_what_was_left_out_is_counted_and_its_place_is_taken() -> None:
    hits = [hit(f"memory/{number}.md") for number in range(20)]
    hits[1:1] = [hit(snippet=f"secret {number}") for number in range(4)]
    memory = StandIn(*hits)
    value = json.loads(MemoryTools(memory).dispatch("memory_search", {"query": "a", "maxResults": 5}).json)
    assert [one["path"] for one in value["results"]] == [f"memory/{number}.md" for number in range(5)]
    assert [(one["code"], one["message"][:11]) for one in value["warnings"]] == [("private-left-out", "4 hits were")]
    assert len(memory.asked) < 4


@pytest.mark.req("AGT-08")
@pytest.mark.parametrize("others", [0, 2])
def test_asking_for_more_ends_where_there_is_no_more(others: int) -> None:
    memory = StandIn(*(hit() for _ in range(300)), *(hit("memory/a.md") for _ in range(others)), usual=6)
    value = json.loads(MemoryTools(memory).dispatch("memory_search", {"query": "a"}).json)
    assert value["results"] == []
    assert value["warnings"][0]["message"].startswith("200 hits were")
    few = StandIn(hit(), *(hit("memory/a.md") for _ in range(others)))
    value = json.loads(MemoryTools(few).dispatch("memory_search", {"query": "a"}).json)
    assert len(value["results"]) == others


@pytest.mark.req("AGT-08")
def test_better_hits_that_were_left_out_are_all_that_is_counted() -> None:
    memory = StandIn(hit("memory/a.md"), hit("memory/b.md"), hit())
    value = json.loads(MemoryTools(memory).dispatch("memory_search", {"query": "a", "maxResults": 2}).json)
    assert (len(value["results"]), value["warnings"]) == (2, [])


@pytest.mark.req("AGT-08")
def test_what_lies_behind_the_last_hit_is_not_counted() -> None:
    memory = StandIn(hit(), hit("memory/a.md"), hit("memory/b.md"), hit())
    value = json.loads(MemoryTools(memory).dispatch("memory_search", {"query": "a", "maxResults": 2}).json)
    assert [one["path"] for one in value["results"]] == ["memory/a.md", "memory/b.md"]
    assert value["warnings"][0]["message"].startswith("1 hit was")


@pytest.mark.req("AGT-06")
@pytest.mark.parametrize(
    ("mode", "where"),
    [("on", {"direct", "group", "channel", "unknown"}), ("off", set()), ("auto", {"direct", "unknown"})],
)
def test_citations_go_by_mode_and_chat(mode: str, where: set[str]) -> None:
    assert {chat for chat in ("direct", *_OTHERS) if cites(mode, chat)} == where  # type: ignore[arg-type] # of a table
