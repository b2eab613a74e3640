"""Small notes in the form that a store takes them, and the digest that two stores of the same notes share.

Enters: words. Leaves: identities, chunks, updates. Never: reads a file or a clock; the same words give the same rows.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal

from recollect.protocols import ChunkRow, IndexIdentity, NoteUpdate, UnitRow
from recollect.types import FileRecord, FileStat

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import KeptChunk, StoreReader
    from recollect.types import Grain, Source

DIMS = 8


def identity_of(
    *, dims: int = DIMS, grain: Grain = "unit", dtype: Literal["int8", "float32"] = "float32"
) -> IndexIdentity:
    """An identity as good as any."""
    return IndexIdentity(
        schema=1,
        text=1,
        provider="test",
        model="words",
        fingerprint="0",
        dims=dims,
        grain=grain,
        dtype=dtype,
        chunk_tokens=400,
        chunk_overlap=80,
        sources=("memory",),
    )


def vector_of(text: str, dims: int = DIMS) -> NDArray[np.float32]:
    """A vector of length 1 that depends on the text alone; an empty text has a row of zeros."""
    import numpy as np

    if not text:
        return np.zeros(dims, dtype=np.float32)
    raw = hashlib.shake_256(text.encode()).digest(2 * dims)
    row = np.frombuffer(raw, dtype="<i2").astype(np.float32)
    return (row / np.linalg.norm(row)).astype(np.float32)


def file_of(path: str, *, version: str = "", source: Source = "memory", mtime_ns: int = 1) -> FileRecord:
    """A file whose content is called `version`."""
    return FileRecord(
        path=path,
        source=source,
        hash=hashlib.sha256(f"{path} {version}".encode()).digest(),
        stat=FileStat(size=10, mtime_ns=mtime_ns, ctime_ns=mtime_ns, inode=1),
    )


def chunk_of(
    seq: int,
    *texts: str,
    heading: Sequence[str] = (),
    note: Sequence[str] = (),
    line: int | None = None,
    grain: Grain = "unit",
    embedded: bool = True,
    dims: int = DIMS,
) -> ChunkRow:
    """A chunk with one unit, on one line, for each text; the terms are the text's words."""
    import numpy as np

    whole, start = "\n".join(texts), 0
    first = line if line is not None else 1 + 10 * seq
    units = []
    for number, text in enumerate(texts):
        described = tuple(note) if number == 0 else ()
        key = hashlib.sha256(f"{text} {heading}".encode()).digest()[:8]
        units.append(UnitRow(start, start + len(text), number, number, key, text.split(), tuple(heading), described))
        start += len(text) + 1
    rows = [vector_of(whole, dims)] if grain == "chunk" else [vector_of(text, dims) for text in texts]
    vectors = np.array(rows, dtype=np.float32).reshape(-1, dims) if embedded and dims else None
    return ChunkRow(
        seq,
        hashlib.sha256(f"{whole} {heading} {note}".encode()).digest()[:16],
        first,
        first + max(0, len(texts) - 1),
        first,
        whole,
        tuple(units),
        vectors,
    )


def update_of(
    path: str,
    *insert: ChunkRow,
    keep: Sequence[KeptChunk] = (),
    version: str = "",
    source: Source = "memory",
) -> NoteUpdate:
    """A note's new state."""
    return NoteUpdate(file_of(path, version=version, source=source), tuple(keep), insert)


def logical_digest(reader: StoreReader) -> str:
    """What the index says, whatever way it came to say it: paths, hashes, chunk keys, lines, texts, unit keys, vectors.
    Two stores of the same notes have the same digest, however their rows are numbered."""
    import numpy as np

    layout, files = reader.layout(), reader.files()
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path} {files[path].source} {files[path].hash.hex()}\n".encode())
        for chunk in reader.chunks_of(path):
            digest.update(f"{chunk.seq} {chunk.key.hex()} {chunk.embedded}\n".encode())
            digest.update(b"".join(chunk.unit_keys))
        for key, row in sorted(reader.unit_vectors(path).items()):
            largest = np.abs(row).max(initial=0) or 1  # in 127 steps: equal for all who keep it at least so exactly
            digest.update(key + np.rint(row * (127 / largest)).astype(np.int8).tobytes())
    for text in reader.texts(layout.chunk_ids.tolist()):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    for name in layout.__struct_fields__:
        if name not in ("notes", "chunk_ids"):
            digest.update(np.asarray(getattr(layout, name)).tobytes())
    return digest.hexdigest()
