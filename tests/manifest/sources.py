"""What finding and reading files must do."""

from __future__ import annotations

from manifest import Requirement

_DISCOVERY = "behaviour 1.3"
_PATHS = "hardening 11"

REQUIREMENTS: tuple[Requirement, ...] = (
    # --- discovery ---
    Requirement("FIND-01", _DISCOVERY, "MEMORY.md, memory.md, all of memory/, then each extra path are found."),
    Requirement(
        "FIND-02",
        "behaviour 1.3; conformance 9",
        "Symbolic links to files, folders and extra roots are left out.",
        divergence="they are named in the report, not passed over in silence",
    ),
    Requirement("FIND-03", _DISCOVERY, "Only regular files whose names end in .md, in small letters, are taken."),
    Requirement(
        "FIND-04",
        "behaviour 1.3; bad input IX-033",
        "A missing or unreadable extra path or folder does not stop the rest.",
        divergence="it is named in the report, not skipped in silence",
    ),
    Requirement("FIND-05", "core 4; bad input IX-027", "MEMORY.md and memory.md are one where they are one file."),
    Requirement(
        "FIND-06",
        "behaviour 1.3; conformance 9; bad input IX-031",
        "A file that two roots reach is found once, under the first.",
        divergence="files are compared by device and inode, not by resolved path; a hard link within one root is a "
        "note of its own, a hard link in a later root to a file of an earlier one is not",
    ),
    Requirement(
        "FIND-07",
        "bad input IX-018",
        "Folders of tools (.git, node_modules, .venv, ...) are not searched; other hidden folders are.",
        divergence="the reference searched them and left them out of watching only",
    ),
    Requirement("FIND-08", "bad input IX-007", "A name that is no UTF-8 is left out and named by its bytes."),
    Requirement("FIND-09", "bad input IX-009, IX-010", "Strange names (newlines, quotes, $()) are taken as they are."),
    Requirement(
        "FIND-10",
        _PATHS,
        "A name that get would refuse is left out and named.",
        divergence="the reference indexes such a file and cannot read it back",
    ),
    Requirement(
        "FIND-11", "bad input IX-028", "A file called memory is a problem, and MEMORY.md is found all the same."
    ),
    Requirement("FIND-12", "bad input IX-019", "A file above 16 MiB is left out, named, and not read."),
    Requirement("FIND-13", _DISCOVERY, "Paths are relative to the workspace with /; outside it they begin with .. ."),
    Requirement("FIND-14", "core 4", "The same files are always found in the same order."),
    Requirement("FIND-15", "hardening 10", "A stat tells same-size edits apart, and fits a database's integers."),
    Requirement("FIND-16", _PATHS, "A folder swapped for a symbolic link is never listed, however deep folders are."),
    Requirement("FIND-17", "core 4", "A missing workspace is a problem, not an empty memory."),
    Requirement("FIND-18", "conformance 9", "Extra paths are trimmed, resolved against the workspace and taken once."),
    # --- reading ---
    Requirement("READ-01", "hardening 9; bad input IX-034", "Hash, text and stat are those of the same bytes."),
    Requirement("READ-02", "hardening 9", "A file that does not hold still is an error after a few tries."),
    Requirement("READ-03", "bad input IX-001", "A byte order mark is not in the text, and lines keep their numbers."),
    Requirement("READ-04", "bad input IX-003, IX-004", "Bytes that are no UTF-8 become U+FFFD, and the note says so."),
    Requirement("READ-05", "bad input IX-006", "Carriage returns stay in the text; the file is never written."),
    Requirement("READ-06", "bad input IX-019, GE-055", "A file that is too large is not read into memory."),
    # --- paths ---
    Requirement("PATH-01", _PATHS, "No text whatever names a file outside the roots of the memory."),
    Requirement(
        "PATH-02",
        "hardening 11; bad input GE-001 to GE-029",
        "Absolute paths, .. that leaves, backslashes, drives, URLs and ~ are refused, without naming a place.",
    ),
    Requirement("PATH-03", "bad input GE-019 to GE-028", "An empty path, a NUL and what is no text are wrong use."),
    Requirement("PATH-04", _DISCOVERY, "Files of extra paths are known by the path that search shows for them, alone."),
    Requirement(
        "PATH-05",
        "conformance 9, memory-path test",
        "A leading ./ is tolerated; Memory/x.md, notes.md and memory are no paths of the memory.",
        divergence="../MEMORY.md, /memory/x.md and .memory/x.md are refused: that they pass is a defect",
    ),
    Requirement(
        "PATH-06", "hardening 11; bad input GE-031 to GE-037", "No component of a path is a symbolic link, in any race."
    ),
    Requirement("PATH-07", "bad input GE-040, GE-041", "Pipes, sockets, devices and folders are refused, at once."),
    Requirement("PATH-08", _PATHS, "Where the kernel has no openat2, walking down by descriptors is as safe."),
    # --- get ---
    Requirement("GET-01", "conformance 9", "A range gives exactly those lines, counted by newlines alone."),
    Requirement("GET-02", "conformance 9", "Lines behind the end are an empty text."),
    Requirement(
        "GET-03", "conformance 9; core 4", "A file that does not exist (any more) is an empty text that says so."
    ),
    Requirement(
        "GET-04",
        "conformance 9 (later release); core 4",
        "Without lines at most 120 are given, and at most 12,000 characters always; the result says where to go on.",
        divergence="a line that is cut and has others behind it names the next one as well",
    ),
    Requirement("GET-05", "bad input GE-043 to GE-049", "start and lines are whole numbers from 1 on."),
    Requirement("GET-06", "bad input GE-050", "What get gives for a range of lines is what a read of the note holds."),
    Requirement("GET-07", "bad input GE-052", "A file that may not be read is an error that says so."),
    Requirement("GET-08", "bad input GE-053", "Only names that end in .md can be read."),
    Requirement("GET-09", "bad input GE-055", "A file of any size is read in a bounded amount of memory."),
    Requirement(
        "GET-10", "bad input GE-038", "A hard link cannot be told from a file: it is read like one (documented)."
    ),
    Requirement("GET-11", "core 8", "get loads neither numpy nor hashing nor pathlib."),
    # --- testing ---
    Requirement("TESTING-WORKSPACE-01", "core 1", "The workspace builder makes notes from a mapping and changes them."),
    Requirement(
        "SOURCE-GLANCE-01",
        "hardening 10; core 8",
        "Between two looks at all files, a glance sees whether a folder or one of the notes last written changed.",
    ),
)
