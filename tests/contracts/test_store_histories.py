"""Any history of writes leaves SQLite with the answers of the plain store in memory, and of a store made anew."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from recollect.protocols import ChunkRow, KeptChunk, NoteUpdate, SyncState
from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_asserts import rows_of
from recollect.testing.store_samples import chunk_of, file_of, identity_of, logical_digest, vector_of

if TYPE_CHECKING:
    from recollect.protocols import ChunkStore, StoreReader

_WORDS = ("alpha", "beta", "gamma", "delta", "epsilon")
_PATHS = ("a.md", "b.md", "memory/c.md", "Z.md")
_TEXT = st.lists(st.sampled_from(_WORDS), max_size=4).map(" ".join)
_CHUNK = st.tuples(st.lists(_TEXT, min_size=1, max_size=3), st.booleans(), st.booleans(), st.booleans())
# for every chunk of a note: keep what is there, drop it, or put a new one before it
_EDIT = st.lists(st.sampled_from(["keep", "drop"]) | _CHUNK, max_size=5)


def answers_of(reader: StoreReader) -> tuple[object, ...]:
    """All that a store says, but for cosines and the numbers that it gives to chunks."""
    return (
        logical_digest(reader),
        [rows_of(found) for found in reader.postings([*_WORDS, "head", "title"])],
        reader.sync_state(),
        reader.files(),
        [(s.files, s.chunks, s.units, s.by_source, s.missing_vectors) for s in [reader.stats()]],
    )


class Histories(RuleBasedStateMachine):
    """The same writes on both stores."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.sqlite: ChunkStore = SqliteStore(str(self.folder / "index.sqlite"))
        self.memory: ChunkStore = MemoryStore()
        self.version = 0
        self.notes: dict[str, list[ChunkRow]] = {}
        for store in self.stores:
            with store.write() as writer:
                writer.begin(identity_of(dtype="int8"))

    @property
    def stores(self) -> tuple[ChunkStore, ChunkStore]:
        return self.sqlite, self.memory

    @rule(path=st.sampled_from(_PATHS), edits=_EDIT, shift=st.integers(0, 3))
    def edit(self, path: str, edits: list[str | tuple[list[str], bool, bool, bool]], shift: int) -> None:
        """Bring a note to a new state, some of its chunks kept on other lines."""
        self.version += 1
        old, rows, kept = list(enumerate(self.notes.get(path, []))), list[ChunkRow](), dict[int, int]()
        for seq, step in enumerate(edits):
            if isinstance(step, tuple):
                texts, embedded, headed, titled = step
                heading, note = ["head"] if headed else [], ["title", "alpha"] if titled else []
                rows.append(chunk_of(seq, *texts, embedded=embedded, heading=heading, note=note))
            elif old:
                number, row = old.pop(0)
                if step == "keep":
                    kept[len(rows)] = number
                    rows.append(_moved(row, seq, shift))
        for store in self.stores:
            ids = [chunk.id for chunk in store.read(lambda reader: reader.chunks_of(path))]
            keep = [_as_kept(rows[at], ids[number]) for at, number in kept.items()]
            insert = [row for at, row in enumerate(rows) if at not in kept]
            file = file_of(path, version=str(self.version))
            with store.write() as writer:
                writer.apply([NoteUpdate(file, tuple(keep), tuple(insert))])
        self.notes[path] = rows

    @rule(path=st.sampled_from(_PATHS))
    def remove(self, path: str) -> None:
        self.notes.pop(path, None)
        for store in self.stores:
            with store.write() as writer:
                writer.apply([], removed=[path])

    @rule(problems=st.integers(0, 2))
    def finish(self, problems: int) -> None:
        state = SyncState(at=float(self.version), reason="test", problems=(("code", "Message.", None),) * problems)
        for store in self.stores:
            with store.write() as writer:
                writer.finish(state)

    @precondition(lambda self: self.version % 3 == 0)
    @rule()
    def rebuild(self) -> None:
        for store in self.stores:
            files = store.read(lambda reader: reader.files())
            state = store.read(lambda reader: reader.sync_state())
            with store.rebuild() as writer:
                writer.begin(identity_of(dtype="int8"))
                for path, rows in self.notes.items():
                    writer.apply([NoteUpdate(files[path], (), tuple(rows))])
                if state is not None:
                    writer.finish(state)

    @invariant()
    def both_say_the_same(self) -> None:
        assert self.sqlite.read(answers_of) == self.memory.read(answers_of)
        one, other = (store.read(lambda reader: reader.cosines(vector_of("question"))) for store in self.stores)
        assert np.allclose(one, other, atol=1e-4, equal_nan=True)

    def teardown(self) -> None:
        assert list(self.sqlite.verify()) == []
        anew = SqliteStore(str(self.folder / "anew.sqlite"))
        files = self.sqlite.read(lambda reader: reader.files())
        with anew.rebuild() as writer:
            writer.begin(identity_of(dtype="int8"))
            writer.apply([NoteUpdate(files[path], (), tuple(rows)) for path, rows in self.notes.items()])
        assert anew.read(logical_digest) == self.sqlite.read(logical_digest)
        anew.close()
        self.sqlite.close()
        shutil.rmtree(self.folder)


def _moved(row: ChunkRow, seq: int, shift: int) -> ChunkRow:
    lines = (row.start_line + shift, row.end_line + shift, row.own_line + shift)
    return ChunkRow(seq, row.key, *lines, row.text, row.units, row.vectors)


def _as_kept(row: ChunkRow, id_: int) -> KeptChunk:
    return KeptChunk(id_, row.seq, row.start_line, row.end_line, row.own_line)


@pytest.mark.req("STORE-17")
def test_every_history_leaves_the_answers_of_the_plain_store() -> None:
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
