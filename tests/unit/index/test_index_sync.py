from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from recollect.index import passes
from recollect.stores.memory import MemoryStore
from recollect.testing.embedder import HashedEmbedder
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.protocols import StoreReader
    from recollect.types import FileRecord, Grain, Progress, SourceFile

CELLAR = "# Cellar\n\nThe north rack holds Riesling.\n"
GARDEN = "# Garden\n\nTomatoes were planted in May.\n"
LONG = "# Diary\n\n" + "\n\n".join(
    f"## Week {week}\n\n" + " ".join(f"In week {week} we saw bird number {week * 100 + n}." for n in range(20))
    for week in range(40)
)


def embedder_of(rig: Rig) -> HashedEmbedder:
    assert isinstance(rig.embedder, HashedEmbedder)
    return rig.embedder


def records_of(rig: Rig) -> dict[str, FileRecord]:
    def look(reader: StoreReader) -> dict[str, FileRecord]:
        return dict(reader.files())

    return rig.store.read(look)


def fresh_contents(rig: Rig, path: Path, *, like: HashedEmbedder | None = None) -> dict[str, object]:
    """What an index made from nothing says of the same files."""
    other = Rig(path, MemoryStore(), like or HashedEmbedder())
    other.workspace = rig.workspace
    other.indexer().sync()
    return contents(other.store)


@pytest.mark.req("SYNC-24", "SYNC-30")
def test_a_first_sync_brings_everything_in(rig: Rig) -> None:
    rig.workspace.write("MEMORY.md", CELLAR).write("memory/2026-02-10.md", GARDEN).write("memory/blank.md", " \n\n")

    report = rig.indexer().sync(reason="cli")

    assert report.complete
    assert (report.reason, report.rebuilt) == ("cli", None)
    assert (report.files_seen, report.files_added, report.files_changed, report.files_unchanged) == (3, 3, 0, 0)
    assert (report.chunks_added, report.chunks_removed, report.chunks_kept) == (2, 0, 0)
    assert report.embedded == len(embedder_of(rig).embedded) > 0
    assert all(text.strip() for text in embedder_of(rig).embedded)
    assert set(records_of(rig)) == {"MEMORY.md", "memory/2026-02-10.md", "memory/blank.md"}
    state = rig.store.read(lambda reader: reader.sync_state())
    assert state is not None
    assert (state.reason, state.complete, state.at, state.error) == ("cli", True, rig.clock(), None)


@pytest.mark.req("SYNC-02", "SYNC-01")
def test_a_sync_with_nothing_to_do_touches_nothing(rig: Rig) -> None:
    rig.workspace.write("MEMORY.md", CELLAR).write("memory/a.md", LONG)
    rig.indexer().sync()
    before = rig.store.read(lambda reader: reader.sync_state())
    calls = embedder_of(rig).calls
    rig.forget()

    report = rig.indexer().sync(reason="search")

    assert (rig.reads, rig.store.writes, rig.store.rebuilds, rig.listings) == ([], 0, 0, 1)
    assert embedder_of(rig).calls == calls
    assert rig.store.read(lambda reader: reader.sync_state()) == before
    assert (report.files_seen, report.files_unchanged, report.complete) == (2, 2, True)
    assert (report.chunks_added, report.chunks_kept, report.embedded, report.reused) == (0, 0, 0, 0)


@pytest.mark.req("SYNC-02")
def test_an_empty_memory_is_indexed_once(rig: Rig) -> None:
    (rig.workspace.root / "memory").mkdir()
    rig.indexer().sync()
    rig.forget()

    assert rig.indexer().sync().complete
    assert rig.store.writes == 0
    assert rig.indexer().pending().indexed


@pytest.mark.req("SYNC-03")
def test_a_touched_file_is_only_remembered(rig: Rig, tmp_path: Path) -> None:
    rig.workspace.write("MEMORY.md", CELLAR)
    rig.indexer().sync()
    calls = embedder_of(rig).calls
    rig.workspace.touch("MEMORY.md", 1_000_000_000)
    rig.forget()

    report = rig.indexer().sync()

    assert rig.reads == ["MEMORY.md"]
    assert (report.files_changed, report.files_unchanged, report.chunks_added) == (0, 1, 0)
    assert embedder_of(rig).calls == calls
    assert contents(rig.store) == fresh_contents(rig, tmp_path)
    rig.forget()
    rig.indexer().sync()
    assert rig.reads == []


@pytest.mark.req("SYNC-08")
def test_a_restored_older_file_is_indexed_again(rig: Rig, tmp_path: Path) -> None:
    rig.workspace.write("MEMORY.md", CELLAR)
    rig.indexer().sync()
    rig.workspace.write("MEMORY.md", CELLAR.replace("Riesling", "Silvaner"), at=1_000_000_000)

    assert rig.indexer().sync().files_changed == 1
    assert contents(rig.store) == fresh_contents(rig, tmp_path)


