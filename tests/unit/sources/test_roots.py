"""Which texts name a file of the memory."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ArgumentError, PathError
from recollect.sources.roots import Place, Roots, show

WORKSPACE = "/srv/parent/ws"
EXTRAS = ("../team", "notes/shared", "/other/place/one.md", "/srv/parent/ws/memory/deep")
ROOTS = Roots(WORKSPACE, EXTRAS)

_NAMES = ["memory", "MEMORY.md", "memory.md", "x.md", "team", "notes", "shared", "ws", "parent", "srv", "one.md"]
_OTHERS = ["other", "place", "Memory", "é.md", ".md"]
_TRICKS = ["..", ".", "", "/", "~", "C:", "\\", "\0", "%2e%2e", "file://", "\udce9", " "]
_PIECES = st.one_of(st.sampled_from(_NAMES + _OTHERS), st.sampled_from(_TRICKS))
_PATHS = st.one_of(
    st.lists(_PIECES, max_size=9).map("/".join), st.lists(_PIECES, max_size=9).map("".join), st.text(max_size=40)
)


def _below(location: str, root: str) -> bool:
    return os.path.commonpath([location, root]) == root


@pytest.mark.req("PATH-01")
@given(_PATHS)
def test_whatever_the_text_an_accepted_path_lies_inside_the_roots(path: str) -> None:
    try:
        place = ROOTS.locate(path)
    except (ArgumentError, PathError):
        return
    named = os.path.normpath(f"{WORKSPACE}/{path}")
    opened = "/".join((place.anchor.rstrip("/"), *place.parts))
    assert opened == named
    assert all(part not in ("", ".", "..") and "/" not in part for part in place.parts)
    assert named.endswith(".md")
    folders = (f"{WORKSPACE}/memory", "/srv/parent/team", f"{WORKSPACE}/notes/shared")
    files = (f"{WORKSPACE}/MEMORY.md", f"{WORKSPACE}/memory.md", "/other/place/one.md")
    assert named in files or any(_below(named, folder) for folder in folders)


@pytest.mark.req("PATH-04")
@given(st.lists(st.sampled_from(["a", "b", "..", "ws", "parent"]), min_size=1, max_size=6), st.booleans())
def test_a_cited_path_leads_back_to_the_file(names: list[str], outside: bool) -> None:
    names = [name for name in names if name != ".."]
    base = "/srv/parent/team" if outside else f"{WORKSPACE}/notes/shared"
    location = (*base.strip("/").split("/"), *names, "n.md")
    place = ROOTS.locate(ROOTS.cited(location))
    assert "/".join((place.anchor, *place.parts)) == "/" + "/".join(location)


@pytest.mark.req("PATH-02")
@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "memory/../../outside.md",
        "memory/../MEMORY.md",
        "memory/../../../../../../etc/passwd",
        "..\\outside.md",
        "memory\\x.md",
        "C:\\Windows\\win.ini",
        "C:/memory/x.md",
        "\\\\srv\\share\\x.md",
        "file:///etc/passwd",
        "https://example.org/x.md",
        "~/.ssh/id_rsa",
        "~/memory/x.md",
        "/etc/passwd",
        "/memory/x.md",
        "//memory/x.md",
        "MEMORY.md/../../outside.md",
        "./memory/./../../outside.md",
        "../workspace/secret.md",
        "../../../../../../../../x.md",
        "../ws/MEMORY.md",
        "../teammates/x.md",
        "../team/../x.md",
        "notes/x.md",
        "memory/caf\udce9.md",
        "a" * 300 + ".md",
        "memory/" + "a/" * 3000 + "x.md",
        ".",
        "./",
        "..",
        "memory",
        "memory/",
        "memory/.",
        "memory/..",
        "memory/x.md/",
        " ",
    ],
)
def test_a_path_that_is_none_of_the_memory_is_refused_without_naming_a_place(path: str) -> None:
    with pytest.raises(PathError) as caught:
        ROOTS.locate(path)
    said = str(caught.value)
    assert "/srv" not in said
    assert "/etc" not in said
    assert caught.value.hint


@pytest.mark.req("PATH-03")
@pytest.mark.parametrize("path", ["", "a\0b.md", "memory/\0.md", 123, None, ["MEMORY.md"], b"MEMORY.md", True])
def test_what_is_no_path_at_all_is_wrong_use(path: object) -> None:
    with pytest.raises(ArgumentError):
        ROOTS.locate(path)


@pytest.mark.req("PATH-03")
@pytest.mark.parametrize("folder", ["", "a\0b"])
def test_a_workspace_that_is_no_path_is_wrong_use(folder: str) -> None:
    with pytest.raises(ArgumentError):
        Roots(folder)


@pytest.mark.req("PATH-05")
@pytest.mark.parametrize(
    ("path", "cited"),
    [
        ("MEMORY.md", "MEMORY.md"),
        ("memory.md", "memory.md"),
        ("./MEMORY.md", "MEMORY.md"),
        ("memory/x.md", "memory/x.md"),
        ("memory/a/b.md", "memory/a/b.md"),
        ("./memory/x.md", "memory/x.md"),
        ("memory//a/./x.md", "memory/a/x.md"),
        ("memory/~x.md", "memory/~x.md"),
        ("memory/%2e%2e/x.md", "memory/%2e%2e/x.md"),
        ("memory/...md", "memory/...md"),
    ],
)
def test_paths_of_the_memory_are_taken_with_their_detours_removed(path: str, cited: str) -> None:
    parts = tuple(cited.split("/"))
    assert ROOTS.locate(path) == Place(path=cited, anchor=WORKSPACE, parts=parts)


@pytest.mark.req("PATH-05")
@pytest.mark.parametrize(
    "path", ["Memory/x.md", "notes.md", "NOTES.md", "../MEMORY.md", "/memory/x.md", ".memory/x.md", "memory.md/x.md"]
)
def test_what_only_resembles_a_path_of_the_memory_is_refused(path: str) -> None:
    with pytest.raises(PathError):
        ROOTS.locate(path)


@pytest.mark.req("PATH-04")
@pytest.mark.parametrize(
    ("path", "anchor", "parts"),
    [
        ("../team/x.md", "/srv/parent", ("team", "x.md")),
        ("../team/a/b.md", "/srv/parent", ("team", "a", "b.md")),
        ("notes/shared/x.md", WORKSPACE, ("notes", "shared", "x.md")),
        ("../../../other/place/one.md", "/other/place", ("one.md",)),
    ],
)
def test_files_of_extra_paths_are_opened_below_their_root(path: str, anchor: str, parts: tuple[str, ...]) -> None:
    assert ROOTS.locate(path) == Place(path=path, anchor=anchor, parts=parts)


@pytest.mark.req("PATH-04")
def test_an_extra_path_that_holds_the_workspace_opens_all_of_it() -> None:
    roots = Roots(WORKSPACE, ["../.."])
    assert roots.locate("notes.md").anchor == "/"
    assert roots.locate("notes.md").parts == ("srv", "parent", "ws", "notes.md")
    assert roots.locate("../x.md").parts == ("srv", "parent", "x.md")
    with pytest.raises(PathError):
        roots.locate("../ws/notes.md")  # the same file has one name
    with pytest.raises(PathError):
        roots.locate("../../../x.md")


@pytest.mark.req("FIND-18")
def test_extra_paths_are_trimmed_resolved_and_taken_once() -> None:
    roots = Roots("/ws", [" notes ", "./notes", "/shared", "/shared", "", "../team"])
    assert ["/" + "/".join(root.location) for root in roots.extras] == ["/ws/notes", "/shared", "/team"]
    assert [root.path for root in roots.extras] == ["notes", "../shared", "../team"]


@pytest.mark.req("FIND-18")
def test_an_extra_path_that_can_be_no_path_is_a_problem() -> None:
    roots = Roots("/ws", ["a\0b", "caf\udce9", "notes"])
    assert [problem.code for problem in roots.problems] == ["invalid-path", "invalid-path"]
    assert len(roots.extras) == 1


@pytest.mark.req("FIND-09")
@given(st.text(max_size=30))
def test_a_path_in_a_message_can_always_be_printed(path: str) -> None:
    assert show(path).isprintable()
    show(path).encode()
