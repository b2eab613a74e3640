"""What an answer rests on, and what it says when something is missing."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from e2e.kit import NONE, Open, codes, paths
from recollect import ConfigError, Memory, PathError, RecollectError
from recollect.sources.reader import Reader
from recollect.testing.embedder import FailingEmbedder, HashedEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.testing.workspace import Workspace
    from recollect.types import NoteText, SourceFile

_LARGE = {f"memory/n{n}.md": f"# Note {n}\n\nThe lantern number {n} hangs in the hall.\n" for n in range(600)}


@pytest.mark.req("LIB-17")
def test_a_whole_answer_has_no_warning(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    result = memory.search("Redis")
    assert (result.mode, result.provider, result.model, codes(result)) == ("hybrid", "hashed", "hashed", [])
    fresh = result.freshness
    assert (fresh.known, fresh.changed, fresh.missing_vectors, fresh.indexed) == (True, 0, 0, True)


@pytest.mark.req("LIB-18")
def test_a_first_search_indexes_a_small_memory(notes: Workspace, open_memory: Open) -> None:
    result = open_memory().search("Redis")
    assert paths(result)
    assert codes(result) == []
    assert open_memory().status().indexed


@pytest.mark.req("LIB-17", "LIB-18")
def test_a_large_memory_that_was_never_indexed_says_so(empty: Workspace, open_memory: Open) -> None:
    for path, text in _LARGE.items():
        empty.write(path, text)
    result = open_memory().search("lantern")
    assert (list(result), codes(result), result.freshness.indexed) == ([], ["not-indexed"], False)
    assert "recollect index" in result.warnings[0].message
    assert not open_memory().status().indexed


@pytest.mark.req("LIB-17")
def test_nothing_found_and_nothing_indexed_do_not_look_alike(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory({"sync": {"onSearch": False}})
    unindexed = memory.search("zeppelin xylophone")
    memory.sync()
    unmatched = memory.search("zeppelin xylophone")
    assert list(unindexed) == list(unmatched) == []
    assert (codes(unindexed), codes(unmatched)) == (["not-indexed"], [])


@pytest.mark.req("LIB-18")
@pytest.mark.parametrize("change", ["edit", "add", "remove", "rename"])
def test_a_small_change_is_in_the_answer_of_a_cold_search(change: str, notes: Workspace, open_memory: Open) -> None:
    open_memory().sync()
    match change:
        case "edit":
            notes.append("memory/people.md", "\nTeo keeps a zeppelin.\n")
        case "add":
            notes.write("memory/teo.md", "# Teo\n\nTeo keeps a zeppelin.\n")
        case "remove":
            notes.remove("memory/people.md")
        case _:
            notes.move("memory/people.md", "memory/staff.md")
    result = open_memory().search("zeppelin trombone", max_results=10)
    found = {"edit": "memory/people.md", "add": "memory/teo.md", "rename": "memory/staff.md"}.get(change)
    assert found is None or found in paths(result)
    assert change in {"edit", "add"} or "memory/people.md" not in paths(result)
    assert (codes(result), result.freshness.changed) == ([], 0)
    assert open_memory().status().pending == 0


@pytest.mark.req("LIB-17", "LIB-18")
def test_a_note_that_was_written_a_moment_ago_is_in_the_answer_without_a_false_warning(
    notes: Workspace, open_memory: Open
) -> None:
    open_memory(clock=time.time).sync()
    for number in range(10):  # shorter after each other than a file system's clock may tick
        notes.append("memory/people.md", f"\nTeo keeps zeppelin{number}.\n")
        result = open_memory(clock=time.time).search(f"zeppelin{number}")
        assert f"zeppelin{number}" in result[0].snippet
        assert (codes(result), result.freshness.changed) == ([], 0)


@pytest.mark.req("LIB-17", "LIB-18")
def test_a_small_change_that_cannot_be_brought_in_is_reported(
    notes: Workspace, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_memory().sync()
    notes.append("memory/people.md", "\nTeo keeps a zeppelin.\n").append("MEMORY.md", "\n- Gulls.\n")
    read = Reader.read

    def refused(reader: Reader, file: SourceFile) -> NoteText:
        if file.path == "memory/people.md":
            raise PathError("memory/people.md may not be read.", hint="Change its mode.")
        return read(reader, file)

    monkeypatch.setattr(Reader, "read", refused)
    result = open_memory().search("zeppelin gulls")
    assert (paths(result)[:1], codes(result), result.freshness.changed) == (["MEMORY.md"], ["stale"], 1)


@pytest.mark.req("LIB-17", "LIB-18")
def test_a_large_change_is_reported_and_left_to_sync(notes: Workspace, open_memory: Open) -> None:
    open_memory().sync()
    for path, text in _LARGE.items():
        notes.write(path, text)
    result = open_memory().search("lantern Redis")
    assert codes(result) == ["stale"]
    assert result.freshness.changed == len(_LARGE)
    assert "memory/2026-02-10.md" in paths(result)
    assert not [path for path in paths(result) if path in _LARGE]
    open_memory().sync()
    assert open_memory().search("lantern")[0].path in _LARGE


@pytest.mark.req("LIB-18")
def test_a_search_that_may_not_sync_reports_instead(notes: Workspace, open_memory: Open) -> None:
    config = {"sync": {"onSearch": False}}
    open_memory(config).sync()
    notes.write("memory/teo.md", "# Teo\n\nTeo keeps a zeppelin.\n")
    result = open_memory(config).search("zeppelin")
    assert (list(result), codes(result), result.freshness.changed) == ([], ["stale"], 1)


@pytest.mark.req("LIB-17")
def test_a_provider_that_fails_costs_its_vote_and_not_the_answer(notes: Workspace, open_memory: Open) -> None:
    embedder = FailingEmbedder(message="The provider answered 503.")
    memory = open_memory(embedder=embedder)
    memory.sync()
    embedder.fail_queries = True
    result = memory.search("Redis cache", explain=True)
    assert (result.mode, codes(result)) == ("keyword", ["provider-failed"])
    assert "503" in result.warnings[0].message
    assert paths(result)[0] == "memory/2026-02-10.md"
    assert result[0].explanation is not None
    assert result[0].explanation.vector_weight == 0
    embedder.fail_queries = False
    assert (memory.search("Redis cache").mode, codes(memory.search("Redis cache"))) == ("hybrid", [])


@pytest.mark.req("LIB-17")
def test_chunks_without_a_vector_are_found_by_words_and_healed_by_the_next_sync(
    notes: Workspace, open_memory: Open
) -> None:
    embedder = FailingEmbedder()
    embedder.fail_containing = "trombone"
    memory = open_memory(embedder=embedder)
    report = memory.sync()
    assert not report.complete
    result = memory.search("trombone")
    assert result.freshness.missing_vectors > 0
    assert "vectors-missing" in codes(result)
    embedder.fail_containing = None
    memory.sync()
    healed = open_memory(embedder=embedder).search("trombone")
    assert (codes(healed), healed.freshness.missing_vectors) == ([], 0)
    assert healed[0].path == "memory/people.md"


@pytest.mark.req("LIB-17")
def test_a_provider_that_fails_from_the_start_leaves_keyword_search(notes: Workspace, open_memory: Open) -> None:
    embedder = FailingEmbedder()
    embedder.fail_from = 1
    memory = open_memory(embedder=embedder)
    assert not memory.sync().complete
    result = memory.search("Redis cache")
    assert result.mode == "keyword"
    assert paths(result)[0] == "memory/2026-02-10.md"
    assert {"provider-failed", "vectors-missing"} & {*codes(result)}


@pytest.mark.req("LIB-17")
def test_vectors_of_another_model_are_never_compared(notes: Workspace, open_memory: Open) -> None:
    open_memory().sync()
    other = open_memory({"sync": {"onSearch": False}}, embedder=HashedEmbedder(model="hashed-2", fingerprint="2"))
    result = other.search("Redis cache")
    assert (result.mode, "other-model" in codes(result)) == ("keyword", True)
    assert other.sync().rebuilt
    assert (other.search("Redis cache").mode, codes(other.search("Redis cache"))) == ("hybrid", [])


@pytest.mark.req("LIB-17")
def test_a_question_outside_the_model_s_words_says_that_only_words_answered(
    notes: Workspace, open_memory: Open
) -> None:
    notes.write("memory/id.md", "# Id\n\nTicket qzx-77131-vvk is open.\n")
    result = open_memory(embedder=None).search("qzx-77131-vvk")
    assert (result.mode, paths(result)) == ("keyword", ["memory/id.md"])


@pytest.mark.req("LIB-17", "LIB-22")
def test_a_remote_provider_that_does_not_exist_yet_is_a_clear_error(notes: Workspace, tmp_path: Path) -> None:
    with (
        pytest.raises(RecollectError) as refused,
        Memory(notes.path, state_dir=tmp_path / "state", config={"provider": "openai"}) as memory,
    ):
        memory.search("Redis")
    assert "openai" in str(refused.value)
    assert refused.value.hint


@pytest.mark.req("LIB-17")
def test_auto_says_which_provider_it_passed_over(
    notes: Workspace, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    memory = open_memory(embedder=None)
    status = memory.status()
    assert status.provider == "offline"
    said = " ".join(problem.message for problem in status.problems)
    assert "openai" in said
    assert "sk-not-a-key" not in said


@pytest.mark.req("LIB-17")
def test_a_note_that_was_left_out_is_named_and_the_rest_is_found(notes: Workspace, open_memory: Open) -> None:
    os.truncate(notes.root / "memory/people.md", 17 << 20)  # more than a note may have; takes no room on the disk
    memory = open_memory()
    report = memory.sync()
    assert [problem.path for problem in report.problems] == ["memory/people.md"]
    assert memory.search("Redis")


@pytest.mark.req("LIB-17")
def test_a_workspace_that_does_not_exist_is_not_an_empty_memory(tmp_path: Path) -> None:
    with Memory(tmp_path / "nowhere", state_dir=tmp_path / "state", config=NONE) as memory:
        report = memory.sync()
        assert report.problems
        assert memory.status().problems
        assert memory.search("Redis").warnings


@pytest.mark.req("LIB-22")
def test_settings_that_cannot_be_read_are_an_error_with_their_place(notes: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "broken.json5"
    file.write_text("{agents: {defaults: }}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"broken\.json5"):
        Memory(notes.path, config_file=file)


@pytest.mark.req("LIB-17")
def test_a_damaged_index_is_put_aside_and_made_anew(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    expected = paths(memory.search("Redis"))
    database = memory.status().db_path
    memory.close()
    with open(database, "wb") as file:
        file.write(b"this is no database " * 400)
    again = open_memory()
    again.sync()
    assert paths(again.search("Redis")) == expected
    assert again.verify() == ()


@pytest.mark.req("LIB-33")
def test_vectors_that_are_no_numbers_are_a_failure_and_not_an_index(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("The harbour is closed.\n")
    embedder = FailingEmbedder()
    embedder.not_a_number = True
    with Memory(tmp_path, state_dir=tmp_path / "state", embedder=embedder) as memory:
        report = memory.sync()
        assert ([problem.code for problem in report.problems], report.embedded) == (["provider-failed"], 0)
        found = memory.search("harbour")
    assert (len(found), found.mode) == (1, "keyword")
    assert {warning.code for warning in found.warnings} == {"provider-failed", "vectors-missing"}
