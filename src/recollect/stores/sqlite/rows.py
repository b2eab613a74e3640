"""New rows of chunks, gathered over a whole write and inserted together.

Enters: chunks as the planner gives them. Leaves: rows with their numbers and checksums, and terms in a builder.
Pure but for the insert at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ArgumentError, StoreError
from recollect.stores.sqlite import schema

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import ChunkRow, IndexIdentity, KeptChunk
    from recollect.stores.sqlite.postings import SegmentBuilder


class OldChunk(schema.ChunkColumns):
    """A chunk's row as it is in the index."""

    def moved(self, kept: KeptChunk) -> OldChunk:
        """The row on its new lines."""
        return self._replace(seq=kept.seq, start_line=kept.start_line, end_line=kept.end_line, own_line=kept.own_line)

    @property
    def unit_count(self) -> int:
        """How many units it has."""
        return len(self.units) // (schema.WIDE_UNIT if self.wide else schema.UNIT).size


class NewRows:
    """What one write inserts."""

    def __init__(self, identity: IndexIdentity, next_unit: int, gathered: SegmentBuilder) -> None:
        self.next_unit = next_unit
        self.next_file = 0  # 0: not looked up yet
        self._identity = identity
        self._model = schema.model_number(identity)
        self._gathered = gathered
        self._chunks: list[tuple[int, int, ChunkRow]] = []  # number, file, row

    def add(self, file_id: int, row: ChunkRow) -> None:
        """Number a chunk and its units, and gather its terms."""
        first = self.next_unit
        self.next_unit += max(1, len(row.units))
        if self.next_unit > schema.MAX_UNIT:
            raise StoreError("The index has numbered all units it can.", hint="Run `recollect index --force`.")
        for number, unit in enumerate(row.units, first):
            self._gathered.add(number, unit.terms, unit.heading_terms, unit.note_terms)
        self._chunks.append((first, file_id, row))

    def insert(self, connection: apsw.Connection) -> None:
        """Insert all that was added."""
        blobs, flags = self._vectors()
        chunks, texts = [], []
        for (id_, file_id, row), of_units in zip(self._chunks, flags, strict=True):
            wide, units = schema.pack_units(row.units, of_units)
            columns = schema.ChunkColumns(
                id_, file_id, row.seq, row.start_line, row.end_line, row.own_line, int(row.vectors is not None),
                int(wide), row.key, units,
            )  # fmt: skip
            chunks.append((*columns, schema.chunk_crc(columns)))
            text = schema.pack_text(row.text)
            texts.append((id_, text, schema.blob_crc(id_, text)))
        connection.executemany("INSERT INTO chunks VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", chunks)
        connection.executemany("INSERT INTO chunk_text VALUES(?, ?, ?)", texts)
        connection.executemany(
            "INSERT INTO vectors VALUES(?, ?, ?, ?)",
            [(id_, self._model, blob, schema.blob_crc(id_, blob, self._model)) for id_, blob in blobs],
        )

    def _vectors(self) -> tuple[list[tuple[int, bytes]], list[list[bool]]]:
        """The stored vectors of the chunks that have some, and for every chunk which of its units has one."""
        flags = [[False] * len(row.units) for _, _, row in self._chunks]
        given = [
            (at, matrix)
            for at, (_, _, row) in enumerate(self._chunks)
            if (matrix := row.vectors) is not None and len(matrix)
        ]
        if not given:
            return [], flags
        for at, matrix in given:
            self._check(self._chunks[at][2], matrix)
        import numpy as np

        from recollect.stores.sqlite import vectors

        # all of a write at once: a matrix of a few rows costs more in calls than in arithmetic
        encoded = vectors.encode(np.concatenate([matrix for _, matrix in given]), self._identity.dtype)
        alive: list[bool] = np.any(encoded, axis=1).tolist()
        raw, width = encoded.tobytes(), encoded.shape[1] * encoded.itemsize
        blobs, row = [], 0
        for at, matrix in given:
            end = row + len(matrix)
            blobs.append((self._chunks[at][0], raw[row * width : end * width]))
            by_chunk = self._identity.grain == "chunk"
            flags[at] = [alive[row]] * len(flags[at]) if by_chunk else alive[row:end]
            row = end
        return blobs, flags

    def _check(self, row: ChunkRow, matrix: NDArray[np.float32]) -> None:
        rows = 1 if self._identity.grain == "chunk" else len(row.units)
        if matrix.shape != (rows, self._identity.dims):
            raise ArgumentError(
                f"A chunk came with vectors of shape {matrix.shape}; the index wants {(rows, self._identity.dims)}.",
                hint="Report this: it is a fault of recollect or of the embedder.",
            )
