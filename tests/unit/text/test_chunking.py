from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.errors import ArgumentError
from recollect.text.chunking import chunk_note

if TYPE_CHECKING:
    from recollect.types import Chunk

Row = tuple[int, int, int]


def rows(text: str, tokens: int = 400, overlap: int = 80) -> list[Row]:
    return [(c.start_line, c.end_line, c.end - c.start) for c in chunk_note(text, tokens=tokens, overlap=overlap)]


def own_texts(text: str, chunks: tuple[Chunk, ...]) -> list[str]:
    return [text[c.own_start : c.end] for c in chunks]


@pytest.mark.req("CHUNK-01")
@pytest.mark.parametrize(
    ("text", "tokens", "overlap", "expected"),
    [
        ("x" * 40, 1, 0, [(1, 1, 32), (1, 1, 8)]),
        ("a" * 4825, 400, 0, [(1, 1, 1600), (1, 1, 1600), (1, 1, 1600), (1, 1, 25)]),
        ("a" * 1500 + "\n" + "b" * 1500, 400, 0, [(1, 1, 1500), (2, 2, 1500)]),
    ],
)
def test_a_line_beyond_the_limit_is_cut_into_slices(text: str, tokens: int, overlap: int, expected: list[Row]) -> None:
    assert rows(text, tokens, overlap) == expected


@pytest.mark.req("CHUNK-01")
def test_a_slice_ends_behind_a_sentence_and_else_behind_a_word() -> None:
    sentence = "The router keeps its lease for an hour. "
    sliced = own_texts(sentence * 100, chunk_note(sentence * 100, tokens=400, overlap=0))
    assert all(part.endswith(". ") for part in sliced)
    words = "lease " * 600
    assert all(part.endswith("lease ") for part in own_texts(words, chunk_note(words, tokens=400, overlap=0)))


@pytest.mark.req("CHUNK-02")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 4825, [(1, 1, 1600), (1, 1, 1600), (1, 1, 1600), (1, 1, 345)]),
        ("a" * 1500 + "\n" + "b" * 1500, [(1, 1, 1500), (1, 2, 1599)]),
    ],
)
def test_the_overlap_is_cut_where_a_single_line_is_longer_than_it(text: str, expected: list[Row]) -> None:
    assert rows(text) == expected


@pytest.mark.req("CHUNK-02")
def test_the_overlap_begins_at_a_word_and_never_at_a_blank_line() -> None:
    long_line = "word " * 280
    text = f"{long_line}\n\n\n" + "n" * 900
    first, second = chunk_note(text, tokens=400, overlap=80)
    assert first.end_line < second.own_start_line
    assert text[second.start : second.own_start].startswith("word ")
    blanks = "a" * 1290 + "\n\n\nshort line\n" + "n" * 300
    last = chunk_note(blanks, tokens=400, overlap=80)[-1]
    assert blanks[last.start : last.own_start] == "short line\n"


@pytest.mark.req("CHUNK-02")
def test_an_overlap_of_a_few_characters_is_left_out() -> None:
    text = "a" * 1500 + "\n" + "b" * 1590
    assert rows(text) == [(1, 1, 1500), (2, 2, 1590)]


@pytest.mark.req("CHUNK-03")
def test_equal_lines_are_cut_as_full_as_they_fit() -> None:
    assert rows("\n".join(["x" * 60] * 60)) == [(1, 26, 1585), (22, 47, 1585), (43, 60, 1097)]
    assert rows("\n".join(["x" * 60] * 60), 20, 5)[:3] == [(1, 1, 60), (1, 2, 79), (2, 3, 79)]


@pytest.mark.req("CHUNK-04")
def test_wide_characters_cost_four() -> None:
    for character in "漢かカ한\N{FULLWIDTH COLON}─】":
        assert rows(character * 2000) == [(1, 1, 400)] * 5
        assert rows(character * 2000, 400, 0) == [(1, 1, 400)] * 5
    assert rows("é" * 1600) == [(1, 1, 1600)]


