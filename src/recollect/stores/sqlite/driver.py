"""The one door to SQLite: how connections are opened, what a transaction is, and what its errors mean to a person.

Enters: paths. Leaves: apsw connections and the errors of `recollect.errors`.
Never: the database file opened by anything but SQLite (closing such a descriptor would drop SQLite's locks), and
never "damaged" for an index that is merely busy, full, read-only or out of reach.
"""

from __future__ import annotations

import errno
import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import apsw

from recollect.errors import BusyError, FullError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY_MILLISECONDS = 5_000
SIDECARS = ("-wal", "-shm", "-journal")

# A change within the tick of the clock that a file system stamps files with could hide behind an equal time.
_CLOCK_TICK_NS = 50_000_000
_DATED_BACK_NS = 1_000_000_000


class DamagedError(StoreError):
    """The database file is malformed: SQLite itself says so, or a row does not match its checksum."""


class FileMark(NamedTuple):
    """What tells one state of the database file from another without opening it."""

    dev: int
    ino: int
    size: int
    mtime_ns: int
    ctime_ns: int

    def same_file(self, other: FileMark) -> bool:
        """Whether both marks are of one file, whatever was written to it."""
        return (self.dev, self.ino) == (other.dev, other.ino)


# --- what lies on disk -----------------------------------------------------------------------------------------------


