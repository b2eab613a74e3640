from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.text import words
from recollect.text.tokens import Analyzer

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.req("WORDS-14")
def test_a_piece_is_analysed_once_whatever_stands_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    whole = words.Compounds.terms

    def counted(compounds: words.Compounds, run: str) -> Sequence[str]:
        seen.append(run)
        return whole(compounds, run)

    monkeypatch.setattr(words.Compounds, "terms", counted)
    analyzer = Analyzer()
    analyzer.terms("a-b c-d (a-b)")
    analyzer.terms("`a-b`, a-b")
    assert seen == ["a-b", "c-d"]


@pytest.mark.req("WORDS-14")
def test_what_is_met_again_and_again_outlives_what_was_met_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MOST_CACHED", 10)
    asked: list[str] = []

    def work_out(key: str) -> str:
        asked.append(key)
        return key

    memo = words.Memo(work_out)
    for number in range(100):
        assert memo[f"rare{number}"] == f"rare{number}"
        assert memo["often"] == "often"
    assert asked.count("often") == 1
    assert memo["rare0"] == "rare0"
    assert asked.count("rare0") == 2


@pytest.mark.req("WORDS-14")
def test_what_is_kept_is_bounded_and_a_long_piece_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MOST_CACHED", 50)
    analyzer = Analyzer()
    first = analyzer.terms(" ".join(f"word{n}" for n in range(500)))
    compounds = analyzer._pieces.compounds
    for memo in (analyzer._pieces, compounds.words, compounds.words.stems):
        assert len(memo) <= 50
        assert len(memo._older) <= 50
    assert first == analyzer.terms(" ".join(f"word{n}" for n in range(500)))
    analyzer.terms("x" * 1_000)
    assert all(len(piece) <= words.LONGEST_CACHED for piece in analyzer._pieces)
