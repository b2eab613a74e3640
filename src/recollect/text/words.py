"""Runs of words and joiners into terms: stems, camel parts, compounds whole and in parts.

Enters: a run that `tokens` found, normalised: `deployed`, `don't`, `memorySearch.query.hybrid`, `memory/2026-02-10.md`.
Leaves: its terms, of which the first stands for the whole run. Never: sees white space or a script without spaces.
"""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeVar

from recollect.text import scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

LONGEST_TERM = 64  # characters; a longer word or path is told by its beginning
LONGEST_CACHED = 64  # characters of what is worth a place in a cache
MOST_CACHED = 50_000  # entries of a generation, of which there are two: about 50 MB at most in both
_LONGEST_CAMEL = 48  # characters; longer mixtures of cases are encoded data, not names
_MOST_CAMEL_PARTS = 12

_STEMMERS: dict[scripts.Script, str] = {
    "latin": "english",
    "cyrillic": "russian",
    "greek": "greek",
    "arabic": "arabic",
    "devanagari": "hindi",
}

_LEVELS = (  # coarse to fine: the joiners at which a compound is cut, and what makes a piece of it a compound still
    (frozenset("/\\:@+#"), re.compile(r"[/\\:@+#]+"), re.compile(r"[^_,][_,.-]+[^_,]")),
    (frozenset("."), re.compile(r"\."), re.compile(r"[^_][_-]+[^_]")),
    (frozenset("-"), re.compile(r"-"), re.compile(r"[^_]_+[^_]")),
)
_JOINED = re.compile(r"[./\\:@+#,_-]+")
_JOINED_OR_NOT = re.compile(r"([./\\:@+#,_-]+)")
_ATOM = re.compile(r"[^./\\:@+#,_-]+")
_ISO_DATE = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_TWO_RUNS = re.compile(r"([^\W\d_]+)([0-9]+)|([0-9]+)([^\W\d_]+)")


class Memo(dict[str, T]):
    """What was worked out before, for as many keys as memory should hold; `memo[key]` never fails.

    Long keys are not kept. When there are too many they become the older generation, which goes when the next one is
    full: what is met again and again is taken over, what was met once is forgotten.
    """

    def __init__(self, work_out: Callable[[str], T]) -> None:
        super().__init__()
        self._work_out = work_out
        self._older: dict[str, T] = {}

    def __missing__(self, key: str) -> T:
        """Look among the older ones, else work it out."""
        value = self._older.get(key)
        if value is None:
            value = self._work_out(key)
        if len(key) <= LONGEST_CACHED:
            if len(self) >= MOST_CACHED:
                self._older = dict(self)
                self.clear()
            self[key] = value
        return value


# --- stems -----------------------------------------------------------------------------------------------------------


class _Stems(Memo[str]):
    """Folded word -> stem. Equal stems are one object, which keeps the lists of a large index small."""

    def __init__(self) -> None:
        super().__init__(self._stem)
        self._stemmers: dict[scripts.Script, Callable[[str], str]] = {}

    def _stem(self, word: str) -> str:
        if word.isascii() and not word.isalpha():
            return word
        script = scripts.script_of(word)
        if script in _STEMMERS and (word.isalpha() or script == "devanagari"):
            return self._stemmer(script)(word) or word
        return word

    def _stemmer(self, script: scripts.Script) -> Callable[[str], str]:
        if script not in self._stemmers:
            import Stemmer  # type: ignore[import-not-found] # PyStemmer ships no types; loaded when it is used

            self._stemmers[script] = Stemmer.Stemmer(_STEMMERS[script], 0).stemWord
        return self._stemmers[script]


# --- words -----------------------------------------------------------------------------------------------------------

_ENDINGS = frozenset({"s", "ll", "re", "ve", "d", "m"})
_ELISIONS = frozenset(
    {"l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quelqu"}
    | {"dell", "nell", "sull", "dall", "all", "un", "quest", "quell"}
)


def is_plain(word: str) -> bool:
    """Whether a word is written in one case, or with one capital at its beginning."""
    return word.islower() or word.isupper() or word[1:].islower()


def _camel_parts(word: str) -> list[str]:
    """`memorySearch` -> memory, Search; `HTTPServer` -> HTTP, Server; `APIs`, `API` and `Api` -> nothing."""
    last = len(word) - 1
    if len(word) > _LONGEST_CAMEL or is_plain(word) or (word[-1] == "s" and word[:-1].isupper()):
        return []
    cuts = [
        at
        for at in range(1, last + 1)
        if word[at].isupper() and (not word[at - 1].isupper() or (at < last and word[at + 1].islower()))
    ]
    if not cuts or len(cuts) >= _MOST_CAMEL_PARTS:
        return []
    return [word[start:end] for start, end in pairwise([0, *cuts, len(word)])]


def _number_parts(word: str) -> list[str]:
    """`20mg` -> 20, mg; `sha256` -> sha, 256; `E1042` -> 1042; `k8s` and `v1` -> nothing."""
    match = _TWO_RUNS.fullmatch(word) if len(word) <= LONGEST_TERM else None
    if match is None:
        return []
    first, second = (match[1], match[2]) if match[1] else (match[3], match[4])
    letters, digits = (first, second) if match[1] else (second, first)
    if len(letters) > 1:
        return [first, second]
    return [digits] if len(digits) > 1 else []


