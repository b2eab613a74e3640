"""A progress bar on stderr for work that takes long, when a person watches.

In come Progress values, out goes a bar. Work that is over at once shows none, and rich is not even loaded for it.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.cli.output import is_terminal, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from recollect.protocols import ProgressCallback
    from recollect.types import Progress

_PATIENCE_S = 0.5  # work shorter than this shows no bar


@contextmanager
def progress_bar() -> Iterator[ProgressCallback | None]:
    """Something to hand to a long piece of work; None where nobody watches."""
    if not is_terminal(sys.stderr):
        yield None
        return
    shown = _Shown(time.monotonic() + _PATIENCE_S)
    try:
        yield shown
    finally:
        shown.close()


class _Shown:
    """A bar that appears when it is worth it."""

    def __init__(self, due: float) -> None:
        self._due = due
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __call__(self, progress: Progress) -> None:
        if self._bar is None:
            if time.monotonic() < self._due or progress.completed >= progress.total:
                return
            self._bar = self._open()
        if self._task is None:
            self._task = self._bar.add_task("", total=progress.total)
        self._bar.update(
            self._task, total=progress.total, completed=progress.completed, description=visible(progress.label)
        )

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()

    @staticmethod
    def _open() -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        bar.start()
        return bar
