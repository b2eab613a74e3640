"""The file that holds a static embedding table: one row of small integers per piece of a vocabulary.

Enters: the path of a table file. Leaves: its header (a few bytes read, no numpy), or the whole of it, mapped into
memory. Never: trusts a file whose length or digest is not what its header says.

Layout, little-endian: the header (128 bytes), then the payload: one float32 scale per row, the rows as int8, and the
pieces in UTF-8, one a line. A row's vector is its integers times its scale; its weight in a sum is already in it, and
a row of zeros says nothing.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

VERSION = 1
_MAGIC = b"RCLTABLE"
_HEADER = struct.Struct("<8sIIIIQ32s32s32x")  # magic, version, dims, rows, dtype, vocabulary bytes, digest, model
_INT8 = 1
_MOST_DIMS = 4_096
_MOST_ROWS = 4_000_000
_REINSTALL = "Install recollect again, or set the provider to `none` to search by words alone."


class TableHeader(Struct, frozen=True, kw_only=True):
    """What a table says of itself."""

    model: str
    dims: int
    rows: int
    vocabulary_bytes: int
    digest: str  # SHA-256 of the payload, in hex

    @property
    def payload_bytes(self) -> int:
        """How long the payload must be."""
        return self.rows * (4 + self.dims) + self.vocabulary_bytes


class Table(Struct, frozen=True, kw_only=True, eq=False):
    """A table as it lies in memory; the arrays are views of the mapped file and cannot be written."""

    header: TableHeader
    scales: NDArray[np.float32]
    rows: NDArray[np.int8]
    pieces: tuple[str, ...]


def read_header(path: str) -> TableHeader:
    """The header of a table file, checked; reads 128 bytes."""
    name = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            raw = file.read(_HEADER.size)
    except OSError as error:
        raise ProviderError(
            f"The embedding table {name} cannot be read: {error.strerror or type(error).__name__}.", hint=_REINSTALL
        ) from error
    return _parse_header(raw, name)


def load_table(path: str) -> Table:
    """The whole table, mapped into memory and checked against its digest."""
    import numpy as np  # numpy is loaded where something is embedded, and nowhere else

    name = os.path.basename(path)
    header = read_header(path)
    payload = _map(path, name)[_HEADER.size :]
    if len(payload) != header.payload_bytes:
        raise ProviderError(f"The embedding table {name} is cut short or has bytes too many.", hint=_REINSTALL)
    if hashlib.sha256(payload).hexdigest() != header.digest:
        raise ProviderError(f"The embedding table {name} is damaged: its digest does not fit.", hint=_REINSTALL)
    matrix, vocabulary = 4 * header.rows, (4 + header.dims) * header.rows
    pieces = tuple(str(payload[vocabulary:], "utf-8").split("\n"))
    if len(pieces) != header.rows:
        raise ProviderError(f"The embedding table {name} has not one piece for each row.", hint=_REINSTALL)
    return Table(
        header=header,
        scales=np.frombuffer(payload[:matrix], dtype="<f4"),
        rows=np.frombuffer(payload[matrix:vocabulary], dtype=np.int8).reshape(header.rows, header.dims),
        pieces=pieces,
    )


def write_table(path: str, *, model: str, vectors: NDArray[np.float32], pieces: Sequence[str]) -> TableHeader:
    """Write a table file (what the recipe in `models/` does), each row scaled so that its largest number is 127."""
    import numpy as np  # as in load_table

    largest = np.abs(vectors).max(axis=1)
    scales = (largest / 127).astype("<f4")
    whole = np.rint(vectors / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    vocabulary = "\n".join(pieces).encode()
    payload = b"".join((scales.tobytes(), whole.tobytes(), vocabulary))
    rows, dims = vectors.shape
    digest = hashlib.sha256(payload)
    head = _HEADER.pack(_MAGIC, VERSION, dims, rows, _INT8, len(vocabulary), digest.digest(), model.encode())
    with open(path, "wb") as file:
        file.write(head + payload)
    return TableHeader(model=model, dims=dims, rows=rows, vocabulary_bytes=len(vocabulary), digest=digest.hexdigest())


def _parse_header(raw: bytes, name: str) -> TableHeader:
    if len(raw) < _HEADER.size or not raw.startswith(_MAGIC):
        raise ProviderError(f"{name} is no embedding table of recollect.", hint=_REINSTALL)
    _, version, dims, rows, dtype, vocabulary_bytes, digest, model = _HEADER.unpack(raw)
    if version != VERSION or dtype != _INT8:
        raise ProviderError(
            f"The embedding table {name} has format {version}.{dtype}, but this version of recollect reads "
            f"{VERSION}.{_INT8}.",
            hint="Use the table and the recollect of the same release.",
        )
    if not (0 < dims <= _MOST_DIMS and 0 < rows <= _MOST_ROWS):
        raise ProviderError(f"The embedding table {name} has an impossible shape, {rows} x {dims}.", hint=_REINSTALL)
    return TableHeader(
        model=model.rstrip(b"\0").decode("utf-8", "replace"),
        dims=dims,
        rows=rows,
        vocabulary_bytes=vocabulary_bytes,
        digest=digest.hex(),
    )


def _map(path: str, name: str) -> memoryview:
    try:
        with open(path, "rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        raise ProviderError(f"The embedding table {name} cannot be mapped into memory.", hint=_REINSTALL) from error
