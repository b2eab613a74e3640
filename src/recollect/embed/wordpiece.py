"""WordPiece as BERT's uncased models use it: text in, piece ids out.

Enters: any text. Leaves: ids into a vocabulary, the same as the reference gives (tests hold a differential fixture),
or, for embedding, the same without the pieces that are punctuation.
Never: fails on a text, takes more than linear time, keeps more than bounded memory, or needs numpy.
"""

from __future__ import annotations

import unicodedata
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

UNKNOWN = "[UNK]"
LONGEST_WORD = 100  # characters; a longer one is unknown, as in the reference
_MEMO_CHARACTERS = 65_536
_MEMO_WORDS = 131_072
_MEMO_WORD_LENGTH = 40  # longer ones are hardly met twice
_IDEOGRAPHS = (  # the blocks that the reference cuts into single characters
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_dropped(character: str) -> bool:
    """Whether cleaning removes it: controls, formats, private use, and what stands for unreadable bytes."""
    return character in "\x00\ufffd" or unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}


def _is_space(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) in {"Zs", "Zl", "Zp"}


def _is_punctuation(character: str) -> bool:
    """Unicode's punctuation, and every ASCII character that is neither letter nor digit."""
    if character.isascii():
        return not character.isalnum()
    return unicodedata.category(character).startswith("P")


def _is_ideograph(character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in _IDEOGRAPHS)


class _Characters(dict[int, str]):
    """For str.translate: what becomes of each character. Every step of the reference works on one character alone
    (clean, part ideographs, take accents off, lower, part punctuation), so that one table holds them all.
    """

    def __init__(self, *, punctuation: bool) -> None:
        super().__init__()
        self._punctuation = punctuation

    def __missing__(self, code: int) -> str:
        value = self._of(chr(code))
        if len(self) < _MEMO_CHARACTERS:
            self[code] = value
        return value

    def _of(self, character: str) -> str:
        if _is_space(character):
            return " "
        if _is_dropped(character):
            return ""
        parts = [
            self._part(lowered)
            for base in unicodedata.normalize("NFD", character)
            if unicodedata.category(base) != "Mn"
            for lowered in base.lower()
        ]
        text = "".join(parts)
        return f" {text} " if _is_ideograph(character) else text

    def _part(self, character: str) -> str:
        if not _is_punctuation(character):
            return character
        # One blank, not three characters: str.translate is an order quicker while one character becomes one.
        return f" {character} " if self._punctuation else " "


class Memo(dict[str, T]):
    """What was found for a word, for as many words as memory should hold; `memo[word]` never fails."""

    def __init__(self, find: Callable[[str], T]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, word: str) -> T:
        value = self._find(word)
        if len(word) <= _MEMO_WORD_LENGTH:
            if len(self) >= _MEMO_WORDS:
                self.clear()
            self[word] = value
        return value


class WordPiece:
    """A tokenizer over a vocabulary whose continuing pieces begin with `##`."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._vocabulary = dict(zip(pieces, range(len(pieces)), strict=True))
        self.unknown = self._vocabulary[UNKNOWN]
        # without their marks, so that none has to be put before what is looked up
        self._continuing = {piece[2:]: number for number, piece in enumerate(pieces) if piece.startswith("##")}
        self._longest = max(map(len, pieces))
        self._longest_continuing = max(map(len, self._continuing), default=0)
        self._all = _Characters(punctuation=True)
        self._spoken = _Characters(punctuation=False)
        self.pieces_of = Memo(self.cut)

    def encode(self, text: str) -> list[int]:
        """The ids of all pieces, as the reference gives them (without [CLS] and [SEP])."""
        return self.ids(text.translate(self._all).split())

    def words(self, text: str) -> list[str]:
        """The words of a text as the vocabulary knows them, without punctuation, which says nothing to a table of
        words; several times as fast as with it.
        """
        return text.translate(self._spoken).split()

    def ids(self, words: Sequence[str]) -> list[int]:
        """The ids of words, one after the other."""
        return list(chain.from_iterable(map(self.pieces_of.__getitem__, words)))

    def cut(self, word: str) -> tuple[int, ...]:
        """Greedily the longest piece of the vocabulary that fits; a word with a part that none fits is unknown."""
        whole = self._vocabulary.get(word)
        if whole is not None:
            return (whole,)
        if len(word) > LONGEST_WORD:
            return (self.unknown,)
        ids: list[int] = []
        pieces, longest = self._vocabulary, self._longest
        start, length = 0, len(word)
        while start < length:
            for end in range(min(length, start + longest), start, -1):
                piece = pieces.get(word[start:end])
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return (self.unknown,)
            pieces, longest = self._continuing, self._longest_continuing
        return tuple(ids)
