"""Embedders for tests: one that hashes words, and one around any other that fails when it is told to.

Enters: texts. Leaves: rows that are the same on every machine and in every run; texts that share words are near.
Never: loads a model or, before something is embedded, numpy.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from recollect.errors import ProviderError
from recollect.protocols import EmbedderIdentity

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import Embedder
    from recollect.types import Grain

_WORD = re.compile(r"[^\W_]+")
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_GRAMMAR = """
a an and are as at be by did do does for from had has have how i in is it me my of on or our that the there this to was
we were what when where which who why will with you your
"""
_WORDS_OF_GRAMMAR = frozenset(_GRAMMAR.split())
_DIRECTIONS = 8  # in how many dimensions a word leaves a mark


class HashedEmbedder:
    """Each word marks a few dimensions chosen by its hash: shared words mean a higher cosine, no words mean zeros.

    `embedded` holds every text of embed_documents and `asked` every question, in order; `calls` counts both.
    """

    def __init__(
        self,
        dims: int = 64,
        *,
        grain: Grain = "unit",
        model: str = "hashed",
        fingerprint: str = "hashed-1",
        dtype: Literal["int8", "float32"] = "float32",
        cached: bool = True,
        trust: float = 0.5,
    ) -> None:
        self.identity = EmbedderIdentity(
            provider="hashed",
            model=model,
            fingerprint=fingerprint,
            dims=dims,
            grain=grain,
            dtype=dtype,
            cached=cached,
            trust=trust,
        )
        self.embedded: list[str] = []
        self.asked: list[str] = []
        self.calls = 0

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, of length 1 or 0."""
        self.calls += 1
        self.embedded.extend(texts)
        return self._rows(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, of length 1 or 0."""
        self.calls += 1
        self.asked.append(text)
        row: NDArray[np.float32] = self._rows([text])[0]
        return row

    def _rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np  # where something is embedded, so that importing this costs nothing

        dims = self.identity.dims
        rows = np.zeros((len(texts), dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words_of(text):
                for place, sign in _marks(word, dims):
                    row[place] += sign
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        rows /= np.where(lengths > 0, lengths, np.float32(1))[:, None]
        return rows


def words_of(text: str) -> list[str]:
    """The words that leave a mark: folded, without the words of grammar and a plural's ending; ideographs alone."""
    folded = _IDEOGRAPH.sub(lambda found: f" {found.group()} ", text.casefold())
    return [_stem(word) for word in _WORD.findall(folded) if word not in _WORDS_OF_GRAMMAR]


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65_536)
def _marks(word: str, dims: int) -> tuple[tuple[int, float], ...]:
    digest = hashlib.blake2b(word.encode(), digest_size=4 * _DIRECTIONS).digest()
    numbers = (int.from_bytes(digest[start : start + 4], "little") for start in range(0, len(digest), 4))
    return tuple((number // 2 % dims, 1.0 if number % 2 else -1.0) for number in numbers)


class FailingEmbedder:
    """Another embedder that fails as told: a test sets what it needs, and may change it between calls.

    `fail_calls`: the calls that fail, counted from 1 (`fail_from`: this one and all later).
    `fail_containing`: texts with this in them fail the whole call, as a provider would.
    `extra_dims`: columns too many; `not_a_number`: the last number of the last row is NaN; `drop_rows`: rows too few.
    """

    def __init__(self, inner: Embedder | None = None, *, message: str = "The provider answered 503.") -> None:
        self.inner = inner if inner is not None else HashedEmbedder()
        self.message = message
        self.calls = 0
        self.texts = 0
        self.embedded: list[str] = []  # texts of calls that succeeded
        self.fail_calls: frozenset[int] = frozenset()
        self.fail_from: int | None = None
        self.fail_containing: str | None = None
        self.fail_queries = False
        self.extra_dims = 0
        self.not_a_number = False
        self.drop_rows = 0

    @property
    def identity(self) -> EmbedderIdentity:
        """That of the inner embedder."""
        return self.inner.identity

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The inner embedder's rows, or the failure that was ordered."""
        self._count(texts)
        rows = self._spoil(self.inner.embed_documents(texts))
        self.embedded.extend(texts)
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The inner embedder's vector, or the failure that was ordered."""
        self._count([text])
        if self.fail_queries:
            raise ProviderError(self.message, hint="Try again later.")
        row: NDArray[np.float32] = self._spoil(self.inner.embed_query(text)[None])[0]
        return row

    def _count(self, texts: Sequence[str]) -> None:
        self.calls += 1
        self.texts += len(texts)
        late = self.fail_from is not None and self.calls >= self.fail_from
        touched = self.fail_containing is not None and any(self.fail_containing in text for text in texts)
        if late or touched or self.calls in self.fail_calls:
            raise ProviderError(self.message, hint="Try again later.")

    def _spoil(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np  # as above

        spoilt = np.pad(rows, ((0, 0), (0, self.extra_dims)))[: max(0, len(rows) - self.drop_rows)]
        if self.not_a_number and spoilt.size:
            spoilt[-1, -1] = np.nan
        return spoilt
