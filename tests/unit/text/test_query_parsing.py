from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text import query
from recollect.text.query import Query, QueryTerm, parse_query
from recollect.text.tokens import Analyzer

ANALYZER = Analyzer()


def parse(text: str) -> Query:
    return parse_query(text, ANALYZER)


def words(text: str) -> list[str]:
    return [term.term for term in parse(text).terms]


def weights(text: str) -> dict[str, float]:
    return {term.term: term.weight for term in parse(text).terms}


# --- the rows of the reference ---------------------------------------------------------------------------------------


@pytest.mark.req("QUERY-01")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello world", ["hello", "world"]),
        ("FOO_bar baz-1", ["foo_bar", "foo", "bar", "baz-1", "baz1", "baz", "1"]),
        ("価格 2026年", ["価", "価格", "格", "2026", "年"]),
        ("金银价格", ["金", "金银", "银", "银价", "价", "价格", "格"]),
        ('C++ "quoted" a\'b', ["c++", "c", "quot", "ab"]),
        ("OR AND NOT", ["or", "and", "not"]),
        (
            "memory/2026-02-10.md",
            ["memory/2026-02-10.md", "2026-02-10.md", "2026-02-10", "memori", "2026", "02", "10", "md"],
        ),
        ("e\u0301te\u0301", ["ete"]),
    ],
)
def test_a_question_becomes_these_terms(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.req("QUERY-01")
def test_a_term_stands_once_with_what_was_typed() -> None:
    assert parse("Deploying deployed deploys").terms == (QueryTerm("deploy", 1.0, "Deploying"),)


@pytest.mark.req("QUERY-02")
@pytest.mark.parametrize(
    "text",
    [
        'foo"', "a AND", "NEAR(a", "a:b", "{a b}:c", "AND", "x'y", "a.b", "--error-on-warnings", "multi-agent",
        "'; DROP TABLE chunks;-- %_", "NO_REPLY", "<|silent|>", "foo*", "col:term^2", "(a OR b) -c",
    ],
)  # fmt: skip
def test_syntax_of_search_engines_is_plain_text(text: str) -> None:
    assert {term for word in text.split() for term in words(word)} >= set(words(text))
    assert words(text)


@pytest.mark.req("QUERY-02")
def test_an_operator_among_words_is_an_empty_word() -> None:
    assert words("redis AND valkey") == ["redi", "valkey"]


@pytest.mark.req("QUERY-03")
@pytest.mark.parametrize(
    "text", ["", "   \n\t ", "\x00", '"', "^", ")", "+", '"' * 10_000, "\ud800", "\u200b\u00ad", "?!"]
)
def test_nothing_to_look_for_gives_no_terms_and_no_text(text: str) -> None:
    found = parse(text)
    assert (found.terms, found.support, found.phrases, found.text) == ((), (), (), "")


@pytest.mark.req("QUERY-03")
def test_control_characters_and_lone_surrogates_are_removed() -> None:
    assert parse(" re\x00dis\ud83d cache\x07 ").text == "re dis  cache"


# --- size ------------------------------------------------------------------------------------------------------------


@pytest.mark.req("QUERY-04")
def test_a_question_of_a_megabyte_is_cut_and_says_so() -> None:
    long = " ".join(f"word{n}x" for n in range(120_000))
    found = parse(long)
    assert found.capped
    assert len(found.text) <= query.LONGEST_QUERY
    assert len(found.terms) == query.MOST_TERMS
    assert long.startswith(found.text + " ")


@pytest.mark.req("QUERY-04")
def test_an_ordinary_question_is_not_capped() -> None:
    assert not parse("what did we decide about the cache").capped


@pytest.mark.req("QUERY-04")
def test_a_question_without_spaces_is_cut_too() -> None:
    found = parse("金" * 9_000)
    assert found.capped
    assert len(found.text) == query.LONGEST_QUERY


@pytest.mark.req("QUERY-04")
def test_of_too_many_terms_the_heaviest_stay_in_their_order() -> None:
    text = "".join(chr(0x6800 + n) for n in range(400)) + " redis"
    found = parse(text)
    assert found.capped
    assert len(found.terms) == query.MOST_TERMS
    assert {term.weight for term in found.terms} == {1.0}
    assert [term.term for term in found.terms] == [text[at : at + 2] for at in range(query.MOST_TERMS)]


@pytest.mark.req("QUERY-04")
@pytest.mark.parametrize(
    "huge",
    [
        '"' * 500_000 + "\x00" * 500_000 + " ".join(f"word{n}" for n in range(20_000)),
        "金银价格" * 5_000,
        "の" * 20_000,
        "서버에서" * 5_000,
        "ภาษา" * 5_000,
        "什么" * 10_000,
        '"a" ' * 20_000,
        "a-" * 20_000,
    ],
    ids=range(8),
)
def test_a_huge_question_costs_in_proportion(huge: str) -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        parse_query(text, Analyzer())
        return time.process_time() - start

    ordinary = " ".join(f"word{n}" for n in range(1_000))
    assert seconds(huge) < 100 * seconds(ordinary)


# --- empty words -----------------------------------------------------------------------------------------------------


@pytest.mark.req("QUERY-05")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did I say about Redis?", ["redi"]),
        ("when was the deployment", ["deploy"]),
        ("Was haben wir über Redis entschieden?", ["redi", "entschieden"]),
        ("¿Qué decidimos sobre Redis?", ["decidimo", "redi"]),
        ("Qu'est-ce que nous avons décidé sur Redis ?", ["quest-c", "quest-ce", "questc", "decid", "redi"]),
        ("Когда мы выбрали Redis?", ["выбра", "redi"]),
        ("ماذا قلت عن النشر", ["نشر"]),
        ("어제 배포", ["배", "배포", "포"]),
        ("昨日の価格", ["日の", "の価", "価", "価格", "格"]),
        ("什么时候部署", ["候部", "部", "部署", "署"]),
    ],
)
def test_empty_words_are_left_out(text: str, expected: list[str]) -> None:
    found = words(text)
    assert [term for term in found if term in expected] == [term for term in expected if term in found]
    assert set(found) <= set(expected)
    assert expected[-1] in found


