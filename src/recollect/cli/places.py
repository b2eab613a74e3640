"""What a person in a new or mistyped place needs: whether there are notes at all, and which name was meant.

In come a workspace and a name; out go sentences. It looks at names alone, reads no note, and follows no link.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from recollect.cli.output import joined, say, tidy, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.config.load import Loaded
    from recollect.memory import Memory

_LONGEST = 4096  # no path is longer
_PLAIN = re.compile(r"[\w@%+=:,./~-]+")  # what a shell takes as it stands
_AT_MOST = 20_000  # names looked at before giving up: a hint is not worth a long walk


def say_workspace(memory: Memory) -> None:
    """Tell on stderr which notes are meant, and why these."""
    say(workspace_line(memory))


def workspace_line(memory: Memory) -> str:
    """`Workspace: ~/notes (--workspace)`."""
    return f"Workspace: {tidy(memory.workspace)} ({visible(memory.workspace_origin)})"


def no_notes_hint(memory: Memory) -> str | None:
    """What to do where there is no note yet; None where there are some, or may be some elsewhere."""
    workspace = memory.workspace
    if memory.settings.extra_paths or next(note_names(workspace), None) is not None:
        return None
    if (missing := missing_folder(memory)) is not None:
        return missing
    return (
        f"There are no notes in {tidy(workspace)} yet. Run `recollect init`, or write MEMORY.md there; "
        "or name another folder with --workspace."
    )


def missing_folder(memory: Memory) -> str | None:
    """What to do where somebody named a folder that does not exist; None where there is one, or nobody named any."""
    from recollect.config.load import DEFAULT_WORKSPACE

    if memory.workspace_origin == DEFAULT_WORKSPACE or os.path.isdir(memory.workspace):
        return None
    place = tidy(memory.workspace)
    typed = place if _PLAIN.fullmatch(place) else f"'{place}'"
    return f"The folder {place} does not exist. Check its name, or begin a memory there: recollect init {typed}"


def settings_files(loaded: Loaded) -> str | None:
    """The files that settings were read from, as they may be shown; None where there is none."""
    files = [tidy(loaded.config_path)] if loaded.config_path is not None else []
    if loaded.workspace_file:
        from recollect.config.paths import WORKSPACE_SETTINGS

        files.append(tidy(os.path.join(loaded.workspace, WORKSPACE_SETTINGS)))
    return joined(files) or None


def nearest_note(workspace: str, wanted: str) -> str | None:
    """The note that somebody may have meant, as `get` takes it: never what was asked for, nor what cannot be read."""
    close = _nearest(workspace, wanted[:200].lower())
    if close is None or close == os.path.normpath(wanted[:_LONGEST]):
        return None
    try:
        full = os.path.join(workspace, close)
        return close if stat.S_ISREG(os.lstat(full).st_mode) and os.access(full, os.R_OK) else None
    except OSError:
        return None


def _nearest(workspace: str, wanted: str) -> str | None:
    from difflib import get_close_matches

    names = {name.lower(): name for name in note_names(workspace)}
    for guess in (wanted, f"{wanted}.md", f"memory/{wanted}", f"memory/{wanted}.md"):
        if guess in names:
            return names[guess]
    close = get_close_matches(wanted, names, n=1, cutoff=0.75)
    if close:
        return names[close[0]]
    # The folder may be what was wrong: compare the last part alone.
    last = {os.path.basename(name): name for name in reversed(names)}
    close = get_close_matches(os.path.basename(wanted), last, n=1, cutoff=0.75)
    return names[last[close[0]]] if close else None


def note_names(workspace: str) -> Iterator[str]:
    """Names of the workspace's Markdown, relative to it: MEMORY.md first, then memory/, at most 20,000."""
    for name in ("MEMORY.md", "memory.md"):
        if os.path.isfile(os.path.join(workspace, name)):
            yield name
            break
    left = _AT_MOST
    for folder, folders, files in os.walk(os.path.join(workspace, "memory")):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        left -= len(files)
        if left < 0:
            return
        relative = os.path.relpath(folder, workspace)
        yield from (f"{relative}/{name}" for name in sorted(files) if name.endswith(".md") and not name.startswith("."))
