from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from recollect.config.reading import MAX_BYTES, parse, read_settings
from recollect.errors import ConfigError


@pytest.mark.req("CONFIG-23")
def test_comments_trailing_commas_and_bare_names_are_read() -> None:
    text = b"// mine\n{ agents: { defaults: { memorySearch: { provider: 'none', }, }, }, /* end */ }"
    assert parse(text, "f") == {"agents": {"defaults": {"memorySearch": {"provider": "none"}}}}


@pytest.mark.req("CONFIG-23")
def test_plain_json_and_a_byte_order_mark_are_read() -> None:
    assert parse(b'{"a": [1, 2.5, null, "\\u00e9"]}', "f") == {"a": [1, 2.5, None, "é"]}
    assert parse(b"\xef\xbb\xbf{a: 1}", "f") == {"a": 1}


@pytest.mark.req("CONFIG-23")
@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'{"a": 1,\n "b": }', "line 2, column 7"),
        (b"{\n  a: 1,,\n}", "line 2, column 8"),
        (b"{\n\n  a: tru }", "line 3, column 6"),
        (b"{ a: {", "line 1, column 6"),
        (b"", "line 1, column 1"),
        (b"  \n\n", "line 1, column 1"),
        ('{"a": 1}'.encode("utf-16"), "line 1, column 1"),
        (b'{\n "\xc3\xa9\xff": 1}', "line 2, column 4"),
        (b'\xef\xbb\xbf{"\xff": 1}', "line 1, column 3"),
        (b'{a: "\\ud800"}', "line 1, column"),
        (b"[" * 200_000, "line 1, column"),
        (b'{"a":' * 200_000, "line 1, column"),
    ],
)
def test_a_broken_file_is_explained_with_line_and_column(data: bytes, place: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(data, "recollect.json5")
    assert f"recollect.json5, {place}" in caught.value.message
    assert caught.value.hint
    assert len(caught.value.message) < 200


@pytest.mark.req("CONFIG-23")
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_another_encoding_is_told_what_to_do(encoding: str) -> None:
    mark = b"" if encoding == "utf-16" else b"\xfe\xff"
    with pytest.raises(ConfigError, match=r"the file is UTF-16\. Save it as UTF-8"):
        parse(mark + "{}".encode(encoding), "f")


@pytest.mark.req("CONFIG-23")
def test_no_file_is_no_settings(tmp_path: Path) -> None:
    assert read_settings(str(tmp_path / "none.json5"), "none.json5") is None
    (tmp_path / "file").write_text("{}")
    assert read_settings(str(tmp_path / "file" / "below.json5"), "below.json5") is None


@pytest.mark.req("CONFIG-23")
def test_a_folder_and_a_pipe_in_its_place_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(ConfigError, match=f"The settings file {name} is not a regular file"):
            read_settings(str(tmp_path / name), name)


@pytest.mark.req("CONFIG-23")
def test_a_file_of_fifty_megabytes_is_refused_after_one(tmp_path: Path) -> None:
    path = tmp_path / "large.json5"
    with path.open("wb") as file:
        file.truncate(50 << 20)
    with pytest.raises(ConfigError, match=f"larger than {MAX_BYTES:,} bytes"):
        read_settings(str(path), "large.json5")
    path.write_bytes(b"{}" + b" " * (MAX_BYTES - 2))
    assert read_settings(str(path), "large.json5") == {}


@pytest.mark.req("CONFIG-23")
def test_a_file_that_may_not_be_read_is_refused() -> None:
    # Root may read everything: the test gives its rights away, and the usual temporary folder is root's alone.
    folder = Path(tempfile.mkdtemp())
    user = os.geteuid()
    try:
        folder.chmod(0o755)
        path = folder / "locked.json5"
        path.write_text("{}")
        path.chmod(0)
        if user == 0:
            os.seteuid(65534)
        with pytest.raises(ConfigError, match=r"locked\.json5 cannot be read: Permission denied"):
            read_settings(str(path), "locked.json5")
    finally:
        os.seteuid(user)
        shutil.rmtree(folder)


@pytest.mark.req("CONFIG-23")
def test_a_name_that_no_file_can_have_is_refused() -> None:
    for path in ("a\0b", "x" * 5000):
        with pytest.raises(ConfigError, match="cannot be read"):
            read_settings(path, "f")
