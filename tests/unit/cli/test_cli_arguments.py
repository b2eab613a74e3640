"""What arguments mean, up to the point where a memory is opened."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.cli import app, failures, options
from recollect.cli.get import Wanted, parse
from recollect.cli.main import main
from recollect.cli.places import nearest_note
from recollect.cli.table import COMMANDS, help_text
from recollect.errors import BusyError, ConfigError
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("CLI-13")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("MEMORY.md", Wanted("MEMORY.md")),
        ("memory/a.md:3", Wanted("memory/a.md", 3)),
        ("memory/a.md:3-12", Wanted("memory/a.md", 3, 12)),
        ("memory/a.md#L5", Wanted("memory/a.md", 5, 5)),
        ("memory/a.md#L5-L9", Wanted("memory/a.md", 5, 9)),
        ("memory/a.md#L5-9", Wanted("memory/a.md", 5, 9)),
        ("memory/a:3.md", Wanted("memory/a:3.md")),
        ("memory/a.md:x", Wanted("memory/a.md:x")),
        ("memory/a.md:3-", Wanted("memory/a.md:3-")),
        (":3", Wanted(":3")),
        ("memory/a.md:" + "9" * 5000, Wanted("memory/a.md:" + "9" * 5000)),
        ("memory/a.md:\u0663", Wanted("memory/a.md:\u0663")),
    ],
)
def test_a_citation_is_a_path_with_lines(text: str, wanted: Wanted) -> None:
    assert parse(text) == wanted


@pytest.mark.req("CLI-13")
@given(
    st.text(min_size=1).filter(lambda path: "#" not in path and ":" not in path),
    st.integers(1, 10**8),
    st.integers(0, 10**6),
)
def test_every_citation_that_is_printed_can_be_read_back(path: str, first: int, more: int) -> None:
    assert parse(f"{path}:{first}-{first + more}") == Wanted(path, first, first + more)
    assert parse(f"{path}#L{first}-L{first + more}") == Wanted(path, first, first + more)


@pytest.mark.req("CLI-13", "CLI-28")
@pytest.mark.parametrize("text", ["a.md:0", "a.md:9-3", "a.md#L9-L3", "a.md:0-5"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(click.UsageError):
        parse(text)


@pytest.mark.req("CLI-02")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "--agent", "a", "--workspace", "w", "--config", "c", "--state-dir", "s", "probe"],
        ["probe", "--json", "--agent", "a", "--workspace", "w", "--config", "c", "--state-dir", "s"],
        ["--json", "--agent", "other", "--workspace", "w", "probe", "--config", "c", "--state-dir", "s", "--agent=a"],
    ],
)
def test_common_options_stand_before_the_command_or_after_it(arguments: list[str]) -> None:
    seen: list[options.Common] = []

    @click.group()
    @options.common_options
    def group() -> None:
        pass

    @group.command("probe")
    @options.common_options
    @click.pass_context
    def probe(context: click.Context) -> None:
        seen.append(options.common(context))

    group.main(arguments, standalone_mode=False)
    (common,) = seen
    assert (common.json, common.agent, common.workspace, common.config, common.state_dir) == (True, "a", "w", "c", "s")


@pytest.mark.req("CLI-01")
def test_help_lists_every_command_and_each_has_a_help_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["--json", "--help"]) == 0
    told = capsys.readouterr().out
    assert told == help_text()
    for name in ("init", "index", "search", "get", "status", "config", "doctor"):
        assert re.search(rf"^  {name} +\w", told, re.MULTILINE)
        assert app.run([name, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: recollect {name}")
        assert main(["help", name]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: recollect {name}")


@pytest.mark.req("CLI-01")
def test_the_table_of_commands_names_what_exists() -> None:
    context = click.Context(app.recollect)
    for name in COMMANDS:
        command = app.recollect.get_command(context, name)
        assert command is not None
        assert command.name == name


@pytest.mark.req("CLI-01")
def test_help_fits_eighty_columns() -> None:
    assert max(len(line) for line in help_text().split("\n")) <= 80


@pytest.mark.req("CLI-15", "CLI-08")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["serch", "x"], "Did you mean `recollect search`?"),
        (["stauts"], "Did you mean `recollect status`?"),
        (["what", "is", "redis"], 'recollect search "..."'),
        (["\x1b[2J"], "no command '\\\\x1b[2J'"),
        (["--nonsense"], "No such option"),
        (["search"], 'recollect search "..."'),
        (["search", " \n\t "], 'recollect search "..."'),
        (["search", "--query", ""], 'recollect search "..."'),
        (["search", "--nonsense", "x"], "recollect search -- "),
        (["config"], "show, check, schema or path"),
        (["config", "shwo"], "Did you mean 'show'?"),
        (["get"], "Missing argument"),
        (["get", "a.md:3", "--from", "4"], "given twice"),
        (["get", "a.md:3-5", "--lines", "4"], "given twice"),
    ],
)
def test_a_wrong_turn_is_met_by_a_sentence(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert told in said.err
    assert "Traceback" not in said.err


@pytest.mark.req("CLI-28")
@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "a", "--max-results", "0"],
        ["search", "a", "--max-results", "-1"],
        ["search", "a", "--max-results", "true"],
        ["search", "a", "--max-results", "1.5"],
        ["search", "a", "--max-results", "9" * 5000],
        ["search", "a", "--min-score", "nan"],
        ["search", "a", "--min-score", "inf"],
        ["search", "a", "--min-score", "much"],
        ["search", "a", "--source", "wiki"],
        ["get", "MEMORY.md", "--from", "0"],
        ["get", "MEMORY.md", "--from", "-5", "--lines", "3"],
        ["get", "MEMORY.md", "--from", "1.5"],
        ["get", "MEMORY.md", "--from", "true"],
        ["get", "MEMORY.md", "--lines", "\u0663"],
    ],
)
def test_a_number_that_is_none_is_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run([*arguments, "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "E_ARG"
    assert len(error["message"]) < 200


@pytest.mark.req("CLI-07", "CLI-04")
@pytest.mark.parametrize("arguments", [["--json", "search"], ["search", "--json"], ["--json"], ["--json", "serch"]])
def test_an_error_with_json_is_json_wherever_the_option_stands(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(arguments) == 2
    said = capsys.readouterr()
    assert said.err == ""
    assert set(json.loads(said.out)["error"]) >= {"code", "message"}


@pytest.mark.req("CLI-07")
def test_json_after_a_double_dash_is_part_of_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["search", "--nonsense", "--", "--json"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.req("CLI-08", "CLI-09")
@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (ConfigError("No.", hint="Do."), "E_CONFIG", 2),
        (BusyError("Busy."), "E_BUSY", 1),
        (click.UsageError("No."), "E_ARG", 2),
        (OSError(28, "No space left on device", "/home/mira/x"), "E_FULL", 1),
        (OSError(24, "Too many open files", "/home/mira/x"), "E_FAILED", 1),
        (PermissionError(13, "Permission denied", "/home/mira/x"), "E_FAILED", 1),
        (MemoryError(), "E_FAILED", 1),
        (ZeroDivisionError("/home/mira/x"), "E_BUG", 1),
        (RecursionError(), "E_BUG", 1),
    ],
)
def test_whatever_is_raised_has_a_sentence_a_code_and_a_status(error: Exception, code: str, status: int) -> None:
    failure = failures.explain(error)
    assert (failure.code, failure.exit_code) == (code, status)
    assert failure.message.endswith(".")
    assert "/home/" not in failure.message + failure.hint


@pytest.mark.req("CLI-09")
@pytest.mark.parametrize("debug", [True, False])
def test_a_bug_shows_its_traceback_only_to_who_asked(
    debug: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(app.recollect, "invoke", broken)
    monkeypatch.setenv("RECOLLECT_DEBUG", "1" if debug else "")
    assert app.run(["status"]) == 1
    said = capsys.readouterr()
    assert ("Traceback" in said.err) is debug
    assert "RECOLLECT_DEBUG=1" in said.err
    assert said.out == ""


@pytest.mark.req("CLI-14")
@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("memory/2026-02-1.md", "memory/2026-02-10.md"),
        ("2026-02-10.md", "memory/2026-02-10.md"),
        ("2026-02-10", "memory/2026-02-10.md"),
        ("memory/2026-02-10", "memory/2026-02-10.md"),
        ("memory.md", "MEMORY.md"),
        ("people.md", "memory/deep/er/people.md"),
        ("memory/epople.md", "memory/deep/er/people.md"),
        ("memory/x", None),
        ("memory/2026-02-11.md", "memory/2026-02-10.md"),
        ("\x00" * 5000, None),
    ],
)
def test_the_nearest_note_is_found(wanted: str, meant: str | None, tmp_path: Path) -> None:
    workspace = Workspace(
        dict.fromkeys(("MEMORY.md", "memory/2026-02-10.md", "memory/deep/er/people.md", "memory/.h/x.md"), "x"),
        root=tmp_path,
    )
    assert nearest_note(workspace.path, wanted) == meant


@pytest.mark.req("CLI-12")
def test_help_loads_neither_click_nor_anything_else_of_weight() -> None:
    code = "from recollect.cli.main import main; main(['--help'])"
    ours = {"recollect", "recollect.cli", "recollect.cli.main", "recollect.cli.table"}
    assert _modules_after(code) - _modules_after("import __future__, importlib, typing") == ours


def _modules_after(code: str) -> set[str]:
    code = f"import sys; {code}; print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stderr.split())


@pytest.mark.req("CLI-12")
def test_an_unknown_command_is_told_without_loading_the_memory() -> None:
    code = "import sys; from recollect.cli.main import main; main(['serch']);print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"recollect.memory", "msgspec", "numpy", "apsw", "rich"} & set(run.stdout.split())
