from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.errors import FullError
from recollect.index import passes
from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite.store import SqliteStore
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.protocols import Embedder

NOTES = {
    "MEMORY.md": "# Cellar\n\nThe north rack holds Riesling.\n",
    "memory/2026-02-10.md": "# Garden\n\nTomatoes were planted in May.\n",
    "memory/birds.md": "\n\n".join(f"## Week {n}\n\n" + f"Bird {n} was seen. " * 30 for n in range(5)),
}


def fill(rig: Rig) -> None:
    for path, text in NOTES.items():
        rig.workspace.write(path, text)


def fresh(rig: Rig, path: Path) -> dict[str, object]:
    other = Rig(path, MemoryStore(), rig.embedder, words_only=rig.embedder is None)
    other.workspace, other.tokens, other.overlap = rig.workspace, rig.tokens, rig.overlap
    other.indexer().sync()
    return contents(other.store)


@pytest.mark.req("SYNC-21")
def test_forcing_twice_makes_no_new_calls(rig: Rig, tmp_path: Path) -> None:
    fill(rig)
    embedder = rig.embedder = HashedEmbedder()
    rig.indexer().sync()
    calls = embedder.calls
    for _ in range(2):
        report = rig.indexer().sync(force=True)

        assert embedder.calls == calls
        assert report.rebuilt == "it was asked for"
        assert report.embedded == 0
        assert report.reused > 0
    assert rig.store.rebuilds == 2
    assert contents(rig.store) == fresh(rig, tmp_path)


@pytest.mark.req("SYNC-21")
def test_a_rebuild_tells_what_was_new_against_the_old_index(rig: Rig) -> None:
    fill(rig)
    before = rig.indexer().sync().chunks_added
    rig.workspace.append("MEMORY.md", "And Silvaner.\n").remove("memory/2026-02-10.md").write("memory/new.md", "New.\n")

    report = rig.indexer().sync(force=True)

    assert (report.files_seen, report.files_added, report.files_changed) == (3, 1, 1)
    assert (report.files_removed, report.files_unchanged) == (1, 1)
    assert (report.chunks_added, report.chunks_removed, report.chunks_kept) == (before, before, 0)


@pytest.mark.req("SYNC-21", "SYNC-24")
def test_forcing_where_nothing_was_indexed_is_a_first_index(rig: Rig) -> None:
    fill(rig)

    report = rig.indexer().sync(force=True)

    assert (report.rebuilt, report.files_added, rig.store.rebuilds) == (None, 3, 0)


@pytest.mark.req("SYNC-20")
@pytest.mark.parametrize(
    ("embedder", "why"),
    [
        (HashedEmbedder(model="other"), "model changed from hashed to other"),
        (HashedEmbedder(fingerprint="elsewhere"), "endpoint or model file"),
        (HashedEmbedder(dims=16), "64 to 16 dimensions"),
        (HashedEmbedder(grain="chunk"), "one a chunk"),
        (None, "provider changed from hashed to none"),
    ],
)
def test_another_embedder_makes_the_index_anew(rig: Rig, tmp_path: Path, embedder: Embedder | None, why: str) -> None:
    fill(rig)
    rig.indexer().sync()
    rig.embedder = embedder
    assert why in str(rig.indexer().pending().rebuild)

    report = rig.indexer().sync()

    assert why in str(report.rebuilt)
    assert report.complete
    assert (report.files_unchanged, report.files_added, report.files_changed) == (3, 0, 0)
    assert contents(rig.store) == fresh(rig, tmp_path)
    assert rig.indexer().pending().rebuild is None
    rig.forget()
    assert rig.indexer().sync().rebuilt is None
    assert rig.reads == []


@pytest.mark.req("SYNC-20")
def test_other_chunking_makes_the_index_anew(rig: Rig, tmp_path: Path) -> None:
    fill(rig)
    rig.indexer().sync()
    rig.tokens, rig.overlap = 40, 0

    assert "from 100 tokens with 20 overlap to 40 with 0" in str(rig.indexer().sync().rebuilt)
    assert contents(rig.store) == fresh(rig, tmp_path)


@pytest.mark.req("SYNC-22")
@pytest.mark.parametrize("error", [FullError("No space is left."), KeyboardInterrupt()])
def test_a_rebuild_that_breaks_leaves_the_old_index(tmp_path: Path, error: BaseException) -> None:
    folder = tmp_path / "state"
    rig = Rig(tmp_path, SqliteStore(str(folder / "index.sqlite")))
    fill(rig)
    rig.indexer().sync()
    before, names = contents(rig.store), sorted(path.name for path in folder.iterdir())
    rig.workspace.append("MEMORY.md", "And Silvaner.\n")

    def fail(file: object) -> None:
        raise error

    rig.before_read = fail
    with pytest.raises(type(error)):
        rig.indexer().sync(force=True)

    assert contents(rig.store) == before
    assert sorted(path.name for path in folder.iterdir()) == names
    rig.before_read = id
    assert rig.indexer().sync(wait=0).files_changed == 1
    rig.store.close()


