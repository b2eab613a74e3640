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
from itertools import chain, repeat
from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct

from recollect.text import scripts
from recollect.text.words import LONGEST_CACHED, Compounds, Memo, is_compound

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["word", "whole", "part", "gram", "minor"]
RunKind = Literal["word", "cjk", "dense", "sign"]

_LONGEST_CLUSTER = 8  # characters; more marks on one letter are no writing


class Token(Struct, frozen=True):
    """A term and what it is to the run that it comes from."""

    term: str
    kind: Kind  # a word; a whole compound; a part of either; a pair or triple; a lesser form beside pairs or triples


class Run(Struct, frozen=True):
    """A stretch of a piece that is analysed as one: a word or compound, characters without spaces, a sign."""

    kind: RunKind
    text: str  # normalised
    tokens: tuple[Token, ...]


# --- patterns --------------------------------------------------------------------------------------------------------

_JOINERS = r"(?:://|::|['./\\:@+#-]|(?<=[0-9]),(?=[0-9]{3}(?![0-9])))"
_SUFFIX = r"(?:\+\+|#(?!\w))?"
_EDGES = ".,;:!?()[]{}<>\"'*`|~"  # what may stand around a run; not _, which is part of it, nor the signs of C++ and C#


@cache
def _ascii_runs() -> re.Pattern[str]:
    return re.compile(f"(?P<word>[A-Za-z0-9_]+(?:{_JOINERS}[A-Za-z0-9_]+)*{_SUFFIX})")


@cache
def _runs() -> re.Pattern[str]:
    letter = f"[^\\W{scripts.CJK}{scripts.DENSE}]"
    return re.compile(
        f"(?P<cjk>[{scripts.CJK}]+)"
        f"|(?P<dense>[{scripts.DENSE}]+)"
        f"|(?P<sign>[{scripts.EMOJI}]|[\U0001f1e6-\U0001f1ff]{{2}})"
        f"|(?P<word>{letter}(?:{letter}+|[{scripts.mark_class()}]+|{_JOINERS}(?={letter}))*{_SUFFIX})"
    )


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
    full = max(sizes)
    return ("gram" if size == full else "minor" for size in sizes)


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


class _Pieces(Memo[tuple[str, ...]]):
    """Piece -> terms."""

    def __init__(self) -> None:
        super().__init__(self._terms)
        self.compounds = Compounds()

    def _terms(self, piece: str) -> tuple[str, ...]:
        if not piece.isascii():
            return tuple(chain.from_iterable(self.run(kind, run) for kind, run in split_piece(piece)))
        core = piece.strip(_EDGES)
        if len(core) < len(piece):
            return self[core]  # one word stands in many a pair of brackets
        if core.isalpha() and len(core) <= LONGEST_CACHED:
            return self.compounds.words[core]
        runs: list[str] = _ascii_runs().findall(core)
        if len(runs) == 1:
            return tuple(self.compounds.terms(runs[0]))
        return tuple(chain.from_iterable(map(self.compounds.terms, runs)))

    def run(self, kind: RunKind, run: str) -> list[str]:
        """The terms of one run."""
        if kind == "word":
            return list(self.compounds.terms(run))
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
