"""Rows of the reference on searching, asked of the whole library."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from e2e.kit import NONE, Open, codes, paths
from recollect.errors import FullError
from recollect.protocols import EmbedderIdentity
from recollect.sources.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.testing.workspace import Workspace
    from recollect.types import NoteText, SourceFile


class TwoSubjects:
    """A model that knows two subjects: texts with `mark` are of the one, all others of the other."""

    def __init__(self, mark: str, *, question: tuple[float, float] = (1, 0)) -> None:
        self.identity = EmbedderIdentity(
            provider="two",
            model="two",
            fingerprint="two-1",
            dims=2,
            grain="chunk",
            dtype="float32",
            cached=False,
            trust=1.0,
        )
        self._mark = mark
        self._question = question

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One of two directions."""
        return np.array([(1, 0) if self._mark in text else (0, 1) for text in texts], dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same vector for every question."""
        assert text
        return np.array(self._question, dtype=np.float32)


def _weights(vector: float, text: float) -> dict[str, object]:
    return {"query": {"minScore": 0, "hybrid": {"vectorWeight": vector, "textWeight": text}}}


_CRAFTED = {
    "memory/near.md": "# Boats\n\nThe dinghy and the ketch lie at the northern pier.\n",
    "memory/word.md": "# Kitchen\n\nThe yacht was the name of a pudding.\n",
}


@pytest.fixture
def crafted(empty: Workspace) -> Workspace:
    for path, text in _CRAFTED.items():
        empty.write(path, text)
    return empty


@pytest.mark.req("ROW-MERGE-01")
@pytest.mark.parametrize(("vector", "text", "first"), [(0.99, 0.01, "near"), (0.01, 0.99, "word")])
def test_the_weights_decide_between_what_is_near_and_what_holds_the_word(
    vector: float, text: float, first: str, crafted: Workspace, open_memory: Open
) -> None:
    memory = open_memory(_weights(vector, text), embedder=TwoSubjects("dinghy"))
    memory.sync()
    result = memory.search("yacht")
    assert result.mode == "hybrid"
    assert sorted(paths(result)) == ["memory/near.md", "memory/word.md"]
    assert result[0].path == f"memory/{first}.md"


@pytest.mark.req("ROW-MERGE-02")
def test_a_question_whose_vector_is_zero_is_answered_by_its_words(crafted: Workspace, open_memory: Open) -> None:
    memory = open_memory(_weights(0, 1), embedder=TwoSubjects("dinghy", question=(0, 0)))
    memory.sync()
    result = memory.search("yacht")
    assert (paths(result), result.mode, codes(result)) == (["memory/word.md"], "keyword", [])
    assert result[0].score == 1


@pytest.mark.req("ROW-MERGE-03")
@pytest.mark.parametrize("provider", ["none", "two"])
@pytest.mark.parametrize("place", [0, 6, 13, 19])
def test_the_snippet_shows_the_word_wherever_in_the_chunk_it_stands(
    place: int, provider: str, empty: Workspace, open_memory: Open
) -> None:
    lines = [f"Line {n} speaks of ropes and tides and of nothing else at all, at length." for n in range(20)]
    lines[place] = "Here the marzipan is mentioned."
    empty.write("memory/long.md", "\n".join(lines))
    memory = open_memory(NONE, embedder=None) if provider == "none" else open_memory(embedder=TwoSubjects("m"))
    memory.sync()
    assert memory.status().chunks == 1
    result = memory.search("marzipan")
    assert ["marzipan" in hit.snippet for hit in result] == [True] + [False] * (len(result) - 1)
    assert result[0].start_line <= place + 1 <= result[0].end_line


_ROWS = {
    "memory/han.md": "今天玩成语接龙游戏\n",
    "memory/latin.md": "Café naïve E-1042 foo_bar\n",
    "memory/gateway.md": "use the AI gateway\n",
}


@pytest.mark.req("ROW-FTS-01")
@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("成语接龙", "han"),
        ("成语", "han"),
        ("成语接龙 AI", "han gateway"),
        ("cafe", "latin"),
        ("CAFÉ", "latin"),
        ("foo", "latin"),
        ("foo_bar", "latin"),
        ("E 1042", "latin"),
        ("AI", "gateway"),
        ("gateways", "gateway"),
        ("atew", ""),
    ],
)
def test_words_parts_and_han_are_found_without_a_choice_of_tokenizer(
    question: str, found: str, empty: Workspace, open_memory: Open
) -> None:
    for path, text in _ROWS.items():
        empty.write(path, text)
    memory = open_memory(NONE, embedder=None)
    memory.sync()
    assert sorted(paths(memory.search(question))) == sorted(f"memory/{name}.md" for name in found.split())


@pytest.mark.req("ROW-SCORE-01")
@pytest.mark.parametrize("size", [1, 2, 3, 10, 50])
def test_the_default_threshold_cuts_no_word_however_small_the_memory_and_common_the_word(
    size: int, empty: Workspace, open_memory: Open
) -> None:
    for n in range(size):
        empty.write(f"memory/n{n}.md", f"A seagull passed{' and a zeppelin' if n == 0 else ''}.\n")
    memory = open_memory(NONE, embedder=None)
    memory.sync()
    assert paths(memory.search("zeppelin")) == ["memory/n0.md"]
    everywhere = memory.search("seagull", max_results=100)
    assert len(everywhere) == size
    assert all(hit.score >= 0.35 for hit in everywhere)


@pytest.mark.req("ROW-BOOST-01")
def test_a_note_whose_path_holds_the_words_comes_first_and_one_without_them_is_no_hit(
    empty: Workspace, open_memory: Open
) -> None:
    empty.write("memory/router.md", "The router and its vlan are set up here.\n")
    empty.write("memory/diary.md", "The router and its vlan are spoken of here.\n")
    empty.write("memory/x.md", "Nothing.\n")
    memory = open_memory(NONE, embedder=None)
    memory.sync()
    result = memory.search("router vlan")
    assert paths(result) == ["memory/router.md", "memory/diary.md"]
    assert result[0].score == pytest.approx(1)
    assert result[1].score < 1


@pytest.mark.req("ROW-INDEX-02")
def test_a_sync_that_fails_within_a_search_costs_a_warning_and_not_the_answer(
    notes: Workspace, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_memory().sync()
    notes.append("memory/people.md", "\nTeo keeps a zeppelin.\n")

    def full(reader: Reader, file: SourceFile) -> NoteText:
        raise FullError("There is no room on the disk.", hint="Make some.")

    monkeypatch.setattr(Reader, "read", full)
    result = open_memory().search("trombone")
    assert paths(result)[:1] == ["memory/people.md"]
    assert codes(result) == [FullError.code, "stale"]


_MMR = {"query": {"hybrid": {"mmr": {"enabled": True, "lambda": 0.5}}}}


@pytest.mark.req("ROW-MMR-02")
def test_with_variety_too_the_best_hits_do_not_depend_on_how_many_were_asked_for(
    empty: Workspace, open_memory: Open
) -> None:
    for n in range(40):  # a dozen that are alike, and behind them weaker ones that differ
        alike = f"Ropes and tides in the harbour, and again ropes and tides, as on every day; number {n}."
        other = f"Ropes{n}a and tides: {' '.join(f'thing{n}x{m}' for m in range(6))}."
        empty.write(f"memory/day-{n}.md", alike if n < 12 else other)
    memory = open_memory(_MMR)
    memory.sync()
    everything = list(memory.search("ropes tides harbour", max_results=40))
    assert len(everything) == 40
    for count in (1, 2, 3, 6, 10, 25):
        assert list(memory.search("ropes tides harbour", max_results=count)) == everything[:count]


@pytest.mark.req("ROW-PACK-01")
@pytest.mark.parametrize("config", [None, _MMR], ids=["plain", "mmr"])
@pytest.mark.parametrize("question", ["rope lantern", "kettle", "gull pier boat"])
def test_what_a_hit_shows_and_cites_does_not_depend_on_how_many_were_asked_for(
    config: dict[str, object] | None, question: str, empty: Workspace, open_memory: Open
) -> None:
    chance = random.Random(3)  # noqa: S311 - the same notes in every run
    words = ["rope", "tide", "harbour", "gull", "pier", "boat", "winter", "summer", "kettle", "lantern", "tea", "bread"]
    for n in range(4):
        paragraphs = (" ".join(chance.choices(words, k=chance.randrange(10, 55))) for _ in range(25))
        empty.write(f"memory/n{n}.md", ".\n\n".join(paragraphs) + ".\n")
    memory = open_memory(config, embedder=None)
    memory.sync()
    everything = list(memory.search(question, max_results=50))
    assert len(everything) > 10
    for count in (1, 2, 3, 6, 10):
        assert list(memory.search(question, max_results=count)) == everything[:count]
