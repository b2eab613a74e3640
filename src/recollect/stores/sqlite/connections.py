"""Connections for reading: which kind is right at this moment, whether one that is open is still of the right file,
and whether what was read through it can be believed.

Enters: the store's path. Leaves: connections, each to one thread at a time.
A settled file (nothing waits in a log beside it) is read without a lock, a write or a new file: its times and size
are looked at before and after, and a change means "read again". Else SQLite's own locking takes part.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import apsw

from recollect.errors import BusyError, StoreError
from recollect.stores.sqlite import driver, schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recollect.stores.sqlite.driver import FileMark

T = TypeVar("T")

_ATTEMPTS = 10
_SETTLED_ATTEMPTS = 2  # then SQLite's locking takes part, which no writer can outrun


class _Open(NamedTuple):
    connection: apsw.Connection
    mark: FileMark
    settled: bool
    process: int  # a connection must not be used in a fork


class _ReplacedError(Exception):
    """The file at the path is not the one that was looked at."""


class ReadConnections:
    """The read connections of one store."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._idle: list[_Open] = []
        self._guard = threading.Lock()

    def read(self, work: Callable[[apsw.Connection, str], T]) -> T:
        """Run `work` with a connection in a read transaction and what the database is to us: "ready", "missing", or
        as `schema.state_of` says. It is run again when the file changed under it."""
        failure: Exception | None = None
        for attempt in range(_ATTEMPTS):
            mark = driver.mark_of(self._path)
            if mark is None:
                driver.check_writable(os.path.dirname(self._path))  # else "nothing yet" would hide the cause
                return _on_nothing(work)
            settled = driver.is_settled(self._path)
            # a folder that cannot be written has no place for SQLite's locks: there, settled is the only way
            unlocked = settled and ((attempt < _SETTLED_ATTEMPTS and not driver.is_recent(mark)) or failure is not None)
            failure = None
            try:
                result = self._read_once(mark, work, unlocked=unlocked)
            except _ReplacedError:
                continue
            except (StoreError, apsw.Error) as error:
                if unlocked and not self._is_as_it_was(mark):
                    continue
                if not unlocked and settled and _is_out_of_reach(error):
                    failure = error
                    continue
                raise
            if not unlocked or self._is_as_it_was(mark):
                return result
        raise BusyError("The index changed too quickly to be read.", hint="Try again in a moment.") from failure

    def release(self) -> None:
        """Close the connections that nobody uses: the last to close lets SQLite clear the log away."""
        with self._guard:
            idle, self._idle = self._idle, []
        for opened in idle:
            if opened.process == os.getpid():
                driver.close(opened.connection)

    def _read_once(self, mark: FileMark, work: Callable[[apsw.Connection, str], T], *, unlocked: bool) -> T:
        with self._borrowed(mark, unlocked=unlocked) as connection:
            with driver.explained():
                connection.execute("BEGIN")
                state = schema.state_of(connection)
            try:
                return work(connection, state) if state == "ready" else _on_nothing(work, state)
            finally:
                driver.roll_back(connection)

    def _is_as_it_was(self, mark: FileMark) -> bool:
        return driver.mark_of(self._path) == mark and driver.is_settled(self._path)

    @contextmanager
    def _borrowed(self, mark: FileMark, *, unlocked: bool) -> Iterator[apsw.Connection]:
        opened = self._take(mark, unlocked=unlocked) or self._open(mark, unlocked=unlocked)
        try:
            yield opened.connection
        except (StoreError, apsw.Error):
            driver.close(opened.connection)
            raise
        except BaseException:
            self._put_back(opened)
            raise
        self._put_back(opened)

    def _put_back(self, opened: _Open) -> None:
        with self._guard:
            self._idle.append(opened)

    def _take(self, mark: FileMark, *, unlocked: bool) -> _Open | None:
        """An idle connection that is good for the file as it is now; those that are good no more are closed."""
        found, rest, old = None, [], []
        with self._guard:
            for opened in self._idle:
                if opened.process != os.getpid():
                    continue  # its parent's: to close it here would drop the parent's locks
                same = opened.mark == mark if opened.settled else opened.mark.same_file(mark) and not unlocked
                if not same:
                    old.append(opened)
                elif found is None and opened.settled == unlocked:
                    found = opened
                else:
                    rest.append(opened)
            self._idle = rest
        for opened in old:
            driver.close(opened.connection)
        return found

    def _open(self, mark: FileMark, *, unlocked: bool) -> _Open:
        connection = (driver.open_settled if unlocked else driver.open_reader)(self._path)
        there = driver.mark_of(self._path)
        if there is None or not there.same_file(mark):
            driver.close(connection)
            raise _ReplacedError
        return _Open(connection, mark, unlocked, os.getpid())


def _on_nothing(work: Callable[[apsw.Connection, str], T], state: str = "missing") -> T:
    """Run `work` on an index that holds nothing."""
    connection = apsw.Connection(":memory:")
    try:
        schema.create(connection)
        return work(connection, state)
    finally:
        driver.close(connection)


def _is_out_of_reach(error: Exception) -> bool:
    cause = error.__cause__ if isinstance(error, StoreError) else error
    return isinstance(cause, (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError))
