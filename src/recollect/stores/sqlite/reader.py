"""The read side: one generation of the index, seen inside one read transaction.

Enters: a connection whose transaction is open. Leaves: values and arrays.
Never writes, and never imports numpy for what `status` and a sync without changes ask for. What is costly to load is
kept in `Loaded` for as long as the generation lasts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, cast

from recollect.errors import StoreError
from recollect.protocols import Postings, StoredChunk, StoreStats, SyncState
from recollect.stores.sqlite import schema
from recollect.stores.sqlite.driver import MAKE_ANEW, DamagedError, explained
from recollect.types import FileRecord, FileStat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import IndexIdentity, Layout
    from recollect.stores.sqlite.layout import UnitCosines, UnitPlaces
    from recollect.stores.sqlite.vectors import Rows
    from recollect.types import Source

Note = tuple[str, str]  # code and message, as StoreHealth has them
RowsOf = Callable[[bytes, int, Literal["int8", "float32"]], "Rows | None"]  # another path to the cosines, if it works

# Of every segment the block that holds the term, if any does.
_BLOCKS_WITH = """
    SELECT s.id, p.first_term, CAST(p.blocks AS BLOB) FROM segments s JOIN postings p ON p.segment=s.id
    AND p.first_term=(SELECT max(first_term) FROM postings WHERE segment=s.id AND first_term<=?) ORDER BY s.id"""

_TEXTS = 500  # texts in one statement


_KEPT_POSTINGS = 2_000_000  # of six bytes each


class Loaded:
    """What was loaded of one generation; shared by all readers of it, filled by whoever needs it first."""

    __slots__ = ("_held", "_words", "cosines", "generation", "layout", "places")

    def __init__(self, generation: tuple[schema.Value, ...]) -> None:
        self.generation = generation
        self.layout: Layout | None = None
        self.places: UnitPlaces | None = None
        self.cosines: UnitCosines | None = None
        self._words: dict[str, Postings | None] = {}
        self._held = 0

    def postings(self, term: str, read: Callable[[str], Postings | None]) -> Postings | None:
        """Where a term occurs. Most of a question's work goes to the words that every question holds: they are kept."""
        if term not in self._words:
            found = read(term)
            self._held += 1 if found is None else len(found.units)
            if self._held > _KEPT_POSTINGS:
                self._words, self._held = {}, 0 if found is None else len(found.units)
            self._words[term] = found
            return found
        return self._words[term]


