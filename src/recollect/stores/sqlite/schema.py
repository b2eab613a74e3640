"""What the tables are and what a row's checksum covers.

Enters: rows. Leaves: the statements that make the tables, packed units, checksums. Pure but for the statements that
it runs on a connection that is handed in; knows no path and no transaction.

A chunk's id is the number of its first unit: units are numbered upward and a number is never given twice, so a
posting whose number lies in no living chunk is dead. Every row has a checksum over all its columns.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple, cast

from recollect.errors import StoreError
from recollect.protocols import IndexIdentity
from recollect.stores.sqlite.driver import MAKE_ANEW, DamagedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import apsw

    from recollect.protocols import UnitRow
    from recollect.types import Grain, Source

FORMAT = 3  # of the tables below; another number is another index
APPLICATION_ID = 0x52434C54  # "RCLT": tells our files from somebody else's SQLite database

Value = int | float | str | bytes | None

# start, end, first line, last line, number of terms (its highest bit: has a vector), key
UNIT = struct.Struct("<HHHHH8s")
WIDE_UNIT = struct.Struct("<IIIII8s")  # in chunks with a unit that does not fit the other
HAS_VECTOR = 0x8000
WIDE_HAS_VECTOR = 0x8000_0000
COUNT_OF_UNITS = f"length(units) / iif(wide, {WIDE_UNIT.size}, {UNIT.size})"
MAX_UNIT = 0xFFFF_FFFF

# Sync copies tables by `INSERT ... SELECT *` when a rebuild is published: both sides must be made by this text.
CONTENT_TABLES = {
    "files": """CREATE TABLE files(
        id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, source TEXT NOT NULL, hash BLOB NOT NULL,
        size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
        chunks INTEGER NOT NULL, units INTEGER NOT NULL, waiting INTEGER NOT NULL, crc INTEGER NOT NULL)""",
    "chunks": """CREATE TABLE chunks(
        id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, seq INTEGER NOT NULL, start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL, own_line INTEGER NOT NULL, embedded INTEGER NOT NULL,
        wide INTEGER NOT NULL, key BLOB NOT NULL, units BLOB NOT NULL, crc INTEGER NOT NULL)""",
    "chunk_text": "CREATE TABLE chunk_text(id INTEGER PRIMARY KEY, text BLOB NOT NULL, crc INTEGER NOT NULL)",
    "vectors": """CREATE TABLE vectors(
        id INTEGER PRIMARY KEY, model INTEGER NOT NULL, vectors BLOB NOT NULL, crc INTEGER NOT NULL)""",
    "segments": """CREATE TABLE segments(
        id INTEGER PRIMARY KEY, terms INTEGER NOT NULL, postings INTEGER NOT NULL, units INTEGER NOT NULL,
        first_unit INTEGER NOT NULL, last_unit INTEGER NOT NULL, crc INTEGER NOT NULL)""",
    "postings": """CREATE TABLE postings(
        segment INTEGER NOT NULL, first_term TEXT NOT NULL, blocks BLOB NOT NULL,
        PRIMARY KEY(segment, first_term)) WITHOUT ROWID""",
}
OTHER_TABLES = {
    "meta": "CREATE TABLE meta(key TEXT PRIMARY KEY, value NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID",
    "sync_problems": """CREATE TABLE sync_problems(
        id INTEGER PRIMARY KEY, code TEXT NOT NULL, message TEXT NOT NULL, path TEXT, crc INTEGER NOT NULL)""",
    "embedding_cache": """CREATE TABLE embedding_cache(
        provider TEXT NOT NULL, model TEXT NOT NULL, provider_key TEXT NOT NULL, hash BLOB NOT NULL,
        vector BLOB NOT NULL, dims INTEGER NOT NULL, updated_at REAL NOT NULL, serial INTEGER NOT NULL,
        crc INTEGER NOT NULL, PRIMARY KEY(provider, model, provider_key, hash)) WITHOUT ROWID""",
}
INDEXES = (
    "CREATE INDEX chunks_by_file ON chunks(file_id, seq)",
    "CREATE INDEX embedding_cache_by_age ON embedding_cache(updated_at, serial)",
)
# Counts that `meta` remembers, so that a row that vanished shows.
TOTALS = {
    "total.files": "SELECT count(*) FROM files",
    "total.segments": "SELECT count(*) FROM segments",
    "total.problems": "SELECT count(*) FROM sync_problems",
}
TABLES = frozenset(CONTENT_TABLES) | frozenset(OTHER_TABLES)


def create(connection: apsw.Connection) -> None:
    """Make all tables in an empty database, within the transaction that is open."""
    for statement in (*CONTENT_TABLES.values(), *OTHER_TABLES.values(), *INDEXES):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={FORMAT}")


def state_of(connection: apsw.Connection) -> str:
    """What a database is to us: "ready", "empty", "old" (another format), "broken" (a table is gone), "foreign"."""
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    tables = {cast("str", row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")}
    if application != APPLICATION_ID:
        if tables == TABLES:
            return "broken"  # nobody else has these
        return "foreign" if tables or application or version else "empty"
    if version != FORMAT:
        return "old"
    return "ready" if tables >= TABLES else "broken"


# --- meta ------------------------------------------------------------------------------------------------------------


def read_meta(connection: apsw.Connection) -> dict[str, Value]:
    """All of `meta`: it is a few dozen rows. DamagedError where one is not as it was written, for everything else is
    understood by them."""
    rows = cast("list[tuple[str, Value, int]]", connection.execute("SELECT key, value, crc FROM meta").fetchall())
    if any(crc != crc_of(key, value) for key, value, crc in rows):
        raise DamagedError("The index is damaged (what it says of itself is not as it was written).", hint=MAKE_ANEW)
    return {key: value for key, value, _ in rows}


def write_meta(connection: apsw.Connection, values: Mapping[str, Value]) -> None:
    """Set some of `meta`."""
    connection.executemany(
        "INSERT OR REPLACE INTO meta(key, value, crc) VALUES(?, ?, ?)",
        [(key, value, crc_of(key, value)) for key, value in values.items()],
    )


def count_totals(connection: apsw.Connection) -> dict[str, Value]:
    """What `meta` is to remember of the numbers of rows."""
    return {key: cast("int", connection.execute(query).fetchall()[0][0]) for key, query in TOTALS.items()}


_IDENTITY = "identity."


def identity_to_meta(identity: IndexIdentity) -> dict[str, Value]:
    """An identity as rows of `meta`."""
    return {
        _IDENTITY + "schema": identity.schema,
        _IDENTITY + "text": identity.text,
        _IDENTITY + "provider": identity.provider,
        _IDENTITY + "model": identity.model,
        _IDENTITY + "fingerprint": identity.fingerprint,
        _IDENTITY + "dims": identity.dims,
        _IDENTITY + "grain": identity.grain,
        _IDENTITY + "dtype": identity.dtype,
        _IDENTITY + "chunk_tokens": identity.chunk_tokens,
        _IDENTITY + "chunk_overlap": identity.chunk_overlap,
        _IDENTITY + "sources": ",".join(identity.sources),
    }


def identity_from_meta(meta: Mapping[str, Value]) -> IndexIdentity | None:
    """The identity that `meta` holds; None when nothing was ever indexed or a part of it is gone."""

    def number(name: str) -> int:
        value = meta[_IDENTITY + name]
        if not isinstance(value, int):
            raise KeyError(name)
        return value

    def text(name: str) -> str:
        value = meta[_IDENTITY + name]
        if not isinstance(value, str):
            raise KeyError(name)
        return value

    try:
        dtype = text("dtype")
        return IndexIdentity(
            schema=number("schema"),
            text=number("text"),
            provider=text("provider"),
            model=text("model"),
            fingerprint=text("fingerprint"),
            dims=number("dims"),
            grain=cast("Grain", text("grain")),
            dtype="float32" if dtype == "float32" else "int8",
            chunk_tokens=number("chunk_tokens"),
            chunk_overlap=number("chunk_overlap"),
            sources=cast("tuple[Source, ...]", tuple(part for part in text("sources").split(",") if part)),
        )
    except KeyError:
        return None


def model_number(identity: IndexIdentity) -> int:
    """A number for all that makes two vectors comparable; every row of vectors carries it."""
    return crc_of(
        identity.provider, identity.model, identity.fingerprint, identity.dims, identity.grain, identity.dtype
    )


# --- rows ------------------------------------------------------------------------------------------------------------


class FileRow(NamedTuple):
    """A row of `files`, without its checksum."""

    id: int
    path: str
    source: str
    hash: bytes
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    chunks: int
    units: int
    waiting: int


class ChunkColumns(NamedTuple):
    """A row of `chunks`, without its checksum."""

    id: int
    file_id: int
    seq: int
    start_line: int
    end_line: int
    own_line: int
    embedded: int
    wide: int
    key: bytes
    units: bytes


def crc_of(*values: Value) -> int:
    """A checksum over the values of a row, their kinds and their borders included."""
    crc = 0
    for value in values:
        if isinstance(value, str):
            raw = b"s" + value.encode("utf-8", "surrogatepass")
        elif isinstance(value, bytes):
            raw = b"b" + value
        elif isinstance(value, float):
            raw = b"f" + struct.pack("<d", value)
        elif value is None:
            raw = b"n"
        else:
            raw = b"i%d" % value
        crc = zlib.crc32(b"%d:" % len(raw), zlib.crc32(raw, crc))
    return crc


_CHUNK_NUMBERS = struct.Struct("<8q")


def chunk_crc(row: ChunkColumns) -> int:
    """The checksum of a chunk's row; a case of its own because a rebuild takes it so often."""
    return zlib.crc32(row.units, zlib.crc32(row.key, zlib.crc32(_CHUNK_NUMBERS.pack(*row[:8]))))


