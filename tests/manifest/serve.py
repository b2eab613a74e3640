"""What must hold of the servers: the Model Context Protocol over standard input and output and over HTTP."""

from __future__ import annotations

from manifest import Requirement

_SECTION = "agent 3, MCP server"

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="MCP-01",
        source=f"{_SECTION}; done when",
        says="The SDK's own client initializes, lists, searches, reads, edits a note and searches again, over "
        "stdio and over HTTP, in the handshake era of the protocol and in today's.",
    ),
    Requirement(
        id="MCP-02",
        source=_SECTION,
        says="Both tools have a title, are marked as read-only and idempotent, have input and output schemas, and "
        "answer with structured content, which keeps the schema, next to the text.",
    ),
    Requirement(
        id="MCP-03", source=_SECTION, says="A tool or a prompt that there is not is an error that names those."
    ),
    Requirement(
        id="MCP-04",
        source=_SECTION,
        says="Notes are resources with a template; each is read as it stands, in pages of a list, under an address"
        " that survives what clients do to addresses; nothing outside the memory is listed or read.",
    ),
    Requirement(
        id="MCP-05",
        source=_SECTION,
        says="A client is told when a note comes or goes, and, where it asked for that, when one changes.",
    ),
    Requirement(
        id="MCP-06",
        source=f"agent 2, scope; hardening 17; {_SECTION}",
        says="Without --chat direct, MEMORY.md is neither listed, read, found nor recalled, over both transports, "
        "and the answer says so.",
    ),
    Requirement(
        id="MCP-07",
        source=f"{_SECTION}; hardening 19",
        says="Standard output carries the protocol alone; what anybody prints goes to standard error.",
    ),
    Requirement(
        id="MCP-08",
        source=_SECTION,
        says="What is no message is answered with an error, up to 4 MiB of it, and the server goes on.",
    ),
    Requirement(id="MCP-09", source=_SECTION, says="A client that vanishes ends a server over stdio, and no other."),
    Requirement(
        id="MCP-10",
        source=_SECTION,
        says="At the end of the input or on a polite signal the server ends within two seconds with status 0 and "
        "leaves no lock, no temporary file and no half index; requests under way are answered first.",
    ),
    Requirement(
        id="MCP-11",
        source=f"{_SECTION}; agent 1",
        says="While a first index is made, a search is answered with what is there and says so; a client that "
        "asked for it is told how far the index is; a small memory is ready before the answer.",
    ),
    Requirement(
        id="MCP-12",
        source=f"{_SECTION}",
        says="The protocol's SDK is loaded by `recollect mcp` alone, and without it that command says what to install.",
    ),
    Requirement(
        id="MCP-13",
        source=f"{_SECTION}",
        says="`--print-config` prints the lines for each host with real paths and --chat direct, and a server "
        "starts from them.",
    ),
    Requirement(
        id="MCP-14",
        source="agent, done when",
        says="200 calls through library, dispatch, stdio and HTTP give the same hits, scores and citations.",
    ),
    Requirement(
        id="MCP-15",
        source="agent, done when",
        says="Many clients at once over HTTP while notes change: no error, and no stale answer that does not say so.",
    ),
    Requirement(
        id="MCP-16",
        source="agent, done when",
        says="The transcript in the docs is what a real session over both transports gives.",
    ),
    Requirement(
        id="MCP-17",
        source="agent, done when",
        says="The inspector's command line talks to the real process over both transports.",
    ),
    Requirement(
        id="MCP-18",
        source=_SECTION,
        says="The recall prompt carries the question and what the notes say about it, fenced as data.",
    ),
    Requirement(
        id="MCP-19",
        source=f"{_SECTION}; hardening 19",
        says="The server listens on loopback, and on another port where the usual one is taken; what is no address"
        " or no token is refused before anything is opened.",
    ),
    Requirement(
        id="MC-001", source="bad inputs, mcp", says="A line that is not JSON is answered with -32700; the server lives."
    ),
    Requirement(
        id="MC-002", source="bad inputs, mcp", says="JSON that is no message of JSON-RPC 2.0 is answered with -32600."
    ),
    Requirement(id="MC-004", source="bad inputs, mcp", says="A call before initialize is an error; the server lives."),
    Requirement(id="MC-005", source="bad inputs, mcp", says="An unknown method is answered with -32601."),
    Requirement(
        id="MC-007", source="bad inputs, mcp", says="memory_get with a number for a path is an error of the tool."
    ),
    Requirement(
        id="MC-008",
        source="bad inputs, mcp",
        says="memory_search without a query is an error of the tool that names the field.",
    ),
    Requirement(id="MC-010", source="bad inputs, mcp", says="A body of 4 MiB and one byte is answered with 413."),
    Requirement(
        id="MC-011",
        source="bad inputs, mcp",
        says="An input that is closed in the middle of a message ends the server with status 0, the store consistent.",
    ),
    Requirement(
        id="MC-013",
        source="bad inputs, mcp",
        says="A cancelled search is answered no more, and the server serves others while its provider still works.",
        divergence="A call that a provider is in the middle of is left to end on its thread, its result dropped: an "
        "embedder is a synchronous function that cannot be interrupted from outside.",
    ),
    Requirement(
        id="MC-014", source="bad inputs, mcp", says="What a library prints or warns of does not reach standard output."
    ),
    Requirement(id="HT-002", source="bad inputs, http", says="A page of another origin is answered with 403."),
    Requirement(id="HT-003", source="bad inputs, http", says="The origin null is answered with 403."),
    Requirement(id="HT-005", source="bad inputs, http", says="To listen on all addresses without a token is refused."),
    Requirement(
        id="HT-006",
        source="bad inputs, http",
        says="No token, a wrong one, an old one and one in the address are answered with 401; tokens are compared "
        "in constant time.",
    ),
    Requirement(
        id="HT-008",
        source="bad inputs, http",
        says="A token that was made for another service is answered with 401 and is handed to nobody.",
    ),
    Requirement(
        id="HT-009",
        source="bad inputs, http",
        says="A session that nobody opened is answered with 404, and sessions are bounded.",
    ),
    Requirement(id="HT-011", source="bad inputs, http", says="TRACE, PUT and DELETE are answered with 405."),
    Requirement(
        id="HT-012",
        source="bad inputs, http",
        says="A slow body and a thousand idle connections are timed out, and others are served meanwhile.",
    ),
    Requirement(id="HT-014", source="bad inputs, http", says="A form of another origin is answered with 403."),
    Requirement(
        id="HT-015", source="bad inputs, http", says="No answer to a preflight allows another origin anything."
    ),
    Requirement(id="HT-017", source="bad inputs, http", says="An internal fault shows no path, no SQL and no stack."),
)