@pytest.mark.req("SYNC-22", "SYNC-34")
@pytest.mark.parametrize("force", [True, False])
def test_a_rebuild_without_its_provider_keeps_the_old_vectors_and_the_words_up_to_date(
    rig: Rig, *, force: bool
) -> None:
    fill(rig)
    rig.indexer().sync()
    old = contents(rig.store)["vectors"]
    assert isinstance(old, dict)
    failing = rig.embedder = FailingEmbedder(HashedEmbedder(model="hashed" if force else "other"))
    rig.cache_enabled = False
    failing.fail_from = 1
    rig.workspace.append("memory/birds.md", "\n\n## Late\n\nA wren at last.\n").write("memory/new.md", "Pumpkins.\n")

    report = rig.indexer().sync(force=force)

    assert [problem.code for problem in report.problems] == ["provider-failed", "not-rebuilt"]
    assert report.rebuilt is None
    assert (report.files_added, report.files_changed, report.files_unchanged) == (1, 1, 2)
    assert failing.calls == 2
    now = contents(rig.store)["vectors"]
    assert isinstance(now, dict)
    assert now["MEMORY.md"] == old["MEMORY.md"]
    assert now["memory/birds.md"].items() <= old["memory/birds.md"].items()
    assert now["memory/new.md"] == {}
    assert None not in rig.store.read(lambda reader: reader.postings(["wren", "pumpkin"]))
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert state.error is not None

    failing.fail_from = None
    assert rig.indexer().sync().complete
    assert contents(rig.store)["vectors"] == fresh(rig, rig.workspace.root.parent / "fresh")["vectors"]


@pytest.mark.req("SYNC-22")
def test_a_rebuild_that_resumes_after_an_outage_pays_for_nothing_twice(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "REMOTE", passes.BatchLimits(chunks=1))
    fill(rig)
    rig.indexer().sync()
    failing = rig.embedder = FailingEmbedder(HashedEmbedder(model="other"))
    failing.fail_from = 3
    assert rig.indexer().sync().rebuilt is None
    assert failing.embedded
    failing.fail_from = None

    assert rig.indexer().sync().rebuilt is not None
    texts = [text for text in failing.embedded if text != "memory"]
    assert len(texts) == len(set(texts))


@pytest.mark.req("SYNC-23")
def test_what_changes_during_a_rebuild_is_brought_in_after_it(rig: Rig, tmp_path: Path) -> None:
    fill(rig)
    rig.indexer().sync()
    edits = iter(["And Silvaner.\n"])

    def edit(file: object) -> None:
        for line in edits:
            rig.workspace.append("MEMORY.md", line).remove("memory/2026-02-10.md").write("memory/new.md", "New.\n")

    def after_first(file: object) -> None:
        if len(rig.reads) == 2:  # MEMORY.md was read already
            edit(file)

    rig.forget()
    rig.before_read = after_first
    report = rig.indexer().sync(force=True)

    assert report.rebuilt is not None
    rig.before_read = id
    assert contents(rig.store) == fresh(rig, tmp_path)


@pytest.mark.req("SYNC-23")
def test_a_writer_that_never_rests_does_not_keep_a_rebuild_from_ending(rig: Rig) -> None:
    fill(rig)
    rig.indexer().sync()
    rig.forget()

    def edit(file: object) -> None:
        if len(rig.reads) < 500:
            rig.workspace.append("memory/birds.md", "Another bird.\n")

    rig.after_read = edit
    report = rig.indexer().sync(force=True)

    assert report.rebuilt is not None
    assert len(rig.reads) == 3 + 2
    assert [file.path for file in rig.indexer().pending().changed] == ["memory/birds.md"]


@pytest.mark.req("SYNC-23")
def test_a_file_that_changes_twice_in_a_sync_is_counted_once(rig: Rig) -> None:
    fill(rig)
    rig.indexer().sync()
    rig.workspace.write("memory/0-new.md", "New.\n").append("MEMORY.md", "And Silvaner.\n")
    rig.forget()

    def edit(file: object) -> None:
        if len(rig.reads) == 4:  # of four: the new one and the changed one were read before
            rig.workspace.append("memory/0-new.md", "Newer.\n").append("MEMORY.md", "And more.\n")
            rig.workspace.remove("memory/birds.md")

    rig.after_read = edit
    report = rig.indexer().sync(force=True)

    assert (report.files_seen, report.files_added, report.files_changed) == (3, 1, 1)
    assert (report.files_removed, report.files_unchanged) == (1, 1)


@pytest.mark.req("SYNC-10")
def test_a_report_counts_every_listed_file_once(rig: Rig) -> None:
    fill(rig)
    rig.indexer().sync()
    rig.workspace.append("MEMORY.md", "And Silvaner.\n").append("memory/birds.md", "One more.\n").write(
        "memory/x.md", "X"
    )
    rig.before_read = lambda file: rig.workspace.remove("memory/x.md") if file.path == "memory/x.md" else None

    report = rig.indexer().sync()

    assert report.files_seen == 4
    assert (report.files_added, report.files_changed, report.files_unchanged) == (0, 2, 1)
    assert [problem.code for problem in report.problems] == ["vanished"]
