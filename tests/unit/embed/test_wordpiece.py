from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.embed.offline import TABLE_PATH
from recollect.embed.table import load_table
from recollect.embed.wordpiece import LONGEST_WORD, Memo, WordPiece

if TYPE_CHECKING:
    from collections.abc import Sequence

PIECES = load_table(TABLE_PATH).pieces
TOKENIZER = WordPiece(PIECES)
UNKNOWN = PIECES.index("[UNK]")
REFERENCE = Path(__file__).parent / "wordpiece_reference.json.xz"  # made by models/tokenizer_fixture.py


def named(ids: Sequence[int]) -> list[str]:
    return [PIECES[piece] for piece in ids]


def is_punctuation(piece: str) -> bool:
    return not TOKENIZER.words(piece)


@pytest.mark.req("EMBED-01")
def test_five_thousand_texts_are_cut_as_the_reference_cuts_them() -> None:
    cases = cast("list[tuple[str, list[int]]]", json.loads(lzma.decompress(REFERENCE.read_bytes())))
    assert len(cases) > 5_000
    different = [(text, named(ids)) for text, ids in cases if TOKENIZER.encode(text) != ids]
    assert different == []


@pytest.mark.req("EMBED-01")
@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The dentist", ["the", "dentist"]),
        ("tokenizers", ["token", "##izer", "##s"]),
        ("Zürich", ["zurich"]),
        ("don't", ["don", "'", "t"]),
        ("a\u200bb", ["ab"]),
        ("東京", ["東", "京"]),
        ("🙂", ["[UNK]"]),
        ("see [CLS]", ["see", "[", "cl", "##s", "]"]),
    ],
)
def test_a_text_is_cut_into_the_longest_pieces(text: str, pieces: list[str]) -> None:
    assert named(TOKENIZER.encode(text)) == pieces


@pytest.mark.req("EMBED-01")
@given(st.text(max_size=200))
def test_the_spoken_words_are_all_pieces_without_the_punctuation(text: str) -> None:
    """Punctuation that the vocabulary does not know is an unknown piece for the reference; here it is no word."""
    known = "".join(" " if TOKENIZER.encode(character) == [UNKNOWN] else character for character in text)
    spoken = TOKENIZER.ids(TOKENIZER.words(known))
    assert spoken == [piece for piece in TOKENIZER.encode(known) if not is_punctuation(PIECES[piece])]


@pytest.mark.req("EMBED-02")
@given(st.text(st.characters(exclude_categories=()), max_size=100))
def test_any_text_is_cut_even_one_with_halves_of_characters(text: str) -> None:
    assert all(0 <= piece < len(PIECES) for piece in TOKENIZER.encode(text))


@pytest.mark.req("EMBED-02")
def test_a_word_longer_than_the_limit_is_one_unknown_piece() -> None:
    assert len(TOKENIZER.encode("a" * LONGEST_WORD)) > 1
    assert named(TOKENIZER.encode("a" * (LONGEST_WORD + 1))) == ["[UNK]"]
    assert named(TOKENIZER.encode("a" * 1_000_000)) == ["[UNK]"]


@pytest.mark.req("EMBED-02")
def test_the_memo_forgets_before_it_grows_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.embed.wordpiece._MEMO_WORDS", 100)
    memo = Memo(len)
    assert [memo[f"w{number}"] for number in (5, 50, 500)] == [2, 3, 4]
    for number in range(1_000):
        assert memo[f"word{number}"] == len(f"word{number}")
        assert len(memo) <= 100


@pytest.mark.req("EMBED-02")
def test_the_memo_keeps_no_giant_words() -> None:
    memo = Memo(len)
    assert memo["x" * 10_000] == 10_000
    assert not memo
