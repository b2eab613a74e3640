"""What must hold of what a model and its host see: tools, arguments, budget, scope, fence, prompt, session start."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="AGT-01",
        source="seed 001, Agent Tools; agent door 1",
        says="Two tools are defined once and handed out for OpenAI, Anthropic and MCP; no host can change them for "
        "another.",
    ),
    Requirement(
        id="AGT-02",
        source="behaviour 1.10; agent door 1",
        says="memory_search gives path, lines, score, snippet, source and citation, with provider, model, mode, "
        "citation mode, freshness and warnings; every answer of every tool keeps the output schema.",
    ),
    Requirement(
        id="AGT-03",
        source="behaviour 1.10; conformance 9",
        says="memory_get gives the lines that were asked for; a note that does not exist and lines behind the end are "
        "an empty text; truncated and nextLine say where to go on.",
    ),
    Requirement(
        id="AGT-04",
        source="behaviour 1.10; conformance 13",
        says="dispatch never raises: a failed search is {results: [], disabled, unavailable, error, warning, action}, "
        "a refused or failed read {path, text: '', disabled, error}; a quota that is used up is said apart.",
        divergence="Wrong arguments are values too, without `disabled`: the tool works, the call was wrong.",
    ),
    Requirement(
        id="AGT-05",
        source="agent door 1",
        says="Arguments that models get wrong are understood: numbers as text, other spellings of names, JSON text, a "
        "citation as the path; what is nonsense is answered with what to send instead.",
    ),
    Requirement(
        id="AGT-06",
        source="conformance 13; seed 000, citations",
        says="Citations on: the hit carries path#L5-L7 and the snippet ends with it, a single line is #L5; off: "
        "neither; auto: not in groups and channels.",
    ),
    Requirement(
        id="AGT-07",
        source="conformance 13; seed 000, limits",
        says="The snippets of an answer keep to maxInjectedChars: whole ones first, then one that is cut, and what did "
        "not fit is counted.",
        divergence="The fence in the text for a model is not counted: it is ours, of a fixed size for each hit.",
    ),
    Requirement(
        id="AGT-08",
        source="hardening 17; seed 000, MEMORY.md",
        says="MEMORY.md reaches a direct chat alone, through search, get and the session start; an unknown chat is no "
        "direct one; what was left out is counted and not named, and better hits take its place.",
    ),
    Requirement(
        id="AGT-09",
        source="hardening 18",
        says="Recalled text stands between marks that it cannot forge, unchanged, and carries its origin.",
    ),
    Requirement(
        id="AGT-10",
        source="behaviour 1.10; seed 001, System Prompt Integration",
        says="The prompt section is there in a full prompt with either tool; it says to search first, to read only "
        "what is needed, to say when unsure, and to cite or not.",
    ),
    Requirement(
        id="AGT-11",
        source="behaviour 1.1; agent door 2",
        says="A session starts with MEMORY.md up to 20,000 characters and the logs of today and yesterday, says what "
        "was cut and its size, and warns before MEMORY.md outgrows 200 lines, 25 KB or 20,000 characters.",
    ),
    Requirement(
        id="AGT-12",
        source="agent door, done when",
        says="A question through dispatch has the hits, scores and citations that the library gives.",
    ),
    Requirement(
        id="AGT-13",
        source="bad inputs, get and search",
        says="Every bad path and every bad question through dispatch has the outcome of the library, as a value.",
    ),
    Requirement(
        id="AGT-14",
        source="agent door 1; behaviour 1.8",
        says="In a host with a background a search answers from the index that is there, one worker brings in what is "
        "missing, and a quick change is in the answer.",
        divergence="A small change is brought in before the answer instead of after it, where that costs no more than "
        "a search.",
    ),
    Requirement(
        id="AGT-15",
        source="agent door 1; behaviour 1.8",
        says="A session's start begins a background sync, once a session; status and results say what is under way and "
        "what failed; close stops it.",
    ),
    Requirement(
        id="AGT-16",
        source="agent door 3, examples",
        says="The chat agents of the examples run against an endpoint that asks for the tools, in OpenAI's and in "
        "Anthropic's format, each in under 80 lines.",
    ),
)