def blob_crc(number: int, blob: bytes, extra: int = 0) -> int:
    """The checksum of a row that is a number and a blob."""
    return zlib.crc32(blob, zlib.crc32(struct.pack("<qq", number, extra)))


# --- units and texts -------------------------------------------------------------------------------------------------


def pack_units(units: Sequence[UnitRow], flags: Sequence[bool]) -> tuple[bool, bytes]:
    """Whether the records are wide, and the units of a chunk, one record each; `flags` says which have a vector."""
    try:
        try:
            return False, _packed(UNIT.pack, HAS_VECTOR, units, flags)
        except (struct.error, OverflowError):
            return True, _packed(WIDE_UNIT.pack, WIDE_HAS_VECTOR, units, flags)
    except (struct.error, OverflowError) as error:
        raise StoreError("A unit does not fit the index.", hint="Report this: it is a fault of recollect.") from error


def _packed(pack: Callable[..., bytes], flag: int, units: Sequence[UnitRow], flags: Sequence[bool]) -> bytes:
    parts = []
    for unit, has_vector in zip(units, flags, strict=True):
        terms = len(unit.terms)
        if terms >= flag:
            raise OverflowError
        parts.append(
            pack(
                unit.start, unit.end, unit.first_line, unit.last_line, terms | flag if has_vector else terms, unit.key
            )
        )  # fmt: skip
    return b"".join(parts)


