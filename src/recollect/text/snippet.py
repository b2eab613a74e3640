"""Text for a reader: cut where it may be cut, and the places that answer the question.

Enters: a note's text, words of a question. Leaves: a prefix of the text, ranges in it (Python characters).
Never: changes a character of what is shown.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from recollect.text import scripts
from recollect.text.tokens import Analyzer, is_cjk_single, raw_runs
from recollect.text.words import atom_spans, is_compound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.text.tokens import RunKind

_SENTENCE_END = re.compile(
    r"(?:[.!?\u2026][\"'\u201d\u2019)\]]*(?=\s)|[\u3002\uff01\uff1f\u0964\u061f][\"'\u201d\u2019)\]]*|\n)"
)
_ENOUGH = 0.6  # of the limit: a sentence that ends before gives away too much
_JOINER = "\u200d"
_PIECE = re.compile(r"\S+")
_SAME_LENGTH = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u2212": "-"})


def clip(text: str, limit: int) -> str:
    """The beginning of a text, `limit` characters at most: whole sentences, else whole words, else whole characters."""
    if len(text) <= limit:
        return text
    if limit <= 0:
        return ""
    least = int(limit * _ENOUGH)
    ends = (match.end() for match in _SENTENCE_END.finditer(text, least, limit + 1))
    sentence = max((at for at in ends if at <= limit and not _hangs_on(text[at])), default=0)
    if sentence >= least and sentence:
        return text[:sentence].rstrip()
    if not (text[limit - 1].isspace() or text[limit].isspace()):
        word = max((at for at in range(limit - 1, limit // 2, -1) if _may_cut(text, at)), default=0)
        return text[: word or _whole_character(text, limit)].rstrip()
    return text[:limit].rstrip()


def _may_cut(text: str, at: int) -> bool:
    """Whether a word ends before a place: white space, or a neighbour of a script that writes none."""
    pair = scripts.is_cjk(text[at]) and scripts.is_cjk(text[at - 1])
    return text[at].isspace() or (pair and not _hangs_on(text[at]))


def _whole_character(text: str, at: int) -> int:
    """The nearest place at or before `at` that lies inside no character as a reader sees it."""
    start = at
    while at > 0 and (_hangs_on(text[at]) or text[at - 1] == _JOINER):
        at -= 1
    return at or start  # one character, longer than all that may stay: half of it is better than nothing


def _hangs_on(char: str) -> bool:
    """Whether a character belongs to the one before: a mark, a joiner, a skin tone, the second half of a pair."""
    if unicodedata.category(char)[0] == "M" or char == _JOINER:
        return True
    return "\U0001f3fb" <= char <= "\U0001f3ff" or "\udc00" <= char <= "\udfff"


def highlight(text: str, words: Iterable[str], analyzer: Analyzer | None = None) -> tuple[tuple[int, int], ...]:
    """Where words of a question stand in a text, in whatever form: ranges in ascending order that do not touch."""
    analyzer = analyzer or _analyzer()
    wanted = _wanted(words, analyzer)
    same = text.translate(_SAME_LENGTH)
    ranges: list[tuple[int, int]] = []
    for piece in _PIECE.finditer(same):
        if not wanted.isdisjoint(analyzer.terms(piece[0])):
            for start, end in _in_piece(piece[0], wanted, analyzer):
                _add(ranges, start + piece.start(), end + piece.start())
    return tuple(ranges)


@cache
def _analyzer() -> Analyzer:
    return Analyzer()


def _wanted(words: Iterable[str], analyzer: Analyzer) -> set[str]:
    tokens = [token for word in words for run in analyzer.runs(word) for token in run.tokens]
    terms = {token.term for token in tokens if token.kind != "minor" and (token.kind != "part" or len(token.term) > 1)}
    if any(len(term) > 1 and scripts.is_cjk(term[0]) for term in terms):
        return {term for term in terms if not is_cjk_single(term)}
    return terms


def _in_piece(piece: str, wanted: set[str], analyzer: Analyzer) -> Iterator[tuple[int, int]]:
    for kind, start, end in raw_runs(piece):
        run = piece[start:end]
        spans = _in_word(run, wanted, analyzer) if kind in ("word", "sign") else _in_spaceless(run, wanted, kind)
        for first, last in spans:
            yield start + first, start + last


def _in_word(run: str, wanted: set[str], analyzer: Analyzer) -> list[tuple[int, int]]:
    terms = analyzer.terms(run)
    if wanted.isdisjoint(terms):
        return []
    if terms[0] in wanted or not is_compound(run):
        return [(0, len(run))]
    words = [(start, end) for start, end in atom_spans(run) if not wanted.isdisjoint(analyzer.terms(run[start:end]))]
    return words or [(0, len(run))]


def _in_spaceless(run: str, wanted: set[str], kind: RunKind) -> Iterator[tuple[int, int]]:
    seen = scripts.clusters(run) if kind == "dense" else list(run)
    places = list(accumulate(map(len, seen), initial=0))
    for size in (1, 2, 3):
        for at in range(len(seen) - size + 1):
            if "".join(seen[at : at + size]) in wanted:
                yield places[at], places[at + size]


def _add(ranges: list[tuple[int, int]], start: int, end: int) -> None:
    """Add a range; ranges that touch or overlap become one."""
    while ranges and ranges[-1][1] >= start:
        first, last = ranges.pop()
        start, end = min(first, start), max(last, end)
    ranges.append((start, end))
