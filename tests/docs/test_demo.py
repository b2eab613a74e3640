"""What `make demo` shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import pytest

from docs.pages import ROOT
from recollect import Memory

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    class Run(Protocol):
        """What the fixture of conftest gives."""

        def __call__(self, line: str, *, folder: str = "") -> subprocess.CompletedProcess[str]: ...


_SCRIPT = ROOT / "examples" / "demo.sh"
_SAMPLES = ROOT / "examples" / "workspace"


def _questions() -> list[str]:
    return re.findall(r'^run search .*"(.+)"$', _SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.req("DOC-05")
def test_the_demo_answers_three_questions_with_citations(run: Run) -> None:
    said = run(f"sh {_SCRIPT} recollect")
    assert (said.returncode, said.stderr) == (0, "")
    answers = re.findall(r"^\$ recollect search .*\n\d\.\d{3}  (\S+):\d+-\d+", said.stdout, re.MULTILINE)
    assert answers == ["memory/2026-02-10.md", "memory/japan-trip.md", "memory/projects/error-codes.md"]
    assert "15 files" in said.stdout
    assert "No matches" not in said.stdout


@pytest.mark.req("DOC-05")
def test_the_demo_leaves_nothing_behind_and_changes_no_note(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    before = {path: path.stat().st_mtime_ns for path in _SAMPLES.rglob("*")}
    assert run(f"sh {_SCRIPT} recollect").returncode == 0
    assert [*temporary.iterdir()] == []
    assert not (home / ".recollect").exists()
    assert {path: path.stat().st_mtime_ns for path in _SAMPLES.rglob("*")} == before


@pytest.mark.req("DOC-05")
def test_the_demo_ends_with_the_reason_when_the_command_fails(run: Run) -> None:
    failing = run(f"sh {_SCRIPT} false")
    assert failing.returncode == 1
    missing = run(f"sh {_SCRIPT} ./no-such-command")
    assert missing.returncode == 127
    assert "no-such-command" in missing.stderr


@pytest.mark.req("DOC-05")
def test_one_question_of_the_demo_shares_no_word_with_the_notes(tmp_path: Path) -> None:
    with Memory(_SAMPLES, state_dir=tmp_path) as memory:
        explained = [memory.search(question, max_results=1, explain=True)[0].explanation for question in _questions()]
    assert len(explained) == 3
    by_meaning = explained[1]
    assert by_meaning is not None
    assert by_meaning.terms == ()
    assert by_meaning.text_score == 0
    assert by_meaning.vector_score > 0.35


@pytest.mark.req("DOC-05")
def test_the_demo_says_truly_which_words_are_not_in_the_notes() -> None:
    said = re.search(r'"(\w+)\\" is not in them, nor is \\"(\w+)', _SCRIPT.read_text(encoding="utf-8"))
    assert said is not None
    notes = "".join(path.read_text(encoding="utf-8") for path in _SAMPLES.rglob("*.md")).casefold()
    for word in said.groups():
        assert word.casefold() in _questions()[1].casefold()
        assert word.casefold() not in notes
