r"""Text into the terms that stand for it in the index and in a question.

Enters: text. Leaves: terms, repeated as they occur: folded, words stemmed, identifiers whole and in parts, pairs of
characters where a script writes no spaces. Never: drops a word for being frequent, weighs anything, raises.

A piece (what stands between white space) is analysed on its own, so equal pieces have equal terms wherever they
stand: that is what the cache of an Analyzer lives on.

    compound   memorySearch.query.hybrid    whole, then pieces at / : @ + # , then at . - _ then words
    word       memorySearch                 stemmed, then its camel parts
    CJK run    配置文件                     every character, every pair
    dense run  Thai, Lao, Khmer, Myanmar    pairs and triples of clusters
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, pairwise, repeat
from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct

from recollect.text import scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Kind = Literal["word", "whole", "part", "gram", "minor"]
RunKind = Literal["word", "cjk", "dense", "sign"]

LONGEST_TERM = 64  # characters; a longer word or path is told by its beginning
LONGEST_CACHED = 64  # characters of a piece that is worth a place in the cache
CACHED_PIECES = 100_000  # about 50 MB of short strings at most; four times as many save a twentieth of the time
_LONGEST_CAMEL = 48  # characters; longer mixtures of cases are encoded data, not names
_MOST_CAMEL_PARTS = 12
_LONGEST_CLUSTER = 8

_STEMMERS: dict[scripts.Script, str] = {
    "latin": "english",
    "cyrillic": "russian",
    "greek": "greek",
    "arabic": "arabic",
    "devanagari": "hindi",
}


class Token(Struct, frozen=True):
    """A term and what it is to the run that it comes from."""

    term: str
    kind: Kind  # a word; a whole compound; a part of either; a pair or triple; a lesser form beside pairs or triples


class Run(Struct, frozen=True):
    """A stretch of a piece that is analysed as one: a word or compound, characters without spaces, a sign."""

    kind: RunKind
    text: str  # normalised
    tokens: tuple[Token, ...]


# --- stems -----------------------------------------------------------------------------------------------------------


class _Stems(dict[str, str]):
    """Folded word -> stem. Equal stems are one object, which keeps the lists of a large index small."""

    def __init__(self) -> None:
        self._stemmers: dict[scripts.Script, Callable[[str], str]] = {}

    def __missing__(self, word: str) -> str:
        if len(self) >= CACHED_PIECES:
            self.clear()
        term = word
        script = scripts.script_of(word)
        if script in _STEMMERS and (term.isalpha() or script == "devanagari"):
            term = self._stemmer(script)(term) or term
        self[word] = term
        return term

    def _stemmer(self, script: scripts.Script) -> Callable[[str], str]:
        if script not in self._stemmers:
            import Stemmer  # type: ignore[import-not-found] # PyStemmer ships no types; loaded when it is used

            self._stemmers[script] = Stemmer.Stemmer(_STEMMERS[script], 0).stemWord
        return self._stemmers[script]


# --- patterns --------------------------------------------------------------------------------------------------------

_JOINERS = r"(?:://|::|['./\\:@+#-]|(?<=[0-9]),(?=[0-9]{3}(?![0-9])))"
_SUFFIX = r"(?:\+\+|#(?!\w))?+"
_EDGES = ".,;:!?()[]{}<>\"'*`|_~"  # what may stand around a plain word; not + and #, which end C++ and C#


@cache
def _ascii_runs() -> re.Pattern[str]:
    return re.compile(f"(?P<word>[A-Za-z0-9_]++(?:{_JOINERS}[A-Za-z0-9_]++)*+{_SUFFIX})")


@cache
def _runs() -> re.Pattern[str]:
    letter = f"[^\\W{scripts.CJK}{scripts.DENSE}]"
    atom = f"{letter}(?:{letter}|[{scripts.mark_class()}])*+"
    return re.compile(
        f"(?P<cjk>[{scripts.CJK}]++)"
        f"|(?P<dense>[{scripts.DENSE}]++)"
        f"|(?P<sign>[{scripts.EMOJI}]|[\U0001f1e6-\U0001f1ff]{{2}})"
        f"|(?P<word>{atom}(?:{_JOINERS}{atom})*+{_SUFFIX})"
    )


_LEVELS = (  # coarse to fine: where a compound is cut, and what makes a piece of it a compound still
    (re.compile(r"[/\\:@+#]+"), re.compile(r"[^_,][_,.-]+[^_,]")),
    (re.compile(r"\."), re.compile(r"[^_][_-]+[^_]")),
    (re.compile(r"-"), re.compile(r"[^_]_+[^_]")),
)
_JOINED = re.compile(r"[./\\:@+#,_-]+")
_ATOM = re.compile(r"[^./\\:@+#,_-]+")
_ISO_DATE = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_TWO_RUNS = re.compile(r"([^\W\d_]+)([0-9]+)|([0-9]+)([^\W\d_]+)")


# --- words -----------------------------------------------------------------------------------------------------------

_ENDINGS = frozenset({"s", "ll", "re", "ve", "d", "m"})
_ELISIONS = frozenset(
    {"l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quelqu"}
    | {"dell", "nell", "sull", "dall", "all", "un", "quest", "quell"}
)


def _is_plain(word: str) -> bool:
    return word.islower() or word.isupper() or word[1:].islower()


def _camel_parts(word: str) -> list[str]:
    """`memorySearch` -> memory, Search; `HTTPServer` -> HTTP, Server; `APIs`, `API` and `Api` -> nothing."""
    last = len(word) - 1
    if len(word) > _LONGEST_CAMEL or _is_plain(word) or (word[-1] == "s" and word[:-1].isupper()):
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


class _Words(dict[str, tuple[str, ...]]):
    """Word -> its stem and the stems of its parts."""

    def __init__(self) -> None:
        self.stems = _Stems()

    def __missing__(self, word: str) -> tuple[str, ...]:
        terms = tuple(self._terms(word))
        if len(word) <= LONGEST_CACHED:
            if len(self) >= CACHED_PIECES:
                self.clear()
            self[word] = terms
        return terms

    def _terms(self, word: str) -> list[str]:
        if "'" in word:
            return self._apostrophe(word.strip("'").split("'"))
        if word.isdecimal():
            return [word[:LONGEST_TERM]]
        parts = () if word.isalpha() and _is_plain(word) else _camel_parts(word) or _number_parts(word)
        kept = [part for part in parts if len(part) > 1 or part.isdecimal()]
        return [term for term in map(self.stem, (word, *kept)) if term]

    def stem(self, word: str) -> str:
        """The term of a plain word; empty for a sign that folds to nothing."""
        folded = scripts.fold(word)[:LONGEST_TERM]
        return self.stems[folded] if folded else ""

    def _apostrophe(self, pieces: list[str]) -> list[str]:
        """`cat's` -> cat; `don't` -> dont; `l'ami` -> ami; `o'clock` -> oclock and clock."""
        if len(pieces) > 1 and pieces[-1].lower() in _ENDINGS:
            pieces.pop()
        if len(pieces) == 2 and pieces[0].lower() in _ELISIONS and len(pieces[1]) > 1:  # noqa: PLR2004 -- article and noun
            del pieces[0]
        joined = "".join(pieces)
        if len(pieces) == 1 or pieces[-1].lower() == "t":
            return list(self[joined]) if joined else []
        return [self.stem(joined), *chain.from_iterable(self[piece] for piece in pieces if len(piece) > 1)]


def is_compound(run: str) -> bool:
    """Whether a run of words is more than one word."""
    return _JOINED.search(run.strip("_")) is not None


def atoms(run: str) -> list[str]:
    """The words of a run, as they stand in it."""
    return [atom for atom in _JOINED.split(run) if atom]


def atom_spans(run: str) -> Iterator[tuple[int, int]]:
    """Where the words of a run stand in it."""
    return (match.span() for match in _ATOM.finditer(run))


def bare_word(word: str) -> str:
    """A word folded, without apostrophes and what English hangs behind them: `Don't` -> dont, `What's` -> what."""
    pieces = scripts.fold(word).strip("'").split("'")
    if len(pieces) > 1 and pieces[-1] in _ENDINGS:
        pieces.pop()
    return "".join(pieces)


class _Compounds:
    """Runs of words and joiners into terms, of which the first stands for the whole run."""

    def __init__(self) -> None:
        self.words = _Words()

    def terms(self, run: str) -> list[str]:
        """The terms of a run: the whole, what it is also written like, its inner wholes, its words."""
        if run[-1] in "+#":
            return self._suffixed(run)
        if _JOINED.search(run) is None:
            return list(self.words[run])
        bare = run.strip("_")
        words = atoms(bare)
        if len(words) < 2:  # noqa: PLR2004 -- a word in underscores, or nothing but underscores
            return list(self.words[words[0]]) if words else []
        terms = [_whole(bare)]
        if len(set(_JOINED.findall(bare))) > 1:
            terms += _inner_wholes(bare)
        terms += self._variants(bare, words)
        numbered = any(map(str.isdecimal, bare))
        for at, word in enumerate(words):
            if len(word) > 1 or not word.isalpha() or (numbered and _has_digit_neighbour(words, at)):
                terms += self.words[word]
        return terms

    def _suffixed(self, run: str) -> list[str]:
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


def _inner_wholes(run: str) -> Iterator[str]:
    """What a compound holds that is a compound itself: the file name in a path, the date in a file name."""
    pieces = [run]
    for separator, finer in _LEVELS:
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


# --- scripts without spaces ------------------------------------------------------------------------------------------


def _cjk_terms(run: str) -> list[str]:
    """Every character followed by the pair that it opens, so that a phrase's terms stand in its text's terms."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*chain.from_iterable(zip(run, pairs, strict=False)), run[-1]]


