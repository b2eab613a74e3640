"""Files that cannot be read, providers that fail, stores that are damaged: what a sync says, and what it keeps."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from recollect.errors import PathError
from recollect.index import passes
from recollect.stores.sqlite.store import SqliteStore
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from recollect.protocols import ChunkStore
    from recollect.types import Grain, SourceFile, SyncReport

CELLAR = "# Cellar\n\nThe north rack holds Riesling.\n"
GARDEN = "# Garden\n\nTomatoes were planted in May.\n"


def found(rig: Rig, word: str) -> bool:
    return rig.store.read(lambda reader: reader.postings([word]))[0] is not None


def missing_vectors(rig: Rig) -> int:
    return rig.store.read(lambda reader: reader.stats()).missing_vectors


def codes(report: SyncReport) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.path) for problem in report.problems]


def remembered(rig: Rig) -> list[tuple[str, str | None]]:
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    return [(code, path) for code, _, path in state.problems]


def refuse(path: str, error: BaseException) -> Callable[[SourceFile], None]:
    def before_read(file: SourceFile) -> None:
        if file.path == path:
            raise error

    return before_read


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.req("SYNC-10")
@pytest.mark.parametrize("error", [PathError("There is no permission."), OSError(errno.EIO, "Input/output error")])
def test_a_note_that_cannot_be_read_keeps_its_rows_and_stops_nothing(rig: Rig, error: Exception) -> None:
    rig.workspace.write("memory/a.md", CELLAR).write("memory/b.md", GARDEN)
    rig.indexer().sync()
    rig.workspace.append("memory/a.md", "More.\n").append("memory/b.md", "Pumpkins too.\n")
    rig.before_read = refuse("memory/a.md", error)

    report = rig.indexer().sync()

    assert codes(report) == remembered(rig) == [("unreadable", "memory/a.md")]
    assert not report.complete
    assert report.files_changed == 1
    assert found(rig, "riesl")
    assert found(rig, "pumpkin")
    rig.before_read = id
    assert rig.indexer().sync().complete
    assert found(rig, "more")
    assert remembered(rig) == []


@pytest.mark.req("SYNC-10", "SYNC-02")
def test_a_note_that_stays_unreadable_is_named_again_and_nothing_is_written(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", CELLAR).write("MEMORY.md", GARDEN)
    rig.before_read = refuse("memory/a.md", PathError("No."))
    rig.indexer().sync()
    before = rig.store.read(lambda reader: reader.sync_state())

    report = rig.indexer().sync(reason="later")

    assert codes(report) == [("unreadable", "memory/a.md")]
    assert (report.files_seen, report.files_unchanged, report.files_added) == (2, 1, 0)
    assert rig.store.read(lambda reader: reader.sync_state()) == before


@pytest.mark.req("SYNC-11")
def test_a_note_that_vanishes_before_it_is_read_is_named_and_goes(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", CELLAR).write("memory/b.md", GARDEN)
    rig.indexer().sync()
    rig.workspace.append("memory/a.md", "More.\n").append("memory/b.md", "More.\n")
    rig.before_read = lambda file: rig.workspace.remove(file.path) if file.path == "memory/a.md" else None

    report = rig.indexer().sync()

    assert codes(report) == [("vanished", "memory/a.md")]
    assert (report.files_removed, report.files_changed) == (1, 1)
    assert not found(rig, "riesl")
    assert rig.indexer().sync().complete


@pytest.mark.req("SYNC-12")
def test_a_workspace_that_is_not_there_just_now_costs_no_note(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", CELLAR)
    rig.indexer().sync()
    aside = rig.workspace.root.with_name("aside")
    rig.workspace.root.rename(aside)

    report = rig.indexer().sync()

    assert [code for code, _ in codes(report)] == ["missing-workspace"]
    assert report.files_removed == 0
    assert found(rig, "riesl")
    aside.rename(rig.workspace.root)
    assert rig.indexer().sync().complete


@pytest.mark.req("SYNC-13")
def test_a_note_that_is_no_utf8_is_indexed_and_named_until_it_is_mended(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", b"The caf\xe9 serves Riesling.\n").write("MEMORY.md", GARDEN)
    named = [("not-utf-8", "memory/a.md")]

    assert codes(rig.indexer().sync()) == named
    assert found(rig, "riesl")
    rig.forget()
    assert codes(rig.indexer().sync()) == named
    assert (rig.reads, rig.store.writes) == ([], 0)
    rig.workspace.append("MEMORY.md", "More.\n")
    assert codes(rig.indexer().sync()) == remembered(rig) == named
    rig.workspace.write("memory/a.md", "The café serves Riesling.\n")
    assert rig.indexer().sync().complete


@pytest.mark.req("SYNC-14")
@pytest.mark.parametrize("content", ["", "# Cellar, all new\n\nEmpty racks.\n"])
def test_bytes_that_change_while_they_are_read_are_found_later(rig: Rig, tmp_path: Path, content: str) -> None:
    rig.workspace.write("memory/a.md", CELLAR)
    rig.indexer().sync()
    rig.workspace.append("memory/a.md", "More.\n")
    listed = rig.before_read
    rig.before_read = lambda file: rig.workspace.write(file.path, content)
    rig.indexer().sync()
    rig.before_read = listed
    rig.indexer().sync()

    other = Rig(tmp_path / "other", SqliteStore(str(tmp_path / "other.sqlite")))
    other.workspace = rig.workspace
    other.indexer().sync()
    assert contents(rig.store) == contents(other.store)


# --- providers -------------------------------------------------------------------------------------------------------


@pytest.mark.req("SYNC-34")
@pytest.mark.parametrize("grain", ["unit", "chunk"])
def test_words_are_found_at_once_when_the_provider_is_silent_and_vectors_follow(rig: Rig, grain: Grain) -> None:
    failing = rig.embedder = FailingEmbedder(HashedEmbedder(grain=grain))
    failing.fail_from = 1
    rig.workspace.write("memory/a.md", CELLAR).write("memory/b.md", GARDEN)

    report = rig.indexer().sync()

    assert codes(report) == [("provider-failed", None)]
    assert (report.files_added, report.embedded) == (2, 0)
    assert found(rig, "riesl")
    assert missing_vectors(rig) == 2
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert state.error is not None
    assert state.error[0] == "provider-failed"
    assert "503" in state.error[1]
    assert state.complete

    failing.fail_from = None
    healed = rig.indexer().sync()

    assert healed.complete
    assert (healed.files_unchanged, healed.files_changed, healed.chunks_kept, healed.chunks_added) == (2, 0, 2, 0)
    assert healed.embedded > 0
    assert missing_vectors(rig) == 0
    rig.forget()
    calls = failing.calls
    rig.indexer().sync()
    assert (rig.store.writes, failing.calls) == (0, calls)
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert state.error is None


@pytest.mark.req("SYNC-34")
def test_vectors_that_exist_survive_an_outage_and_are_moved_with_their_note(rig: Rig, tmp_path: Path) -> None:
    failing = rig.embedder = FailingEmbedder(HashedEmbedder(cached=False))
    rig.workspace.write("memory/a.md", CELLAR).write("memory/b.md", GARDEN)
    rig.indexer().sync()
    failing.fail_from = 1
    rig.workspace.move("memory/a.md", "memory/z.md").append("memory/b.md", "\n## Autumn\n\nPumpkins too.\n")

    report = rig.indexer().sync()

    assert codes(report) == [("provider-failed", None)]
    assert report.reused > 0
    assert found(rig, "pumpkin")
    vectors = rig.store.read(lambda reader: reader.unit_vectors("memory/z.md"))
    assert vectors
    failing.fail_from = None
    rig.indexer().sync()
    other = Rig(tmp_path / "other", SqliteStore(str(tmp_path / "other.sqlite")))
    other.workspace = rig.workspace
    other.indexer().sync()
    assert contents(rig.store) == contents(other.store)


@pytest.mark.req("SYNC-34")
def test_an_outage_that_lasts_writes_nothing_twice(rig: Rig) -> None:
    failing = rig.embedder = FailingEmbedder()
    failing.fail_from = 1
    rig.workspace.write("memory/a.md", CELLAR)
    rig.indexer().sync()
    before = contents(rig.store)

    report = rig.indexer().sync()

    assert codes(report) == [("provider-failed", None)]
    assert (report.chunks_added, report.chunks_removed, report.chunks_kept) == (0, 0, 1)
    assert contents(rig.store) == before


@pytest.mark.req("SYNC-33")
def test_one_text_that_is_refused_is_named_and_all_others_are_embedded(rig: Rig) -> None:
    failing = rig.embedder = FailingEmbedder()
    failing.fail_containing = "poison"
    for n in range(9):
        rig.workspace.write(f"memory/{n}.md", f"# Note {n}\n\n{'poison' if n == 4 else 'wine'}\n")

    report = rig.indexer().sync()

    assert codes(report) == remembered(rig) == [("not-embedded", "memory/4.md")]
    assert "lines 1 to 3" in report.problems[0].message
    assert "503" in report.problems[0].message
    assert missing_vectors(rig) == 1
    assert report.embedded == 8
    assert found(rig, "poison")


@pytest.mark.req("SYNC-32")
def test_what_was_paid_for_before_an_outage_is_not_paid_again(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "REMOTE", passes.BatchLimits(chunks=2))
    failing = rig.embedder = FailingEmbedder()
    for n in range(10):
        rig.workspace.write(f"memory/{n}.md", f"Note {n} about birds.\n")
    failing.fail_from = 3
    rig.indexer().sync()
    paid = list(failing.embedded)
    assert 0 < len(paid) < 10
    failing.fail_from = None

    assert rig.indexer().sync().complete
    texts = [text for text in failing.embedded if "Note" in text]
    assert len(texts) == len(set(texts)) == 10


# --- the store -------------------------------------------------------------------------------------------------------


@pytest.mark.req("SYNC-24")
def test_a_damaged_index_is_made_anew_by_the_next_sync(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    rig = Rig(tmp_path, SqliteStore(str(path)))
    rig.workspace.write("memory/a.md", CELLAR)
    rig.indexer().sync()
    rig.store.close()
    path.write_bytes(b"no database at all, but long enough to be looked at" * 40)

    rig = Rig(tmp_path, SqliteStore(str(path)))

    assert rig.indexer().sync().files_added == 1
    assert found(rig, "riesl")
    rig.store.close()


class InterruptError(BaseException):
    """Stands in for a signal."""


@pytest.mark.req("SYNC-43", "SYNC-24")
def test_an_interrupted_first_index_goes_on_where_it_stopped(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "REMOTE", passes.BatchLimits(chunks=2))
    for n in range(9):
        rig.workspace.write(f"memory/{n}.md", f"Note {n} about birds.\n")
    rig.before_read = refuse("memory/7.md", InterruptError())
    with pytest.raises(InterruptError):
        rig.indexer().sync()

    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert not state.complete
    assert len(rig.store.read(lambda reader: reader.files())) == 6  # what was finished can be read
    rig.before_read = id
    rig.forget()
    report = rig.indexer().sync(wait=0)

    assert rig.reads == ["memory/6.md", "memory/7.md", "memory/8.md"]
    assert (report.files_added, report.files_unchanged, report.rebuilt) == (3, 6, None)
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert state.complete


@pytest.mark.req("SYNC-24")
def test_a_first_index_killed_just_before_its_end_is_finished(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", CELLAR)
    rig.indexer().sync()

    def unfinish(store: ChunkStore) -> None:
        state = store.read(lambda reader: reader.sync_state())
        assert state is not None
        with store.write() as writer:
            writer.finish(type(state)(at=state.at, reason=state.reason, complete=False))

    unfinish(rig.store.inner)
    rig.forget()

    assert rig.indexer().sync().complete
    assert rig.reads == []
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert state.complete


@pytest.mark.req("SYNC-10")
def test_no_message_names_where_the_memory_lies(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", CELLAR)
    rig.before_read = refuse(
        "memory/a.md", OSError(errno.EIO, os.strerror(errno.EIO), str(rig.workspace.root / "memory/a.md"))
    )

    assert all(str(rig.workspace.root) not in problem.message for problem in rig.indexer().sync().problems)
