from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.snippet import clip, highlight
from recollect.text.tokens import Analyzer


def marked(text: str, *words: str) -> list[str]:
    return [text[start:end] for start, end in highlight(text, words)]


@pytest.mark.req("CLIP-01")
@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("We chose Redis. It was quick to set up.", 20, "We chose Redis."),
        ("one two three four", 12, "one two"),
        ("one two three four", 13, "one two three"),
        ("一二三四五。六七八九十", 8, "一二三四五。"),
        ("first line\nsecond line", 14, "first line"),
        ("abcdefghijkl", 5, "abcde"),
        ("anything", 0, ""),
    ],
)
def test_a_text_is_cut_after_a_sentence_or_a_word(text: str, limit: int, expected: str) -> None:
    assert clip(text, limit) == expected


@pytest.mark.req("CLIP-02")
@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("e\u0301" * 10, 5, "e\u0301" * 2),
        ("x" * 4 + "👩\u200d🚀" * 3, 6, "x" * 4),
        ("ab👍🏽cd", 3, "ab"),
        ("ab\ud83d\ude00cd", 3, "ab"),
        ("かか\u3099か", 2, "か"),
    ],
)
def test_a_text_is_never_cut_inside_a_character(text: str, limit: int, expected: str) -> None:
    assert clip(text, limit) == expected


@pytest.mark.req("CLIP-02")
@given(st.text(st.sampled_from("ab .\n。金\u0301\u0e31👍"), max_size=60), st.integers(0, 60))
def test_what_is_left_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    kept = clip(text, limit)
    assert text.startswith(kept)
    assert len(kept) <= limit
    rest = text[len(kept) :]
    characters = sum(unicodedata.category(char)[0] != "M" for char in kept)
    if rest and characters > 1:  # a first character that is longer than the limit is cut all the same
        assert unicodedata.category(rest[0])[0] != "M"


@pytest.mark.req("MARK-01")
@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("We are deploying, then deployed it.", ["deployed"], ["deploying", "deployed"]),
        ("the Café is open", ["cafe"], ["Café"]),
        ("memorySearch.query.hybrid is set", ["hybrid"], ["hybrid"]),
        ("see E-1042 now", ["E-1042"], ["E-1042"]),
        ("an e-mail came", ["email"], ["e-mail"]),
        ("I don\u2019t know", ["don't"], ["don\u2019t"]),
        ("我们讨论了部署方案吧", ["部署", "方案"], ["部署方案"]),
        ("我们讨论了部署", ["部署", "们"], ["部署"]),
        ("金 and 银", ["金"], ["金"]),
        ("เรียนภาษาไทย", ["ภาษา"], ["ภาษา"]),
        ("nothing here", ["redis"], []),
        ("anything", [], []),
        ("done ✅", ["✅"], ["✅"]),
    ],
)
def test_words_of_a_question_are_marked_in_whatever_form(text: str, words: list[str], expected: list[str]) -> None:
    assert marked(text, *words) == expected


@pytest.mark.req("MARK-01")
def test_a_letter_of_an_identifier_is_not_marked_elsewhere() -> None:
    assert marked("plan e and E-1042", "E-1042") == ["E-1042"]


@pytest.mark.req("MARK-01")
def test_an_analyser_that_is_at_hand_can_be_used() -> None:
    assert highlight("two cats", ["cat"], Analyzer()) == ((4, 8),)


@pytest.mark.req("MARK-02")
@given(
    st.text(st.sampled_from("ab A.-_金银ไท \u0301é"), max_size=40),
    st.lists(st.text(st.sampled_from("ab金银ไท"), max_size=4), max_size=3),
)
def test_ranges_are_in_order_inside_the_text_and_do_not_touch(text: str, words: list[str]) -> None:
    before = -1
    for start, end in highlight(text, words):
        assert before < start < end <= len(text)
        before = end
