"""Answer a question: candidates, decay, order, packing, diversity, threshold, and an honest account of it all.

In: a SearchRequest and what the settings say. Out: a SearchResult. Everything that is read, is read inside one read
transaction; the question is embedded before it. Never writes, never looks at the notes themselves.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from recollect.errors import ArgumentError, ProviderError, StoreError
from recollect.rank import bm25, pack
from recollect.rank.weights import KEYWORD
from recollect.retrieve.candidates import Candidates, SideSettings, score_units
from recollect.retrieve.filters import allowed_notes, decay_multipliers
from recollect.retrieve.hits import HitLimits, Scored, make_hits
from recollect.text.byte_limit import split_by_bytes
from recollect.text.dates import parse_day
from recollect.text.query import Query, parse_query
from recollect.types import CitationMode, Freshness, Hit, Problem, SearchMode, SearchResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.protocols import ChunkStore, Clock, Embedder, IndexIdentity, Layout, SearchRequest, StoreReader
    from recollect.rank.bm25 import Corpus
    from recollect.text.tokens import Analyzer

MAX_RESULTS = 200
_FAR = 1e9  # no score comes near it
_LONGEST_INPUT = 8192  # bytes: at most as many tokens, which every provider takes


_DAMAGED_TEXT = Problem(
    code="damaged-rows", message="Some text in the index is damaged and cannot be shown. Run `recollect index`."
)


class QuerySettings(Struct, frozen=True, kw_only=True):
    """What the settings say about questions."""

    max_results: int
    min_score: float
    hybrid: bool
    vector_weight: float
    text_weight: float
    candidate_multiplier: int
    mmr: bool
    mmr_lambda: float
    decay: bool
    half_life_days: float
    citations: CitationMode


class Answer(Struct, frozen=True, kw_only=True):
    """What came out of the read transaction."""

    hits: tuple[Hit, ...] = ()
    mode: SearchMode = "none"
    problems: tuple[Problem, ...] = ()
    missing_vectors: int = 0
    indexed: bool = True
    readable: bool = True
    incomplete: bool = False  # a first index was begun and is not finished


class Searcher:
    """Answers questions from a store; keeps what can be kept from one question to the next."""

    def __init__(
        self,
        *,
        store: ChunkStore,
        embedder: Embedder | None,
        settings: QuerySettings,
        analyzer: Analyzer,
        clock: Clock,
        provider: str,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._analyzer = analyzer
        self._clock = clock
        self._provider = provider
        self._measured: tuple[Layout, Corpus, NDArray[np.int64]] | None = None

    def search(self, request: SearchRequest, *, freshness: Freshness, problems: Sequence[Problem] = ()) -> SearchResult:
        """Answer a question; `freshness` and `problems` are what the caller knows of the index already."""
        limits = self._limits(request)
        query = parse_query(request.query, self._analyzer)
        noted = list(problems)
        if (request.max_results or self._settings.max_results) > MAX_RESULTS:
            noted.append(Problem(code="results-capped", message=f"At most {MAX_RESULTS} results are given at a time."))
        if query.capped:
            noted.append(Problem(code="query-capped", message="The question was very long; only its beginning counts."))
        answer = Answer()
        if query.text and limits.max_results:
            answer = self._ask(request, limits, query, self._embed(query, noted))
        identity = self._embedder.identity if self._embedder is not None else None
        return SearchResult(
            results=answer.hits,
            provider=self._provider,
            model=identity.model if identity is not None else None,
            mode=answer.mode,
            citations=self._settings.citations,
            freshness=Freshness(
                known=freshness.known and answer.readable,
                changed=freshness.changed,
                missing_vectors=answer.missing_vectors,
                indexed=freshness.indexed and answer.indexed,
            ),
            warnings=tuple(dict.fromkeys((*noted, *answer.problems, *_gaps(answer)))),  # each is said once
        )

    def _ask(
        self, request: SearchRequest, limits: HitLimits, query: Query, vector: NDArray[np.float32] | None
    ) -> Answer:
        """What the index answers. One that cannot be read answers nothing and says so: no search breaks on it."""
        try:
            if not self._store.exists():
                return Answer(indexed=False)
            return self._store.read(lambda reader: self._answer(reader, request, limits, query, vector))
        except StoreError as error:
            return Answer(problems=(Problem(code=error.code, message=str(error)),), readable=False)

    def _limits(self, request: SearchRequest) -> HitLimits:
        most: object = self._settings.max_results if request.max_results is None else request.max_results
        least: object = self._settings.min_score if request.min_score is None else request.min_score
        if isinstance(most, bool) or not isinstance(most, int) or most < 0:
            raise ArgumentError("max_results must be a whole number, 0 or more.", hint="Try max_results=6.")
        if (
            isinstance(least, bool)
            or not isinstance(least, (int, float))
            or (isinstance(least, float) and isnan(least))
        ):
            raise ArgumentError("min_score must be a number.", hint="Scores lie between 0 and 1; try min_score=0.35.")
        settings = self._settings
        return HitLimits(
            max_results=min(most, MAX_RESULTS),
            min_score=float(min(max(least, -_FAR), _FAR)),  # a whole number may have more digits than a float
            strict=request.min_score is not None,
            pool=50 * settings.candidate_multiplier,
            mmr_lambda=settings.mmr_lambda if settings.mmr and settings.hybrid else None,
            citations=settings.citations,
        )

    def _embed(self, query: Query, noted: list[Problem]) -> NDArray[np.float32] | None:
        """The question's vector, outside any transaction; a provider that fails costs its vote, not the answer."""
        if self._embedder is None:
            return None
        try:
            # A question is longer than any model reads long before it is as long as a question may be.
            vector = self._embedder.embed_query(split_by_bytes(query.text, _LONGEST_INPUT)[0])
        except ProviderError as error:
            noted.append(Problem(code="provider-failed", message=f"Only words were searched: {error}"))
            return None
        return vector if vector.any() else None

    def _answer(
        self,
        reader: StoreReader,
        request: SearchRequest,
        limits: HitLimits,
        query: Query,
        vector: NDArray[np.float32] | None,
    ) -> Answer:
        identity = reader.identity()
        if identity is None:
            return Answer(indexed=False)
        problems: list[Problem] = []
        layout = reader.layout()
        if vector is not None and (why := _foreign(identity, self._embedder)):
            problems.append(Problem(code="other-model", message=why))
            vector = None
        state = reader.sync_state()
        lengths, ends = self._measure(layout)
        found = score_units(reader, layout, lengths, query, vector, self._sides(vector), KEYWORD)
        decays = self._decays(layout)
        scores = self._final_scores(layout, found, decays, request)
        scored = Scored(
            layout=layout,
            ends=ends,
            found=found,
            decays=decays,
            scores=scores,
            query=query,
            request=request,
            limits=limits,
        )
        vectors_missing = reader.stats().missing_vectors if self._embedder is not None else 0
        hits = make_hits(reader, scored)
        if not all(hit.snippet for hit in hits):
            problems.append(_DAMAGED_TEXT)
        return Answer(
            hits=hits,
            mode=_mode(found),
            problems=(*problems, *found.problems),
            missing_vectors=vectors_missing,
            incomplete=state is not None and not state.complete,
        )

    def _measure(self, layout: Layout) -> tuple[Corpus, NDArray[np.int64]]:
        if self._measured is None or self._measured[0] is not layout:
            self._measured = (layout, bm25.corpus(layout, KEYWORD), pack.positions(layout))
        return self._measured[1:]

    def _sides(self, vector: NDArray[np.float32] | None) -> SideSettings:
        settings = self._settings
        vector_only = not settings.hybrid and vector is not None
        return SideSettings(
            words_wanted=not vector_only,
            text_weight=settings.text_weight,
            vector_weight=settings.vector_weight,
            trust=self._embedder.identity.trust if self._embedder is not None else 0.0,
        )

    def _decays(self, layout: Layout) -> NDArray[np.float32] | None:
        if not (self._settings.decay and self._settings.hybrid):
            return None
        return decay_multipliers(layout, self._clock(), self._settings.half_life_days)

    def _final_scores(
        self, layout: Layout, found: Candidates, decays: NDArray[np.float32] | None, request: SearchRequest
    ) -> NDArray[np.float32]:
        scores = found.fused.score
        if decays is not None:
            scores = scores * decays[layout.unit_note]
        allowed = allowed_notes(
            layout,
            request.sources,
            parse_day(request.since) if request.since is not None else None,
            parse_day(request.until) if request.until is not None else None,
        )
        return scores if allowed is None else np.where(allowed[layout.unit_note], scores, np.float32(0))


