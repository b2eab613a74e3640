"""The words of a question that say what it is after, as a person would mark them.

Enters: what somebody typed. Leaves: lower-case words, each once, in order: not stemmed, without empty words, bare
numbers and Latin words of one or two letters. Never: decides what is searched (that is `query`).
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from recollect.text import scripts, stopwords
from recollect.text.tokens import split_piece
from recollect.text.words import atoms, bare_word, is_compound

if TYPE_CHECKING:
    from collections.abc import Iterator

_HANGUL = re.compile(f"[{scripts.HANGUL}]")
_KANA = re.compile(f"[{scripts.KANA}]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")
_TOKEN = re.compile(r"[^\W_]+")
_SHORTEST_LATIN = 3


def keywords(text: str) -> tuple[str, ...]:
    """The keywords of a question; an identifier stands whole before its parts."""
    pieces = [scripts.normalise(piece).lower() for piece in text.split()]
    empty = stopwords.empty_words({bare_word(word) for piece in pieces for word in atoms(piece.strip(_AROUND))})
    found = (word for piece in pieces for word in _of_piece(piece, empty) if not word.isdecimal())
    return tuple(dict.fromkeys(found))


_AROUND = ".,;:!?()[]{}<>\"'*`|~\u00a1\u00bf\u2026\u201c\u201d\u201e\u00ab\u00bb"


def _of_piece(piece: str, empty: frozenset[str]) -> Iterator[str]:
    if _HANGUL.search(piece):
        for token in _TOKEN.findall(piece):
            yield from _korean(token, empty)
        return
    kana = _KANA.search(piece) is not None
    for kind, run in split_piece(piece):
        if kind == "word":
            yield from _words(run, empty)
        elif kind == "cjk":
            yield from _japanese(run) if kana else _chinese(run)
        else:
            yield run


def _words(run: str, empty: frozenset[str]) -> Iterator[str]:
    words = atoms(run)
    if is_compound(run) and not all(bare_word(word) in empty for word in words):
        yield run.strip("_")
    for word in words:
        short = word.isalpha() and word.isascii() and len(word) < _SHORTEST_LATIN
        lone = len(word) == 1  # a letter or figure that was cut off
        if not short and not lone and bare_word(word) not in empty:
            yield word


def _korean(token: str, empty: frozenset[str]) -> Iterator[str]:
    stem = stopwords.without_particle(token)
    if token not in empty and stem not in empty:
        yield token
        yield stem


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _chinese(run: str) -> Iterator[str]:
    empty = stopwords.stop_words("zh")
    return (word for word in (*run, *_pairs(run)) if word not in empty)


def _japanese_script(char: str) -> Literal["han", "katakana", "hiragana"]:
    if _KATAKANA.match(char):
        return "katakana"
    return "hiragana" if _KANA.match(char) else "han"


def _japanese(run: str) -> Iterator[str]:
    empty = stopwords.stop_words("ja")
    for script, chars in groupby(run, _japanese_script):
        word = "".join(chars)
        words = [word, *_pairs(word)] if script == "han" else [word] if script == "katakana" or len(word) > 1 else []
        yield from (word for word in words if word not in empty)
