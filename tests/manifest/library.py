"""What must hold of the library as a whole, through Memory and AsyncMemory."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="LIB-01",
        source="core 2",
        says="sync reports what was added, changed, removed, kept, embedded and left out, and the numbers are so.",
    ),
    Requirement(
        id="LIB-02",
        source="core 2",
        says="A SearchResult is a sequence of Hit with score, citation, snippet, path, lines and source; best first.",
    ),
    Requirement(
        id="LIB-03",
        source="core 4, 7",
        says="What a hit shows is the note's own text: get of the cited lines holds the snippet, gaps are marked and "
        "named in spans.",
    ),
    Requirement(
        id="LIB-04", source="core 2, 4", says="get reads lines, and says where to go on and what is not there."
    ),
    Requirement(
        id="LIB-05", source="core 2", says="status tells counts, provider, freshness and the workspace with its origin."
    ),
    Requirement(id="LIB-06", source="core 2", says="AsyncMemory has the same verbs with the same arguments, awaited."),
    Requirement(
        id="LIB-07",
        source="core 2, 3",
        says="config= takes memorySearch settings as they stand on disk and wins over the file.",
    ),
    Requirement(
        id="LIB-08",
        source="core 7, explain",
        says="The parts of an explanation reproduce the score, with and without decay and MMR.",
    ),
    Requirement(id="LIB-09", source="core 7", says="since and until filter by the note's date, both days included."),
    Requirement(id="LIB-10", source="core 7; seed 000", says="Citations are on, off or auto, as the settings say."),
    Requirement(
        id="LIB-11",
        source="core 7; conformance 6",
        says="Decay goes by the date in the name, also of slugged and nested notes, by mtime elsewhere, and spares "
        "evergreen notes.",
    ),
    Requirement(
        id="LIB-12",
        source="core 7; conformance 7",
        says="MMR makes room: of two near-duplicates the second comes later.",
    ),
    Requirement(
        id="LIB-13",
        source="core 7; conformance 5",
        says="The configured threshold does not cut what the words found; an explicit min_score holds for every hit, "
        "and above 1 nothing is left.",
    ),
    Requirement(id="LIB-14", source="core 7", says="The best hits do not depend on how many were asked for."),
    Requirement(
        id="LIB-15",
        source="core 5; targets",
        says="Identifiers are found whole and in parts: hashes, dotted names, error codes, snake_case.",
    ),
    Requirement(
        id="LIB-16",
        source="core 5; targets",
        says="Notes in German, Chinese, Japanese, Korean, Thai and Hindi are found by their words.",
    ),
    Requirement(
        id="LIB-17",
        source="core 7, honest results; hardening, honesty",
        says="A result says what it rests on and what is missing: nothing indexed, files newer than the index, a "
        "provider that failed, chunks without a vector, vectors of another model.",
    ),
    Requirement(
        id="LIB-18",
        source="core 8",
        says="A search brings a small change in before it answers; a larger one is reported and left to sync.",
    ),
    Requirement(
        id="LIB-19",
        source="core 6",
        says="Provider none is keyword search without a warning; text that the table does not know gets no vote.",
    ),
    Requirement(
        id="LIB-20",
        source="hardening 7; core 2",
        says="Threads may search and sync one Memory at once: every answer is whole and right.",
    ),
    Requirement(
        id="LIB-21", source="core 2", says="close may be called twice; a Memory that is used afterwards opens again."
    ),
    Requirement(
        id="LIB-22",
        source="core 2; CONTRIBUTING",
        says="A wrong call is an ArgumentError that says what to do; no message names an absolute path of the home.",
    ),
    Requirement(
        id="LIB-23",
        source="core 6",
        says="A question in words that no note uses is answered by meaning, with the model in the package.",
    ),
    Requirement(
        id="LIB-24",
        source="core 3; seed 000",
        says="memorySearch.enabled false answers nothing, writes nothing, and says why.",
    ),
    Requirement(
        id="LIB-25",
        source="core 5; hardening, rebuild",
        says="An index that was deleted is made anew, and answers as before.",
    ),
    Requirement(
        id="LIB-30",
        source="core 8; hardening, freshness",
        says="A note that is written between two questions is in the second answer, however soon it follows.",
    ),
    Requirement(
        id="LIB-31",
        source="core, Done when (first wrong turn)",
        says="A folder that does not exist is named as missing, and no index is made for it.",
    ),
    Requirement(
        id="LIB-32",
        source="core 8",
        says="A small memory is brought up to date before the answer also where changed settings make the index anew.",
    ),
    Requirement(
        id="LIB-33",
        source="hardening 12",
        says="An answer of an embedder that is not so many finite vectors is refused and told, never stored.",
    ),
)
