"""One sync at a time in a process. Callers on any thread enter; each leaves with the report of a sync that began after
it asked, so that its files were looked at. Those that wait share one sync. Never: a lock between processes."""

from __future__ import annotations

import time
from threading import Condition
from typing import TYPE_CHECKING

from recollect.errors import BusyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.types import SyncReport


class Turns:
    """Lets one caller work while others wait for their turn, or for the result of somebody's work that serves them."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._working = False
        self._begun = 0
        self._done: SyncReport | None = None  # of the work with the number `_begun`; None: it failed

    def take(self, work: Callable[[], SyncReport], *, alone: bool, wait: float | None) -> SyncReport:
        """Run `work`, or share the result of work that began after this call; `alone` never shares.

        BusyError after `wait` seconds of waiting for another thread.
        """
        with self._condition:
            asked = self._begun
            deadline = None if wait is None else time.monotonic() + wait
            while self._working:
                self._wait(deadline)
                if not alone and not self._working and self._begun > asked and self._done is not None:
                    return self._done
            self._working, self._done = True, None
            self._begun += 1
        try:
            report = work()
            with self._condition:
                self._done = report
            return report
        finally:
            with self._condition:
                self._working = False
                self._condition.notify_all()

    def _wait(self, deadline: float | None) -> None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise BusyError("The index is being updated just now.", hint="Try again when that is done.")
        self._condition.wait(left)
