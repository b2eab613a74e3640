"""What every ChunkStore must hold, as tests to inherit.

    class TestMine(StoreContract):
        def make(self) -> ChunkStore:
            return MyStore(...)

Enters: a store, empty and made anew for each test. Leaves: passed or failed assertions.
Never: asks which store it is, or how it keeps its rows.
"""

# ruff: noqa: S101, D102, PLR2004 - assertions, and sentences as names, are what a suite of tests is made of

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from recollect.errors import ArgumentError, StoreError
from recollect.protocols import KeptChunk, SyncState
from recollect.testing.store_asserts import cosines_of, filled, places_of, refused, rows_of
from recollect.testing.store_samples import (
    DIMS,
    chunk_of,
    file_of,
    identity_of,
    logical_digest,
    update_of,
    vector_of,
)
from recollect.testing.store_writes import StoreWritesContract

if TYPE_CHECKING:
    from recollect.protocols import ChunkStore

_EXACT = 1e-4  # sums of float32 in another order
_INT8 = 2e-2  # what 127 steps may cost
_DONE = SyncState(at=1.0, reason="test")


class StoreContract(StoreWritesContract):
    """The contract."""

    @abstractmethod
    def make(self) -> ChunkStore:
        """A store that holds nothing, another one with each call."""

    # --- nothing there ---

    def test_a_store_without_an_index_reads_as_empty(self) -> None:
        store = self.make()
        assert not store.exists()
        assert store.read(lambda reader: reader.identity()) is None
        assert store.read(lambda reader: reader.files()) == {}
        assert store.read(lambda reader: reader.sync_state()) is None
        assert store.read(lambda reader: reader.stats()).files == 0
        assert store.read(lambda reader: reader.layout()).notes == ()
        assert places_of(store, "word") == []
        assert len(cosines_of(store, vector_of("word"))) == 0
        assert not store.exists()

    def test_an_index_is_begun_once(self) -> None:
        store = filled(self.make())
        assert store.exists()
        assert store.read(lambda reader: reader.identity()) == identity_of()
        with store.write() as writer, refused(StoreError):
            writer.begin(identity_of(dtype="int8"))
        assert store.read(lambda reader: reader.identity()) == identity_of()

    def test_nothing_is_applied_where_no_index_was_begun(self) -> None:
        store = self.make()
        with store.write() as writer, refused(StoreError):
            writer.apply([update_of("a.md", chunk_of(0, "one"))])
        assert not store.exists()

    # --- notes and their order ---

    def test_notes_stand_by_path_and_chunks_by_their_order_in_the_note(self) -> None:
        store = filled(
            self.make(),
            update_of("b.md", chunk_of(1, "four"), chunk_of(0, "two", "three")),
            update_of("a.md", chunk_of(0, "one")),
            update_of("c.md"),
        )
        layout = store.read(lambda reader: reader.layout())
        assert [note.path for note in layout.notes] == ["a.md", "b.md", "c.md"]
        assert layout.note_first_unit.tolist() == [0, 1, 4, 4]
        assert layout.chunk_note.tolist() == [0, 1, 1]
        assert layout.chunk_first_unit.tolist() == [0, 1, 3, 4]
        assert layout.unit_chunk.tolist() == [0, 1, 1, 2]
        assert layout.unit_note.tolist() == [0, 1, 1, 1]
        assert layout.unit_line.tolist() == [1, 1, 2, 11]
        assert layout.unit_start.tolist() == [0, 0, 4, 0]
        assert layout.unit_end.tolist() == [3, 3, 9, 4]
        assert layout.unit_length.tolist() == [1, 1, 1, 1]
        assert layout.unit_has_vector.all()
        texts = store.read(lambda reader: reader.texts(layout.chunk_ids.tolist()))
        assert list(texts) == ["one", "two\nthree", "four"]

    def test_texts_come_in_the_order_they_are_asked_for(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "one"), chunk_of(1, "zwei ä 漢字 🎈\r")))
        one, two = store.read(lambda reader: reader.layout()).chunk_ids.tolist()
        texts = store.read(lambda reader: reader.texts([two, one, two]))
        assert list(texts) == ["zwei ä 漢字 🎈\r", "one", "zwei ä 漢字 🎈\r"]

    def test_files_and_chunks_are_remembered_as_they_were_given(self) -> None:
        row = chunk_of(0, "one", "two")
        store = filled(self.make(), update_of("a.md", row), update_of("s.md", source="sessions"))
        assert store.read(lambda reader: reader.files()) == {
            "a.md": file_of("a.md"),
            "s.md": file_of("s.md", source="sessions"),
        }
        (chunk,) = store.read(lambda reader: reader.chunks_of("a.md"))
        assert (chunk.seq, chunk.key, chunk.embedded) == (0, row.key, True)
        assert chunk.unit_keys == tuple(unit.key for unit in row.units)
        assert list(store.read(lambda reader: reader.chunks_of("none.md"))) == []

    def test_a_kept_chunk_moves_to_other_lines_and_stays_what_it_was(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha"), chunk_of(1, "beta", "gamma")))
        old = store.read(lambda reader: reader.chunks_of("a.md"))[1]
        kept = KeptChunk(old.id, 1, 20, 23, 22)
        with store.write() as writer:
            writer.apply([update_of("a.md", chunk_of(0, "delta"), keep=[kept], version="2")])
        layout = store.read(lambda reader: reader.layout())
        assert layout.chunk_ids[1] == old.id
        lines = (layout.chunk_start_line[1], layout.chunk_end_line[1], layout.chunk_own_line[1])
        assert lines == (20, 23, 22)
        assert layout.unit_line.tolist() == [1, 22, 23]
        assert store.read(lambda reader: reader.stats()).units == 3
        assert places_of(store, "gamma") == [(2, 1, False, False)]
        assert places_of(store, "alpha") == []
        assert abs(cosines_of(store, vector_of("gamma"))[2] - 1) < _EXACT
        assert store.read(lambda reader: reader.files())["a.md"] == file_of("a.md", version="2")

    def test_what_is_neither_kept_nor_inserted_is_gone(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha"), chunk_of(1, "beta")), update_of("b.md"))
        first = store.read(lambda reader: reader.chunks_of("a.md"))[0]
        with store.write() as writer:
            writer.apply([update_of("a.md", keep=[KeptChunk(first.id, 0, 1, 1, 1)])], removed=["b.md", "none.md"])
        assert list(store.read(lambda reader: reader.files())) == ["a.md"]
        assert places_of(store, "beta") == []
        assert places_of(store, "alpha") == [(0, 1, False, False)]

    def test_a_plan_for_another_state_of_the_note_is_refused_whole(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha")))
        before = store.read(logical_digest)
        stale = KeptChunk(987_654, 0, 1, 1, 1)
        with store.write() as writer, refused(StoreError):
            writer.apply([update_of("b.md", chunk_of(0, "beta")), update_of("a.md", keep=[stale])], removed=["a.md"])
        assert store.read(logical_digest) == before

    def test_touched_files_have_new_stats_and_the_same_content(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha")))
        with store.write() as writer:
            writer.touch([file_of("a.md", mtime_ns=77), file_of("none.md")])
        assert store.read(lambda reader: reader.files()) == {"a.md": file_of("a.md", mtime_ns=77)}
        assert store.read(lambda reader: reader.layout()).notes[0].mtime_ns == 77

    # --- words ---

    def test_postings_say_how_often_and_where(self) -> None:
        store = filled(
            self.make(),
            update_of("b.md", chunk_of(0, "redis redis cache", "queue", heading=["cache"], note=["redis", "plan"])),
            update_of("a.md", chunk_of(0, "cache")),
        )
        assert places_of(store, "redis") == [(1, 2, False, True)]
        assert places_of(store, "cache") == [(0, 1, False, False), (1, 1, True, False), (2, 0, True, False)]
        assert places_of(store, "plan") == [(1, 0, False, True)]
        found = store.read(lambda reader: reader.postings(["none", "queue", "", "\ud800"]))
        assert [rows_of(one) for one in found] == [[], [(2, 1, False, False)], [], []]

    def test_counts_end_at_31(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "echo " * 30, "echo " * 31, "echo " * 400)))
        assert [count for _, count, _, _ in places_of(store, "echo")] == [30, 31, 31]

    def test_many_small_writes_answer_like_one(self) -> None:
        updates = [
            update_of(f"{n % 37:02}.md", chunk_of(0, f"word{n % 5} common word{n}", "common"), version=str(n))
            for n in range(120)
        ]
        step_by_step = filled(self.make())
        for start in range(0, len(updates), 3):
            with step_by_step.write() as writer:
                writer.apply(updates[start : start + 3])
                writer.finish(_DONE)
        at_once = filled(self.make(), *updates[-37:])
        assert step_by_step.read(logical_digest) == at_once.read(logical_digest)
        for term in ("common", "word3", "word119", "word1"):
            assert places_of(step_by_step, term) == places_of(at_once, term)
        assert list(step_by_step.verify()) == []

    # --- vectors ---

    def test_cosines_equal_brute_force(self) -> None:
        texts = [f"text number {n}" for n in range(50)]
        rows = [chunk_of(n, *texts[2 * n : 2 * n + 2]) for n in range(25)]
        query = vector_of("a question")
        wanted = [float(query @ vector_of(text)) for text in texts]
        for dtype, close in (("float32", _EXACT), ("int8", _INT8)):
            identity = identity_of(dtype="int8" if dtype == "int8" else "float32")
            store = filled(self.make(), update_of("a.md", *rows), identity=identity)
            assert np.allclose(cosines_of(store, query * 3), wanted, atol=close)

    def test_a_unit_without_a_vector_has_no_cosine(self) -> None:
        unit_rows = chunk_of(1, "alpha", "", "beta")
        store = filled(self.make(), update_of("a.md", chunk_of(0, "early", embedded=False), unit_rows))
        assert np.isnan(cosines_of(store, vector_of("alpha"))).tolist() == [True, False, True, False]
        layout = store.read(lambda reader: reader.layout())
        assert layout.unit_has_vector.tolist() == [False, True, False, True]
        assert store.read(lambda reader: reader.stats()).missing_vectors == 1
        assert [chunk.embedded for chunk in store.read(lambda reader: reader.chunks_of("a.md"))] == [False, True]

    def test_a_question_of_other_dimensions_or_without_a_vector_has_no_cosine(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha", "beta")))
        for query in (vector_of("alpha", DIMS * 2), vector_of(""), np.full(DIMS, np.nan, dtype=np.float32)):
            assert np.isnan(cosines_of(store, query)).tolist() == [True, True]

    def test_units_share_the_vector_of_their_chunk_where_chunks_have_vectors(self) -> None:
        rows = [chunk_of(n, f"one {n}", f"two {n}", grain="chunk") for n in range(3)]
        store = filled(self.make(), update_of("a.md", *rows), identity=identity_of(grain="chunk"))
        query = vector_of("a question")
        wanted = [float(query @ vector_of(f"one {n}\ntwo {n}")) for n in (0, 0, 1, 1, 2, 2)]
        assert np.allclose(cosines_of(store, query), wanted, atol=_EXACT)
        assert set(store.read(lambda reader: reader.unit_vectors("a.md"))) == {row.key for row in rows}

    def test_a_vector_that_was_read_back_is_stored_as_the_same_vector(self) -> None:
        for dtype in ("float32", "int8"):
            identity = identity_of(dtype="int8" if dtype == "int8" else "float32")
            row = chunk_of(0, "alpha", "beta", "")
            assert row.vectors is not None
            store = filled(self.make(), update_of("a.md", row), identity=identity)
            read = store.read(lambda reader: reader.unit_vectors("a.md"))
            again = np.array([read[unit.key] for unit in row.units])
            assert np.allclose(again, row.vectors, atol=_INT8)
            copy = filled(self.make(), update_of("a.md", replace(row, vectors=again)), identity=identity)
            assert copy.read(logical_digest) == store.read(logical_digest)

    def test_vectors_of_another_shape_are_refused(self) -> None:
        store = filled(self.make())
        with store.write() as writer, refused(ArgumentError):
            writer.apply([update_of("a.md", chunk_of(0, "alpha", dims=DIMS + 1))])
        assert store.read(lambda reader: reader.files()) == {}
