"""What is found in a workspace, and what is left out and said."""

from __future__ import annotations

import os
import socket
import sqlite3
from typing import TYPE_CHECKING

import pytest

from recollect.sources import discovery
from recollect.sources.discovery import IGNORED_FOLDERS, MAX_DEPTH, Discovery, discover
from recollect.sources.filestat import MAX_FILE_BYTES, file_stat
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from recollect.types import FileStat


def _paths(found: Discovery) -> list[str]:
    return [file.path for file in found.files]


def _problems(found: Discovery) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.path) for problem in found.problems]


def _found(workspace: Workspace, extra_paths: Iterable[str] = ()) -> list[str]:
    return _paths(discover(workspace.path, list(extra_paths)))


@pytest.mark.req("FIND-01", "FIND-13")
def test_all_notes_are_found_with_their_places_and_stats(workspace: Workspace) -> None:
    for path in ("memory/b.md", "memory/a/c.md", "memory/2026-02-10.md", "memory.md", "MEMORY.md", "notes.md"):
        workspace.write(path, "text of " + path)
    workspace.write("../team/x.md", "x")
    found = discover(workspace.path, ["../team"])
    assert _paths(found) == [
        "MEMORY.md",
        "memory.md",
        "memory/2026-02-10.md",
        "memory/a/c.md",
        "memory/b.md",
        "../team/x.md",
    ]
    assert found.problems == ()
    for file in found.files:
        status = os.stat(file.location)
        assert os.path.normpath(f"{workspace.path}/{file.path}") == file.location
        assert file.source == "memory"
        assert (file.stat.size, file.stat.mtime_ns) == (status.st_size, status.st_mtime_ns)
        assert (file.stat.ctime_ns, file.stat.inode) == (status.st_ctime_ns, status.st_ino)


@pytest.mark.req("FIND-01")
def test_a_workspace_without_notes_is_an_empty_memory_and_no_problem(workspace: Workspace) -> None:
    assert discover(workspace.path) == Discovery(files=())


@pytest.mark.req("FIND-01")
def test_an_extra_file_and_an_extra_folder_below_the_workspace_are_found(workspace: Workspace) -> None:
    workspace.write("one.md", "1").write("two.md", "2").write("docs/a/b.md", "3").write("docs/c.txt", "4")
    assert _found(workspace, ["one.md", "docs"]) == ["one.md", "docs/a/b.md"]


