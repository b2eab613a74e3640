"""Opening files without leaving their root."""

from __future__ import annotations

import errno
import os
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.errors import PathError
from recollect.sources import beneath
from recollect.sources.lines import get
from recollect.sources.roots import Place

if TYPE_CHECKING:
    from recollect.testing.workspace import Workspace


def _read(place: Place) -> bytes:
    descriptor, _ = beneath.open_regular(place)
    try:
        return os.read(descriptor, 1000)
    finally:
        os.close(descriptor)


def _place(workspace: Workspace, path: str) -> Place:
    return Place(path=path, anchor=workspace.path, parts=tuple(path.split("/")))


@pytest.mark.req("PATH-08")
def test_a_file_is_opened_however_deep_it_lies(workspace: Workspace, opener: str) -> None:
    workspace.write("memory/a/b/c.md", "deep").write("MEMORY.md", "top")
    assert _read(_place(workspace, "memory/a/b/c.md")) == b"deep"
    assert _read(_place(workspace, "MEMORY.md")) == b"top"


@pytest.mark.req("PATH-06", "PATH-08")
@pytest.mark.parametrize(
    "path", ["memory/link.md", "memory/folder/secret.md", "memory/a/deep/x/secret.md", "memory/loop/x.md", "link/x.md"]
)
def test_no_component_may_be_a_symbolic_link(workspace: Workspace, opener: str, path: str) -> None:
    workspace.write("../outside/secret.md", "s").write("../outside/x/secret.md", "s").write("memory/a/real.md", "r")
    workspace.link("memory/link.md", "a/real.md").link("memory/folder", "../../outside")
    workspace.link("memory/a/deep", workspace.root.parent / "outside").link("memory/loop", "loop").link("link", "none")
    with pytest.raises(OSError, match="symbolic") as caught:
        _read(_place(workspace, path))
    assert caught.value.errno == errno.ELOOP


@pytest.mark.req("PATH-06")
@pytest.mark.parametrize("path", ["memory/gone.md", "memory/link.md", "extra/x.md", "../team/x.md", "memory/loop/x.md"])
def test_get_refuses_symbolic_links_and_says_so(workspace: Workspace, opener: str, path: str) -> None:
    workspace.write("../outside/x.md", "s").link("memory/gone.md", "nowhere").link("memory/link.md", "../MEMORY.md")
    workspace.write("MEMORY.md", "m").link("extra", "../outside").link("../team", "outside")
    workspace.link("memory/loop", "loop")
    with pytest.raises(PathError, match="symbolic link") as caught:
        get(workspace.path, ["extra", "../team"], path)
    assert str(workspace.root.parent) not in str(caught.value)


@pytest.mark.req("PATH-07", "PATH-08")
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("memory/pipe.md", "pipe, socket or device"),
        ("memory/socket.md", "pipe, socket or device"),
        ("memory/folder.md", "folder"),
        ("MEMORY.md", "folder"),
        ("memory/file.md/below.md", "no folder"),
        ("memory/" + "a" * 300 + ".md", "too long"),
    ],
)
def test_what_is_no_regular_file_is_refused_at_once(
    workspace: Workspace, opener: str, monkeypatch: pytest.MonkeyPatch, path: str, says: str
) -> None:
    workspace.write("memory/folder.md/x.md", "x").write("MEMORY.md/x", "x").write("memory/file.md", "x")
    os.mkfifo(workspace.root / "memory/pipe.md")  # nobody writes into it: to open it plainly would wait for ever
    monkeypatch.chdir(workspace.root / "memory")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        with pytest.raises(PathError, match=says):
            get(workspace.path, [], path)


@pytest.mark.req("PATH-07")
def test_a_device_is_not_read(opener: str) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):
        beneath.open_regular(Place(path="memory/zero.md", anchor="/dev", parts=("zero",)))


@pytest.mark.req("PATH-07", "PATH-08")
def test_no_descriptor_stays_open_whatever_happens(workspace: Workspace, opener: str) -> None:
    workspace.write("memory/a/b/c.md", "deep").link("memory/a/link", "b").write("memory/folder.md/x", "x")
    before = os.listdir("/dev/fd")
    for path in ("memory/a/b/c.md", "memory/a/link/c.md", "memory/folder.md", "memory/a/b/no.md", "memory/a/b/c.md/d"):
        try:
            _read(_place(workspace, path))
        except OSError:
            continue
    assert os.listdir("/dev/fd") == before


@pytest.mark.req("PATH-08")
def test_the_walk_serves_where_the_kernel_has_no_openat2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    beneath.opener.cache_clear()
    assert beneath.opener() is beneath.walk
    beneath.opener.cache_clear()


@pytest.mark.req("PATH-08")
def test_a_kernel_that_does_not_know_the_call_is_found_out(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    if beneath.openat2() is None:
        pytest.skip("this kernel has no openat2")
    monkeypatch.setattr(beneath, "_OPENAT2", 99_999)
    assert beneath.openat2() is None


@pytest.mark.req("PATH-06")
@pytest.mark.parametrize("code", sorted(errno.errorcode))
def test_every_error_of_the_system_becomes_a_sentence(code: int) -> None:
    error = beneath.path_error(OSError(code, os.strerror(code), "/home/someone/x.md"), "memory/x.md")
    assert error.message.startswith("memory/x.md ")
    assert error.message.endswith(".")
    assert error.hint
    assert "/home" not in str(error)
