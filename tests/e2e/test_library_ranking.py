"""What is found, in which order, and why: scores, thresholds, decay, variety, dates, citations."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from e2e.kit import NONE, Open, codes, paths
from recollect.testing.clock import FixedClock

if TYPE_CHECKING:
    from recollect import SearchResult
    from recollect.testing.workspace import Workspace

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
_DECAY = {"query": {"hybrid": {"temporalDecay": {"enabled": True, "halfLifeDays": 30}}}}
_MMR = {"query": {"hybrid": {"mmr": {"enabled": True, "lambda": 0.5}}}}
_BOTH = {"query": {"hybrid": {"mmr": {"enabled": True}, "temporalDecay": {"enabled": True}}}}

_DATED = {
    "MEMORY.md": "# Memory\n\nThe ferry to Laboe leaves at nine.\n",
    "memory/2026-03-01.md": "# Day\n\nThe ferry to Laboe was late.\n",
    "memory/2026-01-30.md": "# Day\n\nThe ferry to Laboe was full.\n",
    "memory/2026-01-30-harbour.md": "# Day\n\nThe ferry to Laboe was empty.\n",
    "memory/2026/01/2026-01-30.md": "# Day\n\nThe ferry to Laboe was painted.\n",
    "memory/ferries.md": "# Ferries\n\nThe ferry to Laboe is blue.\n",
}


@pytest.fixture
def dated(empty: Workspace) -> Workspace:
    for path, text in _DATED.items():
        empty.write(path, text)
    return empty


def _decays(result: SearchResult) -> dict[str, float]:
    return {hit.path: hit.explanation.decay for hit in result if hit.explanation is not None}


@pytest.mark.req("LIB-08")
@pytest.mark.parametrize("config", [None, _DECAY, _MMR, _BOTH], ids=["plain", "decay", "mmr", "both"])
@pytest.mark.parametrize("question", ["ferry to Laboe", "the blue ferry", "was anything painted?"])
def test_the_parts_reproduce_the_score(
    config: dict[str, object] | None, question: str, dated: Workspace, open_memory: Open
) -> None:
    memory = open_memory(config, clock=FixedClock(_NOW))
    memory.sync()
    result = memory.search(question, explain=True)
    assert result
    for rank, hit in enumerate(result, 1):
        parts = hit.explanation
        assert parts is not None
        sides = parts.text_weight * parts.text_score + parts.vector_weight * parts.vector_score
        assert hit.score == pytest.approx(sides * parts.decay, abs=1e-6)
        assert parts.text_weight + parts.vector_weight == pytest.approx(1, abs=1e-6)
        assert parts.mmr_rank == (rank if config in (_MMR, _BOTH) else None)


@pytest.mark.req("LIB-08")
def test_an_explanation_names_the_words_that_matched(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    parts = memory.search("what about the Redis cache and zeppelins?", explain=True)[0].explanation
    assert parts is not None
    assert set(parts.terms) == {"Redis", "cache"}


@pytest.mark.req("LIB-08")
def test_explaining_changes_neither_hits_nor_scores(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    plain, explained = memory.search("Redis queue"), memory.search("Redis queue", explain=True)
    assert [(hit.citation, hit.score) for hit in plain] == [(hit.citation, hit.score) for hit in explained]


@pytest.mark.req("LIB-09")
def test_since_and_until_include_their_days(dated: Workspace, open_memory: Open) -> None:
    for path in ("MEMORY.md", "memory/ferries.md"):
        dated.touch(path, datetime(2026, 2, 14, tzinfo=UTC).timestamp())
    memory = open_memory()
    memory.sync()

    def found(since: str | None = None, until: str | None = None) -> set[str]:
        return {*paths(memory.search("ferry to Laboe", since=since, until=until, max_results=20))}

    january = {"memory/2026-01-30.md", "memory/2026-01-30-harbour.md", "memory/2026/01/2026-01-30.md"}
    assert found() == {*_DATED}
    assert found(until="2026-01-30") == january
    assert found(until="2026-01-29") == set()
    assert found(since="2026-03-01") == {"memory/2026-03-01.md"}
    assert found(since="2026-03-02") == set()
    assert found(since="2026-02-14", until="2026-02-14") == {"MEMORY.md", "memory/ferries.md"}


@pytest.mark.req("LIB-09")
def test_a_filter_does_not_change_the_scores_of_what_remains(dated: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    everything = {hit.path: hit.score for hit in memory.search("ferry painted", max_results=20)}
    for hit in memory.search("ferry painted", until="2026-01-30", max_results=20):
        assert hit.score == pytest.approx(everything[hit.path], abs=1e-6)


@pytest.mark.req("LIB-10")
@pytest.mark.parametrize(("mode", "cited"), [("on", True), ("auto", True), ("off", False)])
def test_citations_are_as_the_settings_say(mode: str, cited: bool, notes: Workspace, open_memory: Open) -> None:
    settings = notes.root.parent / "settings.json"
    settings.write_text(f'{{"memory": {{"citations": "{mode}"}}}}', encoding="utf-8")
    from recollect import Memory

    with Memory(notes.path, state_dir=notes.root.parent / "state", config_file=settings) as memory:
        memory.sync()
        result = memory.search("Who plays the trombone?")
        assert result.citations == mode
        assert result[0].citation == ("memory/people.md#L1-L3" if cited else None)
        assert (result[0].start_line, result[0].end_line) == (1, 3)


@pytest.mark.req("LIB-10")
def test_a_single_line_is_cited_as_one(empty: Workspace, open_memory: Open) -> None:
    empty.write("memory/one.md", "The lantern is in the cellar.")
    memory = open_memory()
    memory.sync()
    assert memory.search("lantern")[0].citation == "memory/one.md#L1"


@pytest.mark.req("LIB-11")
def test_decay_goes_by_the_date_in_the_name_wherever_the_note_lies(dated: Workspace, open_memory: Open) -> None:
    memory = open_memory(_DECAY, clock=FixedClock(_NOW))
    memory.sync()
    decays = _decays(memory.search("ferry to Laboe", explain=True, max_results=20))
    half = decays["memory/2026-01-30.md"]
    assert half == pytest.approx(0.5, abs=0.01)  # 30 days and a half
    assert decays["memory/2026-01-30-harbour.md"] == decays["memory/2026/01/2026-01-30.md"] == half
    assert decays["memory/2026-03-01.md"] == pytest.approx(1, abs=0.02)


@pytest.mark.req("LIB-11")
def test_evergreen_notes_do_not_decay(dated: Workspace, open_memory: Open) -> None:
    old = datetime(2020, 1, 1, tzinfo=UTC).timestamp()
    dated.touch("MEMORY.md", old).touch("memory/ferries.md", old)
    memory = open_memory(_DECAY, clock=FixedClock(_NOW))
    memory.sync()
    decays = _decays(memory.search("ferry to Laboe", explain=True, max_results=20))
    assert decays["MEMORY.md"] == decays["memory/ferries.md"] == 1


@pytest.mark.req("LIB-11")
def test_a_note_of_an_extra_path_decays_by_its_mtime(dated: Workspace, open_memory: Open) -> None:
    dated.write("extra/ferry.md", "The ferry to Laboe sank.\n", at=datetime(2026, 1, 30, 12, tzinfo=UTC).timestamp())
    memory = open_memory({**_DECAY, "extraPaths": ["extra"]}, clock=FixedClock(_NOW))
    memory.sync()
    decays = _decays(memory.search("ferry to Laboe sank", explain=True, max_results=20))
    assert decays["extra/ferry.md"] == pytest.approx(0.5, abs=0.01)


@pytest.mark.req("LIB-11")
def test_time_that_passes_changes_the_order(empty: Workspace, open_memory: Open) -> None:
    empty.write("memory/2026-02-28.md", "# Day\n\nThe harbour master spoke of the ferry.\n")
    empty.write("memory/harbour.md", "# Harbour\n\nThe harbour master spoke.\n")
    clock = FixedClock(_NOW)
    memory = open_memory(_DECAY, clock=clock)
    memory.sync()
    assert paths(memory.search("harbour master ferry"))[0] == "memory/2026-02-28.md"
    clock.advance(days=300)
    assert paths(memory.search("harbour master ferry"))[0] == "memory/harbour.md"


_NEAR = {
    "memory/a.md": "The router in the hall drops the connection when the microwave runs in the kitchen.\n",
    "memory/b.md": "The router in the hall drops the connection when the microwave runs in the kitchen!\n",
    "memory/c.md": "A new router for the office costs ninety euros.\n",
}


@pytest.mark.req("LIB-12")
def test_a_near_duplicate_makes_room(empty: Workspace, open_memory: Open) -> None:
    for path, text in _NEAR.items():
        empty.write(path, text)
    question = "router hall connection microwave"
    plain = open_memory()
    plain.sync()
    assert paths(plain.search(question))[:2] == ["memory/a.md", "memory/b.md"]
    various = open_memory(_MMR).search(question, max_results=2)
    assert paths(various) == ["memory/a.md", "memory/c.md"]


_FAINT = {
    "memory/long.md": "# Log\n\n" + "\n\n".join(f"Entry {n} about ropes and tides." for n in range(40)),
    "memory/word.md": "# Note\n\nAmong many other things that were said on that day, somebody mentioned marzipan once, "
    "in passing, before the talk went back to ropes and tides and the weather of the week.\n",
}


@pytest.mark.req("LIB-13", "MERGE-04")
def test_the_configured_threshold_does_not_cut_what_the_words_found(empty: Workspace, open_memory: Open) -> None:
    for path, text in _FAINT.items():
        empty.write(path, text)
    memory = open_memory({"query": {"minScore": 1}})
    memory.sync()
    result = memory.search("was there marzipan for the zeppelin captain?", explain=True)
    assert paths(result) == ["memory/word.md"]
    assert result[0].explanation is not None
    assert result[0].explanation.admitted == "keyword"
    assert result[0].score < 1


@pytest.mark.req("LIB-13")
def test_a_named_min_score_holds_for_every_hit(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    everything = memory.search("Redis queue database", min_score=0)
    assert len(everything) > 1
    middle = everything[1].score
    kept = memory.search("Redis queue database", min_score=middle)
    assert [hit.score for hit in kept] == [hit.score for hit in everything if hit.score >= middle]


@pytest.mark.req("LIB-13")
def test_above_one_nothing_is_left_and_below_zero_is_zero(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory()
    memory.sync()
    nothing = memory.search("Redis", min_score=2)
    assert (list(nothing), codes(nothing)) == ([], [])
    assert paths(memory.search("Redis", min_score=-1)) == paths(memory.search("Redis", min_score=0))


@pytest.mark.req("LIB-14")
@pytest.mark.parametrize("question", ["entry about ropes", "Entry 17", "marzipan", "tides of the week"])
def test_the_best_hits_do_not_depend_on_how_many_were_asked_for(
    question: str, empty: Workspace, open_memory: Open
) -> None:
    for path, text in _FAINT.items():
        empty.write(path, text)
    for n in range(30):
        empty.write(f"memory/day-{n}.md", f"# Day {n}\n\nRopes were coiled {n} times. Entry about tides.\n")
    memory = open_memory()
    memory.sync()
    everything = list(memory.search(question, max_results=50))
    for count in (1, 2, 3, 6, 10, 25):
        assert list(memory.search(question, max_results=count)) == everything[:count]
    assert list(memory.search(question, max_results=0)) == []


@pytest.mark.req("LIB-15")
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("a828e60", "memory/commits.md"),
        ("A828E60", "memory/commits.md"),
        ("what is memorySearch.query.hybrid?", "memory/settings.md"),
        ("hybrid", "memory/settings.md"),
        ("E-1042", "memory/errors.md"),
        ("e-1042 again", "memory/errors.md"),
        ("max_retry_count", "memory/settings.md"),
        ("retry count", "memory/settings.md"),
        ("v2.14.3", "memory/commits.md"),
        ("src/billing/money.py", "memory/errors.md"),
        ("money.py", "memory/errors.md"),
        ("RentalRules", "memory/settings.md"),
        ("192.0.2.17", "memory/errors.md"),
        ("mads@example.org", "memory/commits.md"),
    ],
)
@pytest.mark.parametrize("provider", ["none", "offline"])
def test_identifiers_are_found_whole_and_in_parts(
    question: str, path: str, provider: str, empty: Workspace, open_memory: Open
) -> None:
    empty.write("memory/commits.md", "# Commits\n\nReverted in a828e60, released with v2.14.3 to mads@example.org.\n")
    empty.write("memory/settings.md", "# Settings\n\n`memorySearch.query.hybrid`, `max_retry_count`, `RentalRules`.\n")
    empty.write("memory/errors.md", "# Errors\n\nE-1042 came from src/billing/money.py on host 192.0.2.17.\n")
    empty.write("memory/other.md", "# Other\n\nE-1043 and E-2042 are other errors; a818e60 is another commit.\n")
    memory = open_memory({"provider": provider}, embedder=None)
    memory.sync()
    assert paths(memory.search(question))[:1] == [path]


_LANGUAGES = {
    "memory/german.md": "# Wohnung\n\nDie Kündigungsfrist beträgt drei Monate. Die Häuser gegenüber sind älter.\n",
    "memory/chinese.md": "# 会议\n\n我们决定把数据库迁移到新的服务器,备份每天晚上进行。\n",
    "memory/japanese.md": "# 旅行\n\n京都では鴨川のそばの旅館に泊まる。美術館は月曜日が休み。\n",
    "memory/korean.md": "# 회의\n\n데이터베이스를 새 서버로 옮기기로 결정했다.\n",
    "memory/thai.md": "# การเดินทาง\n\nเราจะไปเชียงใหม่ในเดือนเมษายนและพักที่โรงแรมเล็กๆ\n",
    "memory/hindi.md": "# बैठक\n\nहमने नया सर्वर खरीदने का निर्णय लिया है।\n",
    "memory/english.md": "# Meeting\n\nWe talked about nothing in particular.\n",
}


@pytest.mark.req("LIB-16", "LIB-19")
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Kündigungsfrist", "memory/german.md"),
        ("Wie lang ist die kündigungsfrist?", "memory/german.md"),
        ("数据库备份", "memory/chinese.md"),
        ("服务器", "memory/chinese.md"),
        ("美術館はいつ休みですか", "memory/japanese.md"),
        ("旅館", "memory/japanese.md"),
        ("데이터베이스", "memory/korean.md"),
        ("새 서버", "memory/korean.md"),
        ("เชียงใหม่", "memory/thai.md"),
        ("โรงแรม", "memory/thai.md"),
        ("सर्वर", "memory/hindi.md"),
        ("नया सर्वर कब खरीदना है?", "memory/hindi.md"),
    ],
)
def test_notes_in_other_languages_are_found_by_their_words(
    question: str, path: str, empty: Workspace, open_memory: Open
) -> None:
    for name, text in _LANGUAGES.items():
        empty.write(name, text)
    memory = open_memory(embedder=None)
    memory.sync()
    result = memory.search(question)
    assert paths(result)[:1] == [path]
    assert (result.mode, result.provider, codes(result)) == ("keyword", "offline", [])


@pytest.mark.req("LIB-23")
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Which physician do I visit?", "memory/health.md"),
        ("vacation in Asia", "memory/trip.md"),
        ("automobile repair", "memory/car.md"),
    ],
)
def test_a_question_in_words_that_no_note_uses_is_answered_by_meaning(
    question: str, path: str, empty: Workspace, open_memory: Open
) -> None:
    empty.write("memory/health.md", "# Health\n\nThe doctor, a general practitioner, takes patients on Monday.\n")
    empty.write("memory/trip.md", "# Travel\n\nTwo weeks of holidays in Japan, by way of Tokyo and Kyoto.\n")
    empty.write("memory/car.md", "# Car\n\nThe garage fixes the brakes of the old car on Tuesday.\n")
    memory = open_memory(embedder=None)
    memory.sync()
    result = memory.search(question, explain=True)
    assert paths(result)[:1] == [path]
    parts = result[0].explanation
    assert parts is not None
    assert (parts.terms, parts.text_weight, parts.admitted) == ((), 0, "score")
    assert result[0].score == pytest.approx(parts.vector_score, abs=1e-6)
    assert result.mode == "vector"


@pytest.mark.req("LIB-19")
def test_keyword_search_on_purpose_says_so_without_a_warning(notes: Workspace, open_memory: Open) -> None:
    memory = open_memory(NONE, embedder=None)
    assert memory.sync().complete
    result = memory.search("Redis")
    assert (result.mode, result.provider, result.model, codes(result)) == ("keyword", "none", None, [])
    assert (memory.status().vector.enabled, memory.status().problems) == (False, ())


@pytest.mark.req("LIB-14")
def test_the_same_question_gets_the_same_answer_from_a_fresh_process_or_index(
    notes: Workspace, open_memory: Open
) -> None:
    first = open_memory(embedder=None)
    first.sync()
    answer = list(first.search("Redis and the database", explain=True))
    assert list(first.search("Redis and the database", explain=True)) == answer
    assert list(open_memory(embedder=None).search("Redis and the database", explain=True)) == answer
    first.sync(force=True)
    assert list(first.search("Redis and the database", explain=True)) == answer
