"""sqlite-vec, for those who ask for it: the same cosines, computed by its vec0 table.

Enters: where the extension lies, or "auto" for the installed package; stored rows. Leaves: cosines, or the real cause
why it cannot be loaded. The table is made in memory for one generation of the index, from the rows that every other
path reads: nothing of it is in the store, so a store opens everywhere and no second copy of the vectors can be stale.
Never imports the package: that would pull numpy in.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from typing import TYPE_CHECKING, cast

import apsw

from recollect.errors import StoreError
from recollect.stores.sqlite import driver, vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AUTO = "auto"
_PACKAGE = "sqlite_vec"
_FILE = "vec0"


def locate(extension: str) -> str:
    """Where the extension lies. Raises StoreError when it is not there."""
    if extension != AUTO:
        return os.path.abspath(os.path.expanduser(extension))
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise StoreError("sqlite-vec is not installed.", hint="Install it with the extra `vec`, or do without.")
    return os.path.join(found.submodule_search_locations[0], _FILE)


def why_not(path: str) -> str | None:
    """Why the extension cannot be loaded; None: it can."""
    try:
        _connection_with(path).close()
    except StoreError as error:
        return error.message
    return None


class VecTable:
    """Stored rows in a vec0 table; stands in for `vectors.Matrix`."""

    def __init__(self, path: str, stored: bytes, dims: int, dtype: vectors.Dtype) -> None:
        import numpy as np

        rows = vectors.decode(stored, dims, dtype)
        finite: NDArray[np.bool_] = np.all(np.isfinite(rows), axis=1)
        self.dims = dims
        self.sound: NDArray[np.bool_] = finite & np.any(rows, axis=1)
        self._count = len(rows)
        self._guard = threading.Lock()  # a connection is for one thread at a time
        self._connection = _connection_with(path)
        with driver.explained():
            self._connection.execute(f"CREATE VIRTUAL TABLE chunks_vec USING vec0(embedding float[{dims}])")
            self._connection.execute("BEGIN")
            self._connection.executemany(
                "INSERT INTO chunks_vec(rowid, embedding) VALUES(?, ?)",
                [(number, rows[number].tobytes()) for number in np.flatnonzero(self.sound).tolist()],
            )
            self._connection.execute("COMMIT")

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of the question with every row; NaN where a row is no vector, or the question is none."""
        import numpy as np

        found = np.full(self._count, np.nan, dtype=np.float32)
        question = np.asarray(query, dtype="<f4").reshape(-1)
        if len(question) != self.dims or not np.isfinite(question).all() or not question.any():
            return found
        with self._guard, driver.explained():
            rows = self._connection.execute(
                "SELECT rowid, vec_distance_cosine(embedding, ?) FROM chunks_vec", (question.tobytes(),)
            ).fetchall()
        if rows:
            numbers, distances = zip(*cast("list[tuple[int, float]]", rows), strict=True)
            found[list(numbers)] = 1 - np.array(distances)
        return np.clip(found, -1, 1, out=found)


def _connection_with(path: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    try:
        connection.enable_load_extension(True)  # noqa: FBT003 - apsw takes it by position alone
        connection.load_extension(path)
        connection.enable_load_extension(False)  # noqa: FBT003 - as above
    except apsw.Error as error:
        driver.close(connection)
        cause = str(error).replace(os.path.dirname(path) + os.sep, "")
        raise StoreError(
            f"sqlite-vec cannot be loaded ({cause}).", hint="Check store.vector.extensionPath, or do without."
        ) from error
    return connection
