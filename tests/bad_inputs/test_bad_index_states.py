"""Searching an index that is empty, foreign, of another model, damaged, or being replaced at this moment."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from bad_inputs.room import Room


def meddle(room: Room, *statements: str) -> None:
    connection = apsw.Connection(str(room.store))
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.req("SE-040")
def test_an_empty_index_file_is_no_index_and_is_made(room: Room) -> None:
    room.asked("index")
    room.store.write_bytes(b"")
    assert '"indexed":false' in room.asked("status").out
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()


@pytest.mark.req("SE-041")
@pytest.mark.parametrize("content", [b"# A note, not an index\n" * 900, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40])
@pytest.mark.parametrize("door", ["search", "index"])
def test_a_file_that_is_no_index_is_put_aside_and_made_anew(content: bytes, door: str, room: Room) -> None:
    room.asked("index")
    room.store.write_bytes(content)
    told = room.asked("status")
    assert told.status == 0
    assert "damaged" in told.out
    assert room.asked("doctor").status == 1
    if door == "index":
        assert room.asked("index").status == 0
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    assert room.store.with_name(room.store.name + ".damaged").read_bytes() == content
    assert '"dirty":false' in room.asked("status").out
    assert "put aside" in room.asked("status").out
    room.is_sound()


@pytest.mark.req("SE-041")
@pytest.mark.parametrize("kind", ["folder", "link-to-itself", "state-is-a-file"])
def test_an_index_that_cannot_be_reached_is_told_and_is_no_empty_answer(kind: str, room: Room) -> None:
    store = room.store
    if kind == "state-is-a-file":
        room.state.write_text("")
    else:
        store.parent.mkdir(parents=True)
    if kind == "folder":
        store.mkdir()
    if kind == "link-to-itself":
        store.symlink_to(store.name)
    room.run("index", "--json").refused("E_STORE", 1)
    said = room.asked("search", "boiler")
    assert said.status == 1
    assert [one["code"] for one in said.listed("warnings")].count("E_STORE")
    assert room.run("search", "boiler").status == 1
    assert room.asked("status").status == 0
    assert room.asked("get", "MEMORY.md").status == 0
    if kind != "state-is-a-file":
        assert room.asked("doctor").status == 1


@pytest.mark.req("SE-041")
def test_what_a_link_in_place_of_the_index_names_is_left_as_it_is(room: Room) -> None:
    precious = room.home / "precious"
    precious.write_text("Not yours.\n" * 500)
    precious.chmod(0o640)
    room.store.parent.mkdir(parents=True)
    room.store.symlink_to(precious)
    assert room.asked("index").status == 0  # the room sees to it that nothing beside the index changes
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()


@pytest.mark.req("SE-043")
def test_vectors_of_other_dimensions_are_not_compared_and_both_figures_are_named(room: Room) -> None:
    with room.memory(HashedEmbedder(768)) as memory:
        memory.sync()
    with room.memory(HashedEmbedder(1536), config={"sync": {"onSearch": False}}) as memory:
        result = memory.search("boiler")
        assert result.mode == "keyword"
        assert result[0].path == "memory/home/boiler.md"
        [warning] = [one for one in result.warnings if one.code == "other-model"]
        assert "768" in warning.message
        assert "1536" in warning.message
        status = memory.status()
        assert status.dirty
        told = " ".join(problem.message for problem in status.problems)
        assert "768" in told
        assert "1536" in told
        assert memory.sync().rebuilt
        assert memory.search("boiler").mode == "hybrid"


_NUMBERS = {"nan": np.nan, "inf": np.inf, "minus-inf": -np.inf, "zero": 0.0}


@pytest.mark.req("SE-044")
@pytest.mark.parametrize("kind", [*_NUMBERS, "too-short", "too-long", "empty", "a-text"])
def test_a_vector_that_cannot_be_used_is_left_out_and_counted(kind: str, room: Room) -> None:
    for number in range(12):
        room.notes.write(f"memory/{number}.md", f"The quince number {number} stands at the gate.\n")
    embedder = HashedEmbedder(8)
    with room.memory(embedder) as memory:
        memory.sync()
    blobs: dict[str, bytes] = {
        "too-short": b"\0" * 7, "too-long": b"\0" * 8000, "empty": b"", "a-text": b"quince",
    }  # fmt: skip
    blob = blobs[kind] if kind in blobs else np.full(8, _NUMBERS[kind], dtype="<f4").tobytes()
    connection = apsw.Connection(str(room.store))
    connection.execute("UPDATE vectors SET vectors=? WHERE id%2=0", (blob,))
    changed = connection.changes()
    connection.close()
    assert changed > 3
    with room.memory(embedder, config={"query": {"minScore": 0}, "sync": {"onSearch": False}}) as memory:
        first = memory.search("quince gate", max_results=20)
        assert [hit.score for hit in first] == sorted((hit.score for hit in first), reverse=True)
        assert all(math.isfinite(hit.score) for hit in first)
        assert len([hit for hit in first if "quince" in hit.snippet]) == 12
        assert memory.search("quince gate", max_results=20).results == first.results
        told = [problem.message for problem in memory.status().problems if problem.code == "vectors-skipped"]
        assert told
        assert any(str(changed) in message for message in told), told
        assert memory.verify()
    room.asked("index")


@pytest.mark.req("SE-046")
@pytest.mark.parametrize("table", ["postings", "segments", "chunks", "meta", "vectors"])
def test_a_table_dropped_by_hand_is_told_and_made_anew(table: str, room: Room) -> None:
    room.asked("index")
    meddle(room, f"DROP TABLE {table}")
    told = room.asked("status")
    assert told.status == 0
    assert "table" in told.out
    assert room.finds("boiler") == ["memory/home/boiler.md"]
    room.is_sound()


_REBUILDING = """
import os, sys
from recollect import Memory
notes, state, rounds = sys.argv[1:]
with Memory(notes, state_dir=state) as memory:
    for generation in range(1, int(rounds) + 1):
        for name in os.listdir(notes + "/memory"):
            with open(notes + "/memory/" + name, "w") as file:
                file.write("quince generation%d\\n" % generation)
        memory.sync(force=True)
"""


@pytest.mark.req("SE-047")
@pytest.mark.parametrize("rounds", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_an_answer_while_the_index_is_replaced_is_of_one_generation(rounds: int, room: Room) -> None:
    for note in ("memory/2026-02-10.md", "memory/home/boiler.md"):
        room.notes.remove(note)
    (room.notes.root / "memory/home").rmdir()
    for number in range(20):
        room.notes.write(f"memory/{number}.md", "quince generation0\n")
    seen: set[str] = set()
    config = {"sync": {"onSearch": False}}
    with room.memory() as memory:
        memory.sync()
    argv = [sys.executable, "-c", _REBUILDING, room.notes.path, str(room.state), str(rounds)]
    with subprocess.Popen(argv) as process, room.memory(config=config) as memory:
        while process.poll() is None:
            result = memory.search("quince generation", max_results=30)
            found = {word for hit in result for word in hit.snippet.split() if word.startswith("generation")}
            assert len(found) == 1, found
            assert len(result) == 20
            seen |= found
    assert process.returncode == 0
    assert len(seen) > 2
