"""What the structure half of the text room must do: lines, chunks, units, headings, front matter, days, digests."""

from __future__ import annotations

from manifest import Requirement

_C1 = "conformance 1"
_C2 = "conformance 2"
_C6 = "conformance 6"

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement("LINE-01", "behaviour 1.4", 'Lines are separated by "\\n" alone; "\\r" and all else stay in the line.'),
    Requirement(
        "CHUNK-01",
        _C1,
        "The limit is max(32, 4 x tokens); a line longer than that is cut into slices with the line's number.",
        divergence="a slice ends behind a sentence or a word in its last quarter where there is one, so that no word "
        "is torn; lines without either are cut as the rows say",
    ),
    Requirement(
        "CHUNK-02",
        f"{_C1}; defect 4",
        "The overlap is whole lines up to its size, the end of one line where that line is longer, and never so much "
        "that a chunk exceeds its limit.",
        divergence="it begins at a sentence or word where there is one, never at a blank line, is left out where less "
        "than a quarter of it would fit, and gives way where a whole stretch then fits into one chunk",
    ),
    Requirement(
        "CHUNK-03",
        f"{_C1}; core 4",
        "Sixty equal lines are cut as the newest release cuts them.",
        divergence="lines that differ may be cut earlier than the limit: cuts that are counted from the top of a file "
        "all move when a line is added there, and every chunk would be embedded again",
    ),
    Requirement(
        "CHUNK-04",
        f"{_C1}; defect 6; IX-013",
        "A Han character, kana, Hangul, full-width form or box drawing costs four, other characters one.",
    ),
    Requirement(
        "CHUNK-05",
        f"{_C1}; defect 5; IX-012",
        "No cut falls into a character, and one beyond the Basic Multilingual Plane counts as the two units it is.",
    ),
    Requirement(
        "CHUNK-06",
        f"{_C1}; IX-015; core 4",
        "The range of a chunk is exactly the text of its lines, empty last line and carriage returns included.",
    ),
    Requirement(
        "CHUNK-07",
        f"{_C1}; core 4",
        "Blank chunks never come out.",
        divergence="an empty or blank text gives no chunk at all, where the seeds give one that is dropped later; "
        "blank lines before the first text of a note belong to no chunk",
    ),
    Requirement(
        "CHUNK-08", "behaviour 1.4; core 4", "Own parts follow each other and hold all text that is not blank."
    ),
    Requirement("CHUNK-09", "behaviour 1.4; core 4", "No chunk costs more than the limit, whatever the text."),
    Requirement("CHUNK-10", "core 4", "A heading never ends a chunk while text follows that could join it."),
    Requirement(
        "CHUNK-11",
        "targets, speed",
        "Two lines inserted at the top of a long note change two chunks at most, and usually one.",
    ),
    Requirement("CHUNK-12", "targets, speed", "Chunks of ordinary notes are on average above 60 % of the limit."),
    Requirement("CHUNK-13", "core 4", "A section under a first or second level heading begins a chunk if it is large."),
    Requirement("CHUNK-14", "IX-021; IX-022", "A hostile megabyte is cut in linear time and without recursion."),
    Requirement("CHUNK-15", "core 4", "Settings that make no sense are refused with a sentence."),
    Requirement(
        "UNIT-01",
        "core 4",
        "The units of a chunk hold, in order and once, all of its own text that is not blank, on exact lines.",
    ),
    Requirement("UNIT-02", "findings 1", "A unit costs 350 at most, a Han character counting two."),
    Requirement("UNIT-03", "findings 1", "A heading opens a unit and stays with what follows it."),
    Requirement("UNIT-04", "findings 1", "Paragraphs, list items and turns are units of their own unless tiny."),
    Requirement(
        "UNIT-05", "findings 1", "A long line is cut at sentences in any script, else at words, else anywhere."
    ),
    Requirement(
        "UNIT-06", "findings 1", "What is longer than a unit is shared out evenly, without a crumb at the end."
    ),
    Requirement("UNIT-07", "findings 1", "The lines that open and close a code block stay with the code."),
    Requirement("HEADING-01", "core 4", "Each place has the path of headings above it; a heading is not under itself."),
    Requirement("HEADING-02", "core 4", "What looks like a heading in fenced code or front matter is none."),
    Requirement("HEADING-03", "core 4; IX-022", "A heading's words are short enough to be repeated in every chunk."),
    Requirement("HEADING-04", "core 4", "A line underlined with = or - between blank lines is a heading."),
    Requirement(
        "FRONT-01", "core 4; issue 83385", "Front matter is in no chunk, and the lines behind it keep their numbers."
    ),
    Requirement("FRONT-02", "core 4", "A rule at the top of a note, or front matter that never ends, is text."),
    Requirement("FRONT-03", "core 4", "A note that is all front matter is indexed by it."),
    Requirement("FRONT-04", "core 4", "The title is what the front matter's title entry says."),
    Requirement(
        "BYTES-01",
        _C2,
        "Parts have at most the limit in UTF-8 bytes and together are the text.",
        divergence="so far only questions are cut so: notes are embedded by a model without a limit, and the limits "
        "of remote providers come with those providers",
    ),
    Requirement("BYTES-02", _C2, "No part splits a character; one that is longer than the limit stands alone."),
    Requirement(
        "NOTEDAY-01",
        f"{_C6}; defect 10",
        "The day of a note is that at the start of its file name, with or without slug, at any depth below memory/.",
        divergence="IX-030 says that only memory/YYYY-MM-DD.md decays; the core issue asks for slugged and nested "
        "days, as the newest release has them",
    ),
    Requirement(
        "NOTEDAY-02",
        _C6,
        "Root files and notes of memory/ without a day are evergreen; a name that means an impossible day is not.",
        divergence="memory.md is evergreen, as at the anchor: on a disk that folds case it is MEMORY.md, and a note "
        "must not age by the spelling under which it was found",
    ),
    Requirement("NOTEDAY-03", "core 4", "A day in words is English and the same in every locale."),
    Requirement("NOTEDAY-04", "core 7", "since and until take YYYY-MM-DD and refuse anything else with a sentence."),
    Requirement("DIGEST-01", _C1, "The digest of a text is the SHA-256 of its UTF-8 bytes."),
    Requirement("DIGEST-02", "core 5", "A key of several texts tells where one ends and the next begins."),
)
