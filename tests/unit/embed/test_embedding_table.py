from __future__ import annotations

import hashlib
import os
import struct
from typing import TYPE_CHECKING

import numpy as np
import pytest

from recollect.embed.offline import TABLE_PATH
from recollect.embed.table import VERSION, load_table, read_header, write_table
from recollect.errors import ProviderError

if TYPE_CHECKING:
    from pathlib import Path

PIECES = ("[UNK]", "ear", "##ly", "naïve", "漢")
HEADER_BYTES = 128


@pytest.fixture
def vectors() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    made = np.random.default_rng(7).normal(size=(len(PIECES), 6)).astype(np.float32)
    made[0] = 0
    return made


@pytest.fixture
def path(tmp_path: Path, vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> str:
    target = str(tmp_path / "small.table")
    write_table(target, model="small-1", vectors=vectors, pieces=PIECES)
    return target


def changed(path: str, position: int, value: bytes) -> str:
    with open(path, "r+b") as file:
        file.seek(position)
        file.write(value)
    return path


@pytest.mark.req("EMBED-03")
def test_a_table_is_read_as_it_was_written(
    path: str, vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> None:
    table = load_table(path)
    assert table.header == read_header(path)
    assert (table.header.model, table.header.rows, table.header.dims) == ("small-1", 5, 6)
    assert table.pieces == PIECES
    error = np.abs(table.rows * table.scales[:, None] - vectors).max(axis=1)
    assert (error <= np.abs(vectors).max(axis=1) / 250).all()
    assert not table.rows[0].any()


@pytest.mark.req("EMBED-04")
def test_the_digest_is_that_of_the_payload(path: str) -> None:
    with open(path, "rb") as file:
        assert hashlib.sha256(file.read()[HEADER_BYTES:]).hexdigest() == read_header(path).digest


@pytest.mark.req("EMBED-03")
@pytest.mark.parametrize("position", [HEADER_BYTES, HEADER_BYTES + 21, -1])
def test_a_changed_byte_is_noticed(path: str, position: int) -> None:
    place = position if position >= 0 else os.path.getsize(path) + position
    with open(path, "rb") as file:
        before = file.read()[place]
    with pytest.raises(ProviderError, match=r"small\.table is damaged"):
        load_table(changed(path, place, bytes([before ^ 1])))


@pytest.mark.req("EMBED-03")
@pytest.mark.parametrize("keep", [0, 7, HEADER_BYTES - 1])
def test_a_file_without_a_whole_header_is_no_table(path: str, keep: int) -> None:
    os.truncate(path, keep)
    with pytest.raises(ProviderError, match="is no embedding table"):
        load_table(path)


@pytest.mark.req("EMBED-03")
@pytest.mark.parametrize("keep", [HEADER_BYTES, HEADER_BYTES + 40])
def test_a_cut_payload_is_noticed(path: str, keep: int) -> None:
    os.truncate(path, keep)
    with pytest.raises(ProviderError, match="cut short"):
        load_table(path)


@pytest.mark.req("EMBED-03")
def test_bytes_that_follow_the_payload_are_noticed(path: str) -> None:
    with open(path, "ab") as file:
        file.write(b"x")
    with pytest.raises(ProviderError, match="bytes too many"):
        load_table(path)


@pytest.mark.req("EMBED-03")
def test_a_file_of_another_kind_is_no_table(path: str) -> None:
    with pytest.raises(ProviderError, match="is no embedding table"):
        read_header(changed(path, 0, b"SQLite"))


@pytest.mark.req("EMBED-03")
def test_a_newer_format_is_named_with_both_versions(path: str) -> None:
    with pytest.raises(ProviderError, match=rf"has format {VERSION + 1}\.1, .* reads {VERSION}\.1"):
        read_header(changed(path, 8, struct.pack("<I", VERSION + 1)))


@pytest.mark.req("EMBED-03")
@pytest.mark.parametrize(("position", "value"), [(12, 0), (12, 1 << 31), (16, 0), (16, (1 << 32) - 1)])
def test_an_impossible_shape_is_refused_before_anything_is_read(path: str, position: int, value: int) -> None:
    with pytest.raises(ProviderError, match="impossible shape"):
        read_header(changed(path, position, struct.pack("<I", value)))


@pytest.mark.req("EMBED-03")
def test_a_table_whose_pieces_are_not_as_many_as_its_rows_is_refused(
    tmp_path: Path, vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> None:
    target = str(tmp_path / "odd.table")
    write_table(target, model="odd", vectors=vectors, pieces=PIECES[:-1])
    with pytest.raises(ProviderError, match="one piece for each row"):
        load_table(target)


@pytest.mark.req("EMBED-03")
def test_a_missing_table_is_a_sentence_without_a_path_of_somebodys_home(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"missing\.table cannot be read") as caught:
        load_table(str(tmp_path / "missing.table"))
    assert str(tmp_path) not in str(caught.value)
    assert caught.value.hint


@pytest.mark.req("EMBED-03")
def test_a_loaded_table_cannot_be_written(path: str) -> None:
    table = load_table(path)
    with pytest.raises(ValueError, match="read-only"):
        table.rows[0, 0] = 1


@pytest.mark.req("EMBED-05")
def test_the_table_in_the_package_is_whole_and_small() -> None:
    table = load_table(TABLE_PATH)
    assert table.header.model == "recollect-en-1"
    assert table.rows.shape == (30_522, 128)
    assert os.path.getsize(TABLE_PATH) < 4_500_000
    spoken = np.abs(table.rows).max(axis=1) > 0
    pieces = dict(zip(table.pieces, spoken.tolist(), strict=True))
    assert pieces["dentist"]
    assert pieces["##ing"]
    assert not any(pieces[silent] for silent in ("[CLS]", "[UNK]", "[unused7]", ",", "x", "漢", "##7", "42"))
    assert spoken.sum() > 25_000
