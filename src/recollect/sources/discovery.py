"""What lies in a workspace: a workspace and extra paths enter, the files of the memory and what was left out leave.

Every file is looked at with one stat and none is opened, so a search can afford to ask on every call. No symbolic link
is followed below a root, even when somebody swaps folders meanwhile: each folder is opened relative to the one above.
Nothing that lies there stops a discovery; what cannot be taken is a Problem that names it.
"""

from __future__ import annotations

import errno
import os
import stat
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from recollect.sources.beneath import FOLDER_FLAGS, step
from recollect.sources.filestat import MAX_FILE_BYTES, file_stat
from recollect.sources.roots import ENDING, FOLDER, TOP_FILES, ExtraRoot, Roots, encodable, refusal, show, split
from recollect.types import Problem, SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence

IGNORED_FOLDERS: Final = frozenset({".git", "node_modules", ".pnpm-store", ".venv", "venv", ".tox", "__pycache__"})
"""Folders of tools. Other hidden folders are taken: people keep notes in them."""

MAX_DEPTH: Final = 100
"""Folders within folders: a descriptor is held for each, and nobody's notes lie deeper."""

_LIST: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_LOOKALIKES: Final = (".md", ".markdown")  # compared without regard to case


class Discovery(Struct, frozen=True, kw_only=True):
    """The files of a memory in a fixed order, and what was left out: each problem names what should be looked at."""

    files: tuple[SourceFile, ...]
    problems: tuple[Problem, ...] = ()
    ignored: tuple[str, ...] = ()  # folders of tools, which are no problem


def discover(workspace: str, extra_paths: Sequence[str] = ()) -> Discovery:
    """Find MEMORY.md, memory.md, what is below memory/, then each extra path; a file that two of them hold, once."""
    roots = Roots(workspace, extra_paths)
    search = _Search(roots)
    search.take_workspace()
    for root in roots.extras:
        search.take_extra(root)
    return search.discovery()


