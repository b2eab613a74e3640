from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.rank.diversify import diversify, jaccard, mmr_score, tokens


@pytest.mark.req("MMR-01")
def test_words_are_lower_cased_and_punctuation_is_none() -> None:
    assert tokens("Hello World 123") == {"hello", "world", "123"}
    assert tokens("hello_world test_case") == {"hello_world", "test_case"}
    assert tokens("!!! ... ---") == set()


@pytest.mark.req("MMR-02")
def test_jaccard_is_the_share_of_common_words() -> None:
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 1
    assert jaccard(frozenset("a"), frozenset()) == 0


@pytest.mark.req("MMR-03")
@pytest.mark.parametrize(
    ("relevance", "similarity", "lam", "expected"),
    [(0.8, 0.5, 1, 0.8), (0.8, 0.5, 0, -0.5), (0.8, 0.6, 0.5, 0.1), (1, 0.5, 0.7, 0.55)],
)
def test_the_mmr_score_weighs_relevance_against_similarity(
    relevance: float, similarity: float, lam: float, expected: float
) -> None:
    assert mmr_score(relevance, similarity, lam) == pytest.approx(expected)


_FRUIT = (["apple banana cherry", "apple banana date", "elderberry fig grape"], [1.0, 0.9, 0.8])


@pytest.mark.req("MMR-04")
@pytest.mark.parametrize("lam", [1, 1.5])
def test_lambda_one_and_above_keep_the_order_of_scores(lam: float) -> None:
    texts, scores = _FRUIT
    assert diversify([0.2, 0.9, 0.5], texts, lam) == (1, 2, 0)
    assert diversify(scores[:1], texts[:1], 0.3) == (0,)
    assert diversify([], [], 0.3) == ()


@pytest.mark.req("MMR-05")
@pytest.mark.parametrize("lam", [0, -0.5])
def test_lambda_zero_and_below_put_the_different_before_the_alike(lam: float) -> None:
    texts, scores = _FRUIT
    assert diversify(scores, texts, lam) == (0, 2, 1)


@pytest.mark.req("MMR-05")
def test_identical_content_gives_way_to_different_content() -> None:
    texts = ["identical content", "identical content", "different stuff"]
    assert diversify([1.0, 0.9, 0.8], texts, 0.5) == (0, 2, 1)


@pytest.mark.req("MMR-05")
def test_another_subject_comes_second_among_near_duplicates() -> None:
    texts = [
        "machine learning is great",
        "machine learning models are great",
        "database systems store rows",
        "machine learning algorithms are great",
    ]
    assert diversify([0.9, 0.85, 0.7, 0.8], texts, 0.5)[1] == 2


@pytest.mark.req("MMR-06")
def test_negative_scores_keep_their_order() -> None:
    assert diversify([-1.0, -0.5], ["one thing", "other matter"], 0.7)[0] == 1


_ROUTER = (
    [
        "Configured Omada router, set VLAN 10 for IoT devices",
        "Configured Omada router, moved IoT to VLAN 10",
        "Set up AdGuard DNS on 192.168.10.2",
        "Router: Omada ER605, AdGuard: 192.168.10.2, VLAN 10: IoT",
    ],
    [0.92, 0.89, 0.78, 0.85],
)


@pytest.mark.req("MMR-07")
def test_the_near_duplicate_of_the_seeds_router_example_comes_last() -> None:
    texts, scores = _ROUTER
    assert diversify(scores, texts, 0.7) == (0, 2, 3, 1)
    assert diversify(scores, texts, 0) == (0, 2, 3, 1)


@pytest.mark.req("MMR-08")
def test_unrelated_texts_in_han_are_not_alike() -> None:
    assert jaccard(tokens("今天玩成语接龙游戏"), tokens("昨晚修好了路由器")) < 0.1
    assert jaccard(tokens("今天玩成语接龙游戏"), tokens("今天玩成语接龙")) > 0.6


def _by_definition(scores: list[float], texts: list[str], lam: float) -> tuple[int, ...]:
    words = [tokens(text) for text in texts]
    left = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    chosen: list[int] = []
    while left:

        def worth(i: int) -> tuple[float, float, int]:
            similarity = max((jaccard(words[i], words[j]) for j in chosen), default=0.0)
            return lam * scores[i] - (1 - lam) * similarity, scores[i], -i

        best = max(left, key=worth)
        left.remove(best)
        chosen.append(best)
    return tuple(chosen)


@pytest.mark.req("MMR-09")
@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1, 1), st.text("abcd 中国", max_size=12)), max_size=24),
    st.sampled_from([0, 0.3, 0.5, 0.7, 0.95]),
)
def test_the_order_equals_the_plain_definition(hits: list[tuple[float, str]], lam: float) -> None:
    scores, texts = [score for score, _ in hits], [text for _, text in hits]
    assert diversify(scores, texts, lam) == _by_definition(scores, texts, lam)
