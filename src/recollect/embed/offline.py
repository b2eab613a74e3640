"""The embedder that needs no key and no download: a static table of word pieces, summed.

Enters: texts. Leaves: one row per text: the weighted sum of its pieces' rows, of length 1; zeros for a text that the
table does not understand (another language or script, numbers, code without words), so that it gets no vote.
Never: loads numpy or the table before something is embedded; the table is loaded once in a process.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from recollect.embed.language import Language
from recollect.embed.table import load_table, read_header
from recollect.embed.wordpiece import Memo, WordPiece
from recollect.protocols import EmbedderIdentity

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

PROVIDER = "offline"
TRUST = 0.25  # a cosine of this table may say a quarter against the words' three quarters
TABLE_PATH = os.path.join(os.path.dirname(__file__), "data", "recollect-en-1.table")
_BLOCK = 4_096  # pieces summed at a time, so that one huge text costs no huge array
_LEAST_LENGTH = 1e-6  # of a sum that still has a direction


class OfflineEmbedder:
    """The table as an `Embedder`. Cheap to make; the first text loads it."""

    def __init__(self, table_path: str = TABLE_PATH) -> None:
        self._path = table_path

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """Told by the header of the table alone."""
        header = read_header(self._path)
        return EmbedderIdentity(
            provider=PROVIDER,
            model=header.model,
            fingerprint=header.digest,
            dims=header.dims,
            grain="unit",
            dtype="int8",
            cached=False,
            trust=TRUST,
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, of length 1 or 0."""
        return _model(self._path).embed(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, of length 1 or 0."""
        row: NDArray[np.float32] = _model(self._path).embed([text])[0]
        return row


class _Model:
    """A loaded table with its tokenizer."""

    def __init__(self, path: str) -> None:
        table = load_table(path)
        self._quantised = table.rows
        self._scales = table.scales
        self._tokenizer = tokenizer = WordPiece(table.pieces)
        self._language = language = Language(table.pieces, tokenizer.unknown)
        self._evidence = Memo(lambda word: language.evidence(word, tokenizer.pieces_of[word]))

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        """The table in full precision: worth its 16 MB only where many texts are embedded."""
        rows: NDArray[np.float32] = self._quantised * self._scales[:, None]
        return rows

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        vectors = np.zeros((len(texts), self._quantised.shape[1]), dtype=np.float32)
        for text, vector in zip(texts, vectors, strict=True):
            words = self._tokenizer.words(text)
            if sum(map(self._evidence.__getitem__, words)) + self._language.accents(text) > 0:
                self._sum(np.array(self._tokenizer.ids(words), dtype=np.intp), vector, many=len(texts) > 1)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        vectors /= np.where(lengths > _LEAST_LENGTH, lengths, np.float32(np.inf))[:, None]
        result: NDArray[np.float32] = vectors
        return result

    def _sum(self, pieces: NDArray[np.intp], vector: NDArray[np.float32], *, many: bool) -> None:
        """Add the rows of the pieces to `vector`. Weights times rows is one product, quicker than a sum over rows."""
        import numpy as np

        for start in range(0, len(pieces), _BLOCK):
            block = pieces[start : start + _BLOCK]
            if many:
                vector += np.ones(len(block), dtype=np.float32) @ self._rows.take(block, axis=0)
            else:
                vector += self._scales.take(block) @ self._quantised.take(block, axis=0).astype(np.float32)


@lru_cache(maxsize=4)
def _model(path: str) -> _Model:
    return _Model(path)
