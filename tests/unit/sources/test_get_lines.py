"""Lines of a note."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ArgumentError, PathError
from recollect.sources import lines as lines_module
from recollect.sources.lines import MAX_CHARS, get
from recollect.sources.reader import decode
from recollect.testing.workspace import Workspace
from recollect.types import GetResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager


def _get(workspace: Workspace, content: str | bytes, start: int | None = None, lines: int | None = None) -> GetResult:
    workspace.write("memory/note.md", content)
    return get(workspace.path, [], "memory/note.md", start, lines)


def _numbered(count: int) -> str:
    return "\n".join(f"line {number}" for number in range(1, count + 1))


@pytest.mark.req("GET-01")
def test_a_range_gives_exactly_its_lines(workspace: Workspace) -> None:
    result = _get(workspace, "line 1\nline 2\nline 3", 2, 1)
    assert (result.text, result.start_line, result.end_line) == ("line 2", 2, 2)
    assert (result.truncated, result.next_line) == (True, 3)


@pytest.mark.req("GET-01")
@pytest.mark.parametrize(
    ("content", "end_line"), [("a\nb\nc", 3), ("a\nb\nc\n", 4), ("a", 1), ("a\r\nb\r\n", 3), ("\n", 2), ("", 0)]
)
def test_a_small_note_is_given_whole_as_it_stands(workspace: Workspace, content: str, end_line: int) -> None:
    expected = GetResult(path="memory/note.md", text=content, start_line=1, end_line=end_line)
    assert _get(workspace, content) == expected
    assert _get(workspace, content, 1, 10**9) == expected


@pytest.mark.req("GET-01")
def test_the_empty_line_behind_the_last_newline_is_nothing_to_go_on_for(workspace: Workspace) -> None:
    assert not _get(workspace, "a\nb\n", 1, 2).truncated
    assert _get(workspace, "a\nb\n\n", 1, 2).next_line == 3


@pytest.mark.req("GET-01")
def test_only_newlines_separate_lines(workspace: Workspace) -> None:
    content = "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\rh\nsecond"
    assert _get(workspace, content, 1, 1).text == content.partition("\n")[0]
    assert _get(workspace, content, 2, 1).text == "second"


@pytest.mark.req("GET-02")
@pytest.mark.parametrize(("content", "start"), [("a\nb", 10), ("a\nb\n", 4), ("", 1), ("", 2), ("a", 10**15)])
def test_lines_behind_the_end_are_an_empty_text(workspace: Workspace, content: str, start: int) -> None:
    result = _get(workspace, content, start, 5)
    assert (result.text, result.start_line, result.end_line) == ("", start, start - 1)
    assert (result.truncated, result.next_line, result.exists) == (False, None, True)


@pytest.mark.req("GET-03")
@pytest.mark.parametrize("path", ["memory/2099-01-01.md", "memory/none/x.md", "MEMORY.md", "memory/%2e%2e/x.md"])
def test_a_note_that_does_not_exist_is_an_empty_text_that_says_so(workspace: Workspace, opener: str, path: str) -> None:
    workspace.write("memory/x.md", "x")
    assert get(workspace.path, [], path) == GetResult(path=path, text="", start_line=1, end_line=0, exists=False)


@pytest.mark.req("GET-03")
def test_a_note_in_a_folder_that_does_not_exist_is_absent_as_well(workspace: Workspace) -> None:
    assert not get(f"{workspace.path}/missing", [], "MEMORY.md").exists
    assert not get(workspace.path, ["../missing/deep"], "../missing/deep/x.md").exists


@pytest.mark.req("GET-03")
def test_a_note_that_vanishes_is_absent(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "m")
    assert get(workspace.path, [], "MEMORY.md").exists
    workspace.remove("MEMORY.md")
    assert not get(workspace.path, [], "MEMORY.md").exists


@pytest.mark.req("GET-04")
@pytest.mark.parametrize(
    ("content", "start", "lines", "end_line", "next_line"),
    [
        (_numbered(300), None, None, 120, 121),
        (_numbered(300), 10, 2, 11, 12),
        (_numbered(300), 200, None, 300, None),
        (_numbered(300), 181, None, 300, None),
        (_numbered(300), 180, None, 299, 300),
        (_numbered(300), None, 10**9, 300, None),
        (_numbered(120) + "\n", None, None, 120, None),
        ("\n".join(["x" * 1000] * 50), None, None, 11, 12),
        ("\n".join(["x" * 1000] * 50), 12, 10**9, 22, 23),
        ("\n".join(["é" * 1000] * 50), 45, None, 50, None),
        ("\n".join(["x" * 11_999] * 2), None, None, 1, 2),
        ("x" * 12_000 + "\n", None, None, 1, None),
        ("x" * 11_999 + "\n", None, None, 2, None),
        ("\n" * 13_000, None, 10**9, 12_001, 12_002),
    ],
)
def test_what_a_cap_cut_says_where_to_go_on(
    workspace: Workspace, content: str, start: int | None, lines: int | None, end_line: int, next_line: int | None
) -> None:
    result = _get(workspace, content, start, lines)
    first = start or 1
    assert result.text == "\n".join(content.split("\n")[first - 1 : end_line])
    assert (result.start_line, result.end_line, result.next_line) == (first, end_line, next_line)
    assert result.truncated == (next_line is not None)


@pytest.mark.req("GET-04")
@pytest.mark.parametrize(
    ("behind", "next_line"), [("", None), ("\n", None), ("\nmore", 2), ("\n\n", 2), ("x" * 400_000 + "\nmore", 2)]
)
def test_a_line_that_is_too_long_is_cut(workspace: Workspace, behind: str, next_line: int | None) -> None:
    result = _get(workspace, "😀" * 13_000 + behind)
    assert result.text == "😀" * 12_000
    assert (result.start_line, result.end_line) == (1, 1)
    assert (result.truncated, result.next_line) == (True, next_line)


@pytest.mark.req("GET-04")
def test_the_caps_can_be_set(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", _numbered(30))
    assert get(workspace.path, [], "MEMORY.md", max_lines=3).next_line == 4
    assert get(workspace.path, [], "MEMORY.md", 2, max_chars=13).text == "line 2\nline 3"


@pytest.mark.req("GET-05")
@pytest.mark.parametrize("value", [0, -5, 1.5, True, False, "2", [1]])
def test_start_and_lines_are_whole_numbers_from_one_on(workspace: Workspace, value: object) -> None:
    workspace.write("MEMORY.md", _numbered(9))
    with pytest.raises(ArgumentError, match=r"start must be"):
        get(workspace.path, [], "MEMORY.md", value)
    with pytest.raises(ArgumentError, match=r"lines must be"):
        get(workspace.path, [], "MEMORY.md", 1, value)


_TEXTS = st.sampled_from(["a", "\n", "\r\n", "\n\n", "\0", "é", "😀", "\ufffd\u2028"]).map(str.encode)
_NO_TEXTS = st.sampled_from([b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xf0\x9f\x98"])
_PIECES = st.one_of(_TEXTS, _TEXTS, _NO_TEXTS)


@pytest.mark.req("GET-06", "GET-01", "GET-04")
@given(
    st.lists(_PIECES, max_size=40).map(b"".join),
    st.integers(1, 12),
    st.one_of(st.none(), st.integers(1, 8)),
    st.integers(1, 12),
    st.integers(1, 30),
)
def test_get_gives_the_lines_that_a_reader_of_the_whole_sees(
    data: bytes, start: int, lines: int | None, max_lines: int, max_chars: int
) -> None:
    with Workspace({"MEMORY.md": data}) as workspace:
        result = get(workspace.path, [], "MEMORY.md", start, lines, max_lines=max_lines, max_chars=max_chars)
    all_lines = decode(data)[0].split("\n")
    wanted = all_lines[start - 1 : start - 1 + (lines or max_lines)]
    fitting = next(
        (n for n in range(len(wanted), 0, -1) if len("\n".join(wanted[:n])) <= max_chars), 0
    )  # how many whole lines may be given
    behind = "\n".join(all_lines[start - 1 + (fitting or 1) :])
    if wanted and not fitting:
        assert result.text == wanted[0][:max_chars]
        assert result.truncated
        assert result.next_line == (start + 1 if behind else None)
    else:
        assert result.text == "\n".join(wanted[:fitting])
        assert result.next_line == (start + fitting if behind else None)
        assert result.truncated == bool(behind)


@pytest.mark.req("GET-06")
@given(st.lists(st.sampled_from(["", "a", "bcd", "é" * 5, "\r"]), max_size=60), st.integers(1, 7))
def test_going_on_from_next_line_gives_the_whole_note(texts: list[str], max_lines: int) -> None:
    parts = []
    with Workspace({"MEMORY.md": "\n".join(texts)}) as workspace:
        next_line: int | None = 1
        while next_line is not None:
            result = get(workspace.path, [], "MEMORY.md", next_line, max_lines=max_lines)
            parts.append(result.text)
            next_line = result.next_line
    assert "\n".join(parts).rstrip("\n") == "\n".join(texts).rstrip("\n")


@pytest.mark.req("GET-06", "READ-03")
def test_a_byte_order_mark_is_not_part_of_the_first_line(workspace: Workspace) -> None:
    assert _get(workspace, b"\xef\xbb\xbfone\ntwo").text == "one\ntwo"
    assert _get(workspace, b"\xef\xbb\xbfone\ntwo", 2).text == "two"


@pytest.mark.req("GET-06")
def test_lines_are_counted_across_the_blocks_in_which_a_file_is_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines_module, "_BLOCK", 7)
    content = b"\xef\xbb\xbf" + _numbered(200).encode()
    for start in (1, 2, 3, 50, 51, 52, 53, 199, 200):
        assert _get(workspace, content, start, 1).text == f"line {start}"


@pytest.mark.req("GET-07")
def test_a_note_that_may_not_be_read_is_an_error_that_says_so(
    as_nobody: Callable[[], AbstractContextManager[None]], opener: str
) -> None:
    with Workspace({"memory/private.md": "p", "memory/locked/a.md": "a"}) as workspace:
        os.chmod(workspace.root, 0o755)  # noqa: S103 - another user must get in
        os.chmod(workspace.root / "memory/private.md", 0o000)
        os.chmod(workspace.root / "memory/locked", 0o000)
        try:
            with as_nobody():
                for path in ("memory/private.md", "memory/locked/a.md"):
                    with pytest.raises(PathError, match="permission"):
                        get(workspace.path, [], path)
        finally:
            os.chmod(workspace.root / "memory/locked", 0o700)


@pytest.mark.req("GET-08")
@pytest.mark.parametrize("path", ["memory/x.MD", "memory/x.markdown", "memory/x.txt", "memory/x", "extra/x.txt"])
def test_only_markdown_can_be_read(workspace: Workspace, path: str) -> None:
    workspace.write(path, "x")
    with pytest.raises(PathError, match=r"must end in \.md"):
        get(workspace.path, ["extra"], path)


@pytest.mark.req("PATH-04")
def test_files_of_extra_paths_are_read_and_their_neighbours_are_not(workspace: Workspace, opener: str) -> None:
    workspace.write("../team/x.md", "team").write("../team-secret/x.md", "s").write("one.md", "1").write("two.md", "2")
    workspace.write("docs/a/b.md", "docs")
    extra = ["../team", "one.md", "docs"]
    assert get(workspace.path, extra, "../team/x.md").text == "team"
    assert get(workspace.path, extra, "one.md").text == "1"
    assert get(workspace.path, extra, "docs/a/b.md").text == "docs"
    for path in ("../team-secret/x.md", "two.md", "../one.md"):
        with pytest.raises(PathError, match="outside the memory"):
            get(workspace.path, extra, path)


@pytest.mark.req("PATH-04", "PATH-06")
def test_a_file_is_read_below_the_nearest_root_that_holds_it(workspace: Workspace, opener: str) -> None:
    workspace.write("notes.md", "n").link("../alias", "ws")
    alias = str(workspace.root.parent / "alias")
    assert get(alias, ["..", "."], "notes.md").text == "n"
    with pytest.raises(PathError, match="symbolic link"):  # from above, the workspace lies behind a link
        get(alias, [".."], "notes.md")


@pytest.mark.req("GET-09")
def test_a_file_of_two_gib_is_read_within_bounds(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.write("memory/large.md", "first\n" + "x" * 20_000)
    os.truncate(workspace.root / "memory/large.md", 2 * 2**30)
    monkeypatch.setattr(lines_module, "_FARTHEST", 4 * 2**20)
    tracemalloc.start()
    try:
        whole = get(workspace.path, [], "memory/large.md")
        second = get(workspace.path, [], "memory/large.md", 2, 10**9)
        with pytest.raises(PathError, match="too large"):
            get(workspace.path, [], "memory/large.md", 3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (whole.text, whole.truncated, whole.next_line) == ("first", True, 2)
    assert (second.text, second.truncated, second.next_line) == ("x" * MAX_CHARS, True, None)
    assert peak < 4 * 2**20


@pytest.mark.req("GET-10")
def test_a_hard_link_is_read_like_any_file(workspace: Workspace) -> None:
    workspace.write("../outside/secret.md", "shared").write("memory/x.md", "")
    os.link(workspace.root / "../outside/secret.md", workspace.root / "memory/hard.md")
    assert get(workspace.path, [], "memory/hard.md").text == "shared"


@pytest.mark.req("GET-11")
def test_get_loads_nothing_that_it_does_not_need() -> None:
    program = "import json, sys, recollect.sources.lines; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)
    loaded = set(json.loads(done.stdout))
    assert not loaded & {"numpy", "hashlib", "ctypes", "apsw", "asyncio", "recollect.sources.reader"}