class _Words(Memo[tuple[str, ...]]):
    """Word -> its stem and the stems of its parts."""

    def __init__(self) -> None:
        super().__init__(self._terms)
        self.stems = _Stems()

    def _terms(self, word: str) -> tuple[str, ...]:
        if word.isalpha() and is_plain(word):
            term = self.stems[word.lower()[:LONGEST_TERM]] if word.isascii() else self.stem(word)
            return (term,) if term else ()
        if "'" in word:
            return tuple(self._apostrophe(word.strip("'").split("'")))
        if word.isdecimal():
            return (word[:LONGEST_TERM],)
        parts = _camel_parts(word) or _number_parts(word)
        kept = [part for part in parts if len(part) > 1 or part.isdecimal()]
        return tuple(term for term in map(self.stem, (word, *kept)) if term)

    def stem(self, word: str) -> str:
        """The term of a plain word; empty for a sign that folds to nothing."""
        folded = scripts.fold(word)[:LONGEST_TERM]
        return self.stems[folded] if folded else ""

    def _apostrophe(self, pieces: list[str]) -> list[str]:
        """`cat's` -> cat; `don't` -> dont; `l'ami` -> ami; `o'clock` -> oclock and clock."""
        pieces = _without_affixes(pieces)
        joined = "".join(pieces)
        if len(pieces) == 1 or pieces[-1].lower() == "t":
            return list(self[joined]) if joined else []
        return [self.stem(joined), *chain.from_iterable(self[piece] for piece in pieces if len(piece) > 1)]


# --- compounds -------------------------------------------------------------------------------------------------------


def is_compound(run: str) -> bool:
    """Whether a run of words is more than one word."""
    return _JOINED.search(run.strip("_")) is not None


def atoms(run: str) -> list[str]:
    """The words of a run, as they stand in it."""
    return [atom for atom in _JOINED.split(run) if atom]


def atom_spans(run: str) -> Iterator[tuple[int, int]]:
    """Where the words of a run stand in it."""
    return (match.span() for match in _ATOM.finditer(run))


def _without_affixes(pieces: list[str]) -> list[str]:
    """What an apostrophe cut a word into, without the English ending and the Romance article or pronoun."""
    if len(pieces) > 1 and pieces[-1].lower() in _ENDINGS:
        pieces = pieces[:-1]
    if len(pieces) == 2 and pieces[0].lower() in _ELISIONS and len(pieces[1]) > 1:  # noqa: PLR2004 -- article and noun
        return pieces[1:]
    return pieces


def bare_word(word: str) -> str:
    """A word folded, without apostrophes and what hangs on them: `Don't` -> dont, `What's` -> what, `qu'on` -> on."""
    return "".join(_without_affixes(scripts.fold(word).strip("'").split("'")))


class Compounds:
    """Runs of words and joiners into terms, of which the first stands for the whole run."""

    def __init__(self) -> None:
        self.words = _Words()

    def terms(self, run: str) -> Sequence[str]:
        """The terms of a run: the whole, what it is also written like, its inner wholes, its words."""
        if run.isalnum():
            return self.words[run]
        if run[-1] in "+#":
            return self._suffixed(run)
        bare = run.strip("_")
        parts = _JOINED_OR_NOT.split(bare)
        if len(parts) == 1:
            return self.words[bare] if bare else ()
        words, joiners = [word for word in parts[::2] if word], parts[1::2]
        if len(words) < 2:  # noqa: PLR2004 -- a word in joiners
            return self.words[words[0]] if words else ()
        terms = [_whole(bare)]
        if len(set(joiners)) > 1:
            terms += _inner_wholes(bare, frozenset("".join(joiners)))
        if "-" in bare or bare[0] in "vV" or len(bare) == 2 * len(words) - 1:
            terms += self._variants(bare, words)
        if 1 in map(len, words):
            told = enumerate(words)
            words = [one for at, one in told if len(one) > 1 or not one.isalpha() or _has_digit_neighbour(words, at)]
        terms.extend(chain.from_iterable(map(self.words.__getitem__, words)))
        return terms

    def _suffixed(self, run: str) -> Sequence[str]:
        base = run.rstrip("+#")
        if run[-1] == "+" or (len(base) <= 2 and base.isalpha()):  # noqa: PLR2004 -- C#, F#; after more it is a sign
            return [_whole(base)[: LONGEST_TERM - 2] + run[len(base) :], *self.terms(base)]
        return self.terms(base)

    def _variants(self, run: str, words: list[str]) -> Iterator[str]:
        """Other spellings of a compound: the date in it, e-mail as email, v1.2 as 1.2, U.S. as US."""
        if "-" in run:
            for date in _ISO_DATE.findall(run):
                if date != run and f"{date}." not in run:  # else it is a whole or an inner whole already
                    yield date
            if len(words) == 2 and len(run) == len(words[0]) + len(words[1]) + 1:  # noqa: PLR2004 -- one hyphen
                joined = "".join(words)
                if not joined.isdecimal():
                    yield self.words.stem(joined.replace("'", ""))
        elif run[0] in "vV" and run[1:2].isdecimal():
            yield _whole(run[1:])
        elif len(run) == 2 * len(words) - 1 and "." in run and "".join(words).isalpha():
            yield _whole("".join(words))


def _whole(run: str) -> str:
    return scripts.fold(run).strip("_").replace(",", "").replace("'", "")[:LONGEST_TERM]


def _inner_wholes(run: str, joiners: frozenset[str]) -> Iterator[str]:
    """What a compound holds that is a compound itself: the file name in a path, the date in a file name."""
    pieces = [run]
    for of_level, separator, finer in _LEVELS:
        if joiners.isdisjoint(of_level):
            continue
        split: list[str] = []
        for piece in pieces:
            parts = separator.split(piece)
            if len(parts) > 1:
                for part in parts:
                    if finer.search(part):
                        yield _whole(part)
            split += parts
        pieces = split


def _has_digit_neighbour(words: list[str], at: int) -> bool:
    return any(char.isdecimal() for word in words[max(0, at - 1) : at + 2] for char in (word[0], word[-1]))
