"""The cache of embeddings: vectors that were paid for, by provider, model, endpoint and hash of what was embedded.

Enters: a connection, within a transaction where it writes. Leaves: vectors, as float32 to the last bit.
Never a vector that fails its checksum, and never more rows than were asked for: the oldest go first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from recollect.stores.sqlite.schema import Value, crc_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import CacheKey

_LOOKUP = 400  # hashes in one statement

CacheRow = tuple[str, str, str, bytes, bytes, int, float, int, int]


def look_up(connection: apsw.Connection, key: CacheKey, hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
    """The vectors that the cache holds for these hashes."""
    import numpy as np

    found: dict[bytes, NDArray[np.float32]] = {}
    wanted = list(dict.fromkeys(hashes))
    for start in range(0, len(wanted), _LOOKUP):
        some = wanted[start : start + _LOOKUP]
        rows = connection.execute(
            "SELECT provider, model, provider_key, hash, vector, dims, updated_at, serial, crc FROM embedding_cache"  # noqa: S608 - question marks only
            f" WHERE provider=? AND model=? AND provider_key=? AND hash IN ({','.join('?' * len(some))})",
            (key.provider, key.model, key.provider_key, *some),
        )
        for row in cast("list[CacheRow]", rows.fetchall()):
            if is_sound(row):
                found[row[3]] = np.frombuffer(row[4], dtype="<f4").astype(np.float32)
    return found


def is_sound(row: CacheRow) -> bool:
    """Whether a row is as it was written."""
    return len(row[4]) == 4 * row[5] and row[-1] == crc_of(*cast("tuple[Value, ...]", row[:-1]))


def keep(
    connection: apsw.Connection,
    key: CacheKey,
    vectors: Mapping[bytes, NDArray[np.float32]],
    max_entries: int | None,
    now: float,
) -> None:
    """Add vectors, then drop the oldest beyond `max_entries`."""
    import numpy as np

    newest = cast("int | None", connection.execute("SELECT max(serial) FROM embedding_cache").fetchall()[0][0])
    rows: list[CacheRow] = []
    for serial, (digest, vector) in enumerate(vectors.items(), (newest or 0) + 1):
        blob = np.ascontiguousarray(vector, dtype="<f4").tobytes()
        row = (key.provider, key.model, key.provider_key, digest, blob, len(blob) // 4, float(now), serial)
        rows.append((*row, crc_of(*row)))
    connection.executemany("INSERT OR REPLACE INTO embedding_cache VALUES(?,?,?,?,?,?,?,?,?)", rows)
    if max_entries is not None:
        prune(connection, max_entries)


def prune(connection: apsw.Connection, max_entries: int) -> None:
    """Drop the oldest rows beyond `max_entries`."""
    surplus = count(connection) - max(0, max_entries)
    if surplus > 0:
        connection.execute(
            "DELETE FROM embedding_cache WHERE (provider, model, provider_key, hash) IN"
            " (SELECT provider, model, provider_key, hash FROM embedding_cache ORDER BY updated_at, serial LIMIT ?)",
            (surplus,),
        )


def count(connection: apsw.Connection) -> int:
    """How many vectors the cache holds."""
    return cast("int", connection.execute("SELECT count(*) FROM embedding_cache").fetchall()[0][0])
