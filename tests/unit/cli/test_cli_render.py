"""Results and states in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.cli import render_search, render_status
from recollect.cli.index import nothing_done, summary
from recollect.types import (
    CacheStatus,
    EmbeddingProbe,
    Explanation,
    FallbackStatus,
    Freshness,
    FtsStatus,
    Hit,
    Problem,
    SearchMode,
    SearchResult,
    SourceCount,
    Span,
    Status,
    SyncReport,
    VectorStatus,
)

if TYPE_CHECKING:
    from recollect.cli.output import Line

HIT = Hit(
    path="memory/2026-02-10.md",
    start_line=3,
    end_line=12,
    score=0.81249,
    snippet="Redis goes.\n\nThe queue becomes a table.",
    source="memory",
    citation="memory/2026-02-10.md#L3-L12",
    chunk_start_line=1,
    chunk_end_line=14,
)


def _result(
    *hits: Hit,
    freshness: Freshness | None = None,
    warnings: tuple[Problem, ...] = (),
    mode: SearchMode = "hybrid",
) -> SearchResult:
    return SearchResult(
        results=hits,
        provider="offline",
        model="table",
        mode=mode,
        citations="auto",
        freshness=freshness or Freshness(known=True),
        warnings=warnings,
    )


def _said(lines: list[Line]) -> str:
    return "\n".join("".join(text for text, _ in line) for line in lines)


def _words(result: SearchResult) -> str:
    return _said(render_search.render(result, None))


@pytest.mark.req("CLI-05")
def test_a_hit_is_its_score_its_lines_and_its_snippet() -> None:
    assert _words(_result(HIT)) == ("0.812  memory/2026-02-10.md:3-12\n  Redis goes.\n\n  The queue becomes a table.\n")


@pytest.mark.req("CLI-05")
def test_a_snippet_with_gaps_names_the_shown_ranges() -> None:
    hit = Hit(
        path="a.md",
        start_line=1,
        end_line=9,
        score=1.0,
        snippet="x",
        source="memory",
        spans=(Span(start_line=1, end_line=2), Span(start_line=8, end_line=9)),
        chunk_start_line=1,
        chunk_end_line=9,
    )
    assert _words(_result(hit)).startswith("1.000  a.md:1-9  (lines 1-2,8-9)\n")


@pytest.mark.req("CLI-05")
def test_an_explanation_says_where_the_score_comes_from() -> None:
    why = Explanation(
        text_score=0.5,
        vector_score=0.25,
        text_weight=0.3,
        vector_weight=0.7,
        decay=0.9,
        mmr_rank=2,
        admitted="keyword",
        terms=("redis",),
    )
    hit = Hit(
        path="a.md",
        start_line=1,
        end_line=1,
        score=0.2925,
        snippet="x",
        source="memory",
        chunk_start_line=1,
        chunk_end_line=1,
        explanation=why,
    )
    said = _words(_result(hit))
    for part in ("0.30 x words 0.500", "0.70 x meaning 0.250", "decay 0.900", "admitted by keyword", "words: redis"):
        assert part in said


@pytest.mark.req("CLI-06")
def test_empty_because_nothing_matches_is_said_plainly() -> None:
    assert _words(_result()) == "No matches."


@pytest.mark.req("CLI-06")
@pytest.mark.parametrize(
    "result",
    [
        _result(freshness=Freshness(known=True, indexed=False)),
        _result(freshness=Freshness(known=True, changed=3)),
        _result(freshness=Freshness(known=False)),
        _result(freshness=Freshness(known=True, missing_vectors=2)),
        _result(warnings=(Problem(code="provider-failed", message="Only words were searched: no answer."),)),
        _result(mode="none"),
    ],
)
def test_empty_because_something_is_missing_never_reads_like_no_matches(result: SearchResult) -> None:
    assert _words(result).split("\n")[0] != "No matches."


@pytest.mark.req("CLI-06", "CLI-15")
def test_a_missing_index_says_which_command_makes_it_and_says_it_once() -> None:
    warning = Problem(code="not-indexed", message="Nothing is indexed yet. Run `recollect index`.")
    said = _words(_result(freshness=Freshness(known=True, indexed=False), warnings=(warning,)))
    assert said.count("recollect index") == 1


@pytest.mark.req("CLI-06", "CLI-15")
def test_a_folder_without_notes_says_how_to_begin() -> None:
    warning = Problem(code=render_search.NO_NOTES, message="Run `recollect init`.")
    assert _words(_result(freshness=Freshness(known=True, indexed=False), warnings=(warning,))) == warning.message


@pytest.mark.req("CLI-06")
def test_what_an_answer_may_lack_is_said_beside_its_hits() -> None:
    warning = Problem(code="stale", message="2 files have changed.", path=None)
    said = _words(_result(HIT, freshness=Freshness(known=True, changed=2, missing_vectors=5), warnings=(warning,)))
    assert "Note: 2 files have changed." in said
    assert "Note: 5 chunks had no vector yet" in said
    assert said.count("Note:") == 2


@pytest.mark.req("CLI-17")
def test_a_note_that_holds_escape_sequences_is_shown_harmless() -> None:
    hit = Hit(
        path="a\x1b]0;x\x07.md",
        start_line=1,
        end_line=1,
        score=1.0,
        snippet="red \x1b[31mtext\u202e",
        source="memory",
        chunk_start_line=1,
        chunk_end_line=1,
    )
    said = _words(_result(hit, warnings=(Problem(code="x", message="bad \x1b[2J", path="b\n.md"),)))
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "b\\n.md: bad \\x1b[2J" in said


@pytest.mark.req("CLI-25")
@pytest.mark.parametrize(
    ("question", "snippet", "marked"),
    [
        ("what about queues?", "The queue is a table.", ["queue"]),
        ("Redis", "REDIS goes, predisposed.", ["REDIS"]),
        ("京都の旅館", "京都では小さな旅館に", ["京都", "旅館"]),
        ("(.*)+ [", "nothing (.*)+ [", []),
        ("the at to", "the hat", []),
        ("who deployed it?", "Deploying is easy.", ["Deploying"]),
    ],
)
def test_the_words_of_the_question_are_marked(question: str, snippet: str, marked: list[str]) -> None:
    hit = Hit(
        path="a.md", start_line=1, end_line=1, score=1, snippet=snippet, source="memory",
        chunk_start_line=1, chunk_end_line=1,
    )  # fmt: skip
    lines = render_search.render(_result(hit), question)
    assert [text for text, style in lines[1] if style == "bold yellow"] == marked
    assert _said(lines[1:2]) == f"  {snippet}"


def _status(**changes: object) -> Status:
    base: dict[str, object] = {
        "agent_id": "main",
        "workspace_dir": "/srv/notes",
        "workspace_origin": "given",
        "db_path": "/srv/state/main.sqlite",
        "indexed": True,
        "dirty": False,
        "files": 12,
        "chunks": 40,
        "provider": "offline",
        "requested_provider": "auto",
        "source_counts": (SourceCount(source="memory", files=12, chunks=40),),
        "cache": CacheStatus(enabled=True, entries=123),
        "fts": FtsStatus(enabled=True, available=True),
        "vector": VectorStatus(enabled=True, available=True, dims=128),
        "db_bytes": 1_250_000,
    }
    return Status(**(base | changes))  # type: ignore[arg-type] # a test's shorthand


def _status_said(**changes: object) -> list[str]:
    return _said(render_status.render(_status(**changes), verbose=True)).split("\n")


@pytest.mark.req("CLI-18")
def test_status_says_how_every_side_of_the_index_stands() -> None:
    said = _status_said()
    for line in (
        "Memory (main)",
        "Workspace: /srv/notes (given)",
        "Index: /srv/state/main.sqlite (1.2 MB)",
        "Indexed: 12 files, 40 chunks",
        "Dirty: no",
        "Provider: offline (asked for: auto)",
        "Sources: memory (12 files, 40 chunks)",
        "Vector: ready",
        "Vector dims: 128",
        "Vector path: in-process",
        "FTS: ready",
        "Embedding cache: enabled (123 entries)",
    ):
        assert line in said


@pytest.mark.req("CLI-18")
def test_status_says_the_real_cause_of_what_is_not_ready() -> None:
    said = _status_said(
        vector=VectorStatus(enabled=True, available=False, load_error="no such file"),
        fts=FtsStatus(enabled=True, available=False, error="no such table"),
        cache=CacheStatus(enabled=False),
        fallback=FallbackStatus(from_="openai", reason="no key"),
        last_error=Problem(code="E_PROVIDER", message="quota"),
    )
    for line in (
        "Vector: unavailable",
        "Vector error: no such file",
        "FTS: unavailable (no such table)",
        "Embedding cache: disabled",
        "Fallback: offline instead of openai (no key)",
        "Last error: quota",
    ):
        assert line in said


@pytest.mark.req("CLI-19")
def test_a_probe_is_told_only_when_it_was_made() -> None:
    assert not any(line.startswith("Embeddings:") for line in _status_said())
    assert "Embeddings: ready" in _status_said(embedding_probe=EmbeddingProbe(ok=True))
    assert "Embeddings: unavailable (401)" in _status_said(embedding_probe=EmbeddingProbe(ok=False, error="401"))


@pytest.mark.req("CLI-15")
def test_a_dirty_index_says_what_to_do() -> None:
    assert "Dirty: yes (3 files not in the index as they are now; run `recollect index`)" in _status_said(
        dirty=True, pending=3
    )
    assert "Dirty: yes (1 file not in the index as it is now; run `recollect index`)" in _status_said(
        dirty=True, pending=1
    )
    assert any("nothing is indexed yet" in line for line in _status_said(indexed=False, dirty=True, db_bytes=0))


@pytest.mark.req("CLI-21")
def test_a_sync_is_summed_up_in_one_line() -> None:
    assert summary(SyncReport(reason="cli", files_seen=3, files_added=1, files_unchanged=2)) == (
        "3 files: 1 added, 2 unchanged."
    )
    assert summary(SyncReport(reason="cli")) == "0 files."


@pytest.mark.req("CLI-21")
def test_a_sync_failed_only_when_none_of_the_notes_is_in_the_index() -> None:
    problem = Problem(code="unreadable", message="Permission denied.", path="a.md")
    assert nothing_done(SyncReport(reason="cli", files_seen=2, problems=(problem, problem)))
    assert not nothing_done(SyncReport(reason="cli", files_seen=2, files_added=1, problems=(problem,)))
    assert not nothing_done(SyncReport(reason="cli", files_seen=0, problems=(problem,)))
