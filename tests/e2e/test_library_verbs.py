"""sync, search, get and status of a Memory, as a program uses them."""

from __future__ import annotations

import copy
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from e2e.kit import NONE, Open, codes, paths
from recollect import ArgumentError, ConfigError, Hit, Memory, PathError, RecollectError
from recollect.testing.embedder import HashedEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from recollect import Progress
    from recollect.testing.workspace import Workspace


@pytest.mark.req("LIB-01")
def test_a_first_sync_reports_what_was_added_and_a_second_that_nothing_was(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    first, second = memory.sync(), memory.sync()
    assert (first.files_seen, first.files_added, first.files_changed, first.files_removed) == (4, 4, 0, 0)
    assert first.chunks_added == memory.status().chunks
    assert first.embedded > 0
    assert first.complete
    assert (second.files_seen, second.files_unchanged, second.files_added) == (4, 4, 0)
    assert (second.chunks_added, second.embedded) == (0, 0)


@pytest.mark.req("LIB-01")
def test_a_sync_reports_changes_removals_and_what_was_left_out(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    notes.append("MEMORY.md", "- Kayaks are blue.\n").remove("memory/people.md")
    notes.write("memory/new.md", "# New\n\nNew.\n")
    notes.link("memory/link.md", notes.root / "MEMORY.md")
    report = memory.sync(reason="test")
    assert report.reason == "test"
    assert (report.files_added, report.files_changed, report.files_removed, report.files_unchanged) == (1, 1, 1, 2)
    assert [(problem.code, problem.path) for problem in report.problems] == [("symlink", "memory/link.md")]
    assert not report.complete


@pytest.mark.req("LIB-01")
def test_force_makes_the_index_anew_and_says_why(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    before = paths(memory.search("Redis"))
    assert memory.sync(force=True).rebuilt
    assert memory.sync().rebuilt is None
    assert paths(memory.search("Redis")) == before


@pytest.mark.req("LIB-01")
def test_progress_is_told_up_to_the_end(notes: Workspace, open_memory: Open) -> None:
    seen: list[Progress] = []
    open_memory().sync(progress=seen.append)
    assert seen[-1].completed == seen[-1].total > 0


@pytest.mark.req("LIB-02")
def test_a_result_is_a_sequence_of_hits_best_first(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    result = memory.search("what happens to the Redis cache?")
    assert isinstance(result[0], Hit)
    assert list(result) == list(result.results) == [result[i] for i in range(len(result))]
    assert result[:1] == result.results[:1]
    assert result[-1] is result.results[-1]
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    with pytest.raises(IndexError):
        result[len(result)]


@pytest.mark.req("LIB-02")
def test_a_result_can_be_asked_all_that_a_sequence_can(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    result = memory.search("Redis")
    assert result[0] in result
    assert list(reversed(result)) == list(result)[::-1]
    assert bool(result)
    assert not memory.search("xylophone zeppelin")
    first, *rest = result
    assert [first, *rest] == list(result)


@pytest.mark.req("LIB-02")
def test_a_hit_has_place_score_and_text(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    hit = memory.search("Who plays the trombone?")[0]
    assert (hit.path, hit.source, hit.start_line, hit.end_line) == ("memory/people.md", "memory", 1, 3)
    assert hit.citation == "memory/people.md#L1-L3"
    assert "trombone" in hit.snippet
    assert (hit.chunk_start_line, hit.chunk_end_line) == (1, 4)
    assert hit.explanation is None


_LONG = "\n\n".join(
    [f"Paragraph {n} speaks of boats, ropes and the tide in the harbour, at some length." for n in range(60)]
)


@pytest.mark.req("LIB-03")
@pytest.mark.parametrize("question", ["Paragraph 7", "Paragraph 31 ropes", "the tide in the harbour", "boats 59"])
def test_what_a_hit_shows_stands_in_the_note_on_the_cited_lines(
    question: str, empty: Workspace, open_memory: Open
) -> None:
    empty.write("memory/long.md", f"# Harbour\n\n{_LONG}\n")
    memory = open_memory()
    memory.sync()
    for hit in memory.search(question):
        lines = hit.end_line - hit.start_line + 1
        cited = memory.get(hit.path, start=hit.start_line, lines=lines).text
        for piece in hit.snippet.split("…"):
            assert piece.strip("\n") in cited
        for span in hit.spans:
            assert hit.start_line <= span.start_line <= span.end_line <= hit.end_line
        assert len(hit.snippet) <= 700


@pytest.mark.req("LIB-03")
def test_a_snippet_with_a_gap_names_what_it_shows(empty: Workspace, open_memory: Open) -> None:
    filler = "\n\n".join(f"Nothing of note happened on the {n}th pier, only gulls and rain again." for n in range(9))
    empty.write("memory/log.md", f"# Log\n\nThe beacon failed.\n\n{filler}\n\nThe beacon was mended.\n")
    memory = open_memory(NONE, embedder=None)
    memory.sync()
    gapped = [hit for hit in memory.search("beacon") if hit.spans]
    for hit in gapped:
        assert "…" in hit.snippet
        assert (hit.spans[0].start_line, hit.spans[-1].end_line) == (hit.start_line, hit.end_line)
        assert all(one.end_line <= two.start_line for one, two in zip(hit.spans, hit.spans[1:], strict=False))


@pytest.mark.req("LIB-04")
def test_get_reads_lines_and_says_where_to_go_on(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    got = memory.get("memory/2026-02-10.md", start=3, lines=3)
    assert (got.text, got.start_line, got.end_line) == (
        "## Redis\n\nThe Redis cache is dropped without replacement.",
        3,
        5,
    )
    assert (got.truncated, got.next_line) == (True, 6)
    missing = memory.get("memory/2099-01-01.md")
    assert (missing.text, missing.exists) == ("", False)


@pytest.mark.req("LIB-04")
def test_get_needs_no_index_and_makes_none(notes: Workspace, open_memory: Open, tmp_path: Path) -> None:
    assert "Tea" in open_memory().get("MEMORY.md").text
    assert not (tmp_path / "state").exists()


@pytest.mark.req("LIB-04", "LIB-22")
def test_get_refuses_what_is_outside(notes: Workspace, open_memory: Open, tmp_path: Path) -> None:
    with pytest.raises(PathError) as refused:
        open_memory().get("../secret.md")
    assert str(tmp_path) not in str(refused.value)
    assert refused.value.hint


@pytest.mark.req("LIB-05")
def test_status_tells_how_the_memory_stands(notes: Workspace, open_memory: Open, tmp_path: Path) -> None:
    memory = open_memory()
    before = memory.status()
    assert (before.indexed, before.dirty, before.files) == (False, True, 0)
    memory.sync(reason="test")
    after = memory.status()
    assert (after.indexed, after.dirty, after.pending, after.files) == (True, False, 0, 4)
    assert (after.provider, after.model, after.vector.dims) == ("hashed", "hashed", 64)
    assert after.workspace_dir == str(tmp_path / "notes")
    assert after.workspace_origin
    assert after.db_path.startswith(str(tmp_path / "state"))
    assert [(count.source, count.files) for count in after.source_counts] == [("memory", 4)]
    assert after.last_sync_reason == "test"
    assert after.embedding_probe is None
    notes.append("MEMORY.md", "More.\n")
    assert open_memory().status().pending == 1


@pytest.mark.req("LIB-05")
def test_a_deep_status_asks_the_embedder(notes: Workspace, open_memory: Open) -> None:
    embedder = HashedEmbedder()
    memory = open_memory(embedder=embedder)
    assert memory.status().embedding_probe is None
    assert embedder.calls == 0
    probe = memory.status(deep=True).embedding_probe
    assert probe is not None
    assert probe.ok
    assert embedder.calls == 1


@pytest.mark.req("LIB-05")
def test_status_makes_no_file(notes: Workspace, open_memory: Open, tmp_path: Path) -> None:
    open_memory().status()
    assert not (tmp_path / "state").exists()


@pytest.mark.req("LIB-07")
def test_settings_given_in_the_program_win_over_the_file(notes: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "settings.json5"
    file.write_text(
        "{agents: {defaults: {memorySearch: {provider: 'none', query: {maxResults: 1}}}}}", encoding="utf-8"
    )
    with Memory(notes.path, state_dir=tmp_path / "state", config_file=file) as of_file:
        of_file.sync()
        assert len(of_file.search("Redis")) == 1
    config = {"query": {"maxResults": 2}}
    with Memory(notes.path, state_dir=tmp_path / "state", config_file=file, config=config) as of_program:
        assert len(of_program.search("Redis")) == 2
        assert of_program.settings.provider == "none"


@pytest.mark.req("LIB-07", "LIB-22")
def test_a_misspelt_setting_names_the_nearest_one(notes: Workspace) -> None:
    with pytest.raises(ConfigError, match="maxResults"):
        Memory(notes.path, config={"query": {"maxResult": 3}})


@pytest.mark.req("LIB-07")
def test_the_caller_s_settings_are_not_changed(notes: Workspace, open_memory: Open) -> None:
    config = {"query": {"maxResults": 2, "hybrid": {"vectorWeight": 7}}, "extraPaths": [" more ", "more"]}
    kept = copy.deepcopy(config)
    open_memory(config).sync()
    assert config == kept


@pytest.mark.req("LIB-22")
@pytest.mark.parametrize(
    "wrong",
    [
        {"query": 7},
        {"query": None},
        {"query": b"Redis"},
        {"max_results": -1},
        {"max_results": 2.5},
        {"max_results": True},
        {"min_score": "high"},
        {"min_score": float("nan")},
        {"sources": ["mail"]},
        {"since": "yesterday"},
        {"until": "2026-02-30"},
    ],
    ids=str,
)
def test_a_wrong_search_says_what_to_do(wrong: dict[str, object], notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    with pytest.raises(ArgumentError) as refused:
        memory.search(**{"query": "Redis", **wrong})  # type: ignore[arg-type] # wrong on purpose
    assert refused.value.message.endswith(".")
    assert refused.value.hint


@pytest.mark.req("LIB-22")
def test_sources_may_be_any_sequence_and_a_lone_word_is_told_apart(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    assert memory.search("Redis", sources=["memory"])
    assert memory.search("Redis", sources=("memory", "sessions"))
    assert not memory.search("Redis", sources=["sessions"])
    with pytest.raises(ArgumentError):
        memory.search("Redis", sources="memory")  # type: ignore[arg-type] # letters are no sources


@pytest.mark.req("LIB-22")
@pytest.mark.parametrize("empty_question", ["", "   ", "?!", "\n"])
def test_an_empty_question_has_no_hits_and_is_no_fault(
    empty_question: str, notes: Workspace, open_memory: Open
) -> None:
    memory = open_memory()
    memory.sync()
    assert list(memory.search(empty_question)) == []


@pytest.mark.req("LIB-21")
def test_close_twice_is_once_and_use_afterwards_opens_again(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    expected = paths(memory.search("Redis"))
    memory.close()
    memory.close()
    assert paths(memory.search("Redis")) == expected
    assert memory.sync().files_unchanged == 4
    memory.close()


@pytest.mark.req("LIB-21")
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of open files on this system")
def test_a_closed_memory_holds_no_file(notes: Workspace, open_memory: Open, tmp_path: Path) -> None:
    def held() -> list[str]:
        opened = (os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd"))
        return [path for path in opened if path.startswith(str(tmp_path))]

    memory = open_memory()
    memory.sync()
    memory.search("Redis")
    memory.close()
    assert held() == []


@pytest.mark.req("LIB-21")
def test_closing_a_memory_that_was_never_used_does_nothing(notes: Workspace, tmp_path: Path) -> None:
    Memory(notes.path, state_dir=tmp_path / "state").close()
    assert not (tmp_path / "state").exists()


@pytest.mark.req("LIB-24")
def test_a_memory_that_is_switched_off_answers_nothing_and_says_why(
    notes: Workspace, open_memory: Open, tmp_path: Path
) -> None:
    memory = open_memory({"enabled": False}, embedder=None)
    result = memory.search("Redis")
    assert (list(result), codes(result), result.mode) == ([], ["disabled"], "none")
    assert [problem.code for problem in memory.sync().problems] == ["disabled"]
    assert not (tmp_path / "state").exists()


@pytest.mark.req("LIB-25")
def test_an_index_that_was_deleted_is_made_anew_and_answers_as_before(
    notes: Workspace, open_memory: Open, tmp_path: Path
) -> None:
    memory = open_memory()
    memory.sync()
    before = list(memory.search("Redis cache"))
    memory.close()
    shutil.rmtree(tmp_path / "state")
    again = open_memory()
    again.sync()
    assert list(again.search("Redis cache")) == before


@pytest.mark.req("LIB-02")
def test_a_workspace_may_be_a_text_a_path_or_the_home(
    notes: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for workspace in (notes.path, notes.root, "~/notes"):
        with Memory(workspace, state_dir=tmp_path / "state", config=NONE) as memory:
            assert memory.workspace == notes.path
            assert memory.search("Redis")


@pytest.mark.req("LIB-05")
def test_init_makes_what_is_missing_and_changes_nothing(empty: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    assert sorted(memory.init()) == ["MEMORY.md", "memory/"]
    empty.write("MEMORY.md", "mine")
    assert memory.init() == ()
    assert (empty.root / "MEMORY.md").read_text(encoding="utf-8") == "mine"


@pytest.mark.req("LIB-25")
def test_verify_finds_nothing_in_a_whole_index_and_damage_in_another(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    assert memory.verify() == ()
    database = memory.status().db_path
    memory.close()
    with open(database, "r+b") as file:
        pages = os.path.getsize(database) // 4096
        for page in range(1, pages):
            file.seek(4096 * page + 3000)
            file.write(b"\xff" * 1000)
    try:
        damage = open_memory().verify()
    except RecollectError as error:
        damage = (str(error),)
    assert damage


@pytest.mark.req("LIB-03", "LIB-04")
def test_a_note_outside_the_workspace_is_found_and_read_under_one_name(
    notes: Workspace, open_memory: Open, tmp_path: Path
) -> None:
    team = tmp_path / "team"
    team.mkdir()
    (team / "rota.md").write_text("# Rota\n\nAiko has the pager in even weeks.\n", encoding="utf-8")
    memory = open_memory({"extraPaths": ["../team"]})
    memory.sync()
    hit = memory.search("Who has the pager?")[0]
    assert (hit.path, hit.citation) == ("../team/rota.md", "../team/rota.md#L1-L3")
    assert memory.get(hit.path, start=hit.start_line, lines=3).text == hit.snippet
    with pytest.raises(PathError):
        memory.get("../team/../state/x.md")
