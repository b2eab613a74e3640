from __future__ import annotations

import time
import unicodedata
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text import words
from recollect.text.tokens import Analyzer, is_cjk_single

ANALYZER = Analyzer()


def terms(text: str) -> list[str]:
    return ANALYZER.terms(text)


# Letters, marks, figures, joints and white space of many scripts, so that runs meet in every way.
CHARACTERS = st.sampled_from(
    "aAbBzZ019_-./\\:@+#,'\u2019\u2010\u00ad\u200d ()\"*\n\t"
    "éÉßøłñ\u0301\u0308\u0323ЖжЁёйΣςάאב\u05b4عبدأـّक\u093fि्த金银价格の漢がデー\u3099ｶﾞ한국어ㅋ\u1112\u1161ไทยที่ำລາວខ្មែរမြန်"
    "２²½ﬁ①Ⅷ٣✅🎉🇩🇪\ufe0f\ud800\U00020000\u200b…—«»"
)
MIXED = st.one_of(st.text(CHARACTERS, max_size=40), st.text(max_size=40))


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.req("WORDS-01")
@pytest.mark.parametrize(
    ("one", "other"),
    [("deployed", "deploying"), ("memories", "memory"), ("Running", "runs"), ("APIs", "API"), ("user's", "users")],
)
def test_forms_of_an_english_word_have_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.req("WORDS-01")
def test_words_that_differ_keep_different_terms() -> None:
    assert terms("universe") != terms("memory")


@pytest.mark.req("WORDS-01")
def test_terms_stand_in_the_order_of_the_text_and_repeat() -> None:
    assert terms("The cat, the other cat.") == ["the", "cat", "the", "other", "cat"]


@pytest.mark.req("WORDS-02")
@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("cafe", "Café"),
        ("CAFÉ", "café"),
        ("naive", "naïve"),
        ("strasse", "Straße"),
        ("lodz", "Łódź"),
        ("\uff21\uff30\uff29", "api"),
        ("елка", "Ёлка"),
        ("istanbul", "İstanbul"),
        ("ΣΟΦΟΣ", "σοφός"),
        ("ﾊﾝｶｸ", "ハンカク"),
        ("٢٠٢٦", "2026"),
    ],
)
def test_what_is_typed_without_accents_or_in_another_case_finds_what_is_written(typed: str, written: str) -> None:
    assert terms(typed) == terms(written)


@pytest.mark.req("WORDS-02")
def test_short_i_stays_a_letter_of_its_own() -> None:
    assert terms("йод") != terms("иод")


@pytest.mark.req("WORDS-03")
@given(MIXED)
def test_composed_and_decomposed_text_has_the_same_terms(text: str) -> None:
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


# --- identifiers -----------------------------------------------------------------------------------------------------


@pytest.mark.req("WORDS-04")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("memorySearch.query.hybrid", {"memorysearch.query.hybrid", "memorysearch", "memori", "search", "hybrid"}),
        ("E-1042", {"e-1042", "e", "1042", "e1042"}),
        ("snake_case", {"snake_case", "snake", "case"}),
        ("__init__.py", {"init__.py", "init", "py"}),
        ("camelCase", {"camel", "case"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("multi-agent", {"multi-agent", "multi", "agent"}),
        ("e-mail", {"e-mail", "email", "mail"}),
        ("v1.2.3", {"v1.2.3", "1.2.3", "v1"}),
        ("2026-02-10", {"2026-02-10", "2026", "02", "10"}),
        ("memory/2026-02-10-router-fix.md", {"2026-02-10-router-fix.md", "2026-02-10", "router", "fix", "md"}),
        ("14:30", {"14:30", "14", "30"}),
        ("jo.doe+tag@mail.example.org", {"jo.doe+tag@mail.example.org", "jo.doe", "mail.example.org", "doe"}),
        ("https://docs.example.org/a-b/c.html", {"https://docs.example.org/a-b/c.html", "docs.example.org", "a-b"}),
        ("std::vector", {"std::vector", "std", "vector"}),
        ("C++", {"c++", "c"}),
        ("C#", {"c#", "c"}),
        ("1,000.50", {"1000.50"}),
        ("U.S.", {"u.s", "us"}),
        ("20mg", {"20mg", "20", "mg"}),
        ("sha256", {"sha256", "sha", "256"}),
    ],
)
def test_an_identifier_is_found_whole_and_in_parts(text: str, wanted: set[str]) -> None:
    assert wanted <= set(terms(text))


