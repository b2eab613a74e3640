"""Workspaces that are laid out oddly, and files whose times cannot be true."""

from __future__ import annotations

import math
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bad_inputs.room import need_bound_modes
from recollect.testing.clock import FixedClock

if TYPE_CHECKING:
    from bad_inputs.room import Room

_DECAY = {
    "query": {"hybrid": {"temporalDecay": {"enabled": True, "halfLifeDays": 30}}, "minScore": 0},
    "extraPaths": ["../shelf"],
}


@pytest.mark.req("IX-027")
def test_one_file_under_both_root_names_is_indexed_once(room: Room) -> None:
    os.link(room.notes.root / "MEMORY.md", room.notes.root / "memory.md")
    done = room.asked("index").json()
    assert (done["filesSeen"], done["problems"]) == (3, [])
    assert room.finds("coffee") == ["MEMORY.md"]


@pytest.mark.req("IX-028")
def test_a_file_in_place_of_the_notes_folder_is_told_and_the_rest_is_indexed(room: Room) -> None:
    for note in ("memory/2026-02-10.md", "memory/home/boiler.md"):
        room.notes.remove(note)
    (room.notes.root / "memory/home").rmdir()
    (room.notes.root / "memory").rmdir()
    room.notes.write("memory", "I am a file.\n")
    done = room.asked("index")
    assert done.problems() == [("not-a-folder", "memory")]
    assert room.finds("coffee") == ["MEMORY.md"]
    assert "memory is a file" in room.run("status").out


@pytest.mark.req("IX-030")
def test_a_note_ages_by_the_day_at_the_start_of_its_name(room: Room) -> None:
    for path in ("memory/2026-02-10-notes.md", "memory/sub/2026-02-10.md", "memory/notes-2026-02-10.md"):
        room.notes.write(path, f"The quince of {path}.\n")
    room.notes.write("memory/2026-02-10.md", "The quince of the day itself.\n")
    clock = FixedClock(datetime(2026, 3, 12, tzinfo=UTC))  # thirty days later: a half is left
    with room.memory(clock=clock, config=_DECAY) as memory:
        found = {hit.path: hit.explanation for hit in memory.search("quince", explain=True, max_results=20)}
    decays = {path: round(why.decay, 3) for path, why in found.items() if why is not None}
    assert decays["memory/2026-02-10.md"] == 0.5
    assert decays["memory/2026-02-10-notes.md"] == 0.5
    assert decays["memory/sub/2026-02-10.md"] == 0.5
    assert decays["memory/notes-2026-02-10.md"] == 1


@pytest.mark.req("IX-031")
@pytest.mark.parametrize(
    "extra", [["memory"], ["memory/home", "memory"], ["../shelf", "../shelf/", "../shelf/."], [".."], ["../..", "."]]
)
def test_extra_paths_that_overlap_hold_each_file_once(extra: list[str], room: Room) -> None:
    room.notes.write("../shelf/quince.md", "The quince.\n")
    with room.memory(config={"extraPaths": extra}) as memory:
        report = memory.sync()
        paths = [path for path, _ in memory._store.read(lambda reader: list(reader.files().items()))]
        hits = [hit.path for hit in memory.search("boiler serviced harbour", max_results=50)]
    inodes = [os.stat(os.path.join(room.notes.path, path)).st_ino for path in paths]
    assert len(inodes) == len(set(inodes)) == report.files_seen
    assert hits.count("memory/home/boiler.md") == len([hit for hit in hits if hit.endswith("boiler.md")]) == 1


@pytest.mark.req("IX-033")
def test_an_extra_path_that_is_missing_or_closed_is_named_and_the_rest_is_indexed(
    room: Room, tmp_path_factory: pytest.TempPathFactory
) -> None:
    need_bound_modes(tmp_path_factory.mktemp("modes"))
    room.notes.write("../closed/a.md", "kumquat\n")
    (room.home / "closed").chmod(0)
    room.state.mkdir()
    settings = '{"agents":{"defaults":{"memorySearch":{"extraPaths":["../absent","../closed"]}}}}'
    (room.state / "recollect.json").write_text(settings)
    done = room.asked("index", bound=True)
    assert done.status == 0
    assert {("missing-path", "../absent"), ("unreadable", "../closed")} == set(done.problems())
    assert done.json()["filesAdded"] == 3
    told = room.run("status", bound=True).out
    assert "../absent" in told
    assert "../closed" in told
    (room.home / "closed").chmod(0o700)


@pytest.mark.req("IX-036")
@pytest.mark.parametrize("at", [datetime(2200, 1, 1, tzinfo=UTC).timestamp(), 0, -86_400.0, -1e9])
def test_times_that_cannot_be_true_never_raise_a_score_above_itself(at: float, room: Room) -> None:
    room.notes.write("../shelf/quince.md", "The quince.\n", at=at)
    with room.memory(clock=FixedClock(datetime(2026, 3, 12, tzinfo=UTC)), config=_DECAY) as memory:
        report = memory.sync()
        assert report.problems == ()
        [hit] = [hit for hit in memory.search("quince", explain=True) if hit.path == "../shelf/quince.md"]
        assert not memory.status().dirty
    assert hit.explanation is not None
    assert math.isfinite(hit.score)
    assert 0 <= hit.explanation.decay <= 1
    assert hit.explanation.decay == (1 if at > 1e9 else pytest.approx(0, abs=1e-6))


@pytest.mark.req("IX-037")
def test_a_note_restored_from_a_backup_is_indexed_again(room: Room) -> None:
    room.notes.write("memory/plan.md", "We take the quince.\n", at=1_770_000_000)
    room.asked("index")
    room.notes.write("memory/plan.md", "We take the medlar\n", at=1_700_000_000)  # older, and of the same size
    assert room.asked("index").json()["filesChanged"] == 1
    assert room.finds("medlar") == ["memory/plan.md"]
    assert room.finds("quince") == []
