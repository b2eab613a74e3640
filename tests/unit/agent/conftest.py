"""A memory of a few notes, and tools on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect import Memory
from recollect.testing.clock import FixedClock
from recollect.testing.embedder import HashedEmbedder
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOTES = {
    "MEMORY.md": "# Memory\n\n- Redis goes; the job queue moves into PostgreSQL.\n- Tea, not coffee.\n",
    "memory/2026-02-10.md": "# 2026-02-10\n\n## Redis\n\nThe Redis cache is dropped without replacement.\n",
    "memory/2026-02-24.md": "# 2026-02-24\n\nDeposits are returned 48 hours after the boat is checked in.\n",
    "memory/people.md": "# People\n\nJonas plays the trombone and looks after Redis.\n\nAiko draws.\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> Workspace:
    return Workspace(NOTES, root=tmp_path / "notes")


@pytest.fixture
def memory(notes: Workspace, tmp_path: Path) -> Iterator[Memory]:
    with Memory(notes.path, state_dir=tmp_path / "state", embedder=HashedEmbedder(), clock=FixedClock()) as opened:
        yield opened
