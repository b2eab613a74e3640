"""The embedder that needs no key and no download: a static table of word pieces, summed.

Enters: texts. Leaves: one row per text: the weighted sum of its pieces' rows, of length 1; zeros for a text that the
table does not understand (another language or script, numbers, code without words), so that it gets no vote.
Never: loads numpy or the table before something is embedded; the table is loaded once in a process.
"""

from __future__ import annotations

import os
from array import array
from functools import cached_property, lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from recollect.embed.language import Language
from recollect.embed.table import load_table, read_header
from recollect.embed.wordpiece import WordPiece
from recollect.protocols import EmbedderIdentity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

PROVIDER = "offline"
TRUST = 0.25  # a cosine of this table may say a quarter against the words' three quarters
TABLE_PATH = os.path.join(os.path.dirname(__file__), "data", "recollect-en-1.table")
_BLOCK = 4_096  # pieces summed at a time, so that one huge text costs no huge array
_SMALL_BLOCK = 64  # where there are many texts: a product so small is not shared out to threads, which costs more
_TEXTS = 512  # whose words are looked up at once
_MOST_WORDS = 65_536  # remembered; then all are forgotten
_MOST_CHARACTERS = 4_000_000  # in all of them
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


_Part = tuple[int, int, int]  # number of a text; where its pieces begin and end


class _Words(dict[str, int]):
    """Word -> its number, with what is known of it by number. Not for two threads at once."""

    def __init__(self, tokenizer: WordPiece, language: Language) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._language = language
        self._forget()

    def __missing__(self, word: str) -> int:
        """Look into a word that was not met before."""
        pieces = self._tokenizer.cut(word)
        self._evidence.append(self._language.evidence(word, pieces))
        self._pieces.extend(pieces)
        self._starts.append(len(self._pieces))
        self._characters += len(word)
        number = self[word] = len(self)
        return number

    def look_up(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.intc]]:
        """Of each text how many pieces it has and the evidence that it is understood, and the pieces of all texts, one
        after the other."""
        import numpy as np

        if len(self) >= _MOST_WORDS or self._characters >= _MOST_CHARACTERS:
            self.clear()
            self._forget()
        numbers, ends = array("i"), array("i", [0])
        for text in texts:
            numbers.extend(map(self.__getitem__, self._tokenizer.words(text)))
            ends.append(len(numbers))
        words = np.array(numbers)
        starts = np.array(self._starts)
        firsts, counts = starts[words], np.diff(starts)[words]
        evidence = _sums(np.array(self._evidence)[words], ends)
        of_text = _sums(counts, ends)
        within = np.arange(int(of_text.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        pieces: NDArray[np.intc] = np.array(self._pieces)[np.repeat(firsts, counts) + within]
        return of_text, evidence, pieces

    def _forget(self) -> None:
        self._evidence = array("i")
        self._pieces = array("i")
        self._starts = array("i", [0])  # where a word's pieces begin; at the end where those of a further word would
        self._characters = 0


def _sums(values: NDArray[np.intc], ends: array[int]) -> NDArray[np.int64]:
    """The sum of each part of the values; `ends` begins with 0."""
    import numpy as np

    up_to: NDArray[np.int64] = np.concatenate(([0], np.cumsum(values)))
    sums: NDArray[np.int64] = np.diff(up_to[np.array(ends)])
    return sums


class _Model:
    """A loaded table with its tokenizer."""

    def __init__(self, path: str) -> None:
        table = load_table(path)
        self._quantised = table.rows
        self._scales = table.scales
        tokenizer = WordPiece(table.pieces)
        self._words = _Words(tokenizer, Language(table.pieces, tokenizer.unknown))
        self._alone = Lock()  # a sync and a search may embed at the same time

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        """The table in full precision: worth its 16 MB only where many texts are embedded."""
        rows: NDArray[np.float32] = self._quantised * self._scales[:, None]
        return rows

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        vectors = np.zeros((len(texts), self._quantised.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS):
            some = texts[start : start + _TEXTS]
            with self._alone:
                counts, evidence, pieces = self._words.look_up(some)
            accents = np.fromiter(map(Language.accents, some), dtype=np.int64, count=len(some))
            understood = evidence + accents > 0
            ends = np.cumsum(counts)
            chosen = np.flatnonzero(understood & (counts > 0))
            parts = list(zip(chosen.tolist(), (ends - counts)[chosen].tolist(), ends[chosen].tolist(), strict=True))
            if len(texts) > 1:
                self._add_many(pieces, parts, vectors[start:])
            else:
                self._add(pieces, parts, vectors[start:])
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        vectors /= np.where(lengths > _LEAST_LENGTH, lengths, np.float32(np.inf))[:, None]
        result: NDArray[np.float32] = vectors
        return result

    def _add(self, pieces: NDArray[np.intc], parts: Iterable[_Part], vectors: NDArray[np.float32]) -> None:
        """Add the rows of each part of the pieces to its vector, without the table in full precision."""
        import numpy as np

        for number, first, end in parts:
            for start in range(first, end, _BLOCK):
                block = pieces[start : min(start + _BLOCK, end)]
                vectors[number] += self._scales.take(block) @ self._quantised.take(block, axis=0).astype(np.float32)

    def _add_many(self, pieces: NDArray[np.intc], parts: Iterable[_Part], vectors: NDArray[np.float32]) -> None:
        """The same where there are many. Weights times rows is one product, quicker than a sum over rows."""
        import numpy as np

        table, ones = self._rows, np.ones(_SMALL_BLOCK, dtype=np.float32)
        room = np.empty((_SMALL_BLOCK, table.shape[1]), dtype=np.float32)
        for number, first, end in parts:
            for start in range(first, end, _SMALL_BLOCK):
                block = pieces[start : min(start + _SMALL_BLOCK, end)]
                # "clip" lets numpy fill the room without a copy between; no piece is out of range
                rows = table.take(block, axis=0, out=room[: len(block)], mode="clip")
                vectors[number] += ones[: len(block)].dot(rows)


@lru_cache(maxsize=4)
def _model(path: str) -> _Model:
    return _Model(path)