@pytest.mark.req("QUERY-05")
@pytest.mark.parametrize("text", ["the a an", "what is it", "什么", "그리고", "и"])
def test_a_question_of_empty_words_alone_keeps_them(text: str) -> None:
    found = parse(text)
    assert [term.term for term in found.terms] == list(dict.fromkeys(ANALYZER.terms(text)))
    assert found.support == ()
    assert found.text == text


@pytest.mark.req("QUERY-05")
def test_the_empty_parts_of_a_compound_are_left_out_and_the_whole_stays() -> None:
    assert words("and/or") == ["and/or"]


@pytest.mark.req("QUERY-05")
def test_a_letter_of_an_identifier_is_no_empty_word() -> None:
    assert "a" in words("what did we say about A-17")


@pytest.mark.req("QUERY-06")
def test_empty_words_support_and_those_of_the_speaker_count_in_full() -> None:
    support = {term.term: term.weight for term in parse("what did I say about my server").support}
    assert support["i"] == support["my"] == 1.0
    assert support["what"] == support["did"] == 0.2


@pytest.mark.req("QUERY-06")
@given(st.text(max_size=60))
def test_no_term_is_looked_for_twice(text: str) -> None:
    found = parse(text)
    every = [term.term for term in (*found.terms, *found.support)]
    assert len(every) == len(set(every))


@pytest.mark.req("QUERY-07")
def test_a_part_counts_half_and_a_single_character_a_little() -> None:
    assert weights("snake_case") == {"snake_case": 1.0, "snake": 0.5, "case": 0.5}
    assert weights("价格") == {"价": 0.2, "价格": 1.0, "格": 0.2}
    assert weights("猫的") == {"猫": 0.2, "猫的": 0.4}
    assert weights("金") == {"金": 1.0}


@pytest.mark.req("QUERY-07")
def test_what_stands_as_a_word_too_counts_as_a_word() -> None:
    assert weights("snake_case snake")["snake"] == 1.0


@pytest.mark.req("QUERY-07")
def test_pairs_of_a_script_of_syllables_count_little_beside_triples() -> None:
    found = weights("ภาษา")
    assert {weight for term, weight in found.items() if len(term) == 3} == {1.0}
    assert {weight for term, weight in found.items() if len(term) == 2} == {0.2}
    assert weights("ไป") == {"ไป": 1.0}


@pytest.mark.req("QUERY-08")
@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('say "rolling update" twice', "A rolling update, then."),
        ("«долгая память»", "Это долгая память."),
        ("「価格」", "新しい価格です"),
        ('the "multi-agent set-up" note', "a multi-agent set-up"),
    ],
)
def test_a_phrase_stands_in_the_terms_of_its_text(text: str, note: str) -> None:
    (phrase,) = parse(text).phrases
    found = ANALYZER.terms(note)
    assert any(tuple(found[at : at + len(phrase)]) == phrase for at in range(len(found)))


@pytest.mark.req("QUERY-08")
def test_an_open_quote_marks_no_phrase_and_their_number_is_bounded() -> None:
    assert parse('say "hello').phrases == ()
    assert len(parse('"word" ' * 100).phrases) == query.MOST_PHRASES


@pytest.mark.req("QUERY-09")
@given(st.text(max_size=80))
def test_the_terms_of_a_question_are_terms_of_its_text(text: str) -> None:
    found = parse(text)
    assert {term.term for term in (*found.terms, *found.support)} <= set(ANALYZER.terms(text))
    assert bool(found.terms) == bool(ANALYZER.terms(text))


@pytest.mark.req("QUERY-10")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("When did the war end?", "war"),
        ("what is the name of my son", "son"),
        ("Docker war", "war"),
        ("who wrote the comment", "comment"),
        ("the IT department", "it"),
        ("a letter from the US", "us"),
        ("is vitamin A good", "a"),
    ],
)
def test_a_word_that_is_empty_elsewhere_is_looked_for(text: str, word: str) -> None:
    assert word in words(text)


@pytest.mark.req("QUERY-10")
def test_the_same_word_is_left_out_where_its_language_is_spoken() -> None:
    assert "war" not in words("Wann war das Treffen?")
    assert "us" not in words("did he tell us about the meeting")
    assert "a" not in words("A MEETING ABOUT A SERVER")
