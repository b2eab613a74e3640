"""The commands on a real memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from recollect.testing.workspace import Workspace

    class Said(Protocol):
        """What the fixtures of conftest give."""

        status: int
        out: str
        err: str

        def json(self) -> object: ...
        def entry(self) -> dict[str, object]: ...

    Command = Callable[..., Said]


@pytest.mark.req("CLI-03", "CLI-05", "CLI-16")
def test_a_search_prints_hits_with_lines_and_says_which_workspace(command: Command, notes: Workspace) -> None:
    said = command("--workspace", notes.path, "search", "what", "about", "Redis?")
    assert said.status == 0
    assert "memory/2026-02-10.md:" in said.out
    assert "MEMORY.md:" in said.out
    assert said.err.startswith("Workspace: ~/notes (")
    assert str(notes.root) not in said.out + said.err


@pytest.mark.req("CLI-03")
def test_the_query_option_goes_before_the_words(command: Command, notes: Workspace) -> None:
    said = command("search", "zzzz", "--query", "Redis", "--workspace", notes.path)
    assert "MEMORY.md:" in said.out


@pytest.mark.req("CLI-07", "CLI-16")
def test_a_search_as_json_has_the_keys_of_the_seeds_and_nothing_else_on_stdout(
    command: Command, notes: Workspace
) -> None:
    said = command("search", "Redis", "--json", "--workspace", notes.path, "--explain", "--max-results", "1")
    found = said.entry()
    assert said.err == ""
    assert {"results", "provider", "mode", "workspace", "workspaceOrigin", "freshness"} <= set(found)
    results = found["results"]
    assert isinstance(results, list)
    (hit,) = results
    assert {"path", "startLine", "endLine", "score", "snippet", "source", "citation", "explanation"} <= set(hit)
    assert "null" not in said.out


@pytest.mark.req("CLI-06", "CLI-08")
def test_no_match_is_no_failure(command: Command, process: Command, notes: Workspace) -> None:
    process("index", "--workspace", notes.path)
    said = command("search", "xylophonquartett", "--workspace", notes.path, "--min-score", "0.99")
    assert said.status == 0
    assert said.out.startswith("No matches.")


@pytest.mark.req("CLI-15", "CLI-06")
def test_a_search_where_there_are_no_notes_says_how_to_begin(command: Command) -> None:
    said = command("search", "Redis")
    assert said.status == 0
    assert "recollect init" in said.out
    assert "No matches." not in said.out
    warnings = command("search", "Redis", "--json").entry()["warnings"]
    assert isinstance(warnings, list)
    assert "no-notes" in [warning["code"] for warning in warnings]


@pytest.mark.req("CLI-15", "CLI-06")
def test_notes_that_lie_elsewhere_alone_are_notes(command: Command, home: Path, notes: Workspace) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {extraPaths: ['~/notes/memory']}}}}")
    said = command("search", "xylophonquartett", "--config", "settings.json5", "--workspace", str(home / "empty"))
    assert said.status == 0
    assert "recollect init" not in said.out


@pytest.mark.req("CLI-27")
@pytest.mark.parametrize(
    "question",
    ['"', 'x"', "a AND", "NEAR(a", "^", "a:b", ")", "{a b}:c", "+", "x'y", "*", "--like-this", "'; DROP TABLE chunks;",
     "a\nb", "\udc80", "NOT", "col : x", "\\", "%_", "🜏"],
)  # fmt: skip
def test_whatever_a_question_holds_it_is_text(question: str, command: Command, notes: Workspace) -> None:
    said = command("search", "--json", "--workspace", notes.path, "--query", question)
    assert said.status == 0
    assert isinstance(said.entry()["results"], list)


@pytest.mark.req("CLI-08")
@pytest.mark.parametrize("arguments", [["--since", "yesterday"], ["--until", "2026-13-01"]])
def test_a_date_that_is_none_is_wrong_use(arguments: list[str], command: Command, notes: Workspace) -> None:
    said = command("search", "Redis", "--workspace", notes.path, *arguments)
    assert said.status == 2
    assert said.err.count("Error:") == 1


@pytest.mark.req("CLI-13")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["memory/2026-02-10.md:3"], "## Redis\n\nThe cache is dropped without replacement.\n"),
        (["memory/2026-02-10.md:1-1"], "# 2026-02-10\n"),
        (["memory/2026-02-10.md#L3"], "## Redis\n"),
        (["memory/2026-02-10.md", "--from", "5", "--lines", "1"], "The cache is dropped without replacement.\n"),
        (["memory/2026-02-10.md:5", "--lines", "1"], "The cache is dropped without replacement.\n"),
    ],
)
def test_get_prints_the_lines_of_a_citation(
    arguments: list[str], text: str, command: Command, notes: Workspace
) -> None:
    said = command("get", *arguments, "--workspace", notes.path)
    assert (said.status, said.out, said.err) == (0, text, "Workspace: ~/notes (given)\n")


@pytest.mark.req("CLI-13")
def test_every_cited_range_can_be_got(command: Command, notes: Workspace) -> None:
    found = command("search", "Miete Euro", "--json", "--workspace", notes.path).entry()["results"]
    assert isinstance(found, list)
    assert found
    for hit in found:
        got = command("get", hit["citation"], "--json", "--workspace", notes.path).entry()
        assert (got["startLine"], got["endLine"]) == (hit["startLine"], hit["endLine"])


@pytest.mark.req("CLI-13")
def test_get_says_how_to_go_on_when_a_note_is_longer_than_an_answer(command: Command, notes: Workspace) -> None:
    notes.write("memory/long.md", "".join(f"line {number}\n" for number in range(1, 301)))
    said = command("get", "memory/long.md", "--workspace", notes.path)
    assert said.out.endswith("line 120\n")
    assert "recollect get memory/long.md:121" in said.err
    assert command("get", "memory/long.md:3-4", "--workspace", notes.path).err == "Workspace: ~/notes (given)\n"
    assert "no line 400" in command("get", "memory/long.md:400", "--workspace", notes.path).err


@pytest.mark.req("CLI-14")
def test_a_misspelt_path_is_met_by_the_nearest_note(command: Command, notes: Workspace) -> None:
    said = command("get", "memory/2026-02-1.md", "--workspace", notes.path)
    assert (said.status, said.out) == (1, "")
    assert "Did you mean memory/2026-02-10.md?" in said.err
    refused = command("get", "memory/2026-02-10", "--workspace", notes.path)
    assert refused.status == 1
    assert "Did you mean memory/2026-02-10.md?" in refused.err


@pytest.mark.req("CLI-14", "CLI-07")
def test_an_absent_note_as_json_is_an_empty_text(command: Command, notes: Workspace) -> None:
    said = command("get", "memory/2026-02-1.md", "--json", "--workspace", notes.path)
    assert said.status == 1
    found = said.entry()
    assert (found["path"], found["text"], found["exists"]) == ("memory/2026-02-1.md", "", False)


@pytest.mark.req("CLI-08", "CLI-07")
@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", "memory/", "a\0b.md", "~/.ssh/id.md", "memory/x.txt"])
def test_a_path_outside_the_memory_is_refused(path: str, command: Command, notes: Workspace) -> None:
    said = command("get", path, "--json", "--workspace", notes.path)
    assert said.status in (1, 2)
    error = said.entry()["error"]
    assert isinstance(error, dict)
    assert error["code"] in ("E_PATH", "E_ARG")
    assert str(notes.root) not in said.out


@pytest.mark.req("CLI-17")
def test_a_file_name_that_holds_escapes_is_shown_harmless(command: Command, notes: Workspace) -> None:
    notes.write("memory/red\x1b[31m\u202e.md", "An unusual word: zwetschgenknödel.\n")
    said = command("search", "zwetschgenknödel", "--workspace", notes.path)
    assert "red\\x1b[31m\\u202e.md:" in said.out
    assert "\x1b" not in said.out + said.err


@pytest.mark.req("CLI-21", "CLI-16")
def test_index_says_what_it_did(command: Command, notes: Workspace) -> None:
    said = command("index", "--workspace", notes.path)
    assert said.status == 0
    assert said.out == "Memory index updated (main).\n3 files: 3 added.\n"
    assert said.err.startswith("Workspace: ~/notes (")
    assert "3 unchanged" in command("index", "--workspace", notes.path).out
    forced = command("index", "--force", "--verbose", "--workspace", notes.path)
    assert "made anew" in forced.out
    assert "Vectors:" in forced.out


@pytest.mark.req("CLI-21")
def test_a_note_that_is_left_out_is_named_and_does_not_fail_the_rest(command: Command, notes: Workspace) -> None:
    notes.link("memory/elsewhere.md", "/etc/hostname")
    said = command("index", "--workspace", notes.path)
    assert said.status == 0
    assert "memory/elsewhere.md" in said.err
    assert command("index", "--json", "--workspace", notes.path).entry()["filesSeen"] == 3


@pytest.mark.req("CLI-15", "CLI-21")
def test_index_without_notes_says_how_to_begin(command: Command, home: Path) -> None:
    said = command("index", "--workspace", str(home))
    assert said.status == 0
    assert "recollect init" in said.err


@pytest.mark.req("CLI-20", "CLI-07")
def test_status_as_json_is_an_array_of_agents(command: Command, process: Command, notes: Workspace) -> None:
    process("index", "--workspace", notes.path)
    said = command("status", "--json", "--workspace", notes.path)
    (entry,) = json.loads(said.out)
    assert entry["agentId"] == "main"
    assert entry["status"]["dirty"] is False
    assert entry["status"]["files"] == 3
    assert {"workspaceDir", "dbPath", "provider", "requestedProvider", "sources", "cache", "fts", "vector"} <= set(
        entry["status"]
    )
    assert "issues" in entry["scan"]
    assert "embeddingProbe" not in entry


@pytest.mark.req("CLI-20")
def test_status_covers_every_configured_agent_unless_one_is_named(
    command: Command, notes: Workspace, home: Path
) -> None:
    (home / "settings.json5").write_text("{agents: {list: [{id: 'main'}, {id: 'work'}]}}")
    options = ("--config", "settings.json5", "--workspace", notes.path)
    said = command("status", "--json", *options)
    assert [entry["agentId"] for entry in json.loads(said.out)] == ["main", "work"]
    text = command("status", *options).out
    assert "Memory (main)\n" in text
    assert "\n\nMemory (work)\n" in text
    assert [entry["agentId"] for entry in json.loads(command("status", "--json", "--agent", "work", *options).out)] == [
        "work"
    ]


@pytest.mark.req("CLI-19", "CLI-18")
def test_status_deep_and_index_bring_the_index_up_to_date_and_try_the_provider(
    command: Command, process: Command, notes: Workspace
) -> None:
    before = command("status", "--workspace", notes.path)
    assert "Dirty: yes" in before.out
    said = process("status", "--index", "--workspace", notes.path)
    assert said.status == 0
    for line in ("Dirty: no", "Embeddings: ready", "Vector: ready", "FTS: ready", "Embedding cache: enabled"):
        assert line in said.out
    (entry,) = json.loads(command("status", "--deep", "--json", "--workspace", notes.path).out)
    assert entry["embeddingProbe"] == {"ok": True}


@pytest.mark.req("CLI-16")
def test_status_says_which_workspace_and_why(command: Command, notes: Workspace) -> None:
    assert "Workspace: ~/notes (" in command("status", "--workspace", notes.path).out


@pytest.mark.req("CLI-15", "CLI-08")
@pytest.mark.parametrize("arguments", [["status"], ["search", "x"], ["index"], ["config", "check"], ["get", "a.md"]])
def test_a_wrong_setting_is_named_with_the_right_one(arguments: list[str], command: Command, home: Path) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {quary: {maxResults: 3}}}}}")
    said = command(*arguments, "--config", "settings.json5")
    assert said.status == 2
    assert "quary" in said.err
    assert "query" in said.err
    as_json = command(*arguments, "--config", "settings.json5", "--json")
    error = as_json.entry()["error"]
    assert as_json.status == 2
    assert isinstance(error, dict)
    assert error["code"] == "E_CONFIG"


@pytest.mark.req("CLI-22")
def test_config_show_names_values_and_where_they_come_from(command: Command, home: Path) -> None:
    (home / "settings.json5").write_text("{agents: {defaults: {memorySearch: {query: {maxResults: 3}}}}}")
    said = command("config", "show", "maxResults", "--config", "settings.json5")
    assert "memorySearch.query.maxResults = 3  (settings.json5)" in said.out
    found = command("--config", "settings.json5", "config", "show", "--json").entry()
    settings = found["settings"]
    assert isinstance(settings, list)
    values = {setting["key"]: setting.get("value") for setting in settings}
    assert values["memorySearch.query.maxResults"] == 3
    assert values["memorySearch.chunking.tokens"] == 400
    assert command("config", "show", "nonsense").status == 2


@pytest.mark.req("CLI-22")
def test_config_check_reports_what_has_no_effect_yet(command: Command, home: Path) -> None:
    assert command("config", "check").out.startswith("The settings are valid")
    (home / "settings.json5").write_text("{memory: {backend: 'builtin', qmd: {command: 'qmd'}}}")
    said = command("config", "check", "--config", "settings.json5")
    assert said.status == 0
    assert "memory.qmd.command" in said.out
    found = command("config", "check", "--config", "settings.json5", "--json").entry()
    assert found["ok"] is True
    assert found["problems"]


@pytest.mark.req("CLI-22")
def test_config_path_and_schema_work_even_when_the_file_is_wrong(command: Command, home: Path) -> None:
    state = home / ".recollect"
    said = command("config", "path")
    assert said.out == f"{state}/recollect.json5\n"
    assert "does not exist yet" in said.err
    state.mkdir()
    (state / "recollect.json5").write_text("{nonsense")
    assert command("config", "path", "--json").entry() == {"path": f"{state}/recollect.json5", "exists": True}
    assert json.loads(command("config", "schema").out)["type"] == "object"


@pytest.mark.req("CLI-23")
def test_doctor_finds_a_healthy_memory_healthy(command: Command, process: Command, notes: Workspace) -> None:
    process("index", "--workspace", notes.path)
    said = command("doctor", "--verify-data", "--json", "--workspace", notes.path)
    found = said.entry()
    assert said.status == 0
    assert found["ok"] is True
    checks = found["checks"]
    assert isinstance(checks, list)
    assert {check["name"] for check in checks} >= {"settings", "notes", "provider", "index", "words", "meaning", "data"}
    assert {check["state"] for check in checks} == {"ok"}


@pytest.mark.req("CLI-23", "CLI-15")
def test_doctor_says_what_to_do_about_what_is_missing(command: Command, home: Path) -> None:
    said = command("doctor")
    assert said.status == 0
    assert "recollect init" in said.out
    assert "recollect index" in said.out
    (home / "wrong.json5").write_text("{agents: {defaults: {memorySearch: {provider: 'opneai'}}}}")
    broken = command("doctor", "--config", "wrong.json5")
    assert broken.status == 2
    assert "failed   settings: " in broken.out
    assert "openai" in broken.out


@pytest.mark.req("CLI-26")
def test_a_failed_search_gives_its_message_and_closes_the_memory(
    command: Command, notes: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recollect.errors import StoreError
    from recollect.memory import Memory

    closed: list[bool] = []

    def fail(*_: object, **__: object) -> None:
        raise StoreError("The index cannot be used.", hint="Run `recollect doctor`.")

    monkeypatch.setattr(Memory, "search", fail)
    monkeypatch.setattr(Memory, "close", lambda _: closed.append(True))
    said = command("search", "x", "--workspace", notes.path)
    assert said.status == 1
    assert said.err.endswith("Error: The index cannot be used.\nRun `recollect doctor`.\n")
    assert closed == [True]
