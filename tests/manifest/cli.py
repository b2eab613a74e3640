"""What must hold of the command."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="CLI-01",
        source="core 8",
        says="The commands are init, index, search, get, status, config and doctor; --help lists each with a summary.",
    ),
    Requirement(
        id="CLI-02",
        source="core 8",
        says="--json, --agent, --workspace, --config and --state-dir may stand before or after the command; the later "
        "one holds.",
    ),
    Requirement(
        id="CLI-03",
        source="behaviour 1.15, search",
        says="--query goes before words given as arguments; several words are one question.",
    ),
    Requirement(
        id="CLI-04",
        source="behaviour 1.15, search",
        says="A search without a question is told what to write.",
        divergence="Exit 2, not 1: wrong use is 2 in every command here.",
    ),
    Requirement(
        id="CLI-05",
        source="behaviour 1.15, search",
        says="The text form of a hit is its score to three decimals, path:start-end and the snippet.",
    ),
    Requirement(
        id="CLI-06",
        source="core 7, honest results",
        says="Empty because nothing matches and empty because something is missing are told in different words, and "
        "what an answer may lack is always said.",
    ),
    Requirement(
        id="CLI-07",
        source="core 8",
        says="With --json stdout holds one JSON value and nothing else, with the seeds' keys and without nulls; an "
        "error is {error: {code, message, hint}}.",
    ),
    Requirement(id="CLI-08", source="core 8", says="Exit status: 0 done, 1 failed, 2 wrong use or settings."),
    Requirement(
        id="CLI-09",
        source="core 8; bad-inputs CL-001",
        says="No traceback, ever: whatever is raised ends in one sentence; RECOLLECT_DEBUG=1 shows more.",
    ),
    Requirement(
        id="CLI-10",
        source="bad-inputs CL-001",
        says="A closed stdout, an ASCII locale, NO_COLOR and a narrow terminal change no outcome; JSON stays valid.",
    ),
    Requirement(
        id="CLI-11",
        source="core 8",
        says="SIGINT, SIGTERM and a reader that goes away end the command quietly: exit 130, 143 and 141.",
    ),
    Requirement(
        id="CLI-12",
        source="core 8, TARGETS speed",
        says="--help loads no parser of arguments; status and get load neither numpy nor the embedder nor rich.",
    ),
    Requirement(
        id="CLI-13",
        source="core 8, get",
        says="get takes a citation as it was printed: path:from-to, path#L5-L9; --from and --lines are kept.",
    ),
    Requirement(
        id="CLI-14",
        source="core, done when; behaviour 1.15",
        says="A misspelt path in get names the nearest note.",
        divergence="The library answers an absent note with an empty text; the command prints the same under --json, "
        "and exits 1 in both forms, because a script must be able to tell.",
    ),
    Requirement(
        id="CLI-15",
        source="core, done when",
        says="A folder without notes, a missing index, a wrong setting and a wrong command are met by a sentence that "
        "says what to do.",
    ),
    Requirement(
        id="CLI-16",
        source="core 3, workspace",
        says="search, get, index and status always say which workspace was taken and why; the home is shown as ~.",
    ),
    Requirement(
        id="CLI-17",
        source="core 8; hardening 18",
        says="Control characters and overrides of text direction in names, notes and messages never reach a terminal.",
    ),
    Requirement(
        id="CLI-18",
        source="conformance 13, CLI status",
        says='Status says "Vector: ready", dims, "FTS: ready" and "Embedding cache: enabled (123 entries)".',
    ),
    Requirement(
        id="CLI-19",
        source="conformance 13, --deep and --index; behaviour 1.15",
        says="status --deep asks the provider; --index syncs first and implies --deep; a failed sync is part of the "
        "status and exits 1.",
    ),
    Requirement(
        id="CLI-20",
        source="behaviour 1.15, status",
        says="status --json is an array of {agentId, status, embeddingProbe, indexError, scan}, an entry per "
        "configured agent unless --agent names one.",
    ),
    Requirement(
        id="CLI-21",
        source="behaviour 1.15, index",
        says='index says "Memory index updated (id)." and names what was left out; --force rebuilds.',
        divergence="Files that were left out are warnings, exit 0; exit 1 when none of the notes could be indexed. "
        "One bad file never stops a sync.",
    ),
    Requirement(
        id="CLI-22",
        source="core 3, config commands",
        says="config show names every effective value and its origin, check what is wrong, a provider that cannot be "
        "had included, or not active yet, and every file that counts, schema "
        "prints a JSON schema, path the file.",
    ),
    Requirement(
        id="CLI-23",
        source="behaviour 1.15, doctor",
        says="doctor looks at settings, notes, provider and index without asking a provider, says what to do, and "
        "exits 1 when something is broken, 2 when it is the settings; --verify-data reads the whole index.",
    ),
    Requirement(
        id="CLI-24",
        source="core 8, init",
        says="init makes MEMORY.md and memory/ in the folder that is named, in the workspace of the settings, or here "
        "(at home: in the default workspace), and never changes what exists.",
    ),
    Requirement(
        id="CLI-25",
        source="core 8",
        says="A person at a terminal gets marked words and, on long work, a progress bar; a pipe gets plain text.",
    ),
    Requirement(
        id="CLI-26",
        source="conformance 13, search error and close failure",
        says="A failed search gives its message and exit 1, and the memory is closed.",
    ),
    Requirement(
        id="CLI-27",
        source="bad-inputs SE",
        says="Whatever a question holds, it is text: results or an empty list, never the database's error.",
    ),
    Requirement(
        id="CLI-28",
        source="bad-inputs SE-031 to SE-037, GE-043 to GE-049",
        says="A count, a line, a score or a span of days that is none is wrong use, exit 2; a score above 1 and a "
        "source that is not there yet are told.",
    ),
    Requirement(
        id="CLI-29",
        source="core, done when (first wrong turn)",
        says="A workspace that was named and does not exist is said to by every command, with how to begin one there; "
        "search and get exit 1.",
    ),
    Requirement(
        id="CLI-30",
        source="bad-inputs SE-041",
        says="A file that lay at the index's path and was put aside is named once, by the command that did it; a note "
        "never is put aside.",
    ),
    Requirement(
        id="CLI-31",
        source="product, nothing is written where nobody asked for it",
        says="With an empty or relative HOME the system's own home of the user is taken.",
    ),
)
