"""Whatever happened to the files, the index is what a fresh index of them would be."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from recollect.index import passes
from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite.store import SqliteStore
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from recollect.protocols import ChunkStore
    from recollect.types import Grain

ALL_PATHS = ("MEMORY.md", "memory/a.md", "memory/2026-02-10.md", "memory/deep/b.md", "memory/deep/c.md")
PATHS = st.sampled_from(ALL_PATHS)
LINES = ["# Cellar", "## Racks", "", "red wine", "white wine and more of it, cold", "- item", "```", "Ana: yes", "酒蔵"]
TEXTS = st.lists(st.sampled_from(LINES), max_size=14).map("\n".join)
OF_VECTORS = ("vectors", "chunks", "places")


class Interrupted(BaseException):
    """The process was killed."""


class Histories(RuleBasedStateMachine):
    """The real clock, because files that change within a tick of it are part of what must work."""

    grain: Grain = "unit"

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.embedder = FailingEmbedder(HashedEmbedder(dims=16, grain=self.grain))
        self.rig = Rig(self.root, self.make_store(), self.embedder)
        self.rig.clock = time.time
        self.rig.tokens, self.rig.overlap = 8, 2
        self.limits = passes.REMOTE
        passes.REMOTE = passes.BatchLimits(chunks=3)

    @initialize(texts=st.lists(TEXTS, min_size=2, max_size=5))
    def begin_with_some_notes(self, texts: list[str]) -> None:
        for path, text in zip(ALL_PATHS, texts, strict=False):
            self.rig.workspace.write(path, text)

    def make_store(self) -> ChunkStore:
        return MemoryStore()

    def teardown(self) -> None:
        passes.REMOTE = self.limits
        self.rig.store.close()
        self.folder.cleanup()

    def there(self, path: str) -> bool:
        return (self.rig.workspace.root / path).exists()

    @rule(path=PATHS, text=TEXTS)
    def write(self, path: str, text: str) -> None:
        self.rig.workspace.write(path, text)

    @rule(path=PATHS, line=st.sampled_from(LINES), at=st.integers(0, 14))
    def insert_a_line(self, path: str, line: str, at: int) -> None:
        if self.there(path):
            lines = (self.rig.workspace.root / path).read_text().split("\n")
            self.rig.workspace.write(path, "\n".join([*lines[:at], line, *lines[at:]]))

    @rule(path=PATHS, one=st.sampled_from("aeiou"), other=st.sampled_from("aeiou"))
    def exchange_letters_and_turn_the_time_back(self, path: str, one: str, other: str) -> None:
        if self.there(path):
            file = self.rig.workspace.root / path
            before = file.stat().st_mtime
            self.rig.workspace.write(path, file.read_text().replace(one, other), at=before)

    @rule(path=PATHS, text=TEXTS, more=TEXTS)
    def write_two_sections(self, path: str, text: str, more: str) -> None:
        self.rig.workspace.write(path, f"# Cellar\n{text}\n\n## Racks\n{more}\n")

    @rule(path=PATHS)
    def remove(self, path: str) -> None:
        if self.there(path):
            self.rig.workspace.remove(path)

    @rule(path=PATHS, to=PATHS)
    def move(self, path: str, to: str) -> None:
        if self.there(path):
            self.rig.workspace.move(path, to)

    @rule(path=PATHS, to=PATHS)
    def copy(self, path: str, to: str) -> None:
        if self.there(path):
            self.rig.workspace.write(to, (self.rig.workspace.root / path).read_text())

    @rule(path=PATHS, at=st.integers(0, 2_000_000_000))
    def touch(self, path: str, at: int) -> None:
        if self.there(path):
            self.rig.workspace.touch(path, at)

    @rule(force=st.booleans())
    def sync(self, *, force: bool) -> None:
        self.embedder.fail_from = None
        report = self.rig.indexer().sync(force=force)
        assert report.complete
        self.compare(set())

    @rule()
    def sync_without_provider(self) -> None:
        self.embedder.fail_from = 1
        self.rig.indexer().sync()
        self.compare(set(OF_VECTORS))

    @precondition(lambda self: self.rig.workspace.root.exists())
    @rule(at=st.integers(1, 4), force=st.booleans())
    def sync_and_die(self, at: int, *, force: bool) -> None:
        self.rig.forget()

        def die(file: object) -> None:
            if len(self.rig.reads) == at:
                raise Interrupted

        self.rig.before_read = die
        try:
            self.rig.indexer().sync(force=force)
        except Interrupted:
            pass
        finally:
            self.rig.before_read = id

    def compare(self, without: set[str]) -> None:
        fresh = Rig(self.root, MemoryStore(), HashedEmbedder(dims=16, grain=self.grain))
        fresh.tokens, fresh.overlap = self.rig.tokens, self.rig.overlap
        fresh.indexer().sync()
        mine, theirs = contents(self.rig.store), contents(fresh.store)
        for part in mine.keys() - without:
            assert mine[part] == theirs[part], part


class ChunkHistories(Histories):
    grain = "chunk"


class SqliteHistories(Histories):
    def make_store(self) -> ChunkStore:
        return SqliteStore(str(self.root / "state" / "index.sqlite"))


@pytest.mark.req("SYNC-07")
@pytest.mark.parametrize(
    ("machine", "examples"),
    [(Histories, 40), (ChunkHistories, 20), (SqliteHistories, 12)],
    ids=["unit", "chunk", "sqlite"],
)
def test_the_index_equals_a_fresh_one_after_any_history(machine: type[Histories], examples: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
