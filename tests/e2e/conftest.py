"""Notes and memories for tests of the whole library; every memory is closed in the end."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from recollect import Memory
from recollect.testing.clock import FixedClock
from recollect.testing.embedder import HashedEmbedder
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from e2e.kit import Open
    from recollect.protocols import Clock, Embedder


NOTES = {
    "MEMORY.md": "# Memory\n\n- Redis goes; the job queue moves into PostgreSQL.\n- Tea, not coffee.\n",
    "memory/2026-02-10.md": (
        "# 2026-02-10\n\n## Redis\n\nThe Redis cache is dropped without replacement.\n\n"
        "## Office\n\nThe heating failed; the janitor comes on Wednesday.\n"
    ),
    "memory/2026-02-24.md": "# 2026-02-24\n\nDeposits are returned 48 hours after the boat is checked in.\n",
    "memory/people.md": "# People\n\nJonas plays the trombone and looks after the database.\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> Workspace:
    return Workspace(NOTES, root=tmp_path / "notes")


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    return Workspace({}, root=tmp_path / "notes")


@pytest.fixture
def open_memory(tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as opened:

        def open_(
            config: Mapping[str, object] | None = None,
            *,
            embedder: Embedder | None = HashedEmbedder(),  # noqa: B008 - only its counts change
            clock: Clock | None = None,
        ) -> Memory:
            return opened.enter_context(
                Memory(
                    tmp_path / "notes",
                    state_dir=tmp_path / "state",
                    config=config,
                    embedder=embedder,
                    clock=clock or FixedClock(),
                )
            )

        yield open_