@pytest.mark.req("SYNC-04")
@pytest.mark.parametrize("grain", ["unit", "chunk"])
def test_two_lines_at_the_top_of_a_long_note_cost_only_its_beginning(rig: Rig, tmp_path: Path, grain: Grain) -> None:
    rig.embedder = HashedEmbedder(grain=grain, cached=False)
    rig.workspace.write("memory/diary.md", LONG)
    total = rig.indexer().sync().chunks_added
    rig.workspace.write("memory/diary.md", LONG.replace("# Diary\n", "# Diary\n\nKept by Ana.\n", 1))

    report = rig.indexer().sync()

    assert total > 40
    assert report.files_changed == 1
    assert report.embedded <= 5  # the units of the first chunk, whose border moved
    assert report.chunks_added <= 3
    assert report.chunks_kept >= total - 2
    assert contents(rig.store) == fresh_contents(rig, tmp_path, like=HashedEmbedder(grain=grain))


@pytest.mark.req("SYNC-04")
def test_one_changed_line_costs_its_own_unit_alone(rig: Rig, tmp_path: Path) -> None:
    rig.embedder = HashedEmbedder(cached=False)
    rig.workspace.write("memory/diary.md", LONG).write("MEMORY.md", CELLAR)
    rig.indexer().sync()
    rig.workspace.write("memory/diary.md", LONG.replace("bird number 2005.", "bird number 2005, a wren."))
    rig.forget()

    report = rig.indexer().sync()

    assert rig.reads == ["memory/diary.md"]
    assert report.embedded == 1
    assert report.chunks_added == report.chunks_removed == 1
    assert report.reused > 0  # the other units of that chunk
    assert contents(rig.store) == fresh_contents(rig, tmp_path)


@pytest.mark.req("SYNC-05")
@pytest.mark.parametrize("grain", ["unit", "chunk"])
def test_a_renamed_note_is_not_embedded_again(rig: Rig, tmp_path: Path, grain: Grain) -> None:
    rig.embedder = HashedEmbedder(grain=grain, cached=False)
    rig.workspace.write("memory/diary.md", LONG).write("memory/old/cellar.md", CELLAR)
    chunks = rig.indexer().sync().chunks_added
    rig.workspace.move("memory/diary.md", "memory/2026-02-10-birds.md").move("memory/old", "memory/new")

    report = rig.indexer().sync()

    assert (report.files_added, report.files_removed, report.embedded) == (2, 2, 0)
    assert report.reused > 0
    assert report.chunks_added == report.chunks_removed == chunks
    assert contents(rig.store) == fresh_contents(rig, tmp_path, like=HashedEmbedder(grain=grain))


@pytest.mark.req("SYNC-05")
def test_copies_and_exchanged_notes_are_not_embedded_again(rig: Rig, tmp_path: Path) -> None:
    rig.embedder = HashedEmbedder(cached=False)
    rig.workspace.write("memory/a.md", LONG).write("memory/b.md", GARDEN)
    rig.indexer().sync()
    rig.workspace.write("memory/copy.md", LONG).write("memory/a.md", GARDEN).write("memory/b.md", LONG)

    report = rig.indexer().sync()

    assert (report.files_added, report.files_changed, report.embedded) == (1, 2, 0)
    assert contents(rig.store) == fresh_contents(rig, tmp_path)


