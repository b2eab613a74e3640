from __future__ import annotations

import pytest

from recollect.text.chunking import chunk_note


def units(text: str) -> list[str]:
    return [text[u.start : u.end] for c in chunk_note(text, tokens=400, overlap=80) for u in c.units]


def lines(text: str) -> list[tuple[int, int]]:
    return [(u.start_line, u.end_line) for c in chunk_note(text, tokens=400, overlap=80) for u in c.units]


PARAGRAPH = "The lease of the router is renewed every hour, and the office keeps its own range of addresses for guests."
OTHER = "Backups run at night from the small machine in the cellar, and a copy goes to the second site every week."


@pytest.mark.req("UNIT-02")
def test_han_characters_count_twice() -> None:
    assert [len(unit) for unit in units("字" * 350)] == [125, 125, 100]
    assert units("字" * 175) == ["字" * 175]


@pytest.mark.req("UNIT-03")
def test_a_heading_opens_a_unit_and_stays_with_what_follows() -> None:
    text = f"Tiny.\n\n# Network\n\n## Leases\n\n{PARAGRAPH}\n\n# Backups\n{OTHER}"
    assert units(text) == ["Tiny.", f"# Network\n\n## Leases\n\n{PARAGRAPH}", f"# Backups\n{OTHER}"]
    assert lines(text) == [(1, 1), (3, 7), (9, 10)]


@pytest.mark.req("UNIT-03")
def test_a_heading_above_a_long_line_stays_with_its_first_sentence() -> None:
    text = "# Network\n" + " ".join([PARAGRAPH] * 6)
    first, *rest = units(text)
    assert first.startswith(f"# Network\n{PARAGRAPH}")
    assert all(unit.startswith("The lease") for unit in rest)


@pytest.mark.req("UNIT-04")
def test_each_paragraph_is_a_unit() -> None:
    assert units(f"{PARAGRAPH}\n\n{OTHER}\n\n\n{PARAGRAPH}") == [PARAGRAPH, OTHER, PARAGRAPH]


@pytest.mark.req("UNIT-04")
def test_each_list_item_is_a_unit_with_what_is_nested_in_it() -> None:
    text = f"- {PARAGRAPH}\n  - more of it\n- {OTHER}\n1. {PARAGRAPH}"
    assert units(text) == [f"- {PARAGRAPH}\n  - more of it", f"- {OTHER}", f"1. {PARAGRAPH}"]


@pytest.mark.req("UNIT-04")
@pytest.mark.parametrize(
    "opening", ["- **Ann:** ", "**Ann:** ", "**Ann**: ", "Ann: ", "- Ann: ", "- 08:17 ", "[08:17] "]
)
def test_each_turn_is_a_unit(opening: str) -> None:
    turn = f"{opening}shall we move the meeting to Thursday, or is it better to leave it?"
    assert units(f"{turn}\n{turn}\n{turn}") == [turn, turn, turn]


@pytest.mark.req("UNIT-04")
def test_turns_in_full_width_forms_are_units() -> None:
    turn = "小明\N{FULLWIDTH COLON}" + "我们星期四开会讨论数据库的部署方案和路由器的价格好不好"
    assert units(f"{turn}\n{turn}") == [turn, turn]


@pytest.mark.req("UNIT-04")
def test_tiny_items_turns_and_paragraphs_share_a_unit() -> None:
    assert units("- milk\n- bread\n- tea") == ["- milk\n- bread\n- tea"]
    assert units("Ann: yes\nBen: no\nAnn: oh") == ["Ann: yes\nBen: no\nAnn: oh"]
    assert units(f"To do:\n\n- {PARAGRAPH}") == [f"To do:\n\n- {PARAGRAPH}"]


@pytest.mark.req("UNIT-04")
def test_tiny_text_does_not_join_what_would_get_too_long() -> None:
    long = "- " + "w" * 345
    assert units(f"To do:\n\n{long}") == ["To do:", long]


@pytest.mark.req("UNIT-05")
@pytest.mark.parametrize(
    "sentence",
    [
        "The lease is renewed every hour. ",
        "Is the lease renewed every hour?! ",
        "He said \N{LEFT DOUBLE QUOTATION MARK}renew it.\N{RIGHT DOUBLE QUOTATION MARK} ",
        "路由器的租约每小时更新一次。",
        "「路由器的租约每小时更新一次。」",
        "हर घंटे पट्टा नवीनीकृत होता है। ",
        "هل يتم تجديد العقد كل ساعة؟ ",
    ],
)
def test_a_long_line_is_cut_at_sentences(sentence: str) -> None:
    found = units(sentence * (800 // len(sentence)))
    assert len(found) > 2
    assert all(len(unit) % len(sentence) in {0, len(sentence.rstrip())} for unit in found)


@pytest.mark.req("UNIT-05")
def test_a_line_without_sentences_is_cut_at_words_and_else_anywhere() -> None:
    assert {word for unit in units("lease " * 200) for word in unit.split()} == {"lease"}
    assert sum(len(unit) for unit in units("x" * 1000)) == 1000


@pytest.mark.req("UNIT-06")
def test_what_is_longer_than_a_unit_is_shared_out_evenly() -> None:
    hard_wrapped = "\n".join(["the lease of the router is renewed every hour by the small machine"] * 6)
    assert [len(unit) for unit in units(hard_wrapped)] == [200, 200]
    sentences = " ".join(["The lease of the router is renewed every hour."] * 9)
    sizes = [len(unit) for unit in units(sentences)]
    assert len(sizes) == 2
    assert max(sizes) - min(sizes) <= 47


@pytest.mark.req("UNIT-07")
def test_fences_stay_with_their_code() -> None:
    code = "\n".join(f"call_number_{number}(with_some, arguments_of, its_own)" for number in range(30))
    text = f"{PARAGRAPH}\n\n```python\n\n{code}\n\n```\n\n{OTHER}"
    found = units(text)
    assert found[0] == PARAGRAPH
    assert found[1].startswith("```python\n\ncall_number_0")
    assert found[-2].endswith("its_own)\n\n```")
    assert found[-1] == OTHER


@pytest.mark.req("UNIT-01")
def test_units_leave_indentation_and_line_ends_out() -> None:
    text = f"   {PARAGRAPH}  \r\n\r\n\t{OTHER}\r\n"
    assert units(text) == [PARAGRAPH, OTHER]
    assert lines(text) == [(1, 1), (3, 3)]
