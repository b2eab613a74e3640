"""Opening a file without ever leaving its root: a folder and a way down enter, a descriptor of a regular file leaves.

No component of the way may be a symbolic link, whoever changes the folders meanwhile: the kernel's openat2 says so in
one call, and where it is not to be had each component is opened relative to the one before. Checking a path first
and opening it afterwards would be a race. Nothing here blocks on a pipe or a device, and nothing follows "..".
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from recollect.errors import PathError
from recollect.sources.roots import show

if TYPE_CHECKING:
    from recollect.sources.roots import Place

# O_PATH asks only for what passing through a folder asks for; macOS has no such thing.
FOLDER_FLAGS: Final = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
FILE_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW | getattr(os, "O_NOCTTY", 0)

_OPENAT2 = 437  # the same number on every architecture that Python is built for
_BENEATH = 0x08 | 0x04 | 0x02  # RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS
_TRIES = 16  # openat2 answers EAGAIN when a rename crossed its way
_ABSENT = (errno.ENOSYS, errno.EPERM, errno.EINVAL, errno.E2BIG)  # no such call, filtered away, or an older one


class Opener(Protocol):
    """A way to open a file below an open folder for reading."""

    def __call__(self, folder: int, parts: tuple[str, ...]) -> int:
        """A descriptor; OSError with ELOOP where a component is a symbolic link."""
        ...


def open_regular(place: Place) -> tuple[int, os.stat_result]:
    """A descriptor of the regular file at a place, which the caller closes, and its stat; else OSError."""
    folder = os.open(place.anchor, FOLDER_FLAGS)
    try:
        descriptor = opener()(folder, place.parts)
    finally:
        os.close(folder)
    try:
        return descriptor, _regular(os.fstat(descriptor))
    except BaseException:
        os.close(descriptor)
        raise


def _regular(status: os.stat_result) -> os.stat_result:
    if not stat.S_ISREG(status.st_mode):
        code = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ENXIO
        raise OSError(code, os.strerror(code))
    return status


def walk(folder: int, parts: tuple[str, ...]) -> int:
    """Open by going down one component at a time: right on every POSIX system."""
    here = folder
    try:
        for part in parts[:-1]:
            below = step(here, part)
            if here != folder:
                os.close(here)
            here = below
        return os.open(parts[-1], FILE_FLAGS, dir_fd=here)
    finally:
        if here != folder:
            os.close(here)


def step(folder: int, name: str) -> int:
    """A descriptor for going on below a folder in a folder, never through a symbolic link (OSError with ELOOP)."""
    try:
        return os.open(name, FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=folder)
    except NotADirectoryError:
        # A symbolic link is "not a directory" here; say ELOOP for it, as openat2 does.
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        raise


def openat2() -> Opener | None:
    """The kernel's way, or None where the kernel (or what filters its calls) does not offer it."""
    if sys.platform != "linux":
        return None
    import ctypes

    class Way(ctypes.Structure):  # the kernel's struct open_how
        _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))

    try:
        call = ctypes.CDLL(None, use_errno=True).syscall
    except (OSError, AttributeError):
        return None
    call.restype = ctypes.c_long
    call.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t)
    reading = Way(FILE_FLAGS, 0, _BENEATH)  # the kernel only reads it, so one serves every thread
    way, size = ctypes.byref(reading), ctypes.sizeof(reading)

    def open_file(folder: int, parts: tuple[str, ...]) -> int:
        name = "/".join(parts).encode()
        for _ in range(_TRIES):
            descriptor = int(call(_OPENAT2, folder, name, way, size))
            if descriptor >= 0:
                return descriptor
            code = ctypes.get_errno()
            if code not in (errno.EAGAIN, errno.EINTR):
                break
        raise OSError(code, os.strerror(code))

    return open_file if _answers(open_file) else None


def _answers(open_file: Opener) -> bool:
    """Whether the call is there at all: an empty name is ENOENT to a kernel that knows it."""
    try:
        os.close(open_file(-1, ("",)))
    except OSError as error:
        return error.errno == errno.ENOENT
    return False


@cache
def opener() -> Opener:
    """The best way to open a file on this system, found out once."""
    return openat2() or walk


def path_error(error: OSError, path: str) -> PathError:
    """What went wrong when `path` was opened or read, without a word about where the memory lies."""
    what, hint = _EXPLAINED.get(
        error.errno or 0, (f"cannot be read: {os.strerror(error.errno or 0)}", "Check the disk.")
    )
    return PathError(f"{show(path)} {what}.", hint=hint)


_LINK = (
    "is a symbolic link or lies behind one",
    "Symbolic links are never followed: put the file itself there, or name its folder in extraPaths.",
)
_NO_PERMISSION = ("cannot be read: there is no permission", "Change the permissions of the file or its folder.")
_ODD = ("is a pipe, socket or device", "Only regular files are read.")
_BUSY = ("cannot be read: too many files are open", "Try again, or raise the limit.")
_EXPLAINED = {
    errno.ENOENT: ("does not exist any more", "The next sync takes it out."),
    errno.ELOOP: _LINK,
    errno.EXDEV: _LINK,
    errno.EAGAIN: ("cannot be read: its folders are being moved about", "Try again."),
    errno.EACCES: _NO_PERMISSION,
    errno.EPERM: _NO_PERMISSION,
    errno.EISDIR: ("is a folder", "Name a Markdown file in it."),
    errno.ENXIO: _ODD,
    errno.ENODEV: _ODD,
    errno.EOPNOTSUPP: _ODD,
    errno.ENOTDIR: ("lies below something that is no folder", "Check the path."),
    errno.ENAMETOOLONG: ("is too long a name", "Check the path."),
    errno.EMFILE: _BUSY,
    errno.ENFILE: _BUSY,
}