def widened(units: bytes) -> bytes:
    """Packed units as wide records."""
    parts = []
    for *numbers, terms, key in UNIT.iter_unpack(units[: len(units) // UNIT.size * UNIT.size]):
        flag = WIDE_HAS_VECTOR if terms & HAS_VECTOR else 0
        parts.append(WIDE_UNIT.pack(*numbers, terms & ~HAS_VECTOR | flag, key))
    return b"".join(parts)


def unit_keys(units: bytes, *, wide: bool) -> tuple[bytes, ...]:
    """The keys of packed units."""
    size = WIDE_UNIT.size if wide else UNIT.size
    return tuple([units[at + size - 8 : at + size] for at in range(0, len(units) - size + 1, size)])


def pack_text(text: str) -> bytes:
    """A text as it is stored: a letter that says how, then the bytes."""
    raw = text.encode("utf-8", "surrogatepass")
    # a small window: to clear a large one takes longer than to pack a chunk
    packer = zlib.compressobj(6, zlib.DEFLATED, -12, 5)
    packed = packer.compress(raw) + packer.flush()
    return b"z" + packed if len(packed) < len(raw) else b"r" + raw


def unpack_text(stored: bytes) -> str:
    """The text again. Raises ValueError for what `pack_text` cannot have made."""
    kind, body = stored[:1], stored[1:]
    if kind == b"z":
        try:
            body = zlib.decompress(body, -zlib.MAX_WBITS)
        except zlib.error as error:
            raise ValueError("a stored text does not unpack") from error
    elif kind != b"r":
        raise ValueError("a stored text of an unknown kind")
    return body.decode("utf-8", "surrogatepass")
