from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from recollect.embed.validate import check_vectors
from recollect.errors import ProviderError
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder
from recollect.testing.embedder_contract import EmbedderContract

if TYPE_CHECKING:
    from recollect.protocols import Embedder


@pytest.mark.req("EMBED-11", "EMBED-13")
class TestHashedEmbedderContract(EmbedderContract):
    def make(self) -> Embedder:
        return HashedEmbedder()


@pytest.mark.req("EMBED-12", "EMBED-13")
class TestFailingEmbedderContractWhileNothingFails(EmbedderContract):
    def make(self) -> Embedder:
        return FailingEmbedder()


@pytest.mark.req("EMBED-11")
def test_more_shared_words_mean_a_higher_cosine() -> None:
    embedder = HashedEmbedder(256)
    notes = ["the red bicycle needs a new chain", "the red car needs petrol", "grandmother bakes a plum cake"]
    cosines = embedder.embed_documents(notes) @ embedder.embed_query("which chain does the red bicycle need?")
    assert cosines[0] > cosines[1] > cosines[2]


@pytest.mark.req("EMBED-11")
def test_chinese_texts_share_their_characters() -> None:
    embedder = HashedEmbedder(256)
    cosines = embedder.embed_documents(["钥匙在厨房的门后面", "天气预报说明天下雨"]) @ embedder.embed_query(
        "钥匙在哪里"
    )
    assert cosines[0] > cosines[1]


@pytest.mark.req("EMBED-11")
def test_rows_are_the_same_in_every_process() -> None:
    script = (
        "from recollect.testing.embedder import HashedEmbedder; "
        "print(HashedEmbedder(8).embed_query('red bicycle chain').tolist())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(HashedEmbedder(8).embed_query("red bicycle chain").tolist())


@pytest.mark.req("EMBED-11")
def test_what_was_embedded_is_counted_and_remembered() -> None:
    embedder = HashedEmbedder()
    embedder.embed_documents(["one", "two"])
    embedder.embed_query("three")
    embedder.embed_documents(["four"])
    assert embedder.embedded == ["one", "two", "four"]
    assert embedder.asked == ["three"]
    assert embedder.calls == 3


@pytest.mark.req("EMBED-11")
def test_the_identity_is_as_it_was_ordered() -> None:
    identity = HashedEmbedder(32, grain="chunk", model="other", fingerprint="f2", dtype="int8", trust=1.0).identity
    assert (identity.dims, identity.grain, identity.model, identity.fingerprint) == (32, "chunk", "other", "f2")
    assert (identity.dtype, identity.trust) == ("int8", 1.0)


@pytest.mark.req("EMBED-11")
def test_importing_the_doubles_loads_no_numpy() -> None:
    script = (
        "import sys, recollect.testing.embedder, recollect.testing.embedder_contract; print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.req("EMBED-12")
def test_the_named_calls_fail_and_the_others_do_not() -> None:
    embedder = FailingEmbedder()
    embedder.fail_calls = frozenset({2})
    embedder.embed_documents(["a"])
    with pytest.raises(ProviderError, match="503"):
        embedder.embed_documents(["b"])
    embedder.embed_query("c")
    assert (embedder.calls, embedder.texts, embedder.embedded) == (3, 3, ["a"])


@pytest.mark.req("EMBED-12")
def test_from_one_call_on_all_fail_until_told_otherwise() -> None:
    embedder = FailingEmbedder(message="The provider is down.")
    embedder.fail_from = 1
    for _ in range(2):
        with pytest.raises(ProviderError, match="is down"):
            embedder.embed_query("a")
    embedder.fail_from = None
    assert embedder.embed_query("bicycle").any()


@pytest.mark.req("EMBED-12")
def test_a_call_fails_that_holds_a_marked_text() -> None:
    embedder = FailingEmbedder()
    embedder.fail_containing = "poison"
    with pytest.raises(ProviderError):
        embedder.embed_documents(["good", "some poison here"])
    embedder.embed_documents(["good"])
    assert embedder.embedded == ["good"]


@pytest.mark.req("EMBED-12")
def test_questions_alone_can_fail() -> None:
    embedder = FailingEmbedder()
    embedder.fail_queries = True
    embedder.embed_documents(["a"])
    with pytest.raises(ProviderError):
        embedder.embed_query("a")


@pytest.mark.req("EMBED-12", "EMBED-10")
def test_spoilt_answers_are_those_that_the_validator_refuses() -> None:
    texts = ["red bicycle", "plum cake"]
    for name, value in (("extra_dims", 1), ("drop_rows", 1), ("not_a_number", True)):
        embedder = FailingEmbedder(HashedEmbedder(16))
        check_vectors(embedder.embed_documents(texts), 2, 16)
        setattr(embedder, name, value)
        with pytest.raises(ProviderError):
            check_vectors(embedder.embed_documents(texts), 2, 16)
    assert np.isfinite(HashedEmbedder(16).embed_documents(texts)).all()
