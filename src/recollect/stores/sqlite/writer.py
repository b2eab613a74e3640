"""The write side: every method one short transaction with the right to write, durable when it returns.

Enters: what the planner decided. Leaves: rows.
Never a plan half carried out, never a plan that was made for another state of the note, never a write into a file
that is no longer the one at the store's path (`guard` sees to that).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import apsw

from recollect.errors import ArgumentError, StoreError
from recollect.stores.sqlite import cache, schema, segments
from recollect.stores.sqlite.driver import explain, explained, transaction
from recollect.stores.sqlite.postings import SegmentBuilder
from recollect.stores.sqlite.rows import NewRows, OldChunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import CacheKey, Clock, IndexIdentity, NoteUpdate, SyncState
    from recollect.types import FileRecord

_BUFFERED_TERMS = 8_000_000  # a draft gathers this many, in 4 bytes each, before it writes a segment
_FREE_SHARE = 2  # the file is made smaller when more than one page in this many is free
_FREE_PAGES = 256


class SqliteWriter:
    """StoreWriter on a connection to the live store, or to a draft whose cache is the live one."""

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        guard: Callable[[], None],
        clock: Clock,
        live: apsw.Connection | None = None,
    ) -> None:
        self._connection = connection
        self._cache_connection = live or connection
        self._is_draft = live is not None
        self._guard = guard
        self._clock = clock
        self._gathered = SegmentBuilder()

    def begin(self, identity: IndexIdentity) -> None:
        """Make an empty index with this identity (only where there is none)."""
        with self._writing():
            if schema.identity_from_meta(schema.read_meta(self._connection)) is not None:
                raise StoreError("There is an index already.", hint="Make it anew with `recollect index --force`.")
            for table in schema.CONTENT_TABLES:
                self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            schema.write_meta(self._connection, schema.identity_to_meta(identity))

    def apply(self, updates: Sequence[NoteUpdate], removed: Sequence[str] = ()) -> None:
        """Bring notes to their new state and drop removed ones, all or nothing."""
        gathered = self._gathered if self._is_draft else SegmentBuilder()
        with self._writing() as meta:
            identity = schema.identity_from_meta(meta)
            if identity is None:
                raise StoreError("There is no index to write to.", hint="Run `recollect index`.")
            first_unit = meta.get("next_unit", 1)
            new = NewRows(identity, cast("int", first_unit), gathered)
            for path in removed:
                self._drop(path)
            for update in updates:
                self._bring(update, new)
            new.insert(self._connection)
            schema.write_meta(self._connection, {"next_unit": new.next_unit})
            if not self._is_draft or gathered.occurrences >= _BUFFERED_TERMS:
                self._flush(gathered)

    def touch(self, files: Sequence[FileRecord]) -> None:
        """Remember new stats of files whose content did not change."""
        with self._writing():
            for file in files:
                row = self._file(file.path)
                if row is not None:
                    self._put_file(_with_stat(row, file))

    def cached(self, key: CacheKey, hashes: Sequence[bytes]) -> Mapping[bytes, NDArray[np.float32]]:
        """The cached vectors among these."""
        with explained():
            return cache.look_up(self._cache_connection, key, hashes)

    def cache(self, key: CacheKey, vectors: Mapping[bytes, NDArray[np.float32]], max_entries: int | None) -> None:
        """Keep vectors, and drop the oldest beyond max_entries."""
        if max_entries is not None and max_entries < 0:
            raise ArgumentError("The cache cannot hold fewer than no entries.", hint="Give 0 to keep none.")
        self._guard()
        with transaction(self._cache_connection):
            cache.keep(self._cache_connection, key, vectors, max_entries, self._clock())

    def finish(self, state: SyncState) -> None:
        """Remember how the sync ended, and tidy up in proportion to what it wrote."""
        with self._writing():
            self._flush(self._gathered)
            self._remember(state)
            segments.tidy(self._connection)
        if not self._is_draft:
            self._give_back_space()

    def complete(self) -> None:
        """Write what a draft still holds back."""
        with self._writing():
            self._flush(self._gathered)

    # --- within a transaction ---

    def _writing(self) -> AbstractContextManager[dict[str, schema.Value]]:
        self._guard()
        return _writing(self._connection)

    def _flush(self, gathered: SegmentBuilder) -> None:
        segments.write(self._connection, gathered)
        if gathered is self._gathered:
            self._gathered = SegmentBuilder()

    def _bring(self, update: NoteUpdate, new: NewRows) -> None:
        file, row = update.file, self._file(update.file.path)
        id_ = row.id if row else self._next_file(new)
        old = {chunk.id: chunk for chunk in self._chunks(id_)} if row else {}
        waiting = units = 0
        for kept in update.keep:
            chunk = old.pop(kept.id, None)
            if chunk is None:
                raise StoreError(
                    f"The index of {file.path} changed while it was brought up to date.", hint="Run `recollect index`."
                )
            moved = chunk.moved(kept)
            if moved != chunk:
                self._connection.execute(
                    "UPDATE chunks SET seq=?, start_line=?, end_line=?, own_line=?, crc=? WHERE id=?",
                    (*moved[2:6], schema.chunk_crc(moved), moved.id),
                )
            waiting += not chunk.embedded
            units += chunk.unit_count
        self._delete_chunks(old)
        for chunk_row in update.insert:
            new.add(id_, chunk_row)
            waiting += chunk_row.vectors is None
            units += len(chunk_row.units)
        self._put_file(
            schema.FileRow(
                id_, file.path, file.source, file.hash, file.stat.size, file.stat.mtime_ns, file.stat.ctime_ns,
                file.stat.inode, len(update.keep) + len(update.insert), units, waiting,
            )
        )  # fmt: skip

    def _drop(self, path: str) -> None:
        row = self._file(path)
        if row is not None:
            self._delete_chunks(chunk.id for chunk in self._chunks(row.id))
            self._connection.execute("DELETE FROM files WHERE id=?", (row.id,))

    def _delete_chunks(self, ids: Iterable[int]) -> None:
        rows = [(id_,) for id_ in ids]
        if rows:
            for table in ("chunks", "chunk_text", "vectors"):
                self._connection.executemany(f"DELETE FROM {table} WHERE id=?", rows)  # noqa: S608 - our own names

    def _file(self, path: str) -> schema.FileRow | None:
        rows = self._connection.execute(
            "SELECT id, path, source, hash, size, mtime_ns, ctime_ns, inode, chunks, units, waiting FROM files"
            " WHERE path=?",
            (path,),
        ).fetchall()
        return (
            schema.FileRow(*cast("tuple[int, str, str, bytes, int, int, int, int, int, int, int]", rows[0]))
            if rows
            else None
        )

    def _next_file(self, new: NewRows) -> int:
        if not new.next_file:
            row = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM files").fetchall()[0]
            new.next_file = cast("int", row[0])
        new.next_file += 1
        return new.next_file - 1

    def _put_file(self, row: schema.FileRow) -> None:
        self._connection.execute(
            "INSERT INTO files VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET"
            " path=excluded.path, source=excluded.source, hash=excluded.hash, size=excluded.size,"
            " mtime_ns=excluded.mtime_ns, ctime_ns=excluded.ctime_ns, inode=excluded.inode,"
            " chunks=excluded.chunks, units=excluded.units,"
            " waiting=excluded.waiting, crc=excluded.crc",
            (*row, schema.crc_of(*row)),
        )

    def _chunks(self, file_id: int) -> list[OldChunk]:
        rows = self._connection.execute(
            "SELECT id, file_id, seq, start_line, end_line, own_line, embedded, wide, key, units FROM chunks"
            " WHERE file_id=?",
            (file_id,),
        ).fetchall()
        return [OldChunk(*cast("tuple[int, int, int, int, int, int, int, int, bytes, bytes]", row)) for row in rows]

    def _remember(self, state: SyncState) -> None:
        self._connection.execute("DELETE FROM meta WHERE key LIKE 'sync.%'")
        values: dict[str, schema.Value] = {
            "sync.at": float(state.at),
            "sync.reason": state.reason,
            "sync.complete": int(state.complete),
        }
        if state.error is not None:
            code, message, when = state.error
            values |= {"sync.error.code": code, "sync.error.message": message, "sync.error.at": float(when)}
        schema.write_meta(self._connection, values)
        self._connection.execute("DELETE FROM sync_problems")
        self._connection.executemany(
            "INSERT INTO sync_problems VALUES(?, ?, ?, ?, ?)",
            [(n, *problem, schema.crc_of(n, *problem)) for n, problem in enumerate(state.problems)],
        )

    def _give_back_space(self) -> None:
        try:
            free, pages = self._connection.pragma("freelist_count"), self._connection.pragma("page_count")
            if cast("int", free) > max(_FREE_PAGES, cast("int", pages) // _FREE_SHARE):
                self._connection.execute("VACUUM")
        except (apsw.FullError, apsw.BusyError, apsw.LockedError):
            return  # all that was to be kept is kept; the next sync tries again
        except apsw.Error as error:
            raise explain(error) from error


@contextmanager
def _writing(connection: apsw.Connection) -> Iterator[dict[str, schema.Value]]:
    """A write transaction that makes a new generation; gives `meta` as it stood before."""
    with transaction(connection):
        meta = schema.read_meta(connection)
        generation = meta.get("generation")
        schema.write_meta(connection, {"generation": (generation if isinstance(generation, int) else 0) + 1})
        yield meta
        schema.write_meta(connection, schema.count_totals(connection))


def _with_stat(row: schema.FileRow, file: FileRecord) -> schema.FileRow:
    return row._replace(
        size=file.stat.size, mtime_ns=file.stat.mtime_ns, ctime_ns=file.stat.ctime_ns, inode=file.stat.inode
    )
