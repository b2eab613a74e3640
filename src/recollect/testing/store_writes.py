"""The part of the contract of stores that is about generations, rebuilds, the cache and the state of the last sync.

Inherited through `store_contract.StoreContract`.
"""

# ruff: noqa: S101, D102, PLR2004 - assertions, and sentences as names, are what a suite of tests is made of

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from recollect.errors import ArgumentError, BusyError
from recollect.protocols import CacheKey, SyncState
from recollect.testing.store_asserts import cosines_of, filled, places_of, refused
from recollect.testing.store_samples import chunk_of, identity_of, logical_digest, update_of, vector_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.protocols import ChunkStore, StoreReader

_KEY = CacheKey("test", "words", "0")
_DONE = SyncState(at=1.0, reason="test")


class StoreWritesContract(ABC):
    """What holds of writes."""

    @abstractmethod
    def make(self) -> ChunkStore:
        """A store that holds nothing, another one with each call."""

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
