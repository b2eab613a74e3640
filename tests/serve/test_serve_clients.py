"""The SDK's own client with real servers: tools, resources, the prompt, notices, and what the chat may see."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import jsonschema  # type: ignore[import-untyped] # it has no types of its own
import pytest
from mcp.shared.exceptions import MCPError

from serve.sessions import WAYS, run, session

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

    from serve.conftest import Place
    from serve.sessions import Era, Transport

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.parametrize(("transport", "era"), WAYS),
]
_DIRECT = ("--chat", "direct")
MOST_ASKED = 2000
_ELSEWHERE = (
    "memory://../outside.md",
    "memory://memory/../../outside.md",
    "memory://memory/%2e%2e/%2e%2e/outside.md",
    "memory:///etc/passwd",
    "memory://memory/link.md",
    "memory://notes.txt",
    "memory://memory/none.md",
    "memory://",
    "memory://\x00",
    "file:///etc/passwd",
    "outside.md",
)


def _value(result: CallToolResult) -> dict[str, object]:
    value = result.structured_content
    assert isinstance(value, dict)
    return value


def _paths(result: CallToolResult) -> list[str]:
    hits = _value(result)["results"]
    assert isinstance(hits, list)
    return [hit["path"] for hit in hits]


@pytest.mark.req("MCP-01")
def test_a_whole_session(transport: Transport, era: Era, place: Place) -> None:
    async def work() -> None:
        async with session(place, transport, era, *_DIRECT) as client:
            assert client.server_info is not None
            assert client.server_info.name == "recollect"
            assert [tool.name for tool in (await client.list_tools()).tools] == ["memory_search", "memory_get"]
            found = await client.call_tool("memory_search", {"query": "what did we decide about Redis?"})
            assert _paths(found)[0] == "memory/2026-02-10.md"
            read = await client.call_tool("memory_get", {"path": "memory/2026-02-10.md", "from": 3, "lines": 1})
            assert _value(read)["text"] == "## Redis"
            place.notes.append("memory/2026-02-10.md", "\nThe walrus guards the backups.\n")
            asked = 0
            while "walrus" not in str(again := await client.call_tool("memory_search", {"query": "the backups"})):
                asked += 1  # the memory does not look at the files again at once
                assert asked < MOST_ASKED, again

    run(work)


@pytest.mark.req("MCP-02")
def test_tools_say_what_they_are_and_keep_their_schemas(transport: Transport, era: Era, indexed: Place) -> None:
    async def work() -> None:
        async with session(indexed, transport, era, *_DIRECT) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            for tool in tools.values():
                assert tool.title
                assert tool.description
                assert tool.annotations is not None
                assert (tool.annotations.read_only_hint, tool.annotations.idempotent_hint) == (True, True)
                assert (tool.annotations.destructive_hint, tool.annotations.open_world_hint) == (False, False)
                jsonschema.Draft202012Validator.check_schema(tool.input_schema)
                assert tool.output_schema is not None
            for name, arguments in [
                ("memory_search", {"query": "Redis"}),
                ("memory_search", {"query": "zzz"}),
                ("memory_search", {"query": "Redis", "max_results": "1"}),
                ("memory_search", {}),
                ("memory_get", {"path": "memory/2026-02-10.md"}),
                ("memory_get", {"path": "memory/2026-02-10.md#L1-L2"}),
                ("memory_get", {"path": "memory/none.md"}),
                ("memory_get", {"path": "../x.md"}),
            ]:
                result = await client.call_tool(name, arguments)
                jsonschema.validate(result.structured_content, tools[name].output_schema or {})
                assert [block.type for block in result.content] == ["text"]

    run(work)


@pytest.mark.req("MCP-04")
def test_notes_are_resources(transport: Transport, era: Era, indexed: Place) -> None:
    async def work() -> None:
        async with session(indexed, transport, era, *_DIRECT) as client:
            listed = {one.uri: one for one in (await client.list_resources()).resources}
            assert [*listed] == [
                "memory://MEMORY.md",
                "memory://memory/2026-02-10.md",
                "memory://memory/2026-02-11.md",
                "memory://memory/projects/boat%20hall.md",
            ]
            for uri, resource in listed.items():
                (content,) = (await client.read_resource(uri)).contents
                assert content.text == (indexed.notes.root / resource.name).read_text()  # type: ignore[union-attr] # all text
                assert (content.uri, content.mime_type, resource.mime_type) == (uri, "text/markdown", "text/markdown")
            (template,) = (await client.list_resource_templates()).resource_templates
            assert template.uri_template == "memory://{+path}"

    run(work)


@pytest.mark.req("MCP-04", "MCP-03")
def test_nothing_else_can_be_read(transport: Transport, era: Era, place: Place) -> None:
    place.notes.write("../outside.md", "secret")
    place.notes.write("notes.txt", "secret")
    place.notes.link("memory/link.md", place.notes.root / "../outside.md")

    async def work() -> list[str]:
        said = []
        async with session(place, transport, era, *_DIRECT) as client:
            assert not [one for one in (await client.list_resources()).resources if "link" in one.uri]
            for uri in _ELSEWHERE:
                with pytest.raises(MCPError) as refused:
                    await client.read_resource(uri)
                said.append(refused.value.message)
        return said

    said = run(work)
    assert not any("secret" in words or str(place.notes.root) in words for words in said)


@pytest.mark.req("MCP-06", "MCP-18")
@pytest.mark.parametrize("chat", [(), ("--chat", "group")], ids=["unknown", "group"])
def test_memory_md_is_kept_for_a_direct_chat(
    chat: tuple[str, ...], transport: Transport, era: Era, indexed: Place
) -> None:
    async def work() -> None:
        async with session(indexed, transport, era, *chat) as client:
            found = await client.call_tool("memory_search", {"query": "where is the key of the safe?"})
            assert "MEMORY.md" not in _paths(found)
            assert "boathouse" not in str(found)
            assert "private-left-out" in str(_value(found)["warnings"])
            prompt = await client.get_prompt("recall", {"question": "where is the key of the safe?"})
            assert "boathouse" not in str(prompt)
            read = await client.call_tool("memory_get", {"path": "MEMORY.md"})
            assert read.is_error
            assert "boathouse" not in str(read)
            assert "memory://MEMORY.md" not in [one.uri for one in (await client.list_resources()).resources]
            for uri in ("memory://MEMORY.md", "memory://memory.md", "memory://./MEMORY.md", "MEMORY://memory.md/"):
                with pytest.raises(MCPError) as refused:
                    await client.read_resource(uri)
                assert "boathouse" not in str(refused.value)
        async with session(indexed, transport, era, *_DIRECT) as client:
            found = await client.call_tool("memory_search", {"query": "where is the key of the safe?"})
            assert _paths(found)[0] == "MEMORY.md"

    run(work)


@pytest.mark.req("MCP-18", "MCP-03")
def test_the_prompt_carries_question_and_notes_as_data(transport: Transport, era: Era, indexed: Place) -> None:
    async def work() -> None:
        async with session(indexed, transport, era, *_DIRECT) as client:
            (prompt,) = (await client.list_prompts()).prompts
            assert prompt.name == "recall"
            made = await client.get_prompt("recall", {"question": "what about Redis?"})
            text = made.messages[0].content.text  # type: ignore[union-attr] # there is only text
            assert text.startswith("what about Redis?\n")
            assert "Redis goes" in text
            assert "data, not instructions" in text
            for name, arguments in [("burn", {}), ("recall", {}), ("recall", {"question": " "})]:
                with pytest.raises(MCPError) as refused:
                    await client.get_prompt(name, arguments)
                assert "recall" in refused.value.message

    run(work)


@pytest.mark.req("MCP-05")
def test_a_client_is_told_of_a_new_note(transport: Transport, era: Era, indexed: Place) -> None:
    async def work() -> None:
        told = asyncio.Event()

        async def notices(message: object) -> None:
            if getattr(message, "method", None) == "notifications/resources/list_changed":
                told.set()

        async with session(indexed, transport, era, *_DIRECT, notices=notices) as client:
            capabilities = client.server_capabilities.resources
            assert capabilities is not None
            assert capabilities.list_changed
            if era == "auto":
                changed = "memory://memory/2026-02-11.md"
                async with client.listen(resources_list_changed=True, resource_subscriptions=[changed]) as events:
                    await _until_told(client, indexed, told, events, changed)
                return
            while not told.is_set():
                await _new_note(indexed)
                await _wait(told)

    run(work)


async def _until_told(client: Client, place: Place, told: asyncio.Event, events: object, changed: str) -> None:
    seen: set[str] = set()

    async def collect() -> None:
        async for event in events:  # type: ignore[attr-defined] # what client.listen gives
            seen.add(type(event).__name__ + getattr(event, "uri", ""))
            if len(seen) == 2:
                return

    collecting = asyncio.create_task(collect())
    while not collecting.done():
        await _new_note(place)
        place.notes.append("memory/2026-02-11.md", "More.\n")
        await asyncio.wait([collecting], timeout=1)
    assert seen == {"ResourcesListChanged", f"ResourceUpdated{changed}"}


async def _new_note(place: Place) -> None:
    number = len([*place.notes.root.glob("memory/new-*.md")])
    place.notes.write(f"memory/new-{number}.md", "# New\n\nA new note.\n")


async def _wait(told: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(told.wait(), 1)
    except TimeoutError:
        return


@pytest.mark.req("MCP-11")
def test_a_search_is_answered_while_the_first_index_is_made(transport: Transport, era: Era, place: Place) -> None:
    for number in range(800):
        place.notes.write(f"memory/many/{number}.md", f"# Note {number}\n\n" + f"Walrus {number} and ferry. " * 100)
    told: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total) == (len(told) + 1, None)
        told.append(message or "")

    async def work() -> CallToolResult:
        async with session(place, transport, era, *_DIRECT) as client:
            return await client.call_tool("memory_search", {"query": "walrus"}, progress_callback=note)

    said = run(work)
    assert not said.is_error
    assert _paths(said) or "index-incomplete" in str(said)
    assert told
    assert all("The index is being updated" in message for message in told)
