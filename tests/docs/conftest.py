"""An empty home with a copy of the sample notes, and real processes in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

_SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "workspace"


class Run(Protocol):
    """Run a line of the shell in the reader's home, or in a folder of it."""

    def __call__(self, line: str, *, folder: str = "") -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the sample notes in ~/notes, and this interpreter's recollect on the PATH."""
    shutil.copytree(_SAMPLES, tmp_path / "notes")
    tools = tmp_path / ".tools"
    tools.mkdir()
    command = tools / "recollect"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m recollect "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    return tmp_path


@pytest.fixture
def run(home: Path) -> Run:
    def run(line: str, *, folder: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-c", line], cwd=home / folder, capture_output=True, text=True, check=False)

    return run
