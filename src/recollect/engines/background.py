"""A sync on one worker thread, for hosts that run for long: a search answers at once, and what is missing follows.

Enter: what to run, and a clock that only runs forward. Leaves: whether it works, how far it is, and why it failed.
At most one thread at a time; it ends when its work is done or when it is told to stop. Never waits for another writer.
"""

from __future__ import annotations

from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final

from recollect.errors import BusyError, RecollectError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.protocols import ProgressCallback
    from recollect.types import Progress, SyncReport

    Sync = Callable[[str, ProgressCallback], SyncReport]

STOP_SECONDS: Final = 1.5  # how long a stop waits; a thread that hangs in a provider's call ends by itself
REST_SECONDS: Final = 30.0  # before the same work, which was left undone, is tried again


class _StoppedError(Exception):
    """The worker was told to stop."""


class Background:
    """Runs a sync beside the searches."""

    def __init__(
        self, sync: Sync, *, done: Callable[[], None], left: Callable[[], None], ticks: Callable[[], float]
    ) -> None:
        self._sync = sync
        self._done = done  # after each run: the files may be looked at anew
        self._left = left  # by a thread that outlived the stop: what it opened again is let go
        self._ticks = ticks
        self._lock = Lock()
        self._thread: Thread | None = None
        self._stop = Event()
        self._progress: Progress | None = None
        self._failure: Problem | None = None
        self._tried: tuple[object, float] | None = None

    @property
    def working(self) -> bool:
        """Whether a sync is under way."""
        return self._thread is not None

    @property
    def failure(self) -> Problem | None:
        """Why the last sync was not done."""
        return self._failure

    def start(self, reason: str, work: object = None) -> bool:
        """Begin a sync, unless one is under way or the same `work` was tried in vain just now."""
        with self._lock:
            if self._thread is not None or self._is_resting(work):
                return False
            self._stop, self._progress = Event(), None
            self._tried = (work, self._ticks())
            # A daemon: a host that forgets to close ends all the same, and a sync may be killed at any moment.
            self._thread = Thread(
                target=self._run, args=(reason, self._stop), name="recollect-background-sync", daemon=True
            )
            self._thread.start()
            return True

    def stop(self) -> None:
        """Stop at the next file and wait for that, though not for long."""
        with self._lock:
            thread = self._thread
            self._stop.set()
        if thread is not None:
            thread.join(STOP_SECONDS)

    def said(self) -> str:
        """How far it is, in a sentence; "" where nothing is under way and nothing failed."""
        if self.working:
            progress = self._progress
            far = f" ({progress.completed} of {progress.total} files)" if progress is not None else ""
            return f"The index is being updated in the background{far}."
        return f"The last update in the background failed: {self._failure.message}" if self._failure else ""

    def _is_resting(self, work: object) -> bool:
        if self._tried is None or work is None:
            return False
        tried, at = self._tried
        return tried == work and self._ticks() < at + REST_SECONDS

    def _run(self, reason: str, stop: Event) -> None:
        def progress(now: Progress) -> None:
            if stop.is_set():
                raise _StoppedError
            self._progress = now

        failure: Problem | None = None
        try:
            self._sync(reason, progress)
        except _StoppedError:
            pass
        except BusyError:
            self._tried = None  # another process does the same work; the next search looks again
        except RecollectError as error:
            failure = Problem(code=error.code, message=str(error))
        except Exception as error:  # noqa: BLE001 - a thread has nobody to raise to; what failed is kept for status
            failure = Problem(code=RecollectError.code, message=f"{type(error).__name__} stopped it.")
        finally:
            if stop.is_set():
                self._left()
            self._failure = failure
            self._done()
            with self._lock:
                self._thread = None
