"""A home of its own for every test of the command, and the command itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from recollect.cli import app
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOTES = {
    "MEMORY.md": "# Memory\n\n- Redis goes; the queue moves into PostgreSQL.\n- Tea, not coffee.\n",
    "memory/2026-02-10.md": "# 2026-02-10\n\n## Redis\n\nThe cache is dropped without replacement.\n",
    "memory/home/flat.md": "# Wohnung\n\nDie Miete beträgt 1.180 Euro.\n\n直島の美術館は月曜日が休み。\n",
}


@dataclass(frozen=True)
class Said:
    """How a command ended and what it said."""

    status: int
    out: str
    err: str

    def json(self) -> object:
        return json.loads(self.out)

    def entry(self) -> dict[str, object]:
        value = self.json()
        assert isinstance(value, dict)
        return value


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and nothing in the environment that a developer may have set."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in [*os.environ]:
        if name.startswith("RECOLLECT_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def notes(home: Path) -> Workspace:
    """A few notes in `~/notes`."""
    return Workspace(NOTES, root=home / "notes")


@pytest.fixture
def command(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run the command in this process."""

    def run(*arguments: str) -> Said:
        status = app.run(list(arguments))
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Said(status, said.out, said.err)

    return run


@pytest.fixture
def process(home: Path) -> Callable[..., Said]:
    """Run the command in a process of its own."""

    def run(*arguments: str, environment: dict[str, str] | None = None, redirect: str = "", limit: str = "") -> Said:
        argv = [sys.executable, "-m", "recollect", *arguments]
        if redirect or limit:
            argv = ["sh", "-c", f'{limit or ":"}; exec "$@" {redirect}', "sh", *argv]
        done = subprocess.run(argv, capture_output=True, check=False, env={**os.environ, **(environment or {})})
        said = Said(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in said.err
        assert "Exception ignored" not in said.err
        return said

    return run
