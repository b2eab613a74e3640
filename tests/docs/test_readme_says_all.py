"""What the README names exists, and what exists is named."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from docs.pages import ALL_PAGES, PAGES, README, ROOT, blocks, prose
from recollect import Memory
from recollect.cli.app import recollect
from recollect.cli.table import help_text
from recollect.config.surface import KEYS
from recollect.rank.weights import PACK
from recollect.retrieve import search
from recollect.sources import discovery, filestat, lines
from recollect.text import query

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEXT = README.read_text(encoding="utf-8")


def _all_commands(group: click.Group = recollect, before: str = "recollect") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{before} {name}", command
        if isinstance(command, click.Group):
            yield from _all_commands(command, f"{before} {name}")


_COMMANDS = dict(_all_commands())


@pytest.mark.req("DOC-03")
@pytest.mark.parametrize("name", [*_COMMANDS])
def test_every_command_is_shown(name: str) -> None:
    if not isinstance(_COMMANDS[name], click.Group):
        assert re.search(rf"^{name}\b", _TEXT, re.MULTILINE)


@pytest.mark.req("DOC-03")
@pytest.mark.parametrize("name", ["recollect", *_COMMANDS])
def test_every_option_is_named(name: str) -> None:
    command = recollect if name == "recollect" else _COMMANDS[name]
    flags = {flag for option in command.get_params(click.Context(command)) for flag in option.opts if flag[0] == "-"}
    assert [flag for flag in sorted(flags) if not re.search(rf"(?<![\w-]){flag}(?![\w-])", _TEXT)] == []


@pytest.mark.req("DOC-03")
def test_no_option_is_named_that_does_not_exist() -> None:
    known = {
        flag
        for command in (recollect, *_COMMANDS.values())
        for option in command.get_params(click.Context(command))
        for flag in option.opts
    }
    assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", _TEXT)} - known == set()


@pytest.mark.req("DOC-03")
def test_the_help_lists_every_command_and_every_common_option() -> None:
    shown = help_text()
    for name in recollect.list_commands(click.Context(recollect)):
        assert re.search(rf"^  {name} +\S", shown, re.MULTILINE)
    for option in recollect.params:
        assert option.opts[0] in shown


@pytest.mark.req("DOC-03")
@pytest.mark.parametrize("name", [*_COMMANDS])
def test_every_option_says_what_it_does(name: str) -> None:
    command = _COMMANDS[name]
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def _rows() -> list[tuple[str, list[str], list[str]]]:
    """The rows of the README's table of settings: the text, the names, the defaults."""
    return [
        (row, re.findall(r"`([\w.]+)`", columns[1]), re.findall(r"`([^`]+)`", columns[2]))
        for row in _TEXT.splitlines()
        if row.startswith("| `memory")
        for columns in [row.split("|")]
    ]


@pytest.mark.req("DOC-04")
@pytest.mark.parametrize("row", _rows(), ids=lambda row: row[1][0])
def test_every_setting_exists_with_the_default_that_is_named(row: tuple[str, list[str], list[str]]) -> None:
    _, names, defaults = row
    assert len(names) == len(defaults)
    for name, said in zip(names, defaults, strict=True):
        key = KEYS[name]
        default = list(key.default) if isinstance(key.default, tuple) else key.default
        assert json.loads(said) == default
        assert key.active


@pytest.mark.req("DOC-04")
def test_the_example_of_a_settings_file_holds(tmp_path: Path) -> None:
    (example,) = blocks(README, "json5")
    file = tmp_path / "recollect.json5"
    file.write_text(example.text, encoding="utf-8")
    with Memory(config_file=file, agent="work") as work, Memory(config_file=file) as main:
        assert work.settings.provider == "none"
        assert work.workspace == str(Path("~/work-notes").expanduser())
        assert main.workspace == str(Path("~/notes").expanduser())
        assert main.settings.query.max_results == 10
        assert main.settings.query.hybrid.decay_enabled
        assert main.settings.citations == "on"
        assert main.config_problems == work.config_problems == ()


@pytest.mark.req("DOC-04")
def test_the_same_file_works_as_an_openclaw_file(tmp_path: Path) -> None:
    (example,) = blocks(README, "json5")
    (tmp_path / "openclaw.json").write_text(example.text, encoding="utf-8")
    with Memory(state_dir=tmp_path) as memory:
        assert memory.settings.query.max_results == 10


@pytest.mark.req("DOC-08")
@pytest.mark.parametrize("page", [page for page in PAGES if page != README], ids=lambda page: page.name)
def test_the_readme_leads_to_every_page(page: Path) -> None:
    assert f"](docs/{page.name})" in _TEXT


@pytest.mark.req("DOC-08")
def test_the_limits_that_are_named_are_the_limits_that_hold() -> None:
    pages = _TEXT + (ROOT / "docs/limits.md").read_text(encoding="utf-8")
    words = " ".join(pages.split())
    for said in (
        f"up to {filestat.MAX_FILE_BYTES >> 20} MiB",
        f"larger than {filestat.MAX_FILE_BYTES >> 20} MiB",
        f"Folders are followed {discovery.MAX_DEPTH} deep",
        f"at most {lines.MAX_LINES} lines",
        f"at most {lines.MAX_CHARS:,} characters",
        f"up to {query.LONGEST_QUERY:,} characters",
        f"at most {search.MAX_RESULTS} hits",
        f"a snippet at most {PACK.snippet_chars} characters",
        f"a snippet of {PACK.snippet_chars} characters",
    ):
        assert said in words, said


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.req("DOC-06")
@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith(("https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        assert not anchor or anchor in _anchors(linked), target