def _dense_terms(run: str) -> list[str]:
    """Pairs and triples of clusters; a run of one cluster is itself."""
    seen = [cluster[:_LONGEST_CLUSTER] for cluster in scripts.clusters(run)]
    if len(seen) == 1:
        return seen
    terms: list[str] = []
    for at in range(len(seen) - 1):
        terms.append(seen[at] + seen[at + 1])
        if at + 2 < len(seen):
            terms.append(terms[-1] + seen[at + 2])
    return terms


def _spaceless_kinds(terms: list[str], *, dense: bool) -> Iterator[Kind]:
    """Characters beside pairs, and pairs beside triples, are minor: they find what else would not be found."""
    sizes = [len(scripts.clusters(term)) if dense else len(term) for term in terms]
    return ("gram" if size == max(sizes) else "minor" for size in sizes)


def is_cjk_single(term: str) -> bool:
    """Whether a term is one character of Han, kana or Hangul: weak evidence beside the pairs."""
    return len(term) == 1 and scripts.is_cjk(term)


# --- the analyser ----------------------------------------------------------------------------------------------------


def split_piece(piece: str) -> Iterator[tuple[RunKind, str]]:
    """The runs of a piece, normalised, in order."""
    text = scripts.normalise(piece)
    pattern = _ascii_runs() if text.isascii() else _runs()
    return ((cast("RunKind", match.lastgroup), match[0]) for match in pattern.finditer(text))


