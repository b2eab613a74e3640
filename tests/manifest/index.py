"""What the index room must do: the write path from files to rows."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    # --- what is to be done ---
    Requirement(
        id="SYNC-01",
        source="hardening 10",
        says="A file counts as unchanged only if size, mtime, ctime and inode are those that the index remembers.",
        divergence="The seeds read and hash every file at every sync.",
    ),
    Requirement(
        id="SYNC-02",
        source="bad-inputs IX-016",
        says="A sync with nothing to do reads no note, calls no provider, takes no lock and writes nothing.",
    ),
    Requirement(
        id="SYNC-03",
        source="seed 000, Sync",
        says="A file whose stat changed and whose content did not is only remembered with its new stat.",
    ),
    Requirement(
        id="SYNC-04",
        source="issue core 5; targets, sync",
        says="Of a changed note only the chunks that changed are embedded and written; the others may move.",
        divergence="The seeds delete and insert all chunks of a changed file.",
    ),
    Requirement(
        id="SYNC-05",
        source="targets, sync",
        says="A renamed or copied note takes its vectors over: nothing is embedded.",
    ),
    Requirement(id="SYNC-06", source="behaviour 1.8", says="A file that is gone leaves the index, with all its rows."),
    Requirement(
        id="SYNC-07",
        source="hardening, rebuild = incremental",
        says="After any history of writes, edits, deletions and renames the index equals a fresh one of the files.",
    ),
    Requirement(
        id="SYNC-08",
        source="bad-inputs IX-037",
        says="A file whose mtime went backwards with new content is indexed again.",
    ),
    Requirement(
        id="SYNC-09",
        source="hardening 9",
        says="A file that changed within the clock tick in which it was read is looked at again by the next sync.",
    ),
    # --- bad files ---
    Requirement(
        id="SYNC-10",
        source="issue core 4; hardening 9",
        says="A file that cannot be read is named in the report and stops nothing; its old rows stay.",
    ),
    Requirement(
        id="SYNC-11",
        source="bad-inputs IX-034",
        says="A file that vanishes between listing and reading is named, and its old rows go.",
    ),
    Requirement(
        id="SYNC-12",
        source="hardening 10",
        says="A folder or workspace that cannot be listed just now takes no note out of the index.",
    ),
    Requirement(
        id="SYNC-13",
        source="bad-inputs IX-003",
        says="A note that is not UTF-8 is indexed and named, also by later syncs that do not read it again.",
    ),
    Requirement(
        id="SYNC-14",
        source="bad-inputs IX-034",
        says="The remembered hash and stat are those of the bytes that were indexed; newer bytes are found later.",
    ),
    # --- identity and rebuild ---
    Requirement(
        id="SYNC-20",
        source="conformance 14; issue core 5",
        says="When provider, model, endpoint, dimensions, chunking, sources or text version differ the index is made "
        "anew, and the report says why.",
    ),
    Requirement(
        id="SYNC-21", source="conformance 14", says="Forcing an index twice with a cache makes no new calls to embed."
    ),
    Requirement(
        id="SYNC-22",
        source="conformance 14; hardening 13",
        says="A rebuild that fails leaves the old index as it was, but for words of files that changed meanwhile.",
    ),
    Requirement(
        id="SYNC-23",
        source="bad-inputs IX-040",
        says="A rebuild while a file changes all the time ends: it is published and followed up a bounded number of "
        "times, and what still differs stays pending.",
    ),
    Requirement(
        id="SYNC-24",
        source="issue core 5",
        says="A first index goes into the live store batch by batch; one that was killed goes on where it stopped.",
    ),
    Requirement(
        id="SYNC-25",
        source="issue core 6",
        says="Without an embedder the index is complete with words alone, and that is no problem.",
    ),
    # --- embedding ---
    Requirement(id="SYNC-30", source="conformance 14", says="A blank text is never embedded."),
    Requirement(
        id="SYNC-31",
        source="behaviour 1.6",
        says="A remote model is called with at most 8,000 bytes of UTF-8, or with one longer text alone; small texts "
        "share a call.",
    ),
    Requirement(
        id="SYNC-32",
        source="behaviour 1.6; issue core 5",
        says="Each finished call is cached durably at once by the text's hash, and found again; the cache is pruned to "
        "its limit.",
        divergence="Pruned after every sync that put something in, not only after a full one.",
    ),
    Requirement(
        id="SYNC-33",
        source="hardening 12",
        says="A batch that is refused is halved until the bad text stands alone; it is skipped and named, all others "
        "are embedded.",
    ),
    Requirement(
        id="SYNC-34",
        source="hardening 13",
        says="When the provider goes silent the words are indexed at once, vectors that exist stay, no further calls "
        "are made, and the next sync heals what is missing.",
    ),
    Requirement(
        id="SYNC-35",
        source="hardening 5",
        says="A text that occurs several times in a batch is embedded once.",
    ),
    # --- running ---
    Requirement(
        id="SYNC-40",
        source="conformance 14",
        says='Progress labels contain "/", and the last one is complete.',
    ),
    Requirement(
        id="SYNC-41",
        source="bad-inputs IX-039",
        says="Whoever gets the lock looks again at what the index holds, so that two processes embed nothing twice.",
    ),
    Requirement(
        id="SYNC-42",
        source="behaviour 1.8",
        says="In a process one sync runs at a time; a caller who waited has its files looked at.",
        divergence="The seeds hand a second caller the result of a sync that may have begun before it asked.",
    ),
    Requirement(
        id="SYNC-43",
        source="bad-inputs IX-043",
        says="An interrupt in the middle leaves a consistent index and no lock.",
    ),
    Requirement(
        id="SYNC-44",
        source="bad-inputs IX-036, IX-042",
        says="Times of files in the far future or past and a clock that jumps change nothing about what is indexed.",
    ),
    Requirement(
        id="SYNC-45",
        source="hardening 10",
        says="What is pending is told by stat alone: no note is read, numpy is not loaded, no lock is taken.",
    ),
    Requirement(
        id="SYNC-46",
        source="hardening 10",
        says="What is pending says which folders cannot be read just now, and how much there is to read in all.",
    ),
    Requirement(
        id="SYNC-47",
        source="hardening 7",
        says="Damage that a reader, a check or the sync itself met is mended by one plain sync, with the answers of a "
        "fresh index; making the index anew never fails because the old one is damaged.",
    ),
    Requirement(
        id="SYNC-48",
        source="hardening 2",
        says="What a writer that died left behind goes with the next sync that somebody asks for, also when that has "
        "nothing else to do; never from under a writer that is at work.",
    ),
    # --- what is indexed ---
    Requirement(
        id="SYNC-50",
        source="issue core 4",
        says="A unit is embedded with the last two headings above it; a chunk embedded whole with all of them.",
    ),
    Requirement(
        id="SYNC-51",
        source="issue core 4",
        says="A note's first unit answers to its title, the words of its path, and its date in figures and words.",
    ),
    Requirement(
        id="SYNC-52",
        source="issue core 5",
        says="Equal chunk keys mean equal rows; whatever the rows hold but line numbers of the note changes the key.",
    ),
    Requirement(
        id="SYNC-53",
        source="own",
        says="While batches are made the collector of cyclic garbage rests; afterwards it is as the host had it.",
    ),
    Requirement(
        id="CLOCK-01",
        source="issue core 1",
        says="The fixed clock stands still until it is moved, and says the moment it was given.",
    ),
)
