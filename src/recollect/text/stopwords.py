"""The words of each language that say nothing about what a question is after.

Enters: the words of a question, folded. Leaves: those to leave out. Never: touches what is indexed, where every word
stays findable.

The lists hold function words, pronouns, question words and fillers ("yesterday", "thing", "please", "tell me"). A word
of Latin letters may be empty in one language and full in another ("war", "son", "die"), so the language is told first:
by the words of the question itself, of which those that are full in English count for nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from recollect.text import scripts
from recollect.text.stopword_lists import FIRST_PERSON, FULL_IN_ENGLISH, KOREAN_PARTICLES, WORDS, Language

if TYPE_CHECKING:
    from collections.abc import Collection

LATIN: tuple[Language, ...] = ("en", "de", "es", "fr", "it", "nl", "pt")  # the first wins where several fit as well


@cache
def stop_words(language: Language) -> frozenset[str]:
    """The empty words of a language, folded."""
    return frozenset(scripts.fold(scripts.normalise(word)).replace("'", "") for word in WORDS[language].split())


@cache
def first_person() -> frozenset[str]:
    """The empty words of all languages by which people speak of themselves, folded."""
    return frozenset(scripts.fold(scripts.normalise(word)) for word in FIRST_PERSON.split())


@cache
def _proofs(language: Language) -> frozenset[str]:
    """The words that prove a language."""
    if language == "en":
        return stop_words("en")
    return stop_words(language) - stop_words("en") - FULL_IN_ENGLISH


@cache
def _of_other_scripts() -> frozenset[str]:
    return stop_words("ru") | stop_words("ar") | stop_words("ko")


def latin_language(words: Collection[str]) -> Language | None:
    """The language whose empty words a question of (folded) Latin words has most of; None where nothing proves one."""
    best: Language | None = None
    most = 0
    for language in LATIN:
        if not _proofs(language).isdisjoint(words):
            hits = sum(word in stop_words(language) for word in words)
            if hits > most:
                best, most = language, hits
    return best


def empty_words(words: Collection[str]) -> frozenset[str]:
    """The stop words that are in force for a question of these (folded) words: Latin by its language, others by script.

    Chinese and Japanese have no words to look up: see `empty_spans`.
    """
    language = latin_language(words)
    return _of_other_scripts() | stop_words(language) if language else _of_other_scripts()


def empty_spans(run: str, *, kana: bool) -> list[tuple[int, int]]:
    """Where in a run without spaces the empty words stand, taken longest first from the left.

    `kana` says that the question is Japanese: what Han alone writes is read as Chinese.
    """
    empty = stop_words("ja") if kana else stop_words("zh")
    longest = max(map(len, empty))
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(run):
        size = next((size for size in range(min(longest, len(run) - at), 0, -1) if run[at : at + size] in empty), 0)
        if size:
            spans.append((at, at + size))
        at += size or 1
    return spans


def without_particle(word: str) -> str:
    """A Korean word without the particle at its end; the word itself where less than two syllables would be left."""
    for particle in KOREAN_PARTICLES:
        if word.endswith(particle):
            stem = word[: -len(particle)]
            if len(stem) > 1:
                return stem
    return word