def raw_runs(text: str) -> Iterator[tuple[RunKind, int, int]]:
    """Where the runs of a text stand, as it is written."""
    return ((cast("RunKind", match.lastgroup), *match.span()) for match in _runs().finditer(text))


class _Pieces(dict[str, tuple[str, ...]]):
    """Piece -> terms. Long pieces are not kept, and all is forgotten when there are too many."""

    def __init__(self) -> None:
        self.compounds = _Compounds()

    def __missing__(self, piece: str) -> tuple[str, ...]:
        terms = tuple(self._terms(piece))
        if len(piece) <= LONGEST_CACHED:
            if len(self) >= CACHED_PIECES:
                self.clear()
            self[piece] = terms
        return terms

    def _terms(self, piece: str) -> Iterable[str]:
        if piece.isascii():
            core = piece.strip(_EDGES)
            if core.isalpha() and len(core) <= LONGEST_CACHED:
                return self.compounds.words[core]
        return chain.from_iterable(self.run(kind, run) for kind, run in split_piece(piece))

    def run(self, kind: RunKind, run: str) -> list[str]:
        """The terms of one run."""
        if kind == "word":
            return self.compounds.terms(run)
        if kind == "cjk":
            return _cjk_terms(run)
        return _dense_terms(run) if kind == "dense" else [run]


class Analyzer:
    """Gives the terms of texts. Keeps what it has seen: make one and use it for all."""

    def __init__(self) -> None:
        self._pieces = _Pieces()

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in its order, repeated as they occur."""
        return list(chain.from_iterable(map(self._pieces.__getitem__, text.split())))

    def runs(self, text: str) -> Iterator[Run]:
        """The same terms by run, with what each is: for questions, which weigh a part less than a whole."""
        for piece in text.split():
            for kind, run in split_piece(piece):
                terms = self._pieces.run(kind, run)
                kinds: Iterator[Kind]
                if kind in ("cjk", "dense"):
                    kinds = _spaceless_kinds(terms, dense=kind == "dense")
                else:
                    kinds = chain(("whole" if is_compound(run) else "word",), repeat("part"))
                yield Run(kind, run, tuple(map(Token, terms, kinds)))
