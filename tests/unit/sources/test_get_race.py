"""Somebody swaps a folder for a symbolic link while notes are read."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recollect.errors import PathError
from recollect.sources.discovery import discover
from recollect.sources.lines import get
from recollect.sources.reader import Reader
from recollect.types import FileStat, SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recollect.testing.workspace import Workspace

_FLIPPER = Path(__file__).with_name("folder_flipper.py")
_MOST = 200_000  # tries, when the other process gets no turn for a long time


@contextmanager
def _flipping(workspace: Workspace) -> Iterator[None]:
    """memory/d is a folder of the memory and a link to one outside, in quick turns."""
    workspace.write("memory/d/a.md", "inside").write("../outside/a.md", "OUTSIDE").write(
        "../outside/leak.md", "OUTSIDE"
    )
    workspace.link("d-link", workspace.root.parent / "outside")
    with subprocess.Popen(
        [sys.executable, str(_FLIPPER), str(workspace.root / "memory/d"), str(workspace.root / "d-link")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as flipper:
        assert flipper.stdin is not None
        assert flipper.stdout is not None
        try:
            flipper.stdout.readline()
            yield
        finally:
            flipper.stdin.close()
            flipper.wait(timeout=60)


def _raced(read: Callable[[], str], tries: int) -> tuple[int, int]:
    """How often the inside was read and how often the read was refused; the outside must never be seen."""
    inside = refused = count = 0
    while count < tries or (count < _MOST and not (inside and refused)):
        count += 1
        try:
            text = read()
        except PathError:
            refused += 1
            continue
        assert text in ("inside", "")  # "" where the folder is absent for a moment
        inside += text == "inside"
    return inside, refused


@pytest.mark.req("PATH-06", "PATH-08")
def test_a_swapped_folder_never_leads_get_outside(workspace: Workspace, opener: str) -> None:
    with _flipping(workspace):
        inside, refused = _raced(lambda: get(workspace.path, [], "memory/d/a.md").text, 4_000)
    assert inside
    assert refused


@pytest.mark.req("PATH-06", "PATH-08")
def test_a_swapped_folder_never_leads_a_reader_outside(workspace: Workspace, opener: str) -> None:
    stat = FileStat(size=0, mtime_ns=0, ctime_ns=0, inode=0)
    file = SourceFile(path="memory/d/a.md", source="memory", location="", stat=stat)
    reader = Reader(workspace.path)
    with _flipping(workspace):
        inside, refused = _raced(lambda: reader.read(file).text, 2_000)
    assert inside
    assert refused


@pytest.mark.req("PATH-06", "FIND-16")
def test_a_swapped_folder_never_leads_a_discovery_outside(workspace: Workspace) -> None:
    found = linked = count = 0
    with _flipping(workspace):
        while count < 2_000 or (count < _MOST and not (found and linked)):
            count += 1
            discovery = discover(workspace.path)
            paths = [file.path for file in discovery.files]
            assert "memory/d/leak.md" not in paths
            found += "memory/d/a.md" in paths
            linked += bool(discovery.problems)
    assert found
    assert linked


@pytest.mark.slow
@pytest.mark.req("PATH-06", "PATH-08")
def test_a_million_raced_reads_never_leave_the_memory(workspace: Workspace, opener: str) -> None:
    with _flipping(workspace):
        inside, refused = _raced(lambda: get(workspace.path, [], "memory/d/a.md").text, 1_000_000)
    assert inside
    assert refused
