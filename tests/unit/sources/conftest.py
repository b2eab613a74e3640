from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from recollect.sources import beneath
from recollect.testing.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

_NOBODY = 65534


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace with room beside it."""
    return Workspace(root=tmp_path / "parent" / "ws")


@pytest.fixture(params=["openat2", "walk"])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Either way to open a file, whatever the system would choose."""
    way = beneath.walk if request.param == "walk" else beneath.openat2()
    if way is None:
        pytest.skip("this kernel has no openat2")
    monkeypatch.setattr(beneath, "opener", lambda: way)
    return str(request.param)


@pytest.fixture
def as_nobody() -> Callable[[], AbstractContextManager[None]]:
    """Give up root's right to read everything for a while; who is not root has none to give up."""

    @contextmanager
    def nobody() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(_NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return nobody
