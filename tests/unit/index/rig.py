"""What the tests of the index share: a workspace, a store, an indexer over both, and eyes on all that passes."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from recollect.index.describe import path_words
from recollect.index.sync import Indexer
from recollect.sources.discovery import discover
from recollect.sources.reader import Reader
from recollect.testing.clock import FixedClock
from recollect.testing.embedder import HashedEmbedder
from recollect.testing.workspace import Workspace
from recollect.text.dates import date_words, note_date
from recollect.text.tokens import Analyzer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import ChunkStore, Clock, Embedder, StoreHealth, StoreReader, StoreWriter
    from recollect.sources.discovery import Discovery
    from recollect.types import NoteText, SourceFile

T = TypeVar("T")


class WatchedStore:
    """A store that counts its locks and lets a test act just before one is taken or just after it was given back."""

    def __init__(self, inner: ChunkStore) -> None:
        self.inner = inner
        self.writes = 0
        self.rebuilds = 0
        self.sweeps = 0
        self.before_lock: Callable[[], object] = int
        self.waits: list[float | None] = []

    def exists(self) -> bool:
        return self.inner.exists()

    def read(self, work: Callable[[StoreReader], T]) -> T:
        return self.inner.read(work)

    @contextmanager
    def write(self, *, wait: float | None = None) -> Iterator[StoreWriter]:
        self.writes += 1
        self._act(wait)
        with self.inner.write(wait=wait) as writer:
            yield writer

    @contextmanager
    def rebuild(self, *, wait: float | None = None) -> Iterator[StoreWriter]:
        self.rebuilds += 1
        self._act(wait)
        with self.inner.rebuild(wait=wait) as writer:
            yield writer

    def sweep(self) -> None:
        self.sweeps += 1
        self.inner.sweep()

    def verify(self) -> Sequence[str]:
        return self.inner.verify()

    def health(self) -> StoreHealth:
        return self.inner.health()

    def close(self) -> None:
        self.inner.close()

    def _act(self, wait: float | None) -> None:
        self.waits.append(wait)
        act, self.before_lock = self.before_lock, int
        act()


class Rig:
    """A memory's write path. `reads` holds the paths that were read since the last look, `listings` counts."""

    def __init__(self, root: Path, store: ChunkStore, embedder: Embedder | None = None, *, words_only: bool = False):
        self.workspace = Workspace(root=root / "ws")
        self.store = WatchedStore(store)
        self.embedder: Embedder | None = None if words_only else embedder or HashedEmbedder()
        self.clock: Clock = FixedClock()
        self.reads: list[str] = []
        self.listings = 0
        self.before_read: Callable[[SourceFile], object] = id
        self.after_read: Callable[[SourceFile], object] = id
        self.tokens, self.overlap = 100, 20
        self.cache_enabled = True
        self.cache_max_entries: int | None = None

    def indexer(self) -> Indexer:
        reader = Reader(self.workspace.path)

        def listing() -> Discovery:
            self.listings += 1
            return discover(self.workspace.path, ())

        def read(file: SourceFile) -> NoteText:
            self.reads.append(file.path)
            self.before_read(file)
            note = reader.read(file)
            self.after_read(file)
            return note

        return Indexer(
            store=self.store,
            embedder=self.embedder,
            discover=listing,
            read=read,
            chunk_tokens=self.tokens,
            chunk_overlap=self.overlap,
            sources=("memory",),
            cache_enabled=self.cache_enabled,
            cache_max_entries=self.cache_max_entries,
            clock=self.clock,
        )

    def query(self) -> NDArray[np.float32]:
        """The vector of some question."""
        assert self.embedder is not None
        return self.embedder.embed_query("which birds were seen?")

    def forget(self) -> None:
        """Look away from what happened so far."""
        self.reads.clear()
        self.listings = self.store.writes = self.store.rebuilds = 0


def contents(store: ChunkStore) -> dict[str, object]:
    """All that the index says of the notes, without the numbers that it gives to its own rows."""
    analyse = Analyzer().terms

    def look(reader: StoreReader) -> dict[str, object]:
        layout = reader.layout()
        texts = reader.texts(layout.chunk_ids.tolist())
        paths = [note.path for note in layout.notes]
        terms = {term for text in texts for term in analyse(text)}
        for path in paths:
            day = note_date(path)
            terms.update(
                analyse(f"{path_words(path)} {day.isoformat()} {date_words(day)}" if day else path_words(path))
            )
        words = sorted(terms)
        found = zip(words, reader.postings(words), strict=True)
        return {
            "files": {
                path: (record.hash, record.source, record.stat.mtime_ns) for path, record in reader.files().items()
            },
            "notes": [(note.path, note.source, note.mtime_ns) for note in layout.notes],
            "texts": list(texts),
            "places": [
                array.tolist()
                for array in (
                    layout.note_first_unit,
                    layout.chunk_note,
                    layout.chunk_start_line,
                    layout.chunk_end_line,
                    layout.chunk_own_line,
                    layout.chunk_first_unit,
                    layout.unit_chunk,
                    layout.unit_note,
                    layout.unit_start,
                    layout.unit_end,
                    layout.unit_line,
                    layout.unit_end_line,
                    layout.unit_length,
                    layout.unit_has_vector,
                )
            ],
            "chunks": {
                path: [(one.seq, one.key, one.unit_keys, one.embedded) for one in reader.chunks_of(path)]
                for path in paths
            },
            "vectors": {
                path: {key: row.round(2).tolist() for key, row in reader.unit_vectors(path).items()} for path in paths
            },
            "postings": {
                term: (one.units.tolist(), one.counts.tolist(), one.in_heading.tolist(), one.in_note.tolist())
                for term, one in found
                if one is not None
            },
        }

    return store.read(look)
