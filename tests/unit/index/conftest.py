from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite.store import SqliteStore
from unit.index.rig import Rig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recollect.protocols import ChunkStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChunkStore]:
    made: ChunkStore = MemoryStore() if request.param == "memory" else SqliteStore(str(tmp_path / "index.sqlite"))
    yield made
    made.close()


@pytest.fixture
def rig(store: ChunkStore, tmp_path: Path) -> Rig:
    return Rig(tmp_path, store)
