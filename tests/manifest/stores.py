"""What must hold of the stores."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(id="STORE-01", source="core 1, core 5", says="Every store keeps one public contract."),
    Requirement(
        id="STORE-02",
        source="hardening, what to promise; bad input SO-008",
        says="Any operation on the disk may fail, once, for good or for want of space: a typed error, nothing "
        "acknowledged lost, nothing half done seen.",
    ),
    Requirement(
        id="STORE-03",
        source="bad input SE-040, SO-002, SO-003, SO-020",
        says="An empty file counts as no index, and a log or journal beside a missing store is never replayed.",
    ),
    Requirement(
        id="STORE-04",
        source="hardening 7; bad input SE-041, SO-006",
        says="Only a malformed store is put aside, one is kept, and the next writer starts anew.",
    ),
    Requirement(
        id="STORE-05",
        source="hardening, what to promise; bad input SO-005",
        says="Flipped bits and vanished rows that change an answer are found by verify, and no damaged text is shown.",
    ),
    Requirement(
        id="STORE-06",
        source="behaviour 1.5; core 5; bad input SE-043, SE-044",
        says="Vectors are binary, exact to their stored form, never of two models, and never make a score that is not "
        "finite.",
        divergence="Stored as binary in a table of their own, not as JSON in `chunks`; scaled to int8 where the "
        "embedder allows it: a quarter of the bytes, and a scan in integer instructions.",
    ),
    Requirement(
        id="STORE-07",
        source="hardening 2; bad input SO-002",
        says="A rebuild is never renamed over a live store.",
        divergence="The reference renames a temporary database over the live one; here the content is replaced in one "
        "write transaction.",
    ),
    Requirement(
        id="STORE-08",
        source="bad input SE-046; behaviour 1.5",
        says="A missing table or another format is said by the reader and made anew by the next writer.",
    ),
    Requirement(
        id="STORE-09",
        source="hardening 7",
        says="A database that recollect did not make is never emptied or overwritten.",
    ),
    Requirement(
        id="STORE-10",
        source="hardening 2, 3, what to promise; bad input SE-047",
        says="A writer may be killed at any moment: nothing acknowledged is lost, no reader sees two generations "
        "mixed, and no file is left.",
    ),
    Requirement(
        id="STORE-11",
        source="hardening 7",
        says="Busy, full, read-only and unreachable are never called damaged.",
    ),
    Requirement(
        id="STORE-12",
        source="hardening 5; bad input SO-011, SO-012, SO-017",
        says="Writers take turns under a kernel lock that dies with its holder; readers never wait.",
    ),
    Requirement(
        id="STORE-13",
        source="hardening 16; bad input SO-015",
        says="Store, sidecars, drafts and lock are 0600 and new folders 0700, whatever the umask.",
    ),
    Requirement(
        id="STORE-14",
        source="hardening 8; bad input SO-009",
        says="A store that was deleted or replaced while open is noticed; nothing is written to a dead file.",
    ),
    Requirement(
        id="STORE-15",
        source="hardening 6; bad input ST-001, ST-002",
        says="Reading makes no write, no lock and no file, works on a read-only file system, and loads no numpy for "
        "what status asks.",
    ),
    Requirement(
        id="STORE-16",
        source="core 5",
        says="Postings come back as they were gathered, through any number of merges, in a form that any SQLite reads.",
        divergence="Plain tables of posting lists instead of FTS5: scores of units, chunks and notes come out of the "
        "same lists, and an OR question costs a fraction of bm25().",
    ),
    Requirement(
        id="STORE-17",
        source="hardening, what to promise",
        says="Any history of writes leaves the answers of a rebuild.",
    ),
    Requirement(
        id="STORE-18",
        source="core 5; behaviour 1.5; behaviour 4, sqlite-vec unclear",
        says="sqlite-vec is an optional path with the same answers; why it cannot be loaded is said, and search goes "
        "on.",
        divergence="Its vec0 table is made in memory from the stored vectors, not kept in the store: a store opens "
        "without the extension, and no copy of the vectors can be stale.",
    ),
    Requirement(
        id="STORE-19",
        source="bad input ST-001, ST-002; hardening 7",
        says="A folder that cannot be written, or a file in its place, is named with its cause, the home as ~, by "
        "whoever writes or finds no index there; where there is one, it is read and a note says so.",
    ),
)