class _Search:
    """One discovery on its way."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots
        self._files: list[SourceFile] = []  # of finished roots
        self._found: list[SourceFile] = []  # of this root
        self._identities: list[tuple[int, int]] = []  # of this root
        self._earlier: set[tuple[int, int]] = set()  # identities of the roots before
        self._paths: set[str] = set()  # of the roots before
        self._problems: list[Problem] = list(roots.problems)
        self._ignored: list[str] = []

    def discovery(self) -> Discovery:
        """What was found."""
        return Discovery(
            files=tuple(self._files),
            problems=tuple(sorted(dict.fromkeys(self._problems), key=lambda one: (one.path or "", one.message))),
            ignored=tuple(sorted(set(self._ignored))),
        )

    # --- roots ---

    def take_workspace(self) -> None:
        """MEMORY.md, memory.md and memory/."""
        try:
            folder = os.open(self._roots.workspace, FOLDER_FLAGS)
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                self._problem("missing-workspace", ".", "The workspace folder does not exist.")
            else:
                self._problem("unreadable", ".", f"The workspace folder cannot be read: {_why(error)}.")
            return
        location = _with_slash(self._roots.workspace)
        try:
            self._take_top_files(folder, location)
            self._take_notes_folder(folder, location)
        finally:
            os.close(folder)
        self._finish_root()

    def take_extra(self, root: ExtraRoot) -> None:
        """A folder or a file of the settings."""
        path = root.path or "."
        refused = refusal(split(root.path))
        if refused:
            self._problem("unsupported-name", path, f"The extra path {show(path)} is left out: {refused}")
            return
        try:
            self._take_extra_below(root, path)
        except FileNotFoundError:
            self._problem("missing-path", path, f"The extra path {show(path)} does not exist.")
        except OSError as error:
            self._failed(path, error)
        self._finish_root()

    def _take_extra_below(self, root: ExtraRoot, path: str) -> None:
        here = os.open(root.anchor, FOLDER_FLAGS)
        try:
            for part in root.parts[:-1]:
                below = step(here, part)
                os.close(here)
                here = below
            name = root.parts[-1] if root.parts else "."
            status = os.stat(name, dir_fd=here, follow_symlinks=False)
            location = "/" + "/".join(root.location)
            if stat.S_ISDIR(status.st_mode):
                self._walk(os.open(name, _LIST, dir_fd=here), _with_slash(location), _with_slash(root.path))
            elif not stat.S_ISREG(status.st_mode):
                self._odd(path, status.st_mode)
            elif name.endswith(ENDING):
                self._take(path, location, status)
            else:
                self._problem("not-markdown", path, f"The extra path {show(path)} is a file that does not end in .md.")
        finally:
            os.close(here)

    def _take_top_files(self, folder: int, location: str) -> None:
        taken = None
        for name in TOP_FILES:
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._failed(name, error)
                continue
            if not stat.S_ISREG(status.st_mode):
                self._odd(name, status.st_mode)
            elif (status.st_dev, status.st_ino) != taken:  # a disk that folds case has one file under both names
                taken = (status.st_dev, status.st_ino)
                self._take(name, location + name, status)

    def _take_notes_folder(self, folder: int, location: str) -> None:
        try:
            status = os.stat(FOLDER, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                self._walk(os.open(FOLDER, _LIST, dir_fd=folder), f"{location}{FOLDER}/", f"{FOLDER}/")
            elif stat.S_ISREG(status.st_mode):
                self._problem("not-a-folder", FOLDER, "memory is a file; notes are looked for in a folder memory/.")
            else:
                self._odd(FOLDER, status.st_mode)
        except FileNotFoundError:
            return  # a memory may consist of MEMORY.md alone
        except OSError as error:
            self._failed(FOLDER, error)

    def _finish_root(self) -> None:
        self._found.sort(key=attrgetter("path"))
        self._files += self._found
        if self._roots.extras:
            self._earlier.update(self._identities)
            self._paths.update(file.path for file in self._found)
        self._found, self._identities = [], []

    # --- folders ---

    def _walk(self, folder: int, location: str, prefix: str) -> None:
        """Take all that is below an open folder, and close it. `location` and `prefix` end in "/" or are empty."""
        chain = [folder]  # the open folders from the root down to the one that is listed
        try:
            pending = self._list(folder, 1, location, prefix)
            while pending:
                depth, name, location, prefix = pending.pop()
                while len(chain) > depth:
                    os.close(chain.pop())
                path, below = prefix + name, self._prefix_below(prefix, name)
                if depth >= MAX_DEPTH:
                    self._problem("too-deep", path, f"{show(path)} is left out: it lies too many folders deep.")
                    continue
                try:
                    chain.append(os.open(name, _LIST, dir_fd=chain[-1]))
                    pending += self._list(chain[-1], depth + 1, f"{location}{name}/", below)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    self._failed(path, error)
        finally:
            for descriptor in chain:
                os.close(descriptor)

    def _list(self, folder: int, depth: int, location: str, prefix: str) -> list[tuple[int, str, str, str]]:
        """Take the files of an open folder; the folders in it, with their depth and this one's location and prefix."""
        with os.scandir(folder) as entries:
            return [
                (depth, entry.name, location, prefix) for entry in entries if self._take_entry(entry, location, prefix)
            ]

    def _take_entry(self, entry: os.DirEntry[str], location: str, prefix: str) -> bool:
        """Take what can be taken; whether it is a folder to go into."""
        name = entry.name
        try:
            if name.endswith(ENDING):
                status = entry.stat(follow_symlinks=False)
                mode = stat.S_IFMT(status.st_mode)
                if mode == stat.S_IFREG:
                    if self._nameable(prefix, name):
                        self._take(prefix + name, location + name, status)
                elif mode == stat.S_IFDIR:
                    return self._wanted(prefix, name)
                else:
                    self._odd(prefix + name, mode)
            elif entry.is_dir(follow_symlinks=False):
                return self._wanted(prefix, name)
            else:
                self._pass_over(entry, prefix + name)
        except FileNotFoundError:
            pass  # it went while we looked
        except OSError as error:
            self._failed(prefix + name, error)
        return False

    def _wanted(self, prefix: str, name: str) -> bool:
        if name in IGNORED_FOLDERS:
            self._ignored.append(prefix + name)
            return False
        return self._nameable(prefix, name)

    def _prefix_below(self, prefix: str, name: str) -> str:
        """The prefix of a folder in a folder; from above the workspace, the way back into it is not spelt out."""
        if prefix.endswith("../"):
            up = prefix.count("../")
            if name == self._roots.location[len(self._roots.location) - up]:
                return "../" * (up - 1)
        return f"{prefix}{name}/"

    # --- files, and what is none ---

    def _take(self, path: str, location: str, status: os.stat_result) -> None:
        if self._roots.extras:
            identity = (status.st_dev, status.st_ino)
            if identity in self._earlier or path in self._paths:  # a path again: replaced since it was taken
                return
            self._identities.append(identity)
        if status.st_size > MAX_FILE_BYTES:
            limit = MAX_FILE_BYTES // (1024 * 1024)
            self._problem("too-large", path, f"{show(path)} is larger than {limit} MiB and left out.")
            return
        self._found.append(SourceFile(path=path, source="memory", location=location, stat=file_stat(status)))

    def _nameable(self, prefix: str, name: str) -> bool:
        """Whether the name can be cited and asked for."""
        if prefix and "\\" not in name and name.isascii():
            return True
        if not encodable(name):
            raw = os.fsencode(prefix + name)
            self._problem("name-not-utf-8", None, f"{raw!r} is left out: its name is no UTF-8.")
            return False
        refused = refusal([*split(prefix), name])
        if refused:
            path = prefix + name
            self._problem("unsupported-name", path, f"{show(path)} is left out: {refused} Rename it.")
        return not refused

    def _pass_over(self, entry: os.DirEntry[str], path: str) -> None:
        """Say so where somebody may miss what is passed over."""
        if entry.is_symlink():
            if entry.name not in IGNORED_FOLDERS and _leads_to_folder(entry):
                self._odd(path, stat.S_IFLNK)
        elif entry.name.lower().endswith(_LOOKALIKES):
            self._problem("other-ending", path, f"{show(path)} is left out: only names that end in .md are taken.")

    def _odd(self, path: str, mode: int) -> None:
        shown = show(path)
        if stat.S_ISLNK(mode):
            self._problem("symlink", path, f"{shown} is a symbolic link and left out; extraPaths can name its target.")
        elif stat.S_ISDIR(mode):
            self._problem("not-a-file", path, f"{shown} is a folder and left out.")
        else:
            self._problem("not-a-file", path, f"{shown} is a pipe, socket or device and left out.")

    def _failed(self, path: str, error: OSError) -> None:
        if error.errno == errno.ELOOP:
            self._odd(path, stat.S_IFLNK)
        else:
            self._problem("unreadable", path, f"{show(path)} cannot be read: {_why(error)}.")

    def _problem(self, code: str, path: str | None, message: str) -> None:
        citable = path if path is not None and encodable(path) else None
        self._problems.append(Problem(code=code, message=message, path=citable))


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:
        return False


def _why(error: OSError) -> str:
    return (error.strerror or "unknown error").lower()


def _with_slash(path: str) -> str:
    return path if not path or path.endswith("/") else f"{path}/"
