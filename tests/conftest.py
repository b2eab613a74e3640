"""What holds for every test: a home of its own, nothing of the developer's environment, and the list of all tests.

Warnings are errors and sockets are blocked by pyproject.toml.
"""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

import pytest

from collected import ALL_TESTS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_NUMBERS = count(1)


@pytest.hookimpl(tryfirst=True)  # before -m and -k take tests away
def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Keep the list for tests/meta, which compares it with the manifest of required behaviours."""
    config.stash[ALL_TESTS] = tuple(items)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def _nothing_of_this_machine(_homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home, which is also the current folder, and no setting or key that somebody exported."""
    home = _homes / str(next(_NUMBERS))
    home.mkdir()
    for name in [*os.environ]:
        if name.startswith(("RECOLLECT_", "_RECOLLECT_", "XDG_")) or name.endswith(("_API_KEY", "_BASE_URL")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
