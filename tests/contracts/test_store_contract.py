"""Every store keeps the contract."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_contract import StoreContract

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.protocols import ChunkStore


@pytest.mark.req("STORE-01")
class TestSqliteStore(StoreContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.paths = (str(tmp_path / f"{number}" / "index.sqlite") for number in count())

    def make(self) -> ChunkStore:
        return SqliteStore(next(self.paths))


@pytest.mark.req("STORE-01")
class TestMemoryStore(StoreContract):
    def make(self) -> ChunkStore:
        return MemoryStore()
