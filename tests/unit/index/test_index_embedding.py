from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.embedding import Embedding, take_over
from recollect.protocols import CacheKey, Embedder, StoredChunk
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recollect.protocols import StoreWriter

PROBE = "memory"


class CacheWriter:
    """The cache methods of a writer, on a dict. It has no others: nothing else may be called here."""

    def __init__(self) -> None:
        self.rows: dict[tuple[CacheKey, bytes], NDArray[np.float32]] = {}
        self.kept_at: list[int] = []  # how many rows there were after each call to cache
        self.limits: list[int | None] = []

    def cached(self, key: CacheKey, hashes: Sequence[bytes]) -> Mapping[bytes, NDArray[np.float32]]:
        return {one: self.rows[key, one] for one in hashes if (key, one) in self.rows}

    def cache(self, key: CacheKey, vectors: Mapping[bytes, NDArray[np.float32]], max_entries: int | None) -> None:
        self.rows |= {(key, one): row for one, row in vectors.items()}
        self.kept_at.append(len(self.rows))
        self.limits.append(max_entries)


def by_key(texts: Sequence[str]) -> dict[bytes, str]:
    return {text.encode(): text for text in texts}


def embed(
    embedder: Embedder, texts: Sequence[str], writer: CacheWriter | None = None, *, cache: bool = True
) -> tuple[Embedding, Mapping[bytes, NDArray[np.float32]]]:
    embedding = Embedding(embedder, cache=cache)
    return embedding, embedding.vectors(by_key(texts), cast("StoreWriter", writer or CacheWriter()))