@pytest.mark.req("WORDS-04")
def test_the_whole_comes_first_once_and_its_parts_follow() -> None:
    assert terms("snake_case") == ["snake_case", "snake", "case"]


@pytest.mark.req("WORDS-04")
@pytest.mark.parametrize("word", ["k8s", "API", "APIs", "Memory", "MEMORY"])
def test_an_ordinary_word_or_short_name_is_not_taken_apart(word: str) -> None:
    assert len(terms(word)) == 1


@pytest.mark.req("WORDS-04")
@pytest.mark.parametrize("text", ["**bold**", "_emphasis_", "`code`", "(word),", "|cell|", "<b>", "#tag", "@name"])
def test_marks_of_markdown_around_a_word_are_no_part_of_it(text: str) -> None:
    assert len(terms(text)) == 1


@pytest.mark.req("WORDS-04")
def test_figures_that_look_encoded_are_not_taken_apart_by_case() -> None:
    assert len(terms("aGVsbG8gd29ybGQgdGhpcyBpcyBhIHZlcnkgbG9uZyBzdHJpbmc")) == 1


@pytest.mark.req("WORDS-05")
@pytest.mark.parametrize(("text", "letter"), [("plan B", "b"), ("E-1042", "e"), ("Section 4.C", "c")])
def test_a_letter_is_found_as_a_word_and_beside_figures(text: str, letter: str) -> None:
    assert letter in terms(text)


@pytest.mark.req("WORDS-05")
def test_a_letter_that_was_cut_off_a_name_is_no_term() -> None:
    assert "e" not in terms("e-mail")


@pytest.mark.req("WORDS-06")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't", ["dont"]),
        ("cat's", ["cat"]),
        ("I'll", ["i"]),
        ("a'b", ["ab"]),
        ("l'ami", ["ami"]),
        ("o'clock", ["oclock", "clock"]),
        ("don\u2019t", ["dont"]),
        ("'quoted'", ["quot"]),
        ("_'s", ["s"]),
    ],
)
def test_apostrophes_are_read_as_people_write_them(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


# --- scripts without spaces ------------------------------------------------------------------------------------------


@pytest.mark.req("WORDS-07")
@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("成语", "今天玩成语接龙游戏"),
        ("成语接龙", "今天玩成语接龙游戏"),
        ("価格", "新しい価格です"),
        ("배포", "배포했다"),
    ],
)
def test_a_question_of_some_characters_is_found_inside_a_run(question: str, note: str) -> None:
    found = terms(note)
    asked = terms(question)
    assert any(found[at : at + len(asked)] == asked for at in range(len(found)))


@pytest.mark.req("WORDS-07")
def test_a_run_gives_every_character_and_every_pair() -> None:
    assert terms("金银价") == ["金", "金银", "银", "银价", "价"]


@pytest.mark.req("WORDS-07")
def test_a_run_of_one_character_is_that_character() -> None:
    assert terms("金") == ["金"]


@pytest.mark.req("WORDS-07")
def test_the_prolonged_mark_of_kana_belongs_to_the_run_and_the_middle_dot_does_not() -> None:
    assert "デー" in terms("データ")
    assert "ー・" not in terms("サーバー・ログ")


@pytest.mark.req("WORDS-07")
def test_single_characters_are_told_from_pairs_and_letters() -> None:
    assert is_cjk_single("金")
    assert is_cjk_single("한")
    assert not is_cjk_single("金银")
    assert not is_cjk_single("a")
    assert not is_cjk_single("")


@pytest.mark.req("WORDS-08")
@pytest.mark.parametrize(
    ("text", "wanted"), [("2026年", {"2026", "年"}), ("APIのバグ", {"api", "バグ"}), ("API를", {"api", "를"})]
)
def test_a_run_is_cut_where_scripts_meet(text: str, wanted: set[str]) -> None:
    assert wanted <= set(terms(text))


@pytest.mark.req("WORDS-09")
@pytest.mark.parametrize(
    ("question", "note"),
    [("ภาษา", "เรียนภาษาไทยวันนี้"), ("ไป", "เราไปเที่ยว"), ("ພາສາ", "ຮຽນພາສາລາວ"), ("ភាសា", "រៀនភាសាខ្មែរ")],
)
def test_a_word_of_a_script_without_spaces_is_found_inside_a_run(question: str, note: str) -> None:
    assert set(terms(question)) <= set(terms(note))


@pytest.mark.req("WORDS-09")
def test_a_vowel_sign_never_starts_a_term() -> None:
    found = terms("ที่นี่มีน้ำดื่ม")
    assert found
    assert all(unicodedata.category(term[0])[0] != "M" for term in found)


