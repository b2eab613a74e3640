"""Where things are: the state directory, the settings file, the workspace, the index file.

What enters: arguments, the environment, the current folder. What leaves: absolute paths and, in words, how they were
chosen. Never: a file or folder made, or a file opened.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.config.values import shown
from recollect.errors import ArgumentError, ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SETTINGS_NAMES = ("recollect.json5", "recollect.json", "openclaw.json")
WORKSPACE_SETTINGS = ".recollect.json5"
_NOT_FILES = ("/dev/", "/proc/", "/sys/")
_MAX_AGENT_ID = 64
_MAX_SHOWN = 200


class Workspace(Struct, frozen=True):
    """The folder of the notes, and how it was chosen."""

    path: str
    origin: str


def expand(path: str, base: str, environ: Mapping[str, str]) -> str:
    """An absolute path: `~` is the home, anything relative stands below `base`."""
    return os.path.normpath(os.path.join(base, home_expanded(path, environ)))


def home_expanded(path: str, environ: Mapping[str, str]) -> str:
    """The path with `~` replaced by the home."""
    if path == "~" or path.startswith("~/"):
        home = home_folder(environ)
        if home is None:
            raise ConfigError(
                "There is no home folder: HOME names none.",
                hint="Set HOME to an absolute path, or write paths in full.",
            )
        return home.rstrip(os.sep) + path[1:] or os.sep
    return os.path.expanduser(path) if path.startswith("~") else path


def home_folder(environ: Mapping[str, str]) -> str | None:
    """The home: what HOME names, where that is an absolute path, else what the system knows of the user."""
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        import pwd  # only where HOME cannot be used

        try:
            home = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            return None
    return os.path.normpath(home) if os.path.isabs(home) else None


def shown_path(path: str, environ: Mapping[str, str]) -> str:
    """A path as a message may name it: the home as `~`, and of any other place no more than the last folder."""
    home = home_folder(environ)
    if home not in (None, os.sep) and path.startswith(f"{home}{os.sep}"):
        return shown("~" + path[len(home or "") :], _MAX_SHOWN)
    return shown(os.path.join(*path.split(os.sep)[-2:]), _MAX_SHOWN)


def state_folder(argument: str | None, environ: Mapping[str, str], here: str) -> str:
    """The folder of the index and of the settings file."""
    given = _usable(argument, "The state directory") or environ.get("RECOLLECT_STATE_DIR", "").strip()
    return expand(given or "~/.recollect", here, environ)


def settings_file(argument: str | None, environ: Mapping[str, str], here: str, state: str) -> tuple[str | None, bool]:
    """The settings file that counts, and whether somebody named it."""
    named = _usable(argument, "The settings file") or environ.get("RECOLLECT_CONFIG", "").strip()
    if named:
        return expand(named, here, environ), True
    for name in SETTINGS_NAMES:
        path = os.path.join(state, name)
        if os.path.lexists(path):
            return path, False
    return None, False


def stamp(path: str) -> tuple[int, ...]:
    """What tells one state of a file from another; nothing where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def current_folder(cwd: str | None) -> str:
    """The folder to start from; the root where the current one is gone."""
    if cwd is not None:
        return os.path.abspath(cwd)
    try:
        return os.getcwd()
    except OSError:
        return os.sep


def given_workspace(path: str, here: str, environ: Mapping[str, str]) -> Workspace:
    """The workspace that somebody named."""
    usable = _usable(path, "The workspace")
    full = expand(usable or here, here, environ)
    if os.path.exists(full) and not os.path.isdir(full):
        raise ArgumentError("The workspace is a file, not a folder.", hint="Name the folder that holds MEMORY.md.")
    return Workspace(full, "given")


def found_workspace(here: str) -> Workspace | None:
    """The nearest folder upward that looks like a memory."""
    folder, place = here, "here"
    while True:
        if mark := _mark_of_memory(folder):
            return Workspace(folder, f"{mark} found {place}")
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder, place = parent, "in a parent folder"


def _mark_of_memory(folder: str) -> str | None:
    for name in ("MEMORY.md", "memory.md"):
        if os.path.isfile(os.path.join(folder, name)):
            return name
    return "memory/" if os.path.isdir(os.path.join(folder, "memory")) else None


def _usable(path: str | None, what: str) -> str | None:
    if path is None:
        return None
    if not path.strip() or "\0" in path or any("\ud800" <= c <= "\udfff" for c in path):
        raise ArgumentError(f"{what} must be a path, not empty.", hint="Leave it out for the default.")
    return path


def agent_id_fault(agent_id: str) -> str | None:
    """What keeps an agent's name from naming a file; None: nothing."""
    if not agent_id.strip():
        return "is empty"
    if "/" in agent_id or "\\" in agent_id:
        return "holds a path separator"
    if agent_id.startswith(".") or not agent_id.isprintable() or len(agent_id) > _MAX_AGENT_ID:
        return f"begins with a dot, holds a control character or is longer than {_MAX_AGENT_ID} characters"
    return None


def check_store_path(path: str, name: str, where: str, notes: Iterable[str]) -> None:
    """Refuse a path where no index file can be, or where one would lie among the notes."""
    fault = None
    if path.startswith(_NOT_FILES):
        fault = "is a device or a system file"
    elif path.lower().endswith(".md"):
        fault = "names a note, for it ends in .md"
    elif any(_is_within(path, folder) for folder in notes):
        fault = "lies in a folder of notes"
    else:
        try:
            mode = os.stat(path).st_mode
        except ValueError:
            fault = "is no path"
        except OSError:
            return  # not there yet, or the store will say why
        else:
            if stat.S_ISDIR(mode):
                fault = "is a folder"
            elif not stat.S_ISREG(mode):
                fault = "is not a regular file"
    if fault:
        raise ConfigError(f"{name} in {where} {fault}.", hint="Name a file, such as ~/notes-index/{agentId}.sqlite.")


def note_folders(workspace: str, extra_paths: Iterable[str]) -> tuple[str, ...]:
    """Where the notes of a memory lie, and so no index."""
    extra = (os.path.join(workspace, path) for path in extra_paths if "\0" not in path)
    return (os.path.join(workspace, "memory"), *extra)


def _is_within(path: str, folder: str) -> bool:
    try:
        place, root = os.path.realpath(path), os.path.realpath(folder)
    except (OSError, ValueError):
        return False
    return place == root or place.startswith(root.rstrip(os.sep) + os.sep)


def default_store(state: str, workspace: str, configured: str) -> str:
    """Where the index lies unless store.path says otherwise: the agent's own file for the configured workspace, a file
    beside it for each other folder, so that two projects never empty one another's index."""
    place = os.path.realpath(workspace)
    if place == os.path.realpath(configured):
        return os.path.join(state, "memory", "{agentId}.sqlite")
    from hashlib import blake2b  # where a folder was given or found; hashlib is cheap, but not free

    mark = blake2b(os.fsencode(place), digest_size=4).hexdigest()
    return os.path.join(state, "memory", f"{{agentId}}-{mark}.sqlite")
