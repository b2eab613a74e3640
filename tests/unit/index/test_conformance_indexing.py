"""Rows of the reference on indexing that the other tests of this room do not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.plan import PASSING, compare
from recollect.testing.embedder import HashedEmbedder
from recollect.types import FileRecord, FileStat, Problem, SourceFile
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from recollect.types import Progress


@pytest.mark.req("ROW-INDEX-01")
def test_a_large_note_takes_more_than_one_call_and_a_text_for_each_chunk(rig: Rig) -> None:
    embedder = rig.embedder = HashedEmbedder(grain="chunk")
    rig.tokens, rig.overlap = 200, 0
    rig.workspace.write("memory/large.md", "\n".join(f"{n:04}" + "a" * 196 for n in range(50)))

    report = rig.indexer().sync()

    assert embedder.calls > 1
    assert len(embedder.embedded) == report.chunks_added == rig.store.read(lambda reader: reader.stats()).chunks > 1


@pytest.mark.req("ROW-INDEX-01")
def test_a_small_note_takes_one_call(rig: Rig) -> None:
    embedder = rig.embedder = HashedEmbedder(grain="chunk")
    rig.tokens, rig.overlap = 200, 0
    rig.workspace.write("memory/small.md", "\n".join(["b" * 120] * 4))

    rig.indexer().sync()

    assert embedder.calls == 1


@pytest.mark.req("ROW-INDEX-03")
def test_without_a_provider_all_is_indexed_and_forcing_empties_nothing(rig: Rig) -> None:
    rig.embedder = None
    rig.workspace.write("MEMORY.md", "The north rack holds Riesling.\n").write("memory/a.md", "Tomatoes in May.\n")
    assert rig.indexer().sync().complete
    before = contents(rig.store)
    assert before["texts"]

    assert rig.indexer().sync(force=True).rebuilt

    assert contents(rig.store) == before
    assert None not in rig.store.read(lambda reader: reader.postings(["tomato", "rack"]))


@pytest.mark.req("ROW-INDEX-04")
@pytest.mark.parametrize("force", [False, True])
def test_every_label_of_progress_holds_a_slash_and_the_last_is_full(rig: Rig, *, force: bool) -> None:
    for n in range(7):
        rig.workspace.write(f"memory/{n}.md", f"Note {n}.\n")
    if force:
        rig.indexer().sync()
    seen: list[Progress] = []

    rig.indexer().sync(progress=seen.append, force=force)

    assert all("/" in one.label for one in seen)
    assert seen[-1].completed == seen[-1].total == 7
    assert seen[-1].label.endswith("7/7")


_PATHS = st.sampled_from(["MEMORY.md", "memory/a.md", "memory/b.md", "memory/d/c.md", "../team/x.md"])
_STATS = st.builds(
    FileStat,
    size=st.integers(0, 1),
    mtime_ns=st.integers(0, 1),
    ctime_ns=st.integers(0, 1),
    inode=st.integers(1, 2),
)


@pytest.mark.req("SYNC-01", "SYNC-06", "SYNC-12")
@given(
    st.dictionaries(_PATHS, _STATS),
    st.dictionaries(_PATHS, _STATS),
    st.lists(st.tuples(st.sampled_from([*PASSING, "symlink"]), st.sampled_from(["memory", "memory/d", "../team"]))),
)
def test_every_file_and_every_record_has_one_fate(
    disk: dict[str, FileStat], index: dict[str, FileStat], troubles: list[tuple[str, str]]
) -> None:
    files = [SourceFile(path=path, source="memory", location=f"/ws/{path}", stat=stat) for path, stat in disk.items()]
    records = {path: FileRecord(path=path, source="memory", hash=b"h" * 32, stat=stat) for path, stat in index.items()}
    problems = [Problem(code=code, message="", path=path) for code, path in troubles]

    found = compare(files, records, problems)

    held = tuple(path + "/" for code, path in troubles if code in PASSING)
    assert {file.path for file in found.added} == disk.keys() - index.keys()
    assert {file.path for file in found.unchanged} == {path for path in disk if disk[path] == index.get(path)}
    assert {file.path for file in found.changed} == {
        path for path in disk.keys() & index.keys() if disk[path] != index[path]
    }
    assert set(found.removed) == {path for path in index.keys() - disk.keys() if not path.startswith(held)}
    for part in (found.added, found.changed, found.unchanged):
        assert [file.path for file in part] == sorted(file.path for file in part)
    assert list(found.removed) == sorted(found.removed)