@pytest.mark.req("SYNC-05")
def test_a_rename_is_seen_across_batches(rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(passes, "LOCAL", passes.BatchLimits(chunks=1))
    rig.embedder = HashedEmbedder(cached=False)
    for name in ("a", "b", "c"):
        rig.workspace.write(f"memory/{name}.md", CELLAR.replace("north", name))
    rig.indexer().sync()
    rig.workspace.move("memory/a.md", "memory/y.md").move("memory/b.md", "memory/x.md").move("memory/c.md", "MEMORY.md")
    rig.workspace.write("memory/z.md", CELLAR.replace("north", "a"))  # a second heir, in another batch

    assert rig.indexer().sync().embedded == 0
    assert contents(rig.store) == fresh_contents(rig, tmp_path)


@pytest.mark.req("SYNC-05", "SYNC-43")
def test_a_renamed_note_is_never_in_the_index_twice(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "REMOTE", passes.BatchLimits(chunks=1))
    rig.workspace.write("memory/a.md", CELLAR)
    rig.indexer().sync()
    rig.workspace.move("memory/a.md", "memory/b.md").write("memory/c.md", GARDEN)

    def stop(file: SourceFile) -> None:
        if file.path == "memory/c.md":
            raise KeyboardInterrupt

    rig.before_read = stop
    with pytest.raises(KeyboardInterrupt):
        rig.indexer().sync()

    assert set(records_of(rig)) == {"memory/b.md"}


@pytest.mark.req("SYNC-06")
def test_a_removed_note_leaves_nothing_behind(rig: Rig, tmp_path: Path) -> None:
    rig.workspace.write("MEMORY.md", CELLAR).write("memory/a.md", GARDEN)
    rig.indexer().sync()
    rig.workspace.remove("memory/a.md")

    report = rig.indexer().sync()

    assert (report.files_removed, report.chunks_removed, report.files_unchanged) == (1, 1, 1)
    assert contents(rig.store) == fresh_contents(rig, tmp_path)
    assert rig.store.read(lambda reader: reader.postings(["tomato"])) == (None,)


@pytest.mark.req("SYNC-35")
def test_a_text_that_stands_in_many_notes_is_embedded_once(rig: Rig) -> None:
    rig.embedder = HashedEmbedder(cached=False)
    for n in range(5):
        rig.workspace.write(f"memory/{n}.md", CELLAR)

    rig.indexer().sync()

    embedded = embedder_of(rig).embedded
    assert len(embedded) == len(set(embedded))


@pytest.mark.req("SYNC-25")
def test_words_alone_make_a_complete_index(store: MemoryStore, tmp_path: Path) -> None:
    rig = Rig(tmp_path, store, words_only=True)
    rig.workspace.write("MEMORY.md", CELLAR)

    report = rig.indexer().sync()

    assert report.complete
    assert report.embedded == 0
    assert rig.store.read(lambda reader: reader.postings(["cellar"]))[0] is not None
    assert rig.store.read(lambda reader: reader.stats()).missing_vectors == 0
    rig.forget()
    rig.workspace.append("MEMORY.md", "\nMore.\n")
    assert rig.indexer().sync().files_changed == 1
    rig.indexer().sync()
    assert rig.store.writes == 1


@pytest.mark.req("SYNC-40")
@pytest.mark.parametrize("force", [False, True])
def test_progress_goes_up_to_the_end(rig: Rig, *, force: bool) -> None:
    for n in range(5):
        rig.workspace.write(f"memory/{n}.md", f"Note {n}.\n")
    if force:
        rig.indexer().sync()
    seen: list[Progress] = []

    rig.indexer().sync(progress=seen.append, force=force)

    assert [one.completed for one in seen] == [0, 1, 2, 3, 4, 5]
    assert {one.total for one in seen} == {5}
    assert seen[3].label == "Indexing memory files 3/5"


@pytest.mark.req("SYNC-44")
@pytest.mark.parametrize("at", [7_258_118_400, 0, -86_400])
def test_notes_from_the_far_future_and_past_are_indexed_like_others(rig: Rig, at: int) -> None:
    rig.workspace.write("memory/a.md", CELLAR, at=at)

    assert rig.indexer().sync().complete
    rig.forget()
    rig.indexer().sync()
    assert rig.reads == []


@pytest.mark.req("SYNC-44")
def test_a_clock_that_jumps_changes_nothing(rig: Rig, tmp_path: Path) -> None:
    times = iter(range(0, 10**12, 3_456_789_012))
    rig.clock = lambda: float(-next(times))
    rig.workspace.write("memory/a.md", CELLAR).write("memory/b.md", GARDEN)

    assert rig.indexer().sync().files_added == 2
    assert contents(rig.store) == fresh_contents(rig, tmp_path)


@pytest.mark.req("SYNC-09")
def test_a_note_that_changed_in_the_tick_of_its_reading_is_looked_at_again(rig: Rig) -> None:
    rig.workspace.write("MEMORY.md", CELLAR)
    changed = os.stat(rig.workspace.root / "MEMORY.md").st_ctime_ns / 1e9
    rig.clock = lambda: changed + 0.001
    rig.indexer().sync()
    rig.forget()
    rig.clock = lambda: changed + 60

    rig.indexer().sync()
    assert rig.reads == ["MEMORY.md"]
    rig.indexer().sync()
    assert rig.reads == ["MEMORY.md"]


@pytest.mark.req("SYNC-32")
def test_the_cache_is_kept_within_its_limit(rig: Rig) -> None:
    rig.cache_max_entries = 3
    for n in range(9):
        rig.workspace.write(f"memory/{n}.md", f"Note number {n}.\n")

    rig.indexer().sync()

    assert rig.store.read(lambda reader: reader.stats()).cache_entries == 3


@pytest.mark.req("SYNC-32")
def test_a_note_that_comes_back_is_found_in_the_cache(rig: Rig) -> None:
    rig.workspace.write("MEMORY.md", CELLAR).write("memory/a.md", GARDEN)
    rig.indexer().sync()
    rig.workspace.remove("memory/a.md")
    rig.indexer().sync()
    rig.workspace.write("memory/a.md", GARDEN)

    report = rig.indexer().sync()

    assert report.embedded == 0
    assert report.reused > 0
