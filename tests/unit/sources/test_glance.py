"""Between two looks a glance sees what people and agents mostly do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from recollect.sources.glance import Looker
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _append(root: Path) -> None:
    with (root / "memory/2026-02-10.md").open("a") as note:
        note.write("one line more\n")


def _rewrite_in_place(root: Path) -> None:
    note = root / "MEMORY.md"
    note.write_text(note.read_text().replace("redis", "kafka"))


def _create(root: Path) -> None:
    (root / "memory/new.md").write_text("new")


def _remove(root: Path) -> None:
    (root / "memory/2026-02-10.md").unlink()


def _rename(root: Path) -> None:
    (root / "memory/2026-02-10.md").rename(root / "memory/other.md")


def _save_as_editors_do(root: Path) -> None:
    (root / "memory/.swap").write_text("from an editor")
    (root / "memory/.swap").rename(root / "memory/2026-02-10.md")


def _vanish(root: Path) -> None:
    root.rename(root.with_name("elsewhere"))


@pytest.mark.req("SOURCE-GLANCE-01")
@pytest.mark.parametrize(
    "change", [_append, _rewrite_in_place, _create, _remove, _rename, _save_as_editors_do, _vanish]
)
def test_a_glance_sees_a_change(change: Callable[[Path], None], tmp_path: Path) -> None:
    root = tmp_path / "ws"
    Workspace({"MEMORY.md": "redis", "memory/2026-02-10.md": "log"}, root=root)
    for path in [root, root / "memory", root / "MEMORY.md", root / "memory/2026-02-10.md"]:
        os.utime(path, ns=(10**18, 10**18))  # long ago, so that no tick of the clock hides the change
    looker = Looker(str(root), ())
    assert not looker.sees_no_change()
    assert len(looker.discover().files) == 2
    assert looker.sees_no_change()
    change(root)
    assert not looker.sees_no_change()
    looker.discover()
    assert looker.sees_no_change()


@pytest.mark.req("SOURCE-GLANCE-01")
def test_a_memory_of_very_many_folders_is_looked_at_each_time(tmp_path: Path) -> None:
    Workspace({f"memory/{number}/a.md": "x" for number in range(70)}, root=tmp_path)
    looker = Looker(str(tmp_path), ())
    looker.discover()
    assert not looker.sees_no_change()
