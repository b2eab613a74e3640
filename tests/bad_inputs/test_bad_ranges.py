"""Lines that are none, files that may not be read, and files of any size."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bad_inputs.measure import peak_kib
from bad_inputs.room import need_bound_modes
from bad_inputs.rows import row
from recollect import ArgumentError, PathError

if TYPE_CHECKING:
    from bad_inputs.room import Room


@pytest.mark.parametrize(
    ("start", "lines"),
    [
        row("GE-043", 0, None, named="line-zero"),
        row("GE-044", -5, 3, named="line-minus-five"),
        row("GE-047", 1.5, None, named="a-fraction"),
        row("GE-049", True, None, named="a-truth-value"),
    ],
)
def test_a_line_that_is_none_is_wrong_use_and_never_wraps(start: int, lines: int | None, indexed: Room) -> None:
    typed = ["--from", str(start), *([] if lines is None else ["--lines", str(lines)])]
    said = indexed.asked("get", "MEMORY.md", *typed)
    said.refused("E_ARG", 2)
    assert "Tea" not in said.said
    with indexed.memory() as memory, pytest.raises(ArgumentError):
        memory.get("MEMORY.md", start=start, lines=lines)


@pytest.mark.req("GE-046")
def test_a_billion_lines_are_the_whole_file_up_to_the_cap(room: Room) -> None:
    whole = room.asked("get", "MEMORY.md", "--lines", "1000000000").json()
    assert whole["text"] == (room.notes.root / "MEMORY.md").read_text()
    assert whole["truncated"] is False
    room.notes.write("memory/long.md", "word " * 40 * 1000 + "\nend\n")
    room.notes.write("memory/many.md", "line\n" * 40_000)
    for note in ("memory/long.md", "memory/many.md"):
        cut = room.asked("get", note, "--lines", "1000000000").json()
        assert cut["truncated"] is True
        assert 0 < len(str(cut["text"])) <= 12_000


@pytest.mark.req("GE-050")
def test_only_a_line_feed_ends_a_line_so_a_hit_and_its_lines_say_the_same(room: Room) -> None:
    odd = "".join(f"part{number}{mark}" for number, mark in enumerate("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\r"))
    room.notes.write(
        "memory/odd.md", f"# Odd\n\nzephyr {odd} end\nsecond line\n\nthe quince stands on line six {odd}\n"
    )
    for word, line in (("zephyr", 3), ("quince", 6)):
        hit = room.hits(word)[0]
        start, end = hit["startLine"], hit["endLine"]
        assert isinstance(start, int)
        assert isinstance(end, int)
        assert start <= line <= end
        read = room.asked("get", "memory/odd.md", "--from", str(start), "--lines", str(end - start + 1)).json()
        assert str(read["text"]).strip() == str(hit["snippet"]).strip()


@pytest.mark.req("GE-052")
def test_a_note_that_may_not_be_read_says_so_and_is_not_empty(
    room: Room, tmp_path_factory: pytest.TempPathFactory
) -> None:
    need_bound_modes(tmp_path_factory.mktemp("modes"))
    (room.notes.root / "memory/2026-02-10.md").chmod(0)
    words = room.asked("get", "memory/2026-02-10.md", bound=True).refused("E_PATH", 1)
    assert "permission" in words
    done = room.asked("index", bound=True)
    assert done.status == 0
    assert ("unreadable", "memory/2026-02-10.md") in done.problems()


@pytest.mark.req("GE-053")
@pytest.mark.parametrize("name", ["memory/a.MD", "memory/a.markdown", "memory/a.txt", "memory/a.Md", "memory/a"])
def test_only_names_that_end_in_md_are_read(name: str, room: Room) -> None:
    room.notes.write(name, "quince")
    words = room.asked("get", name).refused("E_PATH", 1)
    assert ".md" in words
    with room.memory() as memory, pytest.raises(PathError):
        memory.get(name)
    assert room.finds("quince") == []


@pytest.mark.req("GE-055")
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="LEFT OUT: the peak of memory is read from /proc")
def test_a_file_of_two_gibibytes_is_read_in_a_bounded_amount_of_memory(room: Room) -> None:
    usual, _ = peak_kib(room, "get", "MEMORY.md")
    room.notes.write("memory/huge.md", "first line\n" + "x" * 5000 + "\n")
    os.truncate(room.notes.root / "memory/huge.md", 2 << 30)
    for arguments in (
        ["memory/huge.md"],
        ["memory/huge.md", "--from", "3"],
        ["memory/huge.md", "--lines", "1000000000"],
    ):
        peak, out = peak_kib(room, "get", *arguments)
        assert peak - usual < 64 << 10
        assert '"truncated":true' in out.replace(" ", "")
