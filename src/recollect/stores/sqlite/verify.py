"""Everything read and compared with its checksums: what is damaged, in words.

Enters: a connection within a read transaction. Leaves: sentences; none when nothing is damaged.
SQLite's own checks see a broken tree, not a changed value: every row's checksum is taken again, and the counts that
rows hold of one another are compared, so that a row that vanished shows as well.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import apsw

from recollect.stores.sqlite import blocks, cache, schema, vectors
from recollect.stores.sqlite.driver import DamagedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MAX_SENTENCES = 100

Row = tuple[schema.Value, ...]


def damage(connection: apsw.Connection) -> tuple[str, ...]:
    """What is damaged."""
    found: list[str] = []
    for check in (_pages, _rows, _relations):
        try:
            for sentence in check(connection):
                found.append(sentence)
                if len(found) == _MAX_SENTENCES:
                    return (*found, "There is more.")
        except DamagedError as error:
            found.append(error.message)
        except (apsw.Error, TypeError, ValueError, OverflowError) as error:
            found.append(f"The index cannot be read through: {error}.")
    return tuple(found)


def _pages(connection: apsw.Connection) -> Iterator[str]:
    for (line,) in cast("list[tuple[str]]", connection.execute("PRAGMA integrity_check(20)").fetchall()):
        if line != "ok":
            yield f"SQLite finds: {line}."
    tables = {row[0]: row[1] for row in connection.execute("SELECT name, sql FROM sqlite_schema WHERE type='table'")}
    for name, statement in {**schema.CONTENT_TABLES, **schema.OTHER_TABLES}.items():
        if tables.get(name) != statement:
            yield f"The table {name} is missing or changed."


def _rows(connection: apsw.Connection) -> Iterator[str]:
    checks: tuple[tuple[str, str, Callable[[Row], bool]], ...] = (
        ("meta", "SELECT key, value, crc FROM meta", _plain),
        ("sync_problems", "SELECT id, code, message, path, crc FROM sync_problems", _plain),
        ("files", "SELECT * FROM files", _plain),
        ("chunks", "SELECT * FROM chunks", _chunk),
        ("chunk_text", "SELECT id, text, crc FROM chunk_text", _text),
        ("vectors", "SELECT id, vectors, model, crc FROM vectors", _vector),
        ("segments", "SELECT * FROM segments", _plain),
        ("postings", "SELECT segment, first_term, blocks FROM postings", _posting),
        ("embedding_cache", "SELECT * FROM embedding_cache", _cached),
    )
    for table, statement, is_sound in checks:
        bad = 0
        try:
            for row in connection.execute(statement):
                bad += not is_sound(cast("Row", row))
        except (apsw.Error, UnicodeDecodeError) as error:
            yield f"{table} cannot be read to its end: {error}."
        if bad:
            yield f"{bad} {'row' if bad == 1 else 'rows'} of {table} do not match their checksum."


def _plain(row: Row) -> bool:
    return row[-1] == schema.crc_of(*row[:-1])


def _chunk(row: Row) -> bool:
    try:
        columns = schema.ChunkColumns(*cast("tuple[int, int, int, int, int, int, int, int, bytes, bytes]", row[:-1]))
        return row[-1] == schema.chunk_crc(columns)
    except (TypeError, ValueError, OverflowError, struct.error):
        return False


def _text(row: Row) -> bool:
    id_, stored, crc = row
    if not isinstance(id_, int) or not isinstance(stored, bytes) or crc != schema.blob_crc(id_, stored):
        return False
    try:
        schema.unpack_text(stored)
    except ValueError:
        return False
    return True


def _vector(row: Row) -> bool:
    id_, stored, model, crc = row
    return (
        isinstance(id_, int)
        and isinstance(stored, bytes)
        and isinstance(model, int)
        and crc == schema.blob_crc(id_, stored, model)
    )


def _posting(row: Row) -> bool:
    segment, first, stored = row
    if not isinstance(segment, int) or not isinstance(first, str) or not isinstance(stored, bytes):
        return False
    try:
        return bool(blocks.Block(segment, first, stored).count)
    except DamagedError:
        return False


def _cached(row: Row) -> bool:
    return isinstance(row[4], bytes) and cache.is_sound(cast("cache.CacheRow", row))


_RELATIONS = (
    ("chunks of no file", "SELECT count(*) FROM chunks WHERE file_id NOT IN (SELECT id FROM files)"),
    (
        "files with other chunks than they should have",
        f"""SELECT count(*) FROM files f WHERE chunks != (SELECT count(*) FROM chunks WHERE file_id=f.id)
        OR units != (SELECT coalesce(sum({schema.COUNT_OF_UNITS}), 0) FROM chunks WHERE file_id=f.id)""",  # noqa: S608 - our own number
    ),
    ("chunks without text", "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT id FROM chunk_text)"),
    ("texts of no chunk", "SELECT count(*) FROM chunk_text WHERE id NOT IN (SELECT id FROM chunks)"),
    (
        "chunks without the vectors that they should have",
        "SELECT count(*) FROM chunks WHERE embedded AND length(units) AND id NOT IN (SELECT id FROM vectors)",
    ),
    ("vectors of no chunk", "SELECT count(*) FROM vectors WHERE id NOT IN (SELECT id FROM chunks WHERE embedded)"),
    ("words of no segment", "SELECT count(*) FROM postings WHERE segment NOT IN (SELECT id FROM segments)"),
)


def _relations(connection: apsw.Connection) -> Iterator[str]:
    for what, relation in _RELATIONS:
        count = cast("int", connection.execute(relation).fetchall()[0][0])
        if count:
            yield f"There are {count} {what}."
    yield from _words(connection)
    meta = schema.read_meta(connection)
    for key, statement in schema.TOTALS.items():
        counted = cast("int", connection.execute(statement).fetchall()[0][0])
        if meta.get(key, 0) != counted:
            yield f"The count {key} is {counted}, not as it is remembered."
    identity = schema.identity_from_meta(meta)
    if identity is None or not identity.dims:
        return
    model, size = schema.model_number(identity), identity.dims * vectors.WIDTH[identity.dtype]
    odd = connection.execute("SELECT count(*) FROM vectors WHERE model!=? OR length(vectors)%?", (model, size))
    others = cast("int", odd.fetchall()[0][0])
    if others:
        yield f"There are {others} rows of vectors of another model."


def _words(connection: apsw.Connection) -> Iterator[str]:
    counted: dict[int, int] = {}
    for segment, first, stored in cast("list[tuple[int, str, bytes]]", connection.execute("SELECT * FROM postings")):
        with suppress(DamagedError):  # said already
            counted[segment] = counted.get(segment, 0) + blocks.Block(segment, first, stored).count
    wanted = cast("list[tuple[int, int]]", connection.execute("SELECT id, terms FROM segments").fetchall())
    if counted != dict(wanted):
        yield "The segments do not hold the words that they should."
