"""Characters that reach stdout and stderr."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.cli import output
from recollect.cli.progress import progress_bar
from recollect.types import Problem


class _Stream(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def written(self) -> bytes:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


def _stdout(monkeypatch: pytest.MonkeyPatch, encoding: str = "utf-8", *, terminal: bool = False) -> _Stream:
    stream = _Stream(encoding, terminal=terminal)
    monkeypatch.setattr(sys, "stdout", stream)
    return stream


@pytest.mark.req("CLI-17")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nb.md", "a\\nb.md"),
        ("\x1b[31mred.md", "\\x1b[31mred.md"),
        ("gpj.\u202edm", "gpj.\\u202edm"),
        ("a\u200eb\u2028c\ufeff", "a\\u200eb\\u2028c\\ufeff"),
        ("\x9b2J", "\\x9b2J"),
        ("\udc80.md", "\\udc80.md"),
        ("Grüße 日本 👩\u200d👩.md", "Grüße 日本 👩\u200d👩.md"),
    ],
)
def test_a_name_cannot_command_a_terminal(name: str, shown: str) -> None:
    assert output.visible(name) == shown


@pytest.mark.req("CLI-17")
@given(st.text())
def test_no_control_character_passes_whatever_the_text(text: str) -> None:
    assert output.visible(text).replace(" ", "").isprintable() or not text.replace(" ", "").isprintable()
    for shown in (output.visible(text), output.visible_text(text).replace("\n", "").replace("\t", "")):
        assert not any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in shown)
        assert not any(0x202A <= ord(char) <= 0x202E or 0x2066 <= ord(char) <= 0x2069 for char in shown)


@pytest.mark.req("CLI-17")
def test_text_of_several_lines_keeps_its_line_ends_and_tabs() -> None:
    assert output.visible_text("a\n\tb\r\x07") == "a\n\tb\\r\\x07"


@pytest.mark.req("CLI-16")
def test_the_home_is_shown_as_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/mira")
    assert output.tidy("/home/mira/notes") == "~/notes"
    assert output.tidy("/home/mira") == "~"
    assert output.tidy("/home/miranda/notes") == "/home/miranda/notes"


@pytest.mark.req("CLI-16")
def test_a_home_that_is_the_root_shortens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    assert output.tidy("/notes") == "/notes"


@pytest.mark.req("CLI-07")
def test_json_leaves_out_what_is_none_at_any_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout(monkeypatch)
    output.write_json({"a": None, "b": [{"c": None, "d": 0}], "e": Problem(code="x", message="y")})
    assert json.loads(stream.written()) == {"b": [{"d": 0}], "e": {"code": "x", "message": "y"}}


@pytest.mark.req("CLI-07", "CLI-10")
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
@given(text=st.text())
def test_json_says_the_same_in_every_encoding(encoding: str, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        stream = _stdout(patch, encoding)
        output.write_json({"text": text})
        assert json.loads(stream.written().decode(encoding)) == {"text": text}


@pytest.mark.req("CLI-10")
def test_json_survives_a_file_name_that_is_no_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout(monkeypatch)
    output.write_json({"path": "memory/\udc80.md"})
    assert json.loads(stream.written()) == {"path": "memory/?.md"}


@pytest.mark.req("CLI-17")
def test_json_spells_out_what_would_turn_a_terminal_round(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout(monkeypatch)
    output.write_json({"path": "a\u202eb"})
    assert b"\\u202e" in stream.written()


@pytest.mark.req("CLI-25")
def test_a_pipe_gets_the_text_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout(monkeypatch)
    output.write_lines([[("0.5", "cyan"), (" a.md", "bold")], []])
    assert stream.written() == b"0.5 a.md\n\n"


@pytest.mark.req("CLI-25")
def test_a_terminal_gets_colours_and_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = _stdout(monkeypatch, terminal=True)
    output.write_lines([[("0.5", "cyan"), (" [bold]a.md[/bold] :smile:", "bold")]])
    assert b"\x1b[36m0.5" in stream.written()
    assert b"[bold]a.md[/bold] :smile:" in stream.written()


@pytest.mark.req("CLI-25", "CLI-10")
def test_no_color_and_a_narrow_terminal_lose_no_character(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    stream = _stdout(monkeypatch, terminal=True)
    long = "a line that is a good deal longer than twenty columns"
    output.write_lines([[(long, "cyan")]])
    assert stream.written().decode() == long + "\n"


@pytest.mark.req("CLI-25")
def test_work_that_nobody_watches_reports_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Stream())
    with progress_bar() as progress:
        assert progress is None
    monkeypatch.setattr(sys, "stderr", _Stream(terminal=True))
    with progress_bar() as progress:
        assert progress is not None


@pytest.mark.req("CLI-08")
def test_counts_read_as_a_person_would_say_them() -> None:
    assert [output.counted(number, "file") for number in (0, 1, 2000)] == ["0 files", "1 file", "2,000 files"]
    assert [output.joined(["a", "b", "c"][:number]) for number in range(4)] == ["", "a", "a and b", "a, b and c"]
