"""Reading whole notes."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import PathError
from recollect.sources.discovery import discover
from recollect.sources.filestat import MAX_FILE_BYTES, file_stat
from recollect.sources.reader import Reader, decode, read_place
from recollect.sources.roots import Place
from recollect.types import FileStat, NoteText, SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from recollect.testing.workspace import Workspace


def _file(path: str) -> SourceFile:
    return SourceFile(
        path=path, source="memory", location="/not/used", stat=FileStat(size=0, mtime_ns=0, ctime_ns=0, inode=0)
    )


def _read(workspace: Workspace, path: str = "MEMORY.md") -> NoteText:
    return Reader(workspace.path).read(_file(path))


def _after_each_read(monkeypatch: pytest.MonkeyPatch, change: Callable[[int], None]) -> None:
    """Let somebody else act after every read that gave bytes; `change` is told how many there were."""
    read, count = os.read, 0

    def reading(descriptor: int, length: int) -> bytes:
        nonlocal count
        data = read(descriptor, length)
        if data:
            count += 1
            change(count)
        return data

    monkeypatch.setattr(os, "read", reading)


@pytest.mark.req("READ-01")
def test_hash_text_and_stat_are_those_of_the_file(workspace: Workspace, opener: str) -> None:
    workspace.write("MEMORY.md", "one\ntwo é").write("../team/x.md", "team")
    for file in discover(workspace.path, ["../team"]).files:
        note = Reader(workspace.path, ["../team"]).read(file)
        data = (workspace.root / file.path).read_bytes()
        assert note == NoteText(
            path=file.path, text=data.decode(), hash=hashlib.sha256(data).digest(), stat=file.stat, replaced=False
        )


@pytest.mark.req("READ-01")
@pytest.mark.parametrize("content", ["", "x", "x" * 100_000])
def test_a_note_of_any_length_is_read_whole(workspace: Workspace, content: str) -> None:
    workspace.write("MEMORY.md", content)
    note = _read(workspace)
    assert note.text == content
    assert note.stat.size == len(content)


@pytest.mark.req("READ-01")
@pytest.mark.parametrize("kind", ["truncated", "grown", "replaced", "same size"])
def test_a_file_that_changes_while_it_is_read_is_never_mixed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    old, new = "old " * 1000, "new!" * 1000

    def change(count: int) -> None:
        if count != 1:
            return
        match kind:
            case "truncated":
                os.truncate(workspace.root / "MEMORY.md", 0)
            case "grown":
                workspace.append("MEMORY.md", new)
            case "replaced":
                workspace.write("memory/aside.md", new).move("memory/aside.md", "MEMORY.md")
            case _:
                workspace.write("MEMORY.md", new, at=1000)

    workspace.write("MEMORY.md", old, at=1000)
    _after_each_read(monkeypatch, change)
    note = _read(workspace)
    monkeypatch.undo()
    expected = {"truncated": [""], "grown": [old + new], "replaced": [old, new], "same size": [new]}
    assert note.text in expected[kind]
    assert note.hash == hashlib.sha256(note.text.encode()).digest()
    if note.text != old:
        assert note.stat == file_stat((workspace.root / "MEMORY.md").stat())


@pytest.mark.req("READ-02")
def test_a_file_that_never_holds_still_is_an_error_after_a_few_tries(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("MEMORY.md", "start")
    tries = []

    def change(count: int) -> None:
        tries.append(count)
        workspace.append("MEMORY.md", "x")

    _after_each_read(monkeypatch, change)
    with pytest.raises(PathError, match="changed again and again"):
        _read(workspace)
    assert len(tries) < 20


@pytest.mark.req("READ-02")
@pytest.mark.skipif(not os.path.isfile("/proc/version"), reason="needs a file that has bytes and says that it has none")
def test_a_file_whose_size_is_not_its_length_is_not_taken_for_whole() -> None:
    with pytest.raises(PathError, match="changed again and again"):
        read_place(Place(path="memory/x.md", anchor="/proc", parts=("version",)))


@pytest.mark.req("READ-03")
def test_a_byte_order_mark_is_dropped_at_the_beginning_alone(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", b"\xef\xbb\xbfone\n\xef\xbb\xbftwo")
    note = _read(workspace)
    assert note.text == "one\n\ufefftwo"
    assert not note.replaced
    assert note.hash == hashlib.sha256(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo").digest()


@pytest.mark.req("READ-03", "READ-04")
def test_a_byte_order_mark_is_dropped_from_bytes_that_are_no_utf8_as_well(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", b"\xef\xbb\xbfone\xff")
    assert _read(workspace).text == "one\ufffd"


@pytest.mark.req("READ-04")
@pytest.mark.parametrize("data", [b"caf\xe9", b"\xc3\x28", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xff\xfea\0"])
def test_bytes_that_are_no_utf8_are_replaced_and_the_note_says_so(workspace: Workspace, data: bytes) -> None:
    workspace.write("MEMORY.md", data)
    note = _read(workspace)
    assert note.replaced
    assert "\ufffd" in note.text
    note.text.encode()
    assert (workspace.root / "MEMORY.md").read_bytes() == data


@pytest.mark.req("READ-04")
def test_a_replacement_character_of_the_author_is_no_replacement(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "what \ufffd means")
    assert not _read(workspace).replaced


@pytest.mark.req("READ-04", "READ-03")
@given(st.binary(max_size=200))
def test_any_bytes_become_text_with_the_same_lines(data: bytes) -> None:
    text, replaced = decode(data)
    text.encode()
    assert text.count("\n") == data.count(b"\n")
    if not replaced:
        assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")


@pytest.mark.req("READ-05")
def test_carriage_returns_stay_and_the_file_is_not_written(workspace: Workspace) -> None:
    data = b"one\r\ntwo\rstill two\nthree"
    workspace.write("MEMORY.md", data)
    before = os.stat(workspace.root / "MEMORY.md")
    assert _read(workspace).text == data.decode()
    after = os.stat(workspace.root / "MEMORY.md")
    assert (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)


@pytest.mark.req("READ-06")
def test_a_file_that_is_too_large_is_not_read(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.write("MEMORY.md", "")
    os.truncate(workspace.root / "MEMORY.md", MAX_FILE_BYTES + 1)
    reads: list[int] = []
    _after_each_read(monkeypatch, reads.append)
    with pytest.raises(PathError, match="larger than 16 MiB"):
        _read(workspace)
    assert reads == []


@pytest.mark.req("PATH-06", "PATH-07")
@pytest.mark.parametrize("path", ["memory/link.md", "memory/folder/x.md", "memory/missing.md", "../outside/x.md"])
def test_reading_refuses_what_get_refuses(workspace: Workspace, opener: str, path: str) -> None:
    workspace.write("../outside/x.md", "s").link("memory/link.md", "x.md").link("memory/folder", "../../outside")
    with pytest.raises(PathError) as caught:
        _read(workspace, path)
    assert str(workspace.root.parent) not in str(caught.value)


@pytest.mark.req("GET-01")
def test_a_reader_gets_lines_as_well(workspace: Workspace, tmp_path: Path) -> None:
    workspace.write("MEMORY.md", "a\nb\nc").write("../team/x.md", "team")
    reader = Reader(workspace.path, ["../team"])
    assert reader.get("MEMORY.md", 2, 1).text == "b"
    assert reader.get("../team/x.md").text == "team"
    assert reader.get("MEMORY.md", max_lines=1).next_line == 2