@pytest.mark.req("FIND-01")
def test_an_extra_path_may_be_absolute_and_the_workspace_relative(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("../team/x.md", "x").write("MEMORY.md", "m")
    monkeypatch.chdir(workspace.root.parent)
    found = discover("ws", [str(workspace.root.parent / "team" / "x.md")])
    assert _paths(found) == ["MEMORY.md", "../team/x.md"]
    assert found.files[0].location == str(workspace.root / "MEMORY.md")


@pytest.mark.req("FIND-02")
def test_symbolic_links_are_left_out_and_named(workspace: Workspace) -> None:
    workspace.write("../outside/secret.md", "s").write("../outside/picture.png", "p").write("memory/real.md", "r")
    workspace.link("MEMORY.md", "../outside/secret.md").link("memory/link.md", "../../outside/secret.md")
    workspace.link("memory/folder", "../../outside").link("memory/gone.md", "nowhere").link("memory/loop.md", "loop.md")
    workspace.link("memory/picture.png", "../../outside/picture.png").link("memory/node_modules", "../../outside")
    workspace.link("extra", "../outside").link("memory/loop", "loop")
    found = discover(workspace.path, ["extra", "extra/secret.md", "../outside/picture.png"])
    assert _paths(found) == ["memory/real.md"]
    links = ["MEMORY.md", "extra", "extra/secret.md", "memory/folder", "memory/gone.md", "memory/link.md"]
    assert _problems(found) == [
        ("not-markdown", "../outside/picture.png"),
        *(("symlink", path) for path in [*links, "memory/loop.md"]),
    ]


@pytest.mark.req("FIND-02")
def test_a_notes_folder_that_is_a_symbolic_link_is_not_entered(workspace: Workspace) -> None:
    workspace.write("../outside/secret.md", "s").link("memory", "../outside")
    found = discover(workspace.path)
    assert (_paths(found), _problems(found)) == ([], [("symlink", "memory")])


@pytest.mark.req("FIND-02")
def test_a_workspace_may_itself_be_reached_through_a_symbolic_link(workspace: Workspace) -> None:
    workspace.write("memory/a.md", "a").link("../alias", "ws")
    found = discover(str(workspace.root.parent / "alias"))
    assert _paths(found) == ["memory/a.md"]


@pytest.mark.req("FIND-03")
def test_only_regular_files_that_end_in_md_are_taken(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.MD", "c.markdown", "d.txt", "md", ".md", ".hidden.md", "e.md.bak"):
        workspace.write(f"memory/{name}", "x")
    workspace.write("memory/folder.md/inside.md", "x")
    os.mkfifo(workspace.root / "memory/pipe.md")
    monkeypatch.chdir(workspace.root / "memory")  # a socket's name must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        found = discover(workspace.path)
    assert _paths(found) == ["memory/.hidden.md", "memory/.md", "memory/a.md", "memory/folder.md/inside.md"]
    assert _problems(found) == [
        ("other-ending", "memory/b.MD"),
        ("other-ending", "memory/c.markdown"),
        ("not-a-file", "memory/pipe.md"),
        ("not-a-file", "memory/socket.md"),
    ]


@pytest.mark.req("FIND-03")
def test_a_folder_called_memory_md_is_named(workspace: Workspace) -> None:
    workspace.write("MEMORY.md/a.md", "a")
    assert _problems(discover(workspace.path)) == [("not-a-file", "MEMORY.md")]


@pytest.mark.req("FIND-04")
def test_a_missing_extra_path_is_named_and_the_rest_found(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "m").write("here/a.md", "a").write("file.txt", "")
    found = discover(workspace.path, ["missing", "here", "/nowhere-at-all/x/y", "file.txt/deeper"])
    assert _paths(found) == ["MEMORY.md", "here/a.md"]
    assert sorted(code for code, _ in _problems(found)) == ["missing-path", "missing-path", "unreadable"]
    assert ("missing-path", "missing") in _problems(found)


@pytest.mark.req("FIND-04")
def test_what_may_not_be_read_is_named_and_the_rest_found(
    as_nobody: Callable[[], AbstractContextManager[None]],
) -> None:
    with Workspace({"memory/locked/a.md": "a", "memory/open/b.md": "b", "extra/c.md": "c", "dark/d.md": "d"}) as notes:
        os.chmod(notes.root, 0o755)  # noqa: S103 - another user must get in
        os.chmod(notes.root / "memory/locked", 0o000)
        os.chmod(notes.root / "extra", 0o000)
        os.chmod(notes.root / "dark", 0o744)  # its names can be listed, its files not looked at
        with as_nobody():
            found = discover(notes.path, ["extra", "dark"])
        for folder in ("memory/locked", "extra", "dark"):
            os.chmod(notes.root / folder, 0o700)
    assert _paths(found) == ["memory/open/b.md"]
    assert {("unreadable", "memory/locked"), ("unreadable", "extra")} <= set(_problems(found))
    assert all("permission denied" in problem.message for problem in found.problems)


@pytest.mark.req("FIND-04")
def test_no_problem_says_where_the_workspace_lies(workspace: Workspace) -> None:
    workspace.link("memory/link.md", "x").write("memory/b.MD", "")
    found = discover(workspace.path, ["missing", "../missing", str(workspace.root / "absolute")])
    assert len(found.problems) == 5
    assert not any(str(workspace.root.parent) in problem.message for problem in found.problems)


@pytest.mark.req("FIND-05")
def test_one_file_under_both_top_names_is_found_once(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "m")
    os.link(workspace.root / "MEMORY.md", workspace.root / "memory.md")
    assert _found(workspace) == ["MEMORY.md"]
    workspace.remove("memory.md").write("memory.md", "m")
    assert _found(workspace) == ["MEMORY.md", "memory.md"]


@pytest.mark.req("FIND-06")
def test_overlapping_roots_give_each_file_once_by_its_first_spelling(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "m").write("memory/a/b.md", "b").write("c.md", "c").write("../d.md", "d")
    parent = str(workspace.root.parent)
    extra = [workspace.path, ".", "MEMORY.md", "memory", "memory/a", "..", parent, "../ws/memory", "c.md"]
    assert _found(workspace, extra) == ["MEMORY.md", "memory/a/b.md", "c.md", "../d.md"]


@pytest.mark.req("FIND-06")
def test_a_file_that_a_second_name_of_its_folder_reaches_is_found_once(workspace: Workspace) -> None:
    workspace.write("memory/a.md", "a").link("../alias", "ws")
    assert _found(workspace, ["../alias/memory"]) == ["memory/a.md"]


@pytest.mark.req("FIND-06")
def test_a_file_that_is_replaced_between_two_roots_is_found_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("memory/a.md", "a")

    def replacing(status: os.stat_result) -> FileStat:
        workspace.write("aside", "b").move("aside", "memory/a.md")
        return file_stat(status)

    monkeypatch.setattr(discovery, "file_stat", replacing)
    assert _found(workspace, ["."]) == ["memory/a.md"]


@pytest.mark.req("FIND-06")
def test_a_hard_link_within_one_root_is_a_note_of_its_own(workspace: Workspace) -> None:
    workspace.write("memory/a.md", "a")
    os.link(workspace.root / "memory/a.md", workspace.root / "memory/b.md")
    assert _found(workspace, ["memory"]) == ["memory/a.md", "memory/b.md"]


@pytest.mark.req("FIND-07")
def test_folders_of_tools_are_not_searched_and_are_no_problem(workspace: Workspace) -> None:
    for folder in IGNORED_FOLDERS:
        workspace.write(f"memory/{folder}/deep/x.md", "x").write(f"memory/sub/{folder}/x.md", "x")
    workspace.write("memory/.private/x.md", "x").write("memory/venv.md", "x")
    found = discover(workspace.path, ["memory/sub/.git"])  # named, it is wanted
    assert _paths(found) == ["memory/.private/x.md", "memory/venv.md", "memory/sub/.git/x.md"]
    assert found.problems == ()
    assert found.ignored == tuple(sorted(f"memory/{sub}{name}" for name in IGNORED_FOLDERS for sub in ("", "sub/")))


@pytest.mark.req("FIND-08")
def test_names_that_are_no_utf8_are_left_out_and_named_by_their_bytes(workspace: Workspace) -> None:
    workspace.write("memory/good.md", "g")
    folder = os.fsencode(workspace.root / "memory")
    for name in (b"caf\xe9.md", b"dir\xff/x.md", b"notes\xe9.txt"):
        os.makedirs(os.path.dirname(folder + b"/" + name), exist_ok=True)
        with open(folder + b"/" + name, "wb") as file:
            file.write(b"x")
    os.symlink(b"caf\xe9.md", folder + b"/link\xe9.md")
    os.mkfifo(folder + b"/pipe\xe9.md")
    found = discover(workspace.path)
    assert _paths(found) == ["memory/good.md"]
    assert sorted(problem.code for problem in found.problems) == [
        "name-not-utf-8",
        "name-not-utf-8",
        "not-a-file",
        "symlink",
    ]
    assert all(problem.path is None for problem in found.problems)
    assert repr(b"memory/caf\xe9.md") in found.problems[0].message
    assert all(problem.message.isascii() for problem in found.problems)


@pytest.mark.req("FIND-09")
def test_strange_names_are_taken_as_they_are(workspace: Workspace) -> None:
    names = ["a\nb.md", "tab\t.md", 'quote".md', "rtl\u202e.md", "; $(id) `id` *.md", "café.md", "%2e%2e.md", "日本.md"]
    for name in names:
        workspace.write(f"memory/{name}", "x")
    found = discover(workspace.path)
    assert _paths(found) == sorted(f"memory/{name}" for name in names)
    assert found.problems == ()


@pytest.mark.req("FIND-09")
def test_a_strange_name_in_a_problem_is_escaped(workspace: Workspace) -> None:
    workspace.link("memory/a\n\u202eb.md", "x")
    (problem,) = discover(workspace.path).problems
    assert problem.message.startswith("memory/a\\n\\u202eb.md is a symbolic link")
    assert problem.path == "memory/a\n\u202eb.md"


@pytest.mark.req("FIND-10")
def test_what_get_would_refuse_is_left_out_and_named(workspace: Workspace) -> None:
    for name in ("memory/a\\b.md", "memory/c\\d/x.md", "~home.md", "~/x.md", "c:x.md", "ok~.md", "todo: now.md"):
        workspace.write(name, "x")
    found = discover(workspace.path, [".", "~/x.md"])
    assert _paths(found) == ["ok~.md", "todo: now.md"]
    assert _problems(found) == [
        ("unsupported-name", path) for path in ("c:x.md", "memory/a\\b.md", "memory/c\\d", "~", "~/x.md", "~home.md")
    ]


@pytest.mark.req("FIND-11")
def test_a_file_called_memory_is_named_and_the_rest_found(workspace: Workspace) -> None:
    workspace.write("memory", "no folder").write("MEMORY.md", "m")
    found = discover(workspace.path)
    assert (_paths(found), _problems(found)) == (["MEMORY.md"], [("not-a-folder", "memory")])


@pytest.mark.req("FIND-12")
def test_a_file_that_is_too_large_is_left_out_and_named_once(workspace: Workspace) -> None:
    workspace.write("memory/small.md", "x").write("memory/limit.md", "").write("memory/large.md", "")
    os.truncate(workspace.root / "memory/limit.md", MAX_FILE_BYTES)
    os.truncate(workspace.root / "memory/large.md", 8 * 2**30)
    found = discover(workspace.path, ["."])
    assert _paths(found) == ["memory/limit.md", "memory/small.md"]
    assert _problems(found) == [("too-large", "memory/large.md")]


@pytest.mark.req("FIND-13")
def test_files_above_the_workspace_and_in_it_have_their_own_paths(workspace: Workspace) -> None:
    workspace.write("sub/a.md", "a").write("b.md", "b").write("../c.md", "c").write("../../d.md", "d")
    workspace.write("../ws-2/e.md", "e")
    assert _found(workspace, ["../.."]) == ["../../d.md", "../c.md", "../ws-2/e.md", "b.md", "sub/a.md"]


@pytest.mark.req("FIND-14")
def test_the_order_does_not_depend_on_the_order_of_creation(workspace: Workspace) -> None:
    names = [f"memory/{folder}/{name}.md" for folder in "cab" for name in "zxy"]
    for name in names:
        workspace.write(name, "x")
    before = _found(workspace)
    for name in names:
        workspace.remove(name)
    for name in reversed(names):
        workspace.write(name, "x")
    assert _found(workspace) == before == sorted(names)


@pytest.mark.req("FIND-15")
def test_a_same_size_edit_with_its_time_turned_back_shows(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", "one", at=1000)
    before = discover(workspace.path).files[0].stat
    workspace.write("../aside.md", "two", at=1000).move("../aside.md", "MEMORY.md")
    after = discover(workspace.path).files[0].stat
    assert (before.size, before.mtime_ns) == (after.size, after.mtime_ns)
    assert before != after


@pytest.mark.req("FIND-15")
@pytest.mark.parametrize("moment", [0, -1_000_000_000, 7_258_118_400, 13_569_465_600])
def test_any_time_of_change_fits_a_database(workspace: Workspace, moment: float) -> None:
    workspace.write("MEMORY.md", "one", at=moment)
    stat = discover(workspace.path).files[0].stat
    with sqlite3.connect(":memory:") as database:
        database.execute("SELECT ?, ?, ?, ?", (stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode))
    database.close()


@pytest.mark.req("FIND-16")
def test_folders_that_are_too_deep_are_named_and_the_rest_found(workspace: Workspace) -> None:
    deepest = "memory" + "/d" * (MAX_DEPTH - 1)
    workspace.write(f"{deepest}/found.md", "x").write(f"{deepest}/e/lost.md", "x").write("memory/z/top.md", "x")
    found = discover(workspace.path)
    assert _paths(found) == [f"{deepest}/found.md", "memory/z/top.md"]
    assert _problems(found) == [("too-deep", f"{deepest}/e")]


@pytest.mark.req("FIND-16")
def test_a_discovery_leaves_no_descriptor_open(workspace: Workspace) -> None:
    for name in ("memory/a/b/c.md", "memory/a/d.md", "memory/e/f.md", "extra/x/y.md"):
        workspace.write(name, "x")
    before = os.listdir("/dev/fd")
    discover(workspace.path, ["extra", "missing/x", "extra/x/y.md", "..", "memory/e/f.md/g"])
    assert os.listdir("/dev/fd") == before


@pytest.mark.req("FIND-17")
def test_a_missing_workspace_is_a_problem_and_extra_paths_are_found_still(workspace: Workspace) -> None:
    workspace.write("../team/x.md", "x").write("../file", "")
    found = discover(str(workspace.root.parent / "missing"), ["../team"])
    assert (_paths(found), _problems(found)) == (["../team/x.md"], [("missing-workspace", ".")])
    assert _problems(discover(str(workspace.root.parent / "file"))) == [("unreadable", ".")]
