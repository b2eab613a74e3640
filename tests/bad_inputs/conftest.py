"""Rooms for bad inputs: one for each test, and one that many tests only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bad_inputs.room import Room

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A home with a few notes, not indexed yet."""
    return Room(tmp_path)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A home with a few notes and their index, for tests that change neither."""
    shared = Room(tmp_path_factory.mktemp("indexed"))
    with shared.memory() as memory:
        memory.sync()
        while memory.status().dirty:  # a note written this very moment is looked at once more
            memory.sync()
    return shared