@pytest.mark.req("CHUNK-05")
def test_a_character_of_two_units_is_kept_whole_and_counted_as_two() -> None:
    text = "a" * 1599 + "\N{GRINNING FACE}" + "bb"
    assert rows(text, 400, 0) == [(1, 1, 1599), (1, 1, 3)]
    line = "a" + "\N{GRINNING FACE}" * 4000
    parts = own_texts(line, chunk_note(line, tokens=400, overlap=0))
    assert "".join(parts) == line
    assert all(len(part.encode("utf-16-le")) <= 3200 for part in parts)


@pytest.mark.req("CHUNK-06")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\n", [(1, 2, 2)]), ("a", [(1, 1, 1)]), ("a\r\nb", [(1, 2, 4)]), ("a\u2028b\x0bc\x85d", [(1, 1, 7)])],
)
def test_a_chunk_is_exactly_the_text_of_its_lines(text: str, expected: list[Row]) -> None:
    assert rows(text) == expected
    assert text[: expected[0][2]] == text


@pytest.mark.req("CHUNK-07")
@pytest.mark.parametrize("text", ["", "\n", "\n\n", " ", "\r\n\t\n", "\u3000\n", "\n" * 5000])
def test_a_blank_text_has_no_chunk(text: str) -> None:
    assert chunk_note(text, tokens=400, overlap=80) == ()


@pytest.mark.req("CHUNK-07", "CHUNK-09")
def test_spaces_and_blank_lines_beyond_the_limit_make_no_chunk() -> None:
    text = "\n" * 3000 + "first" + " " * 5000 + "second" + "\n" * 5000 + "third" + "\n" * 3000
    chunks = chunk_note(text, tokens=100, overlap=20)
    assert [text[c.own_start : c.end].strip() for c in chunks] == ["first", "second", "third"]
    assert [c.own_start_line for c in chunks] == [3001, 3001, 8001]
    assert max(c.end - c.start for c in chunks) <= 400


@pytest.mark.req("CHUNK-10")
def test_a_heading_goes_with_the_line_below_it() -> None:
    for size in range(1200, 1620, 7):
        text = "a" * size + "\n\n# Decisions\n\n## Cache\n\n" + "b" * 380 + "\n" + "c" * 1200
        for part in own_texts(text, chunk_note(text, tokens=400, overlap=80)):
            assert not part.rstrip().endswith(("# Decisions", "## Cache"))


@pytest.mark.req("CHUNK-10")
def test_a_heading_above_a_line_beyond_the_limit_takes_its_first_slice() -> None:
    text = "# Log\n" + "b" * 2000
    assert rows(text, 400, 0) == [(1, 2, 1600), (2, 2, 406)]


@pytest.mark.req("CHUNK-10")
def test_a_heading_under_which_nothing_stands_goes_with_the_text_before_it() -> None:
    text = "\n".join(["x" * 60] * 26) + "\n\n## Open questions\n"
    assert own_texts(text, chunk_note(text, tokens=400, overlap=80))[-1].endswith("x\n\n## Open questions\n")
    assert rows("# Only a title") == [(1, 1, 14)]


@pytest.mark.req("CHUNK-13")
def test_a_large_section_begins_a_chunk() -> None:
    section = "\n".join(f"Entry {number} of this section is a plain line of text." for number in range(16))
    text = "\n\n".join(f"{'#' * (1 + index % 2)} Section {index}\n\n{section}" for index in range(8))
    chunks = chunk_note(text, tokens=400, overlap=80)
    assert [part.split("\n")[0] for part in own_texts(text, chunks)] == [
        f"{'#' * (1 + index % 2)} Section {index}" for index in range(8)
    ]
    assert chunks[3].headings == ("Section 2",)


@pytest.mark.req("CHUNK-15")
@pytest.mark.parametrize(("tokens", "overlap"), [(0, 0), (-5, 0), (400, -1)])
def test_settings_that_make_no_sense_are_refused(tokens: int, overlap: int) -> None:
    with pytest.raises(ArgumentError, match="chunking"):
        chunk_note("text", tokens=tokens, overlap=overlap)


@pytest.mark.req("CHUNK-09")
def test_an_overlap_larger_than_the_chunk_stays_within_the_limit() -> None:
    text = "\n".join(f"line {number} says something of its own" for number in range(200))
    chunks = chunk_note(text, tokens=20, overlap=500)
    assert max(c.end - c.start for c in chunks) <= 80
    assert chunks[-1].end == len(text)
