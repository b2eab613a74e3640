"""Rows of the reference's tables of inputs and outputs that no room has as a behaviour of its own."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    # --- chunks ---
    Requirement(
        "ROW-CHUNK-01",
        "conformance 1, 60 lines with 20/5",
        "Small chunks with an overlap keep within their limit too.",
        divergence="79 characters where the anchor has 121: its overlap carries a whole line beyond the limit of 80",
    ),
    Requirement("ROW-CHUNK-02", "conformance 1, random documents", "The longest chunk of random documents is 1600."),
    Requirement(
        "ROW-CHUNK-03",
        "conformance 1, per-entry mode",
        "Each entry of a list stands on its own lines and is scored on its own.",
        divergence="entries are units within a chunk, in every note, and need no mode; a heading of one line goes with "
        "the entry under it",
    ),
    # --- words and scores ---
    Requirement("ROW-TERM-01", "conformance 3, decomposed accent", "A decomposed accent leaves its letter."),
    Requirement(
        "ROW-SCORE-01",
        "conformance 3, SQLite measurement; defect 3",
        "One distinctive word scores the same among 1 note and among 1,000, and a word that all notes hold still "
        "scores.",
        divergence="the figures of SQLite's rank do not occur: the best hit of one word scores 1 at every size",
    ),
    Requirement(
        "ROW-FTS-01",
        "conformance 3, tokenizer rows",
        "What unicode61 or trigram finds of whole words, parts of identifiers and Han is found without a choice.",
        divergence="any piece of a Latin word (atew in gateway) is not found: words are found in their forms and "
        "their parts, and there is no trigram tokenizer to choose; a run of Han is found by any two of its characters",
    ),
    Requirement(
        "ROW-BOOST-01",
        "conformance 3, lexical boost",
        "Without vectors a note whose path holds the words of the question comes before one that only mentions them.",
        divergence="words of the path are scored as words of the note, no boost is added, and a note that holds none "
        "of the words is no hit at all, where the row gives it 0.04375",
    ),
    # --- merging, through the library ---
    Requirement(
        "ROW-MERGE-01",
        "conformance 5",
        "The weights decide between a note that is near and a note that holds the word.",
    ),
    Requirement("ROW-MERGE-02", "conformance 5", "A question whose vector is zero is answered by its words."),
    Requirement(
        "ROW-MERGE-03",
        "conformance 5, one row; defect 17",
        "What words and vectors both find is one hit, whose snippet shows the word, wherever in the chunk it stands.",
    ),
    # --- decay ---
    Requirement(
        "ROW-DECAY-01",
        "conformance 6, scores; defects 9, 10",
        "Each kind of path ages as the rows say.",
        divergence="a transcript ages by its file's time, where the anchor never finds the file and keeps 1.0",
    ),
    Requirement("ROW-DECAY-02", "conformance 6, seed example", "Age turns 0.91, 0.82, 0.80 into the documented order."),
    # --- variety ---
    Requirement(
        "ROW-MMR-01",
        "conformance 7, seed example with lambda .5",
        "With lambda .5 the near-duplicate of the router example comes last as well.",
        divergence="the row's order comes of relevance stretched between the candidates (min-max), which is not done",
    ),
    Requirement(
        "ROW-MMR-02",
        "conformance 7; behaviour 4, issue 134604",
        "Also with variety the best hits do not depend on how many were asked for.",
    ),
    Requirement(
        "ROW-PACK-01",
        "behaviour 4, issue 134604",
        "What a hit shows, and which lines it cites, does not depend on how many hits were asked for.",
    ),
    # --- paths ---
    Requirement("ROW-LIST-01", "conformance 9, list", "MEMORY.md and two notes of an extra folder are three files."),
    Requirement("ROW-GET-01", "conformance 9, vanishes after stat", "A note that is gone when it is opened is absent."),
    # --- indexing ---
    Requirement(
        "ROW-INDEX-01",
        "conformance 14, 50 lines of 200, 4 lines of 120",
        "A large note takes more than one call and as many texts as it has chunks; a small one takes one call.",
        divergence="so for a model that embeds chunks; one that embeds units is given each unit once",
    ),
    Requirement("ROW-INDEX-02", "conformance 14, sync errors", "A sync that fails within a search costs a warning."),
    Requirement("ROW-INDEX-03", "defect 11", "Without a provider all is indexed, and forcing empties nothing."),
    Requirement("ROW-INDEX-04", "conformance 14, progress", "Every label of progress holds a / and the last is full."),
    # --- what waits ---
    Requirement(
        "ROW-LATER-01",
        "conformance 14, batches and retries; conformance 1, remap",
        "Settings of remote batches and of transcripts are accepted, and it is said that they do nothing yet.",
        divergence="the features do not exist yet: no batch is created, nothing is retried on 429, no transcript is "
        "cut into chunks whose lines would have to be mapped",
    ),
)
