"""What the README and the other pages tell a reader to type."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Protocol

import pytest

from docs.pages import PAGES, README, ROOT, Block, blocks, commands

if TYPE_CHECKING:
    from pathlib import Path

    class Run(Protocol):
        """What the fixture of conftest gives."""

        def __call__(self, line: str, *, folder: str = "") -> subprocess.CompletedProcess[str]: ...


_OURS = [line for line in commands(*PAGES) if line.startswith("recollect ")]
_OTHERS = sorted({line for line in commands(*PAGES) if not line.startswith("recollect ")})
_SNIPPETS = [block for page in PAGES for block in blocks(page, "python")]
# Those that talk to a model run against an endpoint that plays one, in tests/unit/agent.
_EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if not path.name.startswith("chat_")]


@pytest.mark.req("DOC-01", "DOC-07")
def test_every_command_runs_in_the_order_of_the_pages(run: Run) -> None:
    assert len(_OURS) > 15
    for line in _OURS:
        done = run(line, folder="notes")
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        if "--json" in line:
            json.loads(done.stdout)


@pytest.mark.req("DOC-01")
@pytest.mark.parametrize("line", [line for line in _OURS if line.startswith("recollect search")])
def test_every_search_in_the_pages_finds_something(line: str, run: Run) -> None:
    said = run(f"{line} --json", folder="notes")
    assert json.loads(said.stdout)["results"], line


@pytest.mark.req("DOC-01")
@pytest.mark.parametrize("line", _OTHERS)
def test_a_command_that_is_not_ours_names_what_exists(line: str, home: Path) -> None:
    match shlex.split(line):
        case ["make", *targets]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
        case ["python3", "-m", "pip", "install", "."]:
            assert (ROOT / "pyproject.toml").exists()
            assert subprocess.run([sys.executable, "-m", "pip", "--version"], check=False, stdout=-3).returncode == 0
        case ["cd", folder]:
            assert (home / folder.removeprefix("~/")).is_dir()
        case _:
            pytest.fail(f"nobody checks {line!r}")


@pytest.mark.req("DOC-07")
def test_the_first_steps_work_in_a_home_without_notes(home: Path, run: Run) -> None:
    (home / "notes").rename(home / "kept")
    assert "MEMORY.md" in run("recollect init ~/notes").stdout
    (home / "notes/memory/2026-02-10.md").write_text(
        "# 2026-02-10\n\n## Redis\n\nDecision: Redis goes.\n", encoding="utf-8"
    )
    found = run('recollect search "what did we decide about Redis?"', folder="notes")
    assert "memory/2026-02-10.md:1-5" in found.stdout
    assert "Decision: Redis goes." in run("recollect get memory/2026-02-10.md:3-12", folder="notes").stdout


@pytest.mark.req("DOC-01")
def test_the_answer_that_is_shown_is_the_answer_that_comes(run: Run) -> None:
    (shown,) = blocks(README, "text")
    asked = next(line for line in _OURS if line.startswith("recollect search"))
    real = run(asked, folder="notes").stdout.splitlines()
    lines = [line for line in shown.text.splitlines() if line.strip()]
    (score, place), (real_score, real_place) = lines[0].split(), real[0].split()
    assert place == real_place
    assert float(score) == pytest.approx(float(real_score), abs=0.1)
    for line in lines[1:]:
        assert line in real


@pytest.mark.req("DOC-02")
@pytest.mark.parametrize("snippet", _SNIPPETS, ids=str)
def test_every_snippet_runs(snippet: Block, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", snippet.text], cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert done.stderr == ""


@pytest.mark.req("DOC-02")
def test_the_snippets_print_what_they_promise(home: Path) -> None:
    first, second, third = (
        subprocess.run([sys.executable, "-c", block.text], cwd=home, capture_output=True, text=True, check=True).stdout
        for block in blocks(README, "python")
    )
    assert "memory/2026-02-10.md#L1" in first
    assert "## Redis" in first
    assert "SyncReport" in first
    assert "MEMORY.md#L" in second
    assert "E_PATH" in third
    assert "maxResults" in third


@pytest.mark.req("DOC-02")
@pytest.mark.parametrize("example", _EXAMPLES, ids=lambda example: example.name)
def test_every_example_runs_and_leaves_nothing(example: Path, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)], cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "memory/people.md#L" in done.stdout
    assert sorted(path.name for path in home.iterdir()) == [".tools", "notes"]
