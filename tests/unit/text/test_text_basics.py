from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ArgumentError
from recollect.text.byte_limit import split_by_bytes
from recollect.text.cost import Meter
from recollect.text.hashing import key8, key16, sha256_hex
from recollect.text.lines import LineTable

_TEXT = st.text(st.one_of(st.characters(), st.sampled_from("\r\n\x0b\x85\u2028漢😀─")))


@pytest.mark.req("LINE-01")
@given(_TEXT)
def test_lines_end_at_line_feeds_alone(text: str) -> None:
    table = LineTable.of(text)
    assert len(table.lines) == text.count("\n") + 1
    for number, line in enumerate(table.lines, 1):
        assert text[table.start(number) : table.end(number)] == line
    for offset in range(len(text) + 1):
        assert table.line_at(offset) == text.count("\n", 0, offset) + 1


@pytest.mark.req("CHUNK-04", "CHUNK-05")
@given(_TEXT, st.integers(2, 5))
def test_costs_add_up_character_by_character(text: str, wide: int) -> None:
    meter = Meter.of(text, wide=wide)
    costs = [Meter.of(character, wide=wide).at(1) for character in text]
    assert [meter.at(offset) for offset in range(len(text) + 1)] == [
        sum(costs[:offset]) for offset in range(len(text) + 1)
    ]
    for offset in range(len(text) + 1):
        assert meter.reach(meter.at(offset)) == offset
    assert set(costs) <= {1, 2, wide}


@pytest.mark.req("CHUNK-04", "CHUNK-05")
@given(_TEXT, st.integers(3, 5), st.integers(2, 5))
def test_a_meter_weighed_anew_is_the_meter_of_that_weight(text: str, was: int, wide: int) -> None:
    again, fresh = Meter.of(text, wide=was).reweighed(wide=wide, was=was), Meter.of(text, wide=wide)
    offsets = list(range(len(text) + 1))
    assert again.all_at(offsets) == fresh.all_at(offsets)
    assert again.heaviest == fresh.heaviest


@pytest.mark.req("BYTES-01", "BYTES-02")
@given(st.text(max_size=200), st.integers(1, 50))
def test_parts_are_within_the_limit_and_together_the_text(text: str, limit: int) -> None:
    parts = split_by_bytes(text, limit)
    assert "".join(parts) == text
    assert all(part and (len(part.encode()) <= limit or len(part) == 1) for part in parts)


@pytest.mark.req("BYTES-01")
@pytest.mark.parametrize(
    ("text", "limit", "sizes"),
    [
        ("x" * 9000, 8000, [8000, 1000]),
        ("é" * 1500, 2048, [2048, 952]),
        ("x" * 3000, 2048, [2048, 952]),
        ("\N{GRINNING FACE}" * 3, 5, [4, 4, 4]),
        ("", 5, []),
    ],
)
def test_parts_are_as_long_as_the_limit_allows(text: str, limit: int, sizes: list[int]) -> None:
    assert [len(part.encode()) for part in split_by_bytes(text, limit)] == sizes


@pytest.mark.req("BYTES-02")
def test_a_character_longer_than_the_limit_stands_alone() -> None:
    assert split_by_bytes("a\N{GRINNING FACE}b", 2) == ("a", "\N{GRINNING FACE}", "b")


@pytest.mark.req("BYTES-01")
def test_a_limit_below_one_byte_is_refused() -> None:
    with pytest.raises(ArgumentError, match="1 or more"):
        split_by_bytes("text", 0)


@pytest.mark.req("DIGEST-01")
def test_a_digest_is_that_of_the_bytes() -> None:
    assert sha256_hex("hello") == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert len(sha256_hex("\ud800")) == 64


@pytest.mark.req("DIGEST-02")
def test_a_key_depends_on_every_part_and_on_its_borders() -> None:
    keys = {key8(), key8(""), key8("", ""), key8("ab"), key8("a", "b"), key8("b", "a"), key8("ab", "")}
    assert len(keys) == 7
    assert (len(key8("x")), len(key16("x"))) == (8, 16)
    assert key16("a", "b") == key16("a", "b") != key16("ab")


@pytest.mark.req("DIGEST-02")
def test_keys_are_the_same_on_every_machine() -> None:
    assert key8("recollect", "é").hex() == "6b89b3d6a39239ae"
    assert key16("\ud800") == key16("\ud800")
