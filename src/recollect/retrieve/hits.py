"""From scored units to hits: who is admitted, packing, diversity, citations, explanations.

In: one read transaction and everything that is known of a question's candidates. Out: hits, best first. Reads the own
text of the chunks that are shown, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct

from recollect.rank import pack, snippets
from recollect.rank.diversify import diversify
from recollect.rank.weights import PACK
from recollect.types import CitationMode, Explanation, Hit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.protocols import Layout, SearchRequest, StoreReader
    from recollect.retrieve.candidates import Candidates
    from recollect.text.query import Query


class HitLimits(Struct, frozen=True, kw_only=True):
    """How many hits are wanted and who may be one."""

    max_results: int
    min_score: float
    strict: bool  # the caller named a score: it holds for every hit
    pool: int  # best units that are looked at, whatever the number of results
    mmr_lambda: float | None  # None: the order of scores
    citations: CitationMode


class Scored(Struct, frozen=True, eq=False, kw_only=True):
    """All that is known of a question's candidates."""

    layout: Layout
    ends: NDArray[np.int64]  # positions of units, as packing needs them
    found: Candidates
    decays: NDArray[np.float32] | None
    scores: NDArray[np.float32]  # final: fused, decayed, 0 where a filter forbids the note
    query: Query
    request: SearchRequest
    limits: HitLimits


def make_hits(reader: StoreReader, scored: Scored) -> tuple[Hit, ...]:
    """The best admitted units, packed into snippets and put in order."""
    limits = scored.limits
    mmr = limits.mmr_lambda
    # Variety is sought among all candidates: among a share of them the first hits would depend on how many are wanted.
    wanted = limits.max_results if mmr is None else limits.pool
    admitted = [unit for unit in _best(scored.scores, limits.pool) if _is_admitted(scored, unit)]
    packed = pack.pack(admitted, scored.scores, scored.layout, scored.ends, wanted, PACK)
    shown = _read_snippets(reader, scored.layout, packed)
    order: Sequence[int] = range(len(packed))
    if mmr is not None:
        order = diversify(
            [float(scored.scores[hit.best]) for hit in packed], [text.text for text in shown], mmr, limits.max_results
        )
    return tuple(
        _hit(scored, packed[i], shown[i], None if mmr is None else rank)
        for rank, i in enumerate(order[: limits.max_results], 1)
    )


def _best(scores: NDArray[np.float32], count: int) -> list[int]:
    """The ordinals of the best scores above 0, best first; equal scores in reading order."""
    near = np.flatnonzero(scores > 0)
    if len(near) > count:
        least = np.partition(scores[near], len(near) - count)[-count]
        near = near[scores[near] >= least]
    best: list[int] = near[np.lexsort((near, -scores[near]))][:count].tolist()
    return best


def _is_admitted(scored: Scored, unit: int) -> bool:
    """Whether a unit may be an answer.

    A threshold that was made for cosines must not cut what the words found: a hit by words has its own rule, and one
    by meaning is measured by its own cosine, not by what is left of it beside words that say nothing.
    """
    score, least = float(scored.scores[unit]), scored.limits.min_score
    if scored.limits.strict or score >= least:
        return score >= least
    return _holds_words(scored, unit) or _is_near(scored, unit)


def _holds_words(scored: Scored, unit: int) -> bool:
    return scored.found.words is not None and bool(scored.found.words.matched[unit])


def _is_near(scored: Scored, unit: int) -> bool:
    cosines = scored.found.cosines
    return cosines is not None and float(cosines[unit]) >= scored.limits.min_score  # never where it is NaN


def _read_snippets(reader: StoreReader, layout: Layout, packed: Sequence[pack.Packed]) -> list[snippets.Snippet]:
    needed = sorted(set().union(*(snippets.chunks_needed(hit, layout) for hit in packed)))
    texts = dict(zip(needed, reader.texts([int(layout.chunk_ids[chunk]) for chunk in needed]), strict=True))
    return [snippets.snippet(hit, layout, texts, PACK.snippet_chars) for hit in packed]


def _hit(scored: Scored, packed: pack.Packed, shown: snippets.Snippet, mmr_rank: int | None) -> Hit:
    layout = scored.layout
    chunk, note = int(layout.unit_chunk[packed.best]), layout.notes[int(layout.unit_note[packed.best])]
    start, end = shown.spans[0].start_line, shown.spans[-1].end_line
    return Hit(
        path=note.path,
        start_line=start,
        end_line=end,
        score=float(scored.scores[packed.best]),
        snippet=shown.text,
        source=note.source,
        citation=cite(note.path, start, end) if _cites(scored) else None,
        spans=shown.spans if len(shown.spans) > 1 else (),
        chunk_start_line=int(layout.chunk_start_line[chunk]),
        chunk_end_line=int(layout.chunk_end_line[chunk]),
        explanation=_explain(scored, packed, mmr_rank) if scored.request.explain else None,
    )


def cite(path: str, start: int, end: int) -> str:
    """Where a hit stands: path#L5 or path#L5-L9."""
    return f"{path}#L{start}" if start == end else f"{path}#L{start}-L{end}"


def _cites(scored: Scored) -> bool:
    match scored.limits.citations:
        case "on":
            return True
        case "off":
            return False
        case "auto":
            return scored.request.direct_chat


def _explain(scored: Scored, packed: pack.Packed, mmr_rank: int | None) -> Explanation:
    unit, fused = packed.best, scored.found.fused
    return Explanation(
        text_score=float(fused.text[unit]),
        vector_score=float(fused.vector[unit]),
        text_weight=fused.weights.text,
        vector_weight=fused.weights.vector,
        decay=1.0 if scored.decays is None else float(scored.decays[scored.layout.unit_note[unit]]),
        mmr_rank=mmr_rank,
        admitted=_admitted_by(scored, unit),
        terms=_words(scored, packed.matched),
    )


def _admitted_by(scored: Scored, unit: int) -> Literal["score", "keyword", "meaning"]:
    if float(scored.scores[unit]) >= scored.limits.min_score:
        return "score"
    return "keyword" if _holds_words(scored, unit) else "meaning"


def _words(scored: Scored, units: Sequence[int]) -> tuple[str, ...]:
    """The question's words that a hit holds."""
    if scored.found.words is None:
        return ()
    numbers = scored.found.words.words_of(units)
    return tuple(dict.fromkeys(scored.query.terms[number].word for number in numbers))
