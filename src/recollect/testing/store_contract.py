"""What every ChunkStore must hold, as tests to inherit.

    class TestMine(StoreContract):
        def make(self) -> ChunkStore:
            return MyStore(...)

Enters: a store, empty and made anew for each test. Leaves: passed or failed assertions.
Never: asks which store it is, or how it keeps its rows.
"""

# ruff: noqa: S101, D102, PLR2004 - assertions, and sentences as names, are what a suite of tests is made of

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from recollect.errors import ArgumentError, BusyError, RecollectError, StoreError
from recollect.protocols import CacheKey, KeptChunk, SyncState
from recollect.testing.store_samples import (
    DIMS,
    chunk_of,
    file_of,
    identity_of,
    logical_digest,
    update_of,
    vector_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from recollect.protocols import ChunkStore, IndexIdentity, NoteUpdate, Postings, StoreReader

_EXACT = 1e-4  # sums of float32 in another order
_INT8 = 2e-2  # what 127 steps may cost
_KEY = CacheKey("test", "words", "0")
_DONE = SyncState(at=1.0, reason="test")


@contextmanager
def refused(kind: type[RecollectError]) -> Iterator[None]:
    """What is inside must raise this error."""
    caught: RecollectError | None = None
    try:
        yield
    except kind as error:
        caught = error
    assert caught is not None, f"{kind.__name__} was to be raised"
    assert caught.message
    assert caught.hint


def filled(store: ChunkStore, *updates: NoteUpdate, identity: IndexIdentity | None = None) -> ChunkStore:
    """The store with an index of these notes."""
    with store.write() as writer:
        writer.begin(identity or identity_of())
        writer.apply(updates)
    return store


def places_of(store: ChunkStore, term: str) -> list[tuple[int, int, bool, bool]]:
    """The postings of a term as rows."""
    return rows_of(store.read(lambda reader: reader.postings([term]))[0])


def rows_of(postings: Postings | None) -> list[tuple[int, int, bool, bool]]:
    """Postings as rows: unit, count, in a heading, about the note."""
    if postings is None:
        return []
    assert postings.counts.dtype == np.uint8
    columns = (postings.units, postings.counts, postings.in_heading, postings.in_note)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def cosines_of(store: ChunkStore, query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cosines of a question."""
    return store.read(lambda reader: reader.cosines(query))


class StoreContract(ABC):
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

    # --- generations ---

    def test_a_reader_keeps_its_generation_while_a_writer_writes(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha")))
        wanted = store.read(logical_digest)
        runs = 0

        def work(reader: StoreReader) -> tuple[str, Sequence[str]]:
            nonlocal runs
            runs += 1
            first = list(reader.files())
            if runs == 1:
                with store.write() as writer:
                    writer.apply([update_of("b.md", chunk_of(0, "beta"))], removed=["a.md"])
            return logical_digest(reader), first

        digest, files = store.read(work)
        after = store.read(logical_digest)
        assert after != wanted
        assert (digest, files) in ((wanted, ["a.md"]), (after, ["b.md"]))

    def test_a_rebuild_is_published_whole_or_not_at_all(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "alpha")))
        before = store.read(logical_digest)
        with refused(ArgumentError), store.rebuild() as writer:
            writer.begin(identity_of(dtype="int8"))
            writer.apply([update_of("b.md", chunk_of(0, "beta"))])
            raise ArgumentError("The rebuild failed.", hint="Try again.")
        assert store.read(logical_digest) == before
        with store.rebuild() as writer:
            writer.begin(identity_of(dtype="int8"))
            writer.apply([update_of("b.md", chunk_of(0, "beta"))])
            writer.finish(_DONE)
            assert store.read(logical_digest) == before
        assert list(store.read(lambda reader: reader.files())) == ["b.md"]
        assert store.read(lambda reader: reader.identity()) == identity_of(dtype="int8")
        assert places_of(store, "alpha") == []
        assert places_of(store, "beta") == [(0, 1, False, False)]

    def test_a_rebuild_says_the_same_as_step_by_step(self) -> None:
        first, second = chunk_of(0, "alpha", "beta"), chunk_of(0, "gamma")
        steps = filled(self.make(), update_of("b.md", second), update_of("z.md", first))
        with steps.write() as writer:
            writer.apply([update_of("a.md", first)], removed=["z.md"])
        anew = self.make()
        with anew.rebuild() as writer:
            writer.begin(identity_of())
            writer.apply([update_of("a.md", first), update_of("b.md", second)])
        assert anew.read(logical_digest) == steps.read(logical_digest)

    def test_what_was_acknowledged_stays_when_the_rest_fails(self) -> None:
        store = filled(self.make())
        with refused(ArgumentError), store.write() as writer:
            writer.apply([update_of("a.md", chunk_of(0, "alpha"))])
            raise ArgumentError("The sync failed.", hint="Try again.")
        assert list(store.read(lambda reader: reader.files())) == ["a.md"]

    def test_a_second_writer_is_told_that_the_index_is_busy(self) -> None:
        store = filled(self.make())
        with store.write(), refused(BusyError), store.write(wait=0):
            raise AssertionError("two writers at once")
        with store.rebuild(), refused(BusyError), store.rebuild(wait=0.01):
            raise AssertionError("two writers at once")
        with store.write(wait=0):
            pass

    # --- the cache and the sync's state ---

    def test_the_cache_gives_back_vectors_to_the_last_bit(self) -> None:
        store = filled(self.make())
        vectors = {bytes([n]) * 32: vector_of(str(n)) for n in range(5)}
        with store.write() as writer:
            writer.cache(_KEY, vectors, None)
            found = writer.cached(_KEY, [*vectors, b"none"])
            assert {key: row.tolist() for key, row in found.items()} == {
                key: row.tolist() for key, row in vectors.items()
            }
            assert writer.cached(CacheKey("test", "words", "other"), list(vectors)) == {}
        assert store.read(lambda reader: reader.stats()).cache_entries == 5

    def test_the_oldest_leave_a_full_cache_first(self) -> None:
        store = filled(self.make())
        with store.write() as writer:
            for n in range(4):
                writer.cache(_KEY, {bytes([n]): vector_of(str(n))}, 3)
            assert set(writer.cached(_KEY, [bytes([n]) for n in range(4)])) == {b"\1", b"\2", b"\3"}
            writer.cache(_KEY, {b"\1": vector_of("1")}, 3)
            writer.cache(_KEY, {b"\4": vector_of("4")}, 3)
            assert set(writer.cached(_KEY, [bytes([n]) for n in range(5)])) == {b"\1", b"\3", b"\4"}
            with refused(ArgumentError):
                writer.cache(_KEY, {}, -1)
            writer.cache(_KEY, {b"\5": vector_of("5")}, 0)
            assert writer.cached(_KEY, [b"\1", b"\5"]) == {}

    def test_the_cache_outlives_a_rebuild_and_a_failed_one(self) -> None:
        store = filled(self.make())
        with store.rebuild() as writer:
            writer.begin(identity_of())
            writer.cache(_KEY, {b"\1": vector_of("1")}, None)
        with refused(ArgumentError), store.rebuild() as writer:
            assert list(writer.cached(_KEY, [b"\1"])) == [b"\1"]
            writer.cache(_KEY, {b"\2": vector_of("2")}, None)
            raise ArgumentError("The rebuild failed.", hint="Try again.")
        with store.write() as writer:
            assert set(writer.cached(_KEY, [b"\1", b"\2"])) == {b"\1", b"\2"}

    def test_the_state_of_the_last_sync_comes_back_as_it_was(self) -> None:
        store = filled(self.make())
        state = SyncState(
            at=1234.5,
            reason="cli",
            problems=(("unreadable", "It cannot be read.", "a.md"), ("missing-path", "It is not there.", None)),
            error=("E_PROVIDER", "It did not answer.", 1230.25),
            complete=False,
        )
        for wanted in (state, _DONE):
            with store.write() as writer:
                writer.finish(wanted)
            assert store.read(lambda reader: reader.sync_state()) == wanted

    def test_counts_are_by_source(self) -> None:
        store = filled(
            self.make(),
            update_of("a.md", chunk_of(0, "one", "two"), chunk_of(1, "three", embedded=False)),
            update_of("sessions/b.jsonl", chunk_of(0, "four"), source="sessions"),
        )
        stats = store.read(lambda reader: reader.stats())
        assert (stats.files, stats.chunks, stats.units, stats.missing_vectors) == (2, 3, 4, 1)
        assert stats.by_source == (("memory", 1, 2), ("sessions", 1, 1))

    def test_an_index_without_vectors_waits_for_none(self) -> None:
        row = chunk_of(0, "one", embedded=False, dims=0)
        store = filled(self.make(), update_of("a.md", row), identity=identity_of(dims=0))
        assert store.read(lambda reader: reader.stats()).missing_vectors == 0
        assert np.isnan(cosines_of(store, vector_of("one"))).all()
        assert store.read(lambda reader: reader.unit_vectors("a.md")) == {}

    def test_a_sound_store_has_nothing_to_report(self) -> None:
        store = filled(self.make(), update_of("a.md", chunk_of(0, "one")))
        assert list(store.verify()) == []
        assert store.health().fts_error is None
        assert store.health().notes == ()
        store.close()
        assert list(store.read(lambda reader: reader.files())) == ["a.md"]