@pytest.mark.req("SYNC-31")
@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60), unique=True, max_size=60))
def test_a_remote_call_stays_below_eight_thousand_bytes(words: list[str]) -> None:
    texts = [word * 100 for word in words]
    sizes: list[list[int]] = []

    class Watched(HashedEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            sizes.append([len(text.encode()) for text in texts])
            return super().embed_documents(texts)

    _, found = embed(Watched(dims=4), texts)

    assert found.keys() == by_key(texts).keys()
    assert all(sum(call) <= 8_000 or len(call) == 1 for call in sizes)
    assert all(sum(one) + two[0] > 8_000 for one, two in pairwise(sizes))


@pytest.mark.req("SYNC-31")
def test_a_local_model_is_called_with_thousands_of_texts() -> None:
    local = HashedEmbedder(dims=4, cached=False)

    embedding, _ = embed(local, [f"word{n} " * 50 for n in range(5_000)])

    assert local.calls == 2
    assert embedding.computed == 5_000
    assert not embedding.remote


@pytest.mark.req("SYNC-32")
def test_every_finished_call_is_in_the_cache_before_the_next_one() -> None:
    writer = CacheWriter()
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    failing.fail_from = 3
    texts = [f"{n} " * 3_000 for n in range(4)]  # one a call

    embedding, found = embed(failing, texts, writer)

    assert writer.kept_at == [1, 2]
    assert len(found) == 2
    again = HashedEmbedder(dims=4)
    resumed, found = embed(again, texts, writer)
    assert again.embedded == texts[2:]
    assert len(found) == 4
    assert (resumed.computed, resumed.from_cache) == (2, 2)
    assert embedding.outage is not None


@pytest.mark.req("SYNC-32")
def test_the_cache_knows_whose_vectors_it_holds() -> None:
    writer = CacheWriter()
    embed(HashedEmbedder(dims=4), ["a text"], writer)
    for other in (HashedEmbedder(dims=4, model="other"), HashedEmbedder(dims=4, fingerprint="elsewhere")):
        embed(other, ["a text"], writer)
        assert other.calls == 1


@pytest.mark.req("SYNC-32")
@pytest.mark.parametrize(("cached", "cache"), [(False, True), (True, False)])
def test_the_cache_is_left_alone_where_it_is_not_worth_it(*, cached: bool, cache: bool) -> None:
    writer = CacheWriter()

    embedding, _ = embed(HashedEmbedder(dims=4, cached=cached), ["a text"], writer, cache=cache)
    embedding.prune(cast("StoreWriter", writer), 1)

    assert not writer.limits


@pytest.mark.req("SYNC-32")
def test_the_cache_is_pruned_only_after_something_was_put_in() -> None:
    writer = CacheWriter()
    embedding, _ = embed(HashedEmbedder(dims=4), ["a text"], writer)
    embedding.prune(cast("StoreWriter", writer), 7)
    assert writer.limits == [None, 7]

    embedding, _ = embed(HashedEmbedder(dims=4), ["a text"], writer)
    embedding.prune(cast("StoreWriter", writer), 7)
    assert writer.limits == [None, 7]


@pytest.mark.req("SYNC-33")
@given(st.integers(1, 40), st.sets(st.integers(0, 39)))
def test_only_the_texts_that_are_refused_have_no_vector(count: int, bad: set[int]) -> None:
    texts = [f"text {n} {'poison' if n in bad else 'wine'}" for n in range(count)]
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    failing.fail_containing = "poison"

    embedding, found = embed(failing, texts)

    good = [text for text in texts if "poison" not in text]
    assert found.keys() == by_key(good).keys()
    assert embedding.refused.keys() == by_key(texts).keys() - found.keys()
    assert embedding.outage is None
    assert embedding.computed == len(good)


@pytest.mark.req("SYNC-33")
def test_a_text_that_was_refused_is_not_offered_again_in_the_same_sync() -> None:
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    failing.fail_containing = "poison"
    embedding, _ = embed(failing, ["poison"])
    calls = failing.calls

    assert embedding.vectors(by_key(["poison"]), cast("StoreWriter", CacheWriter())) == {}
    assert failing.calls == calls


@pytest.mark.req("SYNC-34")
def test_a_silent_provider_is_asked_twice_and_no_more() -> None:
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    failing.fail_from = 1

    embedding, found = embed(failing, [f"{n} " * 2_000 for n in range(50)])
    embedding.vectors(by_key(["more"]), cast("StoreWriter", CacheWriter()))

    assert failing.calls == 2  # the first batch, and a harmless text
    assert not found
    assert not embedding.refused
    assert "503" in str(embedding.outage)


@pytest.mark.req("SYNC-34")
def test_a_provider_that_goes_silent_while_bad_texts_are_looked_for_is_noticed() -> None:
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    failing.fail_calls = frozenset({1})
    failing.fail_from = 3  # the probe, which is call 2, still succeeds

    embedding, found = embed(failing, [f"text {n}" for n in range(500)])

    assert embedding.outage is not None
    assert failing.calls < 40
    assert not found


@pytest.mark.req("SYNC-33")
@pytest.mark.parametrize("spoil", ["extra_dims", "drop_rows"])
def test_an_answer_of_the_wrong_shape_is_a_failure(spoil: str) -> None:
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    setattr(failing, spoil, 1)

    embedding, found = embed(failing, ["a", "b"])

    assert not found
    assert "vectors of shape" in str(embedding.outage)


@pytest.mark.req("SYNC-34")
def test_a_silenced_embedding_touches_neither_model_nor_cache() -> None:
    writer = CacheWriter()
    embed(HashedEmbedder(dims=4), ["a text"], writer)
    failing = FailingEmbedder(HashedEmbedder(dims=4))
    failing.fail_from = 1
    embedding, _ = embed(failing, ["other"])
    assert embedding.outage is not None
    embedding.silence(embedding.outage)

    assert embedding.vectors(by_key(["a text"]), cast("StoreWriter", writer)) == {}
    assert embedding.from_cache == 0


@pytest.mark.req("SYNC-30")
def test_a_blank_text_has_a_row_of_zeros_and_a_missing_one_none_at_all() -> None:
    embedding = Embedding(HashedEmbedder(dims=2), cache=False)
    one = np.array([1, 0], dtype=np.float32)

    rows = embedding.rows([b"a", b""], ["a", ""], {b"a": one}, 2)

    assert rows is not None
    assert rows.tolist() == [[1, 0], [0, 0]]
    assert embedding.rows([b"a", b"b"], ["a", "b"], {b"a": one}, 2) is None


def stored(number: int, keys: tuple[bytes, ...]) -> StoredChunk:
    return StoredChunk(id=number, seq=number, key=b"chunk%d" % number, unit_keys=keys, embedded=True)


@pytest.mark.req("SYNC-04")
def test_vectors_are_taken_over_by_the_key_of_what_was_embedded() -> None:
    one, two = np.array([1, 0], dtype=np.float32), np.array([0, 1], dtype=np.float32)
    by_unit = take_over([stored(0, (b"a", b"b"))], {b"a": one}, [b"a", b"b"], "unit")
    by_chunk = take_over([stored(0, (b"a", b"a")), stored(1, (b"b",))], {b"chunk1": two[None]}, [b"b"], "chunk")

    assert {key: row.tolist() for key, row in by_unit.items()} == {b"a": [1, 0]}
    assert {key: row.reshape(-1).tolist() for key, row in by_chunk.items()} == {b"b": [0, 1]}
