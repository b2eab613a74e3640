from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.keywords import keywords
from recollect.text.stopwords import empty_spans, empty_words, latin_language, stop_words, without_particle

if TYPE_CHECKING:
    from recollect.text.stopword_lists import Language


@pytest.mark.req("KEYWORD-01")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("that thing we discussed about the API", "discussed api"),
        ("what was the solution for the CFR bug", "solution cfr bug"),
        ("the a an is are", ""),
        ("", ""),
        ("2026 12", ""),
        ("test test testing", "test testing"),
        ("go ai k8s", "k8s"),
        ("v1.2 error_code E-1042", "v1.2 v1 error_code error code e-1042"),
        ("ayer hablamos sobre la estrategia de despliegue", "hablamos estrategia despliegue"),
        ("بالأمس ناقشنا استراتيجية النشر", "ناقشنا استراتيجية النشر"),
        ("Wann war das Treffen mit Jürgen?", "treffen jürgen"),
    ],
)
def test_keywords_are_the_full_words_in_their_order(text: str, expected: str) -> None:
    assert " ".join(keywords(text)) == expected


@pytest.mark.req("KEYWORD-02")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("之前讨论的那个方案", "之 讨 论 个 方 案 前讨 讨论 论的 的那 个方 方案"),
        ("昨天讨论的 API design", "昨 天 讨 论 天讨 讨论 论的 api design"),
    ],
)
def test_chinese_keywords_are_characters_and_pairs(text: str, expected: str) -> None:
    assert " ".join(keywords(text)) == expected


@pytest.mark.req("KEYWORD-03")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("어제 논의한 배포 전략", "논의한 배포 전략"),
        ("서버에서 발생한 에러를 확인", "서버에서 서버 발생한 에러를 에러 확인"),
        ("API를 배포했다", "api를 api 배포했다"),
        ("논의", "논의"),
    ],
)
def test_korean_keywords_stand_with_and_without_their_particle(text: str, expected: str) -> None:
    assert " ".join(keywords(text)) == expected


@pytest.mark.req("KEYWORD-03")
@pytest.mark.parametrize(
    ("word", "stem"), [("서버에서는", "서버"), ("에러를", "에러"), ("논의", "논의"), ("확인", "확인")]
)
def test_a_particle_goes_where_two_syllables_are_left(word: str, stem: str) -> None:
    assert without_particle(word) == stem


@pytest.mark.req("KEYWORD-04")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("昨日話したデプロイ戦略", "昨日話 日話 デプロイ 戦略"), ("昨日話したAPIのバグ", "昨日話 日話 api バグ")],
)
def test_japanese_keywords_are_runs_of_one_script(text: str, expected: str) -> None:
    assert " ".join(keywords(text)) == expected


@pytest.mark.req("KEYWORD-01")
@given(st.text(max_size=60))
def test_a_keyword_stands_once_and_is_never_empty(text: str) -> None:
    found = keywords(text)
    assert len(found) == len(set(found))
    assert all(word and not any(char.isspace() for char in word) for word in found)


@pytest.mark.req("KEYWORD-05")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what did we decide about the cache", "en"),
        ("was haben wir über den cache entschieden", "de"),
        ("que decidimos sobre la cache", "es"),
        ("que avons nous decide sur le cache", "fr"),
        ("che cosa abbiamo deciso sulla cache", "it"),
        ("wat hebben we besloten over de cache", "nl"),
        ("o que nos decidimos sobre o cache em casa", "pt"),
        ("redis cache", None),
        ("docker war", None),
    ],
)
def test_the_language_is_told_by_its_empty_words(text: str, language: str | None) -> None:
    assert latin_language(text.split()) == language


@pytest.mark.req("KEYWORD-05")
def test_words_of_another_language_are_not_empty() -> None:
    empty = empty_words(["when", "did", "the", "war", "end"])
    assert "war" not in empty
    assert {"when", "did", "the"} <= empty


@pytest.mark.req("KEYWORD-05")
@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it", "nl", "pt", "ru", "ar", "ko", "ja", "zh"])
def test_every_language_has_a_list_that_can_match(language: Language) -> None:
    words = stop_words(language)
    assert len(words) >= 50
    assert all(word and not any(char.isupper() or char.isspace() for char in word) for word in words)


@pytest.mark.req("KEYWORD-05")
def test_empty_words_in_a_run_are_taken_longest_first() -> None:
    assert empty_spans("什么时候部署的", kana=False) == [(0, 4), (6, 7)]
    assert empty_spans("部署", kana=False) == []
    assert empty_spans("昨日の価格", kana=True) == [(0, 2), (2, 3)]