def mark_of(path: str) -> FileMark | None:
    """The state of the database file; None when there is none or it is empty."""
    try:
        stat = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise explain_os(error, "read", path) from error
    if stat.st_size == 0:
        return None
    return FileMark(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


def shown(path: str) -> str:
    """A path as it may be said to a person: the home as `~`."""
    home = os.path.expanduser("~").rstrip("/")
    return "~" + path[len(home) :] if home and (path == home or path.startswith(home + "/")) else path


def why_not_writable(folder: str) -> str | None:
    """Why no index can be written in a folder, which need not be there yet; None: it can."""
    there = folder
    try:
        while not os.path.exists(there) and os.path.dirname(there) != there:
            there = os.path.dirname(there)
        if not os.path.isdir(there):
            return f"There is a file where the folder for the index should be, {shown(there)}."
        if os.access(there, os.W_OK | os.X_OK):
            return None
        reason = errno.EROFS if os.statvfs(there).f_flag & os.ST_RDONLY else errno.EACCES
    except OSError as error:
        reason = error.errno or errno.EACCES
    return f"The index cannot be written in the folder {shown(there)} ({os.strerror(reason)})."


def check_writable(folder: str) -> None:
    """StoreError with the cause when no index can be written in a folder."""
    why_not = why_not_writable(folder)
    if why_not is not None:
        raise StoreError(why_not, hint=CHECK_FOLDER)


def is_settled(path: str) -> bool:
    """Whether all that was committed is in the main file: nothing waits in a log or a journal beside it."""
    return _is_empty(path + "-wal") and _is_empty(path + "-journal")


def is_tidy(path: str) -> bool:
    """Whether nothing lies beside the main file, as when the last writer closed it in good order."""
    return not any(os.path.lexists(path + end) for end in SIDECARS)


def is_recent(mark: FileMark) -> bool:
    """Whether the file was written so lately that a further write might not show in its times."""
    return abs(time.time_ns() - mark.mtime_ns) < _CLOCK_TICK_NS


def date_back(path: str) -> None:
    """Give a file that is written to no more a time in the past: the next write, however soon, then shows. It need not
    be read with locks any longer, which would leave empty files beside it."""
    if is_settled(path):
        now = time.time_ns()
        with suppress(OSError):
            os.utime(path, ns=(now, now - _DATED_BACK_NS))


def _is_empty(path: str) -> bool:
    try:
        return os.stat(path).st_size == 0
    except OSError:
        return True


def remove(*paths: str) -> None:
    """Remove files, those that are not there included."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise explain_os(error, "written", path) from error


def make_private_folder(path: str) -> None:
    """Make a folder and those above it, for this user alone whatever the umask; folders that are there stay as is."""
    missing = []
    while path and not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    try:
        for folder in reversed(missing):
            try:
                os.mkdir(folder, 0o700)
            except FileExistsError:
                continue
            os.chmod(folder, 0o700)
    except OSError as error:
        raise explain_os(error, "made", missing[0] if missing else path) from error


def make_private_file(path: str) -> None:
    """Make an empty file for this user alone; SQLite gives its sidecars the same mode."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.fchmod(descriptor, 0o600)
        os.close(descriptor)  # no SQLite connection can have locks on a file that is this new
    except OSError as error:
        raise explain_os(error, "made", path) from error


# --- connections -----------------------------------------------------------------------------------------------------


def open_settled(path: str) -> apsw.Connection:
    """A connection that takes no lock and makes no file; for a settled file, to be checked again after reading."""
    return _open(path, "mode=ro&immutable=1", apsw.SQLITE_OPEN_READONLY)


def open_reader(path: str) -> apsw.Connection:
    """A read-only connection that takes part in SQLite's own locking."""
    return _open(path, "mode=ro", apsw.SQLITE_OPEN_READONLY)


def open_writer(path: str) -> apsw.Connection:
    """A connection for the holder of the write lock; see `make_durable`."""
    return _open(path, "mode=rw", apsw.SQLITE_OPEN_READWRITE)


def make_durable(connection: apsw.Connection) -> None:
    """From now on what this connection commits is on the disk when it returns, and readers do not wait for it."""
    with explained():
        connection.execute("PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL").fetchall()


def open_draft(path: str) -> apsw.Connection:
    """A connection to a file that counts only once it is published: a crash may lose it, so nothing is synced."""
    connection = _open(path, "mode=rw", apsw.SQLITE_OPEN_READWRITE)
    try:
        with explained():
            connection.execute(
                "PRAGMA page_size=8192; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-8000"
            ).fetchall()
    except BaseException:
        close(connection)
        raise
    return connection


def close(connection: apsw.Connection) -> None:
    """Close, whatever is still going on, and whether or not the log beside the file can be cleared away."""
    with suppress(apsw.Error):
        connection.close(True)  # noqa: FBT003 - apsw takes `force` by position alone


def uri_of(path: str, query: str) -> str:
    """A path as SQLite's URI form, whatever characters it holds."""
    return f"file:{quote(os.fsencode(os.path.abspath(path)))}?{query}"


def _open(path: str, query: str, flags: int) -> apsw.Connection:
    with explained():
        connection = apsw.Connection(uri_of(path, query), flags=flags | apsw.SQLITE_OPEN_URI)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
    return connection


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """One write transaction, begun with the right to write: all or nothing."""
    with explained():
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            roll_back(connection)
            raise


def roll_back(connection: apsw.Connection) -> None:
    """Leave the transaction, if SQLite has not done so by itself after a failure."""
    if connection.in_transaction:
        try:
            connection.execute("ROLLBACK")
        except apsw.Error:
            close(connection)


# --- errors ----------------------------------------------------------------------------------------------------------


@contextmanager
def explained() -> Iterator[None]:
    """Turn what SQLite and the disk say into errors that say what to do."""
    try:
        yield
    except apsw.Error as error:
        raise explain(error) from error
    except UnicodeDecodeError as error:  # a value that was written as bytes calls itself a text
        raise DamagedError("The index is damaged (a text is none).", hint=MAKE_ANEW) from error


CHECK_FOLDER = "Check that folder and who may use it, or choose another one for the index."
MAKE_ANEW = "Run `recollect index`: it makes the index anew from your notes."
_MEANINGS: tuple[tuple[tuple[type[apsw.Error], ...], type[StoreError], str, str], ...] = (
    ((apsw.BusyError, apsw.LockedError), BusyError, "Another process is using the index.", "Try again in a moment."),
    (
        (apsw.FullError,),
        FullError,
        "No space is left for the index.",
        "Make room on the disk and try again.",
    ),
    (
        (apsw.CorruptError, apsw.NotADBError, apsw.SQLError),  # our statements are right for tables that are
        DamagedError,
        "The index is damaged ({}).",
        MAKE_ANEW,
    ),
    (
        (apsw.ReadOnlyError, apsw.PermissionsError),
        StoreError,
        "The index cannot be written ({}).",
        "Check who may write its file and folder.",
    ),
    (
        (apsw.CantOpenError, apsw.IOError),
        StoreError,
        "The index cannot be reached ({}).",
        "Check the disk that holds it and try again.",
    ),
    ((apsw.SchemaChangeError,), BusyError, "The index was replaced in this moment.", "Try again."),
)


def explain(error: apsw.Error) -> StoreError:
    """The error of recollect for one of SQLite."""
    for causes, meaning, message, hint in _MEANINGS:
        if isinstance(error, causes):
            return meaning(message.format(error), hint=hint)
    return StoreError(f"The index cannot be used ({error}).", hint="Run `recollect index --force` to make it anew.")


def explain_os(error: OSError, done: str, path: str) -> StoreError:
    """The error of recollect for one of the operating system; of the file at `path` the folder is named."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FullError("No space is left for the index.", hint="Make room on the disk and try again.")
    reason = os.strerror(error.errno) if error.errno else type(error).__name__
    return StoreError(
        f"The index cannot be {done} in the folder {shown(os.path.dirname(path))} ({reason}).", hint=CHECK_FOLDER
    )