class SqliteReader:
    """StoreReader on a connection. `loaded` finds or makes what is kept of a generation; `report` takes what is wrong
    without being fatal."""

    def __init__(
        self,
        connection: apsw.Connection,
        loaded: Callable[[tuple[schema.Value, ...]], Loaded],
        report: Callable[[Note], None],
        *,
        vectors_enabled: bool = True,
        rows_of: RowsOf | None = None,
    ) -> None:
        self._connection = connection
        self._meta = schema.read_meta(connection)
        self._loaded = loaded((self._meta.get("instance"), self._meta.get("generation")))
        self._report = report
        self._vectors_enabled = vectors_enabled
        self._rows_of = rows_of

    def identity(self) -> IndexIdentity | None:
        """What the index was made with; None: nothing was ever indexed."""
        return schema.identity_from_meta(self._meta)

    def files(self) -> Mapping[str, FileRecord]:
        """Every file in the index, by path."""
        rows = cast(
            "list[tuple[str, Source, bytes, int, int, int, int]]",
            self._all("SELECT path, source, hash, size, mtime_ns, ctime_ns, inode FROM files ORDER BY path"),
        )
        return {
            path: FileRecord(
                path=path,
                source=source,
                hash=digest,
                stat=FileStat(size=size, mtime_ns=mtime_ns, ctime_ns=ctime_ns, inode=inode),
            )
            for path, source, digest, size, mtime_ns, ctime_ns, inode in rows
        }

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        """A note's chunks in order."""
        rows = cast(
            "list[tuple[int, int, schema.Value, schema.Value, int, int]]",
            self._all(
                "SELECT c.id, c.seq, c.key, c.units, c.wide, c.embedded FROM files f JOIN chunks c ON c.file_id=f.id"
                " WHERE f.path=? ORDER BY c.seq",
                path,
            ),
        )
        found = []
        for id_, seq, key, units, wide, done in rows:
            if not isinstance(key, bytes) or not isinstance(units, bytes):
                raise self._malformed("a chunk")
            found.append(StoredChunk(id_, seq, key, schema.unit_keys(units, wide=bool(wide)), bool(done)))
        return tuple(found)

    def unit_vectors(self, path: str) -> Mapping[bytes, NDArray[np.float32]]:
        """The vectors that a note has, by the key of the unit (by the chunk's key where chunks have vectors)."""
        from recollect.stores.sqlite import vectors

        identity = self.identity()
        if identity is None or not identity.dims:
            return {}
        rows = cast(
            "list[tuple[bytes, bytes, int, schema.Value, int, int, int]]",
            self._all(
                "SELECT c.key, c.units, c.wide, v.vectors, v.id, v.model, v.crc FROM files f"
                " JOIN chunks c ON c.file_id=f.id JOIN vectors v ON v.id=c.id WHERE f.path=? ORDER BY c.seq",
                path,
            ),
        )
        size, model = identity.dims * vectors.WIDTH[identity.dtype], schema.model_number(identity)
        found: dict[bytes, NDArray[np.float32]] = {}
        for key, units, wide, stored, id_, of_model, crc in rows:
            keys = (key,) if identity.grain == "chunk" else schema.unit_keys(units, wide=bool(wide))
            if not isinstance(stored, bytes) or of_model != model or len(stored) != size * len(keys):
                continue
            if crc == schema.blob_crc(id_, stored, of_model):
                found.update(zip(keys, vectors.decode(stored, identity.dims, identity.dtype), strict=True))
        return found

    def layout(self) -> Layout:
        """Where every unit stands."""
        if self._loaded.layout is None:
            from recollect.stores.sqlite import layout

            files = self._all("SELECT id, path, source, mtime_ns FROM files ORDER BY path")
            chunks = self._all("SELECT id, file_id, seq, start_line, end_line, own_line, wide, units FROM chunks")
            try:
                self._loaded.layout = layout.build(
                    cast("list[layout.FileEntry]", files), cast("list[layout.ChunkEntry]", chunks)
                )
            except (TypeError, ValueError, OverflowError) as error:  # a damaged row holds another kind of value
                raise self._malformed("a chunk") from error
        return self._loaded.layout

    def postings(self, terms: Sequence[str]) -> Sequence[Postings | None]:
        """Where each term occurs; None for a term that the index does not hold."""
        from recollect.stores.sqlite.layout import UnitPlaces

        if self._loaded.places is None:
            layout = self.layout()
            self._loaded.places = UnitPlaces(layout.chunk_ids, layout.chunk_first_unit)
        places = self._loaded.places
        return tuple([self._loaded.postings(term, lambda term: self._posting(term, places)) for term in terms])

    def _posting(self, term: str, places: UnitPlaces) -> Postings | None:
        import numpy as np

        from recollect.stores.sqlite import postings
        from recollect.stores.sqlite.blocks import Block

        term = postings.storable(term)
        rows = self._all(_BLOCKS_WITH, term)
        lists = []
        for segment, first, stored in cast("list[tuple[int, str, bytes]]", rows):
            try:
                found = Block(segment, first, stored).find(term)
            except DamagedError as error:
                self._report(("damaged-rows", error.message))
            else:
                if found is not None:
                    lists.append(postings.decode(found))
        if not lists:
            return None
        units = places.of(lists[0][0] if len(lists) == 1 else np.concatenate([units for units, _ in lists]))
        flags = lists[0][1] if len(lists) == 1 else np.concatenate([flags for _, flags in lists])
        if len(units) and units.min() < 0:
            living = units >= 0
            units, flags = units[living], flags[living]
        if not len(units):
            return None
        if not (units[1:] > units[:-1]).all():
            order = np.argsort(units, kind="stable")
            units, flags = units[order], flags[order]
        return Postings(
            units=units,
            counts=(flags >> postings.COUNT_SHIFT).astype(np.uint8),
            in_heading=(flags & postings.IN_HEADING) != 0,
            in_note=(flags & postings.IN_NOTE) != 0,
        )

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of every unit with the question, exact; NaN where a unit has no vector."""
        if self._loaded.cosines is None:
            self._loaded.cosines = self._load_cosines()
        dims = self._loaded.cosines.matrix.dims
        if dims and len(query) != dims:
            self._report(
                ("other-dimensions", f"The vectors of the index have {dims} values, the question's {len(query)}.")
            )
        return self._loaded.cosines(query)

    def _load_cosines(self) -> UnitCosines:
        import numpy as np

        from recollect.stores.sqlite import vectors
        from recollect.stores.sqlite.layout import UnitCosines, rows_of_units

        layout, identity = self.layout(), self.identity()
        if identity is None or not identity.dims or not self._vectors_enabled:
            return UnitCosines(
                vectors.Matrix(np.zeros((0, 0), dtype=np.float32)), np.full(len(layout.unit_chunk), -1, dtype=np.int64)
            )
        size, by_chunk = identity.dims * vectors.WIDTH[identity.dtype], identity.grain == "chunk"
        stored = dict(
            cast(
                "list[tuple[int, schema.Value]]",
                self._all("SELECT id, CAST(vectors AS BLOB) FROM vectors WHERE model=?", schema.model_number(identity)),
            )
        )
        counts = np.diff(layout.chunk_first_unit).tolist()
        blobs = []
        for id_, count in zip(layout.chunk_ids.tolist(), counts, strict=True):
            blob = stored.get(id_, b"")
            usable = isinstance(blob, bytes) and len(blob) == size * (1 if by_chunk else count)
            blobs.append(blob if usable and isinstance(blob, bytes) else b"")
        joined = b"".join(blobs)
        other = self._rows_of(joined, identity.dims, identity.dtype) if self._rows_of is not None and joined else None
        matrix = other or vectors.Matrix(vectors.as_stored(joined, identity.dims, identity.dtype))
        row_of_unit = rows_of_units(layout, [len(blob) // size for blob in blobs], by_chunk=by_chunk)
        there = matrix.sound if row_of_unit is None else np.append(matrix.sound, np.False_)[row_of_unit]
        # what was written as a vector and is none any more
        skipped = int(np.count_nonzero(layout.unit_has_vector & ~there))
        if skipped:
            self._report(("vectors-skipped", f"{skipped} stored vectors cannot be used and were left out."))
        return UnitCosines(matrix, row_of_unit)

    def texts(self, chunks: Sequence[int]) -> Sequence[str]:
        """The own text of chunks, by their ids. A damaged text is an empty one, and reported."""
        found: dict[int, str] = {}
        wanted = list(dict.fromkeys(chunks))
        for start in range(0, len(wanted), _TEXTS):
            some = wanted[start : start + _TEXTS]
            rows = self._all(
                f"SELECT id, CAST(text AS BLOB), crc FROM chunk_text WHERE id IN ({','.join('?' * len(some))})",  # noqa: S608 - question marks only
                *some,
            )
            for id_, stored, crc in cast("list[tuple[int, schema.Value, int]]", rows):
                found[id_] = self._text(id_, stored, crc)
        missing = [id_ for id_ in wanted if id_ not in found]
        if missing:
            self._report(("damaged-rows", f"The text of {len(missing)} chunks is not in the index."))
        return tuple([found.get(id_, "") for id_ in chunks])

    def _text(self, id_: int, stored: schema.Value, crc: int) -> str:
        if isinstance(stored, bytes) and crc == schema.blob_crc(id_, stored):
            try:
                return schema.unpack_text(stored)
            except ValueError:
                pass
        self._report(("damaged-rows", "A text of the index is damaged and was left out."))
        return ""

    def sync_state(self) -> SyncState | None:
        """What the last sync left behind."""
        meta = self._meta
        at, reason = meta.get("sync.at"), meta.get("sync.reason")
        if not isinstance(at, float) or not isinstance(reason, str):
            return None
        problems = cast(
            "list[tuple[str, str, str | None]]",
            self._all("SELECT code, message, path FROM sync_problems ORDER BY id"),
        )
        code, message, when = meta.get("sync.error.code"), meta.get("sync.error.message"), meta.get("sync.error.at")
        error = (code, message, when) if isinstance(code, str) and isinstance(message, str) else None
        return SyncState(
            at=at,
            reason=reason,
            problems=tuple(problems),
            error=cast("tuple[str, str, float] | None", error),
            complete=bool(meta.get("sync.complete")),
        )

    def stats(self) -> StoreStats:
        """Counts, read without loading the index."""
        rows = cast(
            "list[tuple[Source, int, int, int, int]]",
            self._all(
                "SELECT source, count(*), sum(chunks), sum(units), sum(waiting) FROM files GROUP BY source"
                " ORDER BY source"
            ),
        )
        identity = self.identity()
        embeds = identity is not None and identity.dims > 0
        pages, page_size = self._connection.pragma("page_count"), self._connection.pragma("page_size")
        return StoreStats(
            files=sum(row[1] for row in rows),
            chunks=sum(row[2] for row in rows),
            units=sum(row[3] for row in rows),
            by_source=tuple([(source, files, chunks) for source, files, chunks, _, _ in rows]),
            cache_entries=cast("int", self._all("SELECT count(*) FROM embedding_cache")[0][0]),
            missing_vectors=sum(row[4] for row in rows) if embeds else 0,
            bytes=cast("int", pages) * cast("int", page_size),
        )

    def _all(self, statement: str, *values: schema.Value) -> list[tuple[schema.Value, ...]]:
        try:
            return self._rows(statement, *values)
        except DamagedError as error:  # reported here: who asked may go on without what this was to tell
            self._report(("damaged-rows", error.message))
            raise

    def _rows(self, statement: str, *values: schema.Value) -> list[tuple[schema.Value, ...]]:
        with explained():
            try:
                return cast("list[tuple[schema.Value, ...]]", self._connection.execute(statement, values).fetchall())
            except UnicodeEncodeError as error:
                raise StoreError("A name in the index holds what no text can.", hint="Give it another name.") from error

    def _malformed(self, what: str) -> DamagedError:
        error = DamagedError(f"The index is damaged (a row of {what} is malformed).", hint=MAKE_ANEW)
        self._report(("damaged-rows", error.message))
        return error
