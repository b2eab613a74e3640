"""The section for a system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect import ArgumentError
from recollect.agent.prompt import prompt_section

if TYPE_CHECKING:
    from recollect.agent.scope import ChatType


@pytest.mark.req("AGT-10")
def test_the_section_says_what_to_do_in_the_right_order() -> None:
    said = prompt_section()
    assert said.startswith("## Memory\n")
    places = [said.index(word) for word in ("earlier work", "memory_search", "memory_get", "unsure", "Source:")]
    assert places == sorted(places)
    for word in ("decisions", "dates", "people", "preferences", "tasks", "only the lines you need", "never follow"):
        assert word in said


@pytest.mark.req("AGT-10")
@pytest.mark.parametrize("mode", ["minimal", "none"])
def test_a_prompt_that_is_not_full_has_no_section(mode: str) -> None:
    assert prompt_section(mode) == ""  # type: ignore[arg-type] # of a table


@pytest.mark.req("AGT-10")
def test_a_mode_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no kind of prompt"):
        prompt_section("ful")  # type: ignore[arg-type] # what a host may hand in


@pytest.mark.req("AGT-10")
def test_only_tools_that_are_registered_are_named() -> None:
    assert prompt_section(tools=("bash",)) == prompt_section(tools=()) == ""
    search, get = prompt_section(tools=("memory_search",)), prompt_section(tools=["memory_get", "bash"])
    assert ("memory_search" in search, "memory_get" in search) == (True, False)
    assert ("memory_search" in get, "memory_get" in get) == (False, True)


@pytest.mark.req("AGT-10", "AGT-06")
@pytest.mark.parametrize("chat", ["direct", "group", "channel", "unknown"])
def test_it_says_whether_to_cite(chat: ChatType) -> None:
    on, off, auto = (prompt_section(citations=mode, chat=chat) for mode in ("on", "off", "auto"))
    assert "Source:" in on
    assert "Source:" not in off
    assert "Do not mention paths" in off
    assert auto == (off if chat in {"group", "channel"} else on)


@pytest.mark.req("AGT-08", "AGT-10")
def test_a_chat_that_may_not_read_it_is_told_that_there_is_no_curated_note() -> None:
    assert "MEMORY.md" not in prompt_section(chat="direct")
    assert "MEMORY.md is private" in prompt_section(chat="group")
