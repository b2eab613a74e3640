from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from recollect.index.plan import compare, diff
from recollect.protocols import StoredChunk
from recollect.types import FileRecord, FileStat, Problem, SourceFile

STAT = FileStat(size=10, mtime_ns=1_000, ctime_ns=2_000, inode=7)


def a_file(path: str, stat: FileStat = STAT) -> SourceFile:
    return SourceFile(path=path, source="memory", location=f"/ws/{path}", stat=stat)


def a_record(path: str, stat: FileStat = STAT) -> FileRecord:
    return FileRecord(path=path, source="memory", hash=b"h" * 32, stat=stat)


def a_stored(number: int, key: bytes, *, embedded: bool = True) -> StoredChunk:
    return StoredChunk(id=number, seq=number, key=key, unit_keys=(key,), embedded=embedded)


@pytest.mark.req("SYNC-01", "SYNC-08")
@pytest.mark.parametrize("field", ["size", "mtime_ns", "ctime_ns", "inode"])
@pytest.mark.parametrize("step", [-1, 1])
def test_any_difference_in_a_stat_makes_a_file_worth_a_look(field: str, step: int) -> None:
    stat = replace(STAT, **{field: getattr(STAT, field) + step})

    assert compare([a_file("a.md")], {"a.md": a_record("a.md")}).unchanged == (a_file("a.md"),)
    assert compare([a_file("a.md", stat)], {"a.md": a_record("a.md")}).changed == (a_file("a.md", stat),)


@pytest.mark.req("SYNC-01")
def test_another_source_makes_a_file_worth_a_look() -> None:
    file = replace(a_file("a.md"), source="sessions")

    assert compare([file], {"a.md": a_record("a.md")}).changed == (file,)


@pytest.mark.req("SYNC-06")
def test_files_are_told_apart_in_order_of_path() -> None:
    found = compare(
        [a_file("c.md"), a_file("a.md"), a_file("b.md")], {p: a_record(p) for p in ("b.md", "z.md", "d.md")}
    )

    assert [file.path for file in found.added] == ["a.md", "c.md"]
    assert [file.path for file in found.unchanged] == ["b.md"]
    assert found.removed == ("d.md", "z.md")


@pytest.mark.req("SYNC-12")
@pytest.mark.parametrize(
    ("code", "path", "gone"),
    [
        ("unreadable", "memory", ()),
        ("unreadable", "memory/a.md", ("memory/b.md",)),
        ("unreadable", "mem", ("memory/a.md", "memory/b.md")),
        ("unreadable", ".", ()),
        ("missing-workspace", ".", ()),
        ("missing-path", "memory", ("memory/a.md", "memory/b.md")),
    ],
)
def test_what_lies_below_an_unreadable_folder_is_not_gone(code: str, path: str, gone: tuple[str, ...]) -> None:
    records = {p: a_record(p) for p in ("memory/a.md", "memory/b.md")}

    assert compare([], records, [Problem(code=code, message="", path=path)]).removed == gone


@pytest.mark.req("SYNC-04")
def test_chunks_that_moved_are_kept_and_only_new_ones_inserted() -> None:
    found = diff([a_stored(0, b"a"), a_stored(1, b"b"), a_stored(2, b"c")], [b"x", b"b", b"c"], vectors=True)

    assert [(chunk.id, number) for chunk, number in found.keep] == [(1, 1), (2, 2)]
    assert found.insert == (0,)
    assert found.dropped == 1


@pytest.mark.req("SYNC-34")
def test_an_equal_chunk_without_a_vector_is_healed_only_where_vectors_are_wanted() -> None:
    stored = [a_stored(0, b"a", embedded=False)]

    assert diff(stored, [b"a"], vectors=True).heal == ((stored[0], 0),)
    assert diff(stored, [b"a"], vectors=False).keep == ((stored[0], 0),)


@pytest.mark.req("SYNC-04")
@given(
    st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c", b"d"]), st.booleans())),
    st.lists(st.sampled_from([b"a", b"b", b"c", b"d"])),
    st.booleans(),
)
def test_every_new_chunk_has_one_origin_and_every_old_one_one_fate(
    old: list[tuple[bytes, bool]], new: list[bytes], vectors: bool
) -> None:
    stored = [a_stored(number, key, embedded=embedded) for number, (key, embedded) in enumerate(old)]

    found = diff(stored, new, vectors=vectors)

    matched = [*found.keep, *found.heal]
    assert sorted([*found.insert, *(number for _, number in matched)]) == list(range(len(new)))
    assert all(chunk.key == new[number] for chunk, number in matched)
    assert len({chunk.id for chunk, _ in matched}) == len(matched) == len(stored) - found.dropped
    for key in set(new):
        assert sum(chunk.key == key for chunk, _ in matched) == min(new.count(key), [k for k, _ in old].count(key))
