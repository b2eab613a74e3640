"""A question into weighted terms.

Enters: what somebody typed, of any size and with any syntax in it. Leaves: a Query. Never: treats a character as an
operator (quotes alone mark a phrase, which is a wish, not a condition), raises, takes more than linear time.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.text import scripts, stopwords
from recollect.text.words import atoms, bare_word, is_compound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.text.tokens import Analyzer, Kind, Run

LONGEST_QUERY = 8_000  # characters
MOST_TERMS = 256
MOST_SUPPORT = 64
MOST_PHRASES = 16

_WEIGHTS: dict[Kind, float] = {"word": 1.0, "whole": 1.0, "gram": 1.0, "part": 0.5, "minor": 0.2}
_EMPTY_WEIGHT = 0.2  # of an empty word that supports; those by which people speak of themselves keep all of theirs
_BORDER_WEIGHT = 0.4  # of a pair of characters one half of which is empty: it tells where a word ends, not which word
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR"})  # of other search engines; here words like others
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02", '"'))
_PHRASE = re.compile('"([^"]+)"')
_KANA = re.compile(f"[{scripts.KANA}]")
_HANGUL = re.compile(f"[{scripts.HANGUL}]")


class QueryTerm(Struct, frozen=True):
    """A term to look for; `word` is what it comes from in the question."""

    term: str
    weight: float
    word: str


class Query(Struct, frozen=True, kw_only=True):
    """A question as the search takes it. No terms and no text: there is nothing to look for.

    `support` holds the empty words. None of them makes a hit, but a hit that holds them too is the better one: where
    somebody asks what they said themselves, the answer says "I".
    """

    terms: tuple[QueryTerm, ...] = ()
    support: tuple[QueryTerm, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    capped: bool = False


def parse_query(text: str, analyzer: Analyzer) -> Query:
    """The terms of a question, each once, with their weights; empty words only where there are no others."""
    cleaned, cut = _clean(text)
    runs = list(analyzer.runs(cleaned))
    everything = _distinct(term for run in runs for term in _all_terms(run))
    if not everything:
        return Query(capped=cut)
    sieve = _Sieve(cleaned, runs, analyzer)
    terms = _distinct(term for run in runs for term in sieve.full_terms(run)) or everything
    kept = _heaviest(terms)
    return Query(
        terms=kept,
        support=_support(everything, terms),
        phrases=_phrases(cleaned, analyzer),
        text=cleaned,
        capped=cut or len(kept) < len(terms),
    )


def _clean(text: str) -> tuple[str, bool]:
    cleaned = _CONTROL.sub(" ", text).strip()
    if len(cleaned) <= LONGEST_QUERY:
        return cleaned, False
    head = cleaned[:LONGEST_QUERY]
    if not cleaned[LONGEST_QUERY].isspace():
        head = head.rpartition(" ")[0] or head
    return head.strip(), True


def _all_terms(run: Run) -> Iterator[QueryTerm]:
    spaced = run.kind in ("word", "sign")
    return (QueryTerm(token.term, _WEIGHTS[token.kind], run.text if spaced else token.term) for token in run.tokens)


def _distinct(terms: Iterable[QueryTerm]) -> list[QueryTerm]:
    """Each term once, where it stands first, with the largest of its weights."""
    best: dict[str, QueryTerm] = {}
    for term in terms:
        known = best.get(term.term)
        if known is None or known.weight < term.weight:
            best[term.term] = term
    return list(best.values())


def _heaviest(terms: list[QueryTerm]) -> tuple[QueryTerm, ...]:
    if len(terms) <= MOST_TERMS:
        return tuple(terms)
    order = sorted(range(len(terms)), key=lambda at: -terms[at].weight)[:MOST_TERMS]
    return tuple(terms[at] for at in sorted(order))


def _support(everything: list[QueryTerm], terms: list[QueryTerm]) -> tuple[QueryTerm, ...]:
    full = {term.term for term in terms}
    held = [term for term in everything if term.term not in full]
    return tuple(
        QueryTerm(term.term, term.weight * (1.0 if _of_speaker(term) else _EMPTY_WEIGHT), term.word)
        for term in held[:MOST_SUPPORT]
    )


def _of_speaker(term: QueryTerm) -> bool:
    return bare_word(term.word) in stopwords.first_person()


def _phrases(text: str, analyzer: Analyzer) -> tuple[tuple[str, ...], ...]:
    quoted = (tuple(analyzer.terms(match[1])) for match in _PHRASE.finditer(text.translate(_QUOTES)))
    return tuple(islice((phrase for phrase in quoted if phrase), MOST_PHRASES))


def _telling(run: str) -> list[str]:
    """The words of a run that may be empty words; a letter in an identifier (`E-1042`) is none."""
    return [word for word in atoms(run) if len(word) > 1] if is_compound(run) else [run.strip("_")]


class _Sieve:
    """Holds back the empty words of one question."""

    def __init__(self, text: str, runs: list[Run], analyzer: Analyzer) -> None:
        words = {bare_word(word) for run in runs if run.kind == "word" for word in _telling(run.text)}
        self._empty = stopwords.empty_words(words)
        self._kana = _KANA.search(text) is not None
        self._shouted = text == text.upper()
        self._first = runs[0]
        self._analyzer = analyzer

    def full_terms(self, run: Run) -> Iterator[QueryTerm]:
        """The terms of a run that say something."""
        if run.kind == "word":
            return self._of_words(run)
        return self._of_characters(run) if run.kind == "cjk" else _all_terms(run)

    def _of_words(self, run: Run) -> Iterator[QueryTerm]:
        if not is_compound(run.text):
            empty = bare_word(run.text.strip("_")) in self._empty and not self._is_name(run)
            return iter(()) if empty else _all_terms(run)
        parts = (part for part in _telling(run.text) if bare_word(part) in self._empty)
        empty_parts = set(self._analyzer.terms(" ".join(parts)))
        terms = zip(run.tokens, _all_terms(run), strict=True)
        return (term for token, term in terms if token.kind == "whole" or term.term not in empty_parts)

    def _is_name(self, run: Run) -> bool:
        """Whether capitals make a name of an empty word: the IT department, vitamin A, a letter from the US."""
        word = run.text
        if self._shouted or not word.isupper() or word in _OPERATORS or word == "I":
            return False
        return len(word) > 1 or run is not self._first

    def _of_characters(self, run: Run) -> Iterator[QueryTerm]:
        """What is left of a run; a pair goes where both halves are empty, unless each is a word of one character:
        those meet by chance, and then the pair may be a full word.
        """
        width = [0] * len(run.text)  # of the empty word that a character belongs to
        for start, end in self._empty_spans(run.text):
            width[start:end] = [end - start] * (end - start)
        for place, term in enumerate(_all_terms(run)):  # every character, then the pair that it opens
            at = place // 2
            covering = width[at : at + len(term.term)]
            if not any(covering):
                yield term
            elif not all(covering) or covering == [1, 1]:
                yield QueryTerm(term.term, term.weight * _BORDER_WEIGHT, term.word)

    def _empty_spans(self, text: str) -> list[tuple[int, int]]:
        if _HANGUL.search(text) is None:
            return stopwords.empty_spans(text, kana=self._kana)
        if text in self._empty:
            return [(0, len(text))]
        return [(len(stopwords.without_particle(text)), len(text))]
