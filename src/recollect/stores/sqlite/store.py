"""The SQLite store: who may read and write when, and what becomes of a file that cannot be used.

Enters: a path. Leaves: readers and writers. No file is touched before something is asked.
Never: a reader that creates, migrates or locks; a write without the lock; a rename over a live store; "damaged" said
of a file that is merely busy, full or out of reach; a file deleted that recollect did not make.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, TypeVar

import apsw

from recollect.errors import StoreError
from recollect.protocols import StoreHealth
from recollect.stores.sqlite import driver, publish, repair, schema, verify
from recollect.stores.sqlite.connections import ReadConnections
from recollect.stores.sqlite.driver import DamagedError
from recollect.stores.sqlite.lock import write_lock
from recollect.stores.sqlite.reader import Loaded, Note, SqliteReader
from recollect.stores.sqlite.writer import SqliteWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recollect.protocols import Clock, StoreReader, StoreWriter
    from recollect.stores.sqlite.vectors import Rows

T = TypeVar("T")

_NOTES = 20


class SqliteStore:
    """ChunkStore in one SQLite file at `path`."""

    def __init__(
        self,
        path: str,
        *,
        vector_extension: str | None = None,
        vectors_enabled: bool = True,
        clock: Clock = time.time,
    ) -> None:
        self._path = os.path.abspath(path)
        self._vector_extension = vector_extension
        self._vectors_enabled = vectors_enabled
        self._clock = clock
        self._connections = ReadConnections(self._path)
        self._notes: dict[Note, None] = {}  # what writers of this store had to do
        self._met: dict[Note, None] = {}  # what readers met in the generation that is loaded
        self._guard = threading.Lock()
        self._loaded: Loaded | None = None
        self._found_extension: tuple[str | None, str | None] | None = None

    # --- reading ---

    def exists(self) -> bool:
        """Whether there is an index at all (does not create one)."""
        return self.read(lambda reader: reader.identity() is not None)

    def read(self, work: Callable[[StoreReader], T]) -> T:
        """Run `work` inside one read transaction. `work` may be run again if the index was replaced meanwhile."""

        def on(connection: apsw.Connection, _: str) -> T:
            with driver.explained():
                reader = SqliteReader(
                    connection,
                    self._loaded_for,
                    self._report,
                    vectors_enabled=self._vectors_enabled,
                    rows_of=self._vec_table if self._vector_extension else None,
                )
            return work(reader)

        try:
            return self._connections.read(on)
        except DamagedError:
            repair.suspect(self._path)
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            if not self.verify():
                raise  # not by what the index holds
            raise DamagedError("The index is damaged (it holds what cannot be).", hint=driver.MAKE_ANEW) from error

    def verify(self) -> Sequence[str]:
        """Read everything and say what is damaged; empty: nothing is. The next writer looks into what was found."""

        def on(connection: apsw.Connection, state: str) -> Sequence[str]:
            if state == "ready":
                return verify.damage(connection)
            return [repair.EXPLAINED[state]] if state in repair.EXPLAINED else []

        try:
            found = self._connections.read(on)
        except DamagedError as error:
            found = (error.message,)
        if found:
            repair.suspect(self._path)
        return found

    def sweep(self) -> None:
        """Remove what a writer that died left behind, unless one is at work. What cannot be removed stays."""
        with suppress(StoreError):
            if not publish.drafts(self._path) and driver.is_tidy(self._path):
                return
            with self._locked(0):
                self._bring_log_home()

    def health(self) -> StoreHealth:
        """What the store can say of itself."""
        fts_error = None
        now: list[Note] = []
        try:
            state = self._connections.read(_state)
        except StoreError as error:
            fts_error = error.message
            now.append(("unusable", error.message))
        else:
            if state == "broken":
                fts_error = repair.EXPLAINED[state]
            if state in repair.EXPLAINED:
                now.append((state, repair.EXPLAINED[state]))
            if why_not := driver.why_not_writable(os.path.dirname(self._path)):
                now.append(("read-only", why_not))
        beside = (*repair.suspected(self._path), *repair.left_aside(self._path))
        path, why_not = self._extension() if self._vectors_enabled else (None, None)
        with self._guard:
            return StoreHealth(
                fts_error=fts_error,
                vector_path="in-process" if path is None or why_not else "sqlite-vec",
                vector_extension=path,
                vector_error=why_not,
                notes=tuple(dict.fromkeys((*now, *self._notes, *self._met, *beside))),
            )

    def close(self) -> None:
        """Let go of the database."""
        self._connections.release()
        with self._guard:
            self._loaded = None

    # --- writing ---

    @contextmanager
    def write(self, *, wait: float | None = None) -> Iterator[StoreWriter]:
        """The write side, under the lock that keeps other processes out. BusyError after `wait` seconds."""
        with self._locked(wait), self._live() as (connection, guard):
            yield SqliteWriter(connection, guard=guard, clock=self._clock)

    @contextmanager
    def rebuild(self, *, wait: float | None = None) -> Iterator[StoreWriter]:
        """A writer on an empty index beside the live one; published in one transaction on a clean exit, else dropped.
        Its cache methods work on the live cache."""
        with self._locked(wait), self._live() as (live, guard):
            draft = publish.Draft(self._path)
            try:
                writer = SqliteWriter(draft.connection, guard=guard, clock=self._clock, live=live)
                yield writer
                guard()
                writer.complete()
                draft.publish(live)
            finally:
                draft.drop()

    @contextmanager
    def _locked(self, wait: float | None) -> Iterator[None]:
        driver.check_writable(os.path.dirname(self._path))
        driver.make_private_folder(os.path.dirname(self._path))
        with write_lock(self._path + ".lock", wait):
            publish.sweep(self._path)
            yield

    @contextmanager
    def _live(self) -> Iterator[tuple[apsw.Connection, Callable[[], None]]]:
        connection = self._open_live()
        try:
            yield connection, self._guard_for(driver.mark_of(self._path))
        except DamagedError:
            repair.suspect(self._path)
            raise
        finally:
            self._connections.release()
            _close(connection)
            driver.date_back(self._path)

    def _open_live(self) -> apsw.Connection:
        """The live store, made ready to be written: made where there is none, put aside where it cannot be used."""
        looked_into = bool(repair.suspected(self._path))
        connection, notes = repair.open_usable(self._path)
        with self._guard:
            self._notes |= dict.fromkeys(notes)
            if looked_into:
                self._loaded, self._met = None, {}
        try:
            driver.make_durable(connection)
            with driver.transaction(connection):
                if schema.state_of(connection) != "ready":
                    repair.make_empty(connection)
        except BaseException:
            driver.close(connection)
            raise
        return connection

    def _bring_log_home(self) -> None:
        if self._connections.read(_state) == "ready":
            self._connections.release()
            _close(driver.open_writer(self._path))
            driver.date_back(self._path)

    def _guard_for(self, opened: driver.FileMark | None) -> Callable[[], None]:
        def guard() -> None:
            there = driver.mark_of(self._path)
            if opened is None or there is None or not there.same_file(opened):
                raise StoreError(
                    "The index was removed or replaced while it was written.", hint="Run `recollect index`."
                )

        return guard

    # --- what is remembered ---

    def _loaded_for(self, generation: tuple[schema.Value, ...]) -> Loaded:
        with self._guard:
            if self._loaded is None or self._loaded.generation != generation:
                self._loaded, self._met = Loaded(generation), {}
            return self._loaded

    def _extension(self) -> tuple[str | None, str | None]:
        """Where the extension lies that was asked for, and why it cannot be loaded."""
        if self._vector_extension is None:
            return None, None
        if self._found_extension is None:
            from recollect.stores.sqlite import extension

            try:
                path = extension.locate(self._vector_extension)
                self._found_extension = path, extension.why_not(path)
            except StoreError as error:
                self._found_extension = None, error.message
        return self._found_extension

    def _vec_table(self, stored: bytes, dims: int, dtype: Literal["int8", "float32"]) -> Rows | None:
        path, error = self._extension()
        if path is None or error:
            return None
        from recollect.stores.sqlite import extension

        return extension.VecTable(path, stored, dims, dtype)

    def _report(self, note: Note) -> None:
        """Take what a reader met without breaking on it."""
        if note[0] == "damaged-rows":
            repair.suspect(self._path)
        with self._guard:
            if len(self._met) < _NOTES:
                self._met[note] = None


def _state(_: apsw.Connection, state: str) -> str:
    return state


def _close(connection: apsw.Connection) -> None:
    """Bring the log home and close; readers that are at work keep the log, and nobody waits for them."""
    try:
        connection.set_busy_timeout(0)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except apsw.Error:
        pass  # everything that was acknowledged is in the log, and stays there until the next writer
    driver.close(connection)
