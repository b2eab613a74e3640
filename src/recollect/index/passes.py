"""One pass of a sync: the files of a comparison are brought into the store, batch by batch.

Enter: what to look at, a reader of notes, the write side of the store. Leave: rows, and a tally of what was done and
what was left out. Memory stays flat: a batch is read, embedded, written and forgotten. Embedding happens between the
short transactions of the writer, never inside one. Never: decides what to look at, or whether an index is made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.errors import ArgumentError, PathError
from recollect.index import describe, garbage, plan
from recollect.index.embedding import take_over
from recollect.index.freshness import settled
from recollect.index.tally import NOT_UTF8
from recollect.protocols import KeptChunk, NoteUpdate
from recollect.sources.roots import show
from recollect.text.chunking import cut_note
from recollect.types import FileRecord, Problem, Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.index.describe import Analyse, Sketch
    from recollect.index.embedding import Embedding
    from recollect.index.tally import Tally
    from recollect.protocols import (
        ChunkRow,
        ChunkStore,
        Clock,
        IndexIdentity,
        ProgressCallback,
        StoredChunk,
        StoreReader,
        StoreWriter,
    )
    from recollect.types import NoteText, SourceFile

    Vectors = Mapping[bytes, NDArray[np.float32]]


class BatchLimits(Struct, frozen=True, kw_only=True):
    """When a batch is written; the first limit that is reached counts."""

    chunks: int = 3_000
    weight: int = 6_000_000  # about a character of English
    files: int = 500  # that are only touched, or removed


LOCAL = BatchLimits()
REMOTE = BatchLimits(chunks=200)  # a slow model: what is done is searchable, and shown as progress, sooner


class _Prepared(Struct, frozen=True, kw_only=True):
    """A note that waits in the batch."""

    file: FileRecord
    sketches: tuple[Sketch, ...]
    diff: plan.ChunkDiff
    vectors: Vectors  # what the index holds already, by embed key
    same_content: bool  # only vectors are missing

    def to_embed(self) -> Iterator[Sketch]:
        for number in self.diff.insert:
            yield self.sketches[number]
        for _, number in self.diff.heal:
            yield self.sketches[number]


class Pass:
    """Brings files into the store. `live` is the store whose rows may be kept and reused; None: every row is new."""

    def __init__(
        self,
        *,
        writer: StoreWriter,
        live: ChunkStore | None,
        known: Mapping[str, FileRecord] | None = None,
        read: Callable[[SourceFile], NoteText],
        analyse: Analyse,
        identity: IndexIdentity,
        embedding: Embedding | None,
        clock: Clock,
        progress: ProgressCallback | None,
        tally: Tally,
    ) -> None:
        self._writer = writer
        self._live = live
        self._known = known  # what an older index held: tells what is new from what only has new rows
        self._read = read
        self._analyse = analyse
        self._identity = identity
        self._embedding = embedding
        self._clock = clock
        self._progress = progress
        self._tally = tally
        self._limits = REMOTE if embedding is not None and embedding.remote else LOCAL
        self._records: Mapping[str, FileRecord] = {}
        self._owing: Collection[str] = ()  # paths with chunks that wait for a vector
        self._by_hash: dict[bytes, str] = {}  # where the index holds this content
        self._gone: dict[str, None] = {}  # removed paths whose rows still stand, in order
        self._batch: list[_Prepared] = []
        self._chunks = self._weight = 0
        self._heading_terms = describe.HeadingTerms(analyse)  # of the paths of this batch
        self._touched: list[FileRecord] = []
        self._leaving: list[str] = []  # removed paths that go with this batch

    def run(self, comparison: plan.Comparison, records: Mapping[str, FileRecord], owing: Collection[str] = ()) -> None:
        """Look at new files first, because they may take over what files that change or go still hold; then at changed
        ones and those that owe vectors; drop what is gone at the end, or together with the file that it became."""
        self._records = records
        self._owing = owing
        self._by_hash = {record.hash: path for path, record in records.items()} if self._live else {}
        self._gone = dict.fromkeys(comparison.removed)
        again = [file for file in comparison.unchanged if file.path in owing]
        files = (*comparison.added, *comparison.changed, *again)
        with garbage.quiet():
            for number, file in enumerate(files):
                self._show(number, len(files))
                self._look_at(file)
                if self._full():
                    self._flush()
                    garbage.sweep()
            self._flush()
        self._drop(list(self._gone))
        self._show(len(files), len(files))

    # --- one file ----------------------------------------------------------------------------------------------------

    def _look_at(self, file: SourceFile) -> None:
        before = self._clock()
        try:
            note = self._read(file)
        except (PathError, ArgumentError, OSError) as error:
            self._unread(file, error)
            return
        if note.replaced:
            message = f"{show(note.path)} is not UTF-8 throughout; what could not be read is marked."
            self._problem(NOT_UTF8, message, file)
        fresh = FileRecord(
            path=file.path, source=file.source, hash=note.hash, stat=settled(note.stat, before, self._clock())
        )
        old = (self._records if self._known is None else self._known).get(file.path)
        same_content = old is not None and old.hash == fresh.hash and old.source == fresh.source
        if old is None:
            self._tally.saw_new(file.path)
        elif not same_content:
            self._tally.saw_changed(file.path)
        if same_content and self._live is not None:
            if old is not None and old.stat != file.stat:
                self._touched.append(fresh)
            if file.path not in self._owing:
                return
        self._add(self._prepare(fresh, note.text, same_content=same_content))

    def _unread(self, file: SourceFile, error: PathError | ArgumentError | OSError) -> None:
        """Name a file that could not be read. Its old rows stay, unless it is really gone."""
        self._tally.could_not_read(file.path)
        vanished = isinstance(error, FileNotFoundError) or isinstance(error.__cause__, FileNotFoundError)
        if vanished:
            self._problem("vanished", f"{show(file.path)} was there when the files were listed, and then gone.", file)
            if file.path in self._records:
                self._gone[file.path] = None
            return
        if isinstance(error, PathError | ArgumentError):
            says = str(error)
        else:
            says = f"{show(file.path)} cannot be read: {error.strerror or 'unknown error'}."
        self._problem("unreadable", says, file)

    def _prepare(self, file: FileRecord, text: str, *, same_content: bool) -> _Prepared:
        identity = self._identity
        cut = cut_note(text, tokens=identity.chunk_tokens, overlap=identity.chunk_overlap)
        sketches = describe.describe(file.path, text, cut.chunks, identity.grain, cut.paths)
        stored = self._stored(file.path) if file.path in self._records else ()  # nothing in a rebuild
        keys = [sketch.key for sketch in sketches]
        diff = plan.diff(stored, keys, vectors=self._embedding is not None)
        prepared = _Prepared(file=file, sketches=sketches, diff=diff, vectors={}, same_content=same_content)
        if self._embedding is None or self._live is None:
            return prepared
        wanted = {key for sketch in prepared.to_embed() for key in sketch.embed_keys}
        if not wanted:
            return prepared
        vectors = self._vectors_of(file.path, stored, wanted) if stored else {}
        twin = self._by_hash.get(file.hash)
        if twin is not None and twin != file.path:
            vectors |= self._vectors_of(twin, self._stored(twin), wanted - vectors.keys())
            if twin in self._gone:
                del self._gone[twin]
                self._leaving.append(twin)
        return _Prepared(file=file, sketches=sketches, diff=diff, vectors=vectors, same_content=same_content)

    def _stored(self, path: str) -> Sequence[StoredChunk]:
        def chunks_of(reader: StoreReader) -> Sequence[StoredChunk]:
            return reader.chunks_of(path)

        return self._live.read(chunks_of) if self._live is not None else ()

    def _vectors_of(
        self, path: str, stored: Sequence[StoredChunk], wanted: Iterable[bytes]
    ) -> dict[bytes, NDArray[np.float32]]:
        def unit_vectors(reader: StoreReader) -> Vectors:
            return reader.unit_vectors(path)

        if self._live is None:
            return {}
        vectors = self._live.read(unit_vectors)
        return take_over(stored, vectors, wanted, self._identity.grain)

    # --- one batch ---------------------------------------------------------------------------------------------------

    def _add(self, prepared: _Prepared) -> None:
        self._batch.append(prepared)
        self._chunks += len(prepared.sketches)
        self._weight += sum(_weight(sketch.text) for sketch in prepared.sketches)

    def _full(self) -> bool:
        return (
            self._chunks >= self._limits.chunks
            or self._weight >= self._limits.weight
            or len(self._touched) >= self._limits.files
        )

    def _flush(self) -> None:
        """Embed what the batch needs and write it."""
        vectors = self._vectors()
        updates = [update for prepared in self._batch if (update := self._update(prepared, vectors)) is not None]
        leaving = self._count_removed(self._leaving)
        if updates or leaving:
            self._writer.apply(updates, leaving)
            self._tally.wrote = True
        if self._touched:
            self._writer.touch(self._touched)
            self._tally.wrote = True
        for prepared in self._batch:
            self._by_hash[prepared.file.hash] = prepared.file.path
        self._batch, self._touched, self._leaving = [], [], []
        self._chunks = self._weight = 0
        self._heading_terms.clear()

    def _vectors(self) -> Vectors:
        """The vectors of all new texts of the batch, each text once."""
        if self._embedding is None:
            return {}
        found: dict[bytes, NDArray[np.float32]] = {}
        for prepared in self._batch:
            found.update(prepared.vectors)
        self._tally.reused += len(found)
        texts: dict[bytes, str] = {}
        for prepared in self._batch:
            for sketch in prepared.to_embed():
                texts.update(zip(sketch.embed_keys, sketch.embed_texts, strict=True))
        found.update(
            self._embedding.vectors(
                {key: text for key, text in texts.items() if text and key not in found}, self._writer
            )
        )
        if self._embedding.outage is not None and self._live is None:
            raise self._embedding.outage  # an index without vectors must not replace one that has them
        return found

    def _update(self, prepared: _Prepared, vectors: Vectors) -> NoteUpdate | None:
        """The note's new state; None where the index holds it already."""
        diff, sketches = prepared.diff, prepared.sketches
        keep = [_kept(stored, sketches[number]) for stored, number in diff.keep]
        insert = [self._row(sketches[number], vectors, prepared) for number in diff.insert]
        for stored, number in diff.heal:
            healed = self._row(sketches[number], vectors, prepared)
            if healed.vectors is None:
                keep.append(_kept(stored, sketches[number]))
            else:
                insert.append(healed)
        self._tally.chunks_kept += len(diff.keep) + len(diff.heal)
        self._tally.chunks_added += len(diff.insert)
        self._tally.chunks_removed += diff.dropped
        if prepared.same_content and not insert and not diff.dropped and self._live is not None:
            return None
        return NoteUpdate(file=prepared.file, keep=tuple(keep), insert=tuple(insert))

    def _row(self, sketch: Sketch, vectors: Vectors, prepared: _Prepared) -> ChunkRow:
        if self._embedding is None:
            return describe.row(sketch, self._analyse, self._heading_terms, None)
        rows = self._embedding.rows(sketch.embed_keys, sketch.embed_texts, vectors, self._identity.dims)
        if rows is None and self._embedding.outage is None:
            self._name_refused(sketch, prepared.file.path, self._embedding)
        return describe.row(sketch, self._analyse, self._heading_terms, rows)

    def _drop(self, paths: Sequence[str]) -> None:
        for start in range(0, len(paths), self._limits.files):
            self._writer.apply((), self._count_removed(paths[start : start + self._limits.files]))
            self._tally.wrote = True

    def _count_removed(self, paths: Sequence[str]) -> Sequence[str]:
        self._tally.lost(paths)
        self._tally.chunks_removed += sum(len(self._stored(path)) for path in paths)
        return paths

    # --- telling -----------------------------------------------------------------------------------------------------

    def _name_refused(self, sketch: Sketch, path: str, embedding: Embedding) -> None:
        why = next((why for key in sketch.embed_keys if (why := embedding.refused.get(key))), "")
        units = sketch.chunk.units
        message = f"{show(path)} lines {units[0].start_line} to {units[-1].end_line}: found by words alone. {why}"
        self._tally.problems.append(Problem(code="not-embedded", message=message.strip(), path=path))

    def _problem(self, code: str, message: str, file: SourceFile) -> None:
        self._tally.problems.append(Problem(code=code, message=message, path=file.path))

    def _show(self, completed: int, total: int) -> None:
        if self._progress is not None and total:
            label = f"Indexing memory files {completed}/{total}"
            self._progress(Progress(completed=completed, total=total, label=label))


def _weight(text: str) -> int:
    """How much memory a text costs while it waits. Scripts without spaces have terms for every character, and other
    ones in nearly every place: some hundred bytes a character, where an English word's terms are known already."""
    return len(text) if text.isascii() else len(text) + 5 * (len(text.encode(errors="replace")) - len(text))


def _kept(stored: StoredChunk, sketch: Sketch) -> KeptChunk:
    chunk = sketch.chunk
    return KeptChunk(
        id=stored.id,
        seq=sketch.seq,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        own_line=chunk.own_start_line,
    )