def _foreign(stored: IndexIdentity, embedder: Embedder | None) -> str | None:
    """Why the question's vector cannot be compared with the stored ones."""
    if embedder is None:
        return None
    mine = embedder.identity
    if (stored.provider, stored.model, stored.fingerprint, stored.dims) == (
        mine.provider,
        mine.model,
        mine.fingerprint,
        mine.dims,
    ):
        return None
    return (
        f"Only words were searched: the index holds vectors of {stored.provider} {stored.model} ({stored.dims} "
        f"dimensions), the question's are of {mine.provider} {mine.model} ({mine.dims}). Run `recollect index`."
    )


def _mode(found: Candidates) -> SearchMode:
    match (found.words_voted, found.vectors_voted):
        case (True, True):
            return "hybrid"
        case (True, False):
            return "keyword"
        case (False, True):
            return "vector"
        case _:
            return "none"


def _gaps(answer: Answer) -> list[Problem]:
    """What is missing from an answer because of the state of the index."""
    gaps = []
    if not answer.indexed:
        gaps.append(Problem(code="not-indexed", message="Nothing is indexed yet. Run `recollect index`."))
    if answer.incomplete:
        gaps.append(
            Problem(code="index-incomplete", message="The first index is not finished; this answer rests on a part.")
        )
    if answer.missing_vectors:
        gaps.append(
            Problem(
                code="vectors-missing",
                message=f"{answer.missing_vectors} chunks have no vector yet and were searched by words alone.",
            )
        )
    return gaps
