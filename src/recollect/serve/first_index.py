"""The first index, made while clients already ask: a memory enters, a thread works, how far it is leaves.

The thread ends at the next note when it is told to stop: what was finished is kept, what was begun is dropped by the
store's own transaction.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.types import Progress


class _StopIndexingError(Exception):
    """Raised inside the indexer's progress callback to leave it."""


class FirstIndex:
    """Brings the index to the state of the notes once, on a thread of its own."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="recollect-first-index", daemon=True)
        self.progress: Progress | None = None
        self.error: str | None = None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

    def stop(self, patience: float) -> None:
        """Ask it to end, and wait a while."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _work(self) -> None:
        try:
            self._memory.sync(reason="session-start", progress=self._note)
        except _StopIndexingError:
            return
        except RecollectError as error:  # the next search meets it too, and says it with its answer
            self.error = str(error)

    def _note(self, progress: Progress) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise _StopIndexingError