@pytest.mark.req("WORDS-10")
@pytest.mark.parametrize("word", ["किताब", "தமிழ்", "বাংলা", "മലയാളം", "ગુજરાતી"])
def test_an_indic_word_is_one_term_that_keeps_its_vowel_signs(word: str) -> None:
    (term,) = terms(word)
    assert any(unicodedata.category(char)[0] == "M" for char in term)


@pytest.mark.req("WORDS-11")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("решение", "решения"),
        ("новый", "новые"),
        ("στρατηγική", "στρατηγικές"),
        ("النشر", "نشر"),
        ("किताबें", "किताब"),
        ("أحمد", "احمد"),
        ("مُحَمَّد", "محمد"),
    ],
)
def test_forms_of_a_word_in_other_alphabets_have_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.req("WORDS-15")
def test_signs_that_people_search_for_are_terms() -> None:
    assert terms("done ✅ party🎉 🇩🇪") == ["done", "✅", "parti", "🎉", "🇩🇪"]


@pytest.mark.req("WORDS-15")
@pytest.mark.parametrize("text", ["---", "!!!", "\u200d\ufe0f", "___", "|---|", "\u0301", "\ud800", "…", "\u00ad"])
def test_what_says_nothing_gives_no_term(text: str) -> None:
    assert terms(text) == []


@pytest.mark.req("WORDS-15")
def test_what_is_not_seen_does_not_cut_a_word() -> None:
    assert terms("mem\u00adory") == terms("memory")


# --- what holds for every text ---------------------------------------------------------------------------------------


@pytest.mark.req("WORDS-12")
@given(MIXED)
def test_terms_are_never_empty_hold_no_white_space_and_can_be_stored(text: str) -> None:
    for term in terms(text):
        assert term
        assert not any(char.isspace() for char in term)
        assert term.encode("utf-8")
        assert len(term) <= words.LONGEST_TERM


@pytest.mark.req("WORDS-12")
@given(MIXED)
def test_a_fresh_analyser_gives_the_same_terms(text: str) -> None:
    assert terms(text) == Analyzer().terms(text)


@pytest.mark.req("WORDS-12")
@given(MIXED, MIXED)
def test_a_piece_has_the_same_terms_wherever_it_stands(one: str, other: str) -> None:
    assert terms(f"{one} {other}") == terms(one) + terms(other)


@pytest.mark.req("WORDS-12")
@given(MIXED)
def test_terms_with_their_kinds_are_the_terms(text: str) -> None:
    assert [token.term for run in ANALYZER.runs(text) for token in run.tokens] == terms(text)


@pytest.mark.req("WORDS-12")
@pytest.mark.parametrize(
    "text", ["x" * 1_000, "ö" * 1_000, "a/b" * 500, "v1." * 500 + "0", "\uff21" * 99, "C" * 99 + "++"]
)
def test_a_term_is_bounded_however_long_the_word(text: str) -> None:
    found = terms(text)
    assert found
    assert max(map(len, found)) <= words.LONGEST_TERM


HOSTILE = {
    "one letter": "A" * 1_000_000,
    "snake": "a_" * 500_000,
    "dots": "a." * 500_000,
    "mixed case": "aB" * 500_000,
    "word": "ab" * 500_000,
    "slashes": "/" * 1_000_000,
    "apostrophes": "a'" * 500_000,
    "digits and commas": "123," * 250_000,
    "marks of two classes": "a" + "\u0301" * 60_000 + "\u0323" * 60_000,
    "marks on Thai": "\u0e01" + "\u0e31\u0e49" * 60_000,
    "quotes": '"' * 1_000_000,
    "joiners": "a" + "\u200d" * 1_000_000,
    "ligatures": "\ufdfa" * 100_000,
}


def _seconds(text: str) -> float:
    start = time.process_time()
    Analyzer().terms(text)
    return time.process_time() - start


@cache
def _ordinary_seconds(length: int) -> float:
    return _seconds("".join(f"word{n} " for n in range(length // 8)))


@pytest.mark.req("WORDS-13")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_time_in_proportion_to_its_length(name: str) -> None:
    hostile = HOSTILE[name]
    assert _seconds(hostile) < 50 * _ordinary_seconds(len(hostile))  # quadratic would be thousands


@pytest.mark.req("WORDS-12")
def test_a_text_without_spaces_keeps_all_its_characters() -> None:
    text = "记忆" * 5_000
    assert len(terms(text)) == 2 * len(text) - 1
