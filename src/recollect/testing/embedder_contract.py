"""What every Embedder must hold, as tests to inherit.

    class TestMine(EmbedderContract):
        def make(self) -> Embedder:
            return MyEmbedder()

Enters: an embedder, made anew for each test. Leaves: passed or failed assertions.
Never: asks which embedder it is; the sample texts may be replaced where a model knows another language.
"""

# ruff: noqa: S101, D102 - assertions and sentences as names are what a suite of tests is made of

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import Embedder

_CLOSE = 1e-4  # float32 sums taken in another order


class EmbedderContract(ABC):
    """The contract. A question, the note that answers it, and notes that do not."""

    question: ClassVar[str] = "Where does the spare key to the garden shed hang?"
    answer: ClassVar[str] = "The spare key for the garden shed hangs behind the kitchen door."
    others: ClassVar[tuple[str, ...]] = (
        "The tax office wants the form before the end of May.",
        "Nadia prefers the window seat on long flights.",
        "Backups of the photo library run on Sunday night.",
    )

    @abstractmethod
    def make(self) -> Embedder:
        """A fresh embedder."""

    def test_the_identity_is_complete_and_stays_the_same(self) -> None:
        identity = self.make().identity
        assert identity.provider
        assert identity.model
        assert identity.fingerprint
        assert identity.dims > 0
        assert 0 <= identity.trust <= 1
        assert self.make().identity == identity

    def test_there_is_one_float32_row_of_the_named_dimensions_for_each_text(self) -> None:
        embedder = self.make()
        rows = embedder.embed_documents(self.others)
        assert rows.shape == (len(self.others), embedder.identity.dims)
        assert str(rows.dtype) == "float32"
        assert embedder.embed_query(self.question).shape == (embedder.identity.dims,)

    def test_no_texts_give_no_rows(self) -> None:
        embedder = self.make()
        assert embedder.embed_documents([]).shape == (0, embedder.identity.dims)

    def test_every_row_is_finite_and_of_length_one_or_zero(self) -> None:
        embedder = self.make()
        texts = [*self.others, self.answer, "", " \n\t", "\x00\ufffd", "🙂" * 300, "word " * 3_000, "x" * 50_000]
        for row in (*embedder.embed_documents(texts), *(embedder.embed_query(text) for text in texts)):
            length = _length(row)
            assert length == 0 or abs(length - 1) < _CLOSE

    def test_an_empty_text_says_nothing(self) -> None:
        embedder = self.make()
        assert not embedder.embed_documents(["", "   "]).any()
        assert not embedder.embed_query("").any()

    def test_the_same_text_always_gets_the_same_row_whatever_stands_beside_it(self) -> None:
        embedder = self.make()
        alone = embedder.embed_documents([self.answer])[0]
        beside = embedder.embed_documents([*self.others, self.answer, self.answer])
        assert _distance(alone, beside[-1]) < _CLOSE
        assert _distance(beside[-2], beside[-1]) < _CLOSE
        assert _distance(alone, self.make().embed_documents([self.answer])[0]) < _CLOSE

    def test_the_note_that_answers_a_question_ranks_before_the_others(self) -> None:
        embedder = self.make()
        cosines = embedder.embed_documents([*self.others, self.answer]) @ embedder.embed_query(self.question)
        assert int(cosines.argmax()) == len(self.others)

    def test_what_was_handed_out_can_be_changed_without_changing_later_answers(self) -> None:
        embedder = self.make()
        first = embedder.embed_query(self.question)
        kept = first.copy()
        first[:] = 7
        assert _distance(embedder.embed_query(self.question), kept) < _CLOSE


def _length(row: NDArray[np.float32]) -> float:
    return float((row @ row) ** 0.5)


def _distance(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return _length(one - other)
