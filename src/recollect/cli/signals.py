"""Ends the command within two seconds of Ctrl-C or a polite kill, whatever it is doing.

In come SIGINT, SIGTERM and SIGHUP; out goes `Stopped`, raised where the program is. Should the program sit in code
that does not listen (a long SQLite call), a watching thread ends the process: the index survives that as it survives
kill -9.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

PATIENCE_S = 1.5  # before the watcher ends a process that does not listen
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """Somebody asked the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """While this lasts, a signal to end is obeyed."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are the business of the program that called us
        return
    # Who started us may have said that Ctrl-C or a hang-up is not for us (nohup, a shell's background job).
    wanted = [number for number in _STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _stop) for number in wanted}
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    old_wakeup = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(read_end,), daemon=True, name="recollect-signals")
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(old_wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(write_end)  # ends the watcher
        watcher.join()
        os.close(read_end)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise Stopped(number)


def _watch(read_end: int) -> None:
    """Wait for the first signal; end the process when a while later it is still there."""
    import select

    told = os.read(read_end, 1)
    while told and told[0] not in _STOPPING:
        told = os.read(read_end, 1)
    if not told:
        return
    ready, _, _ = select.select([read_end], [], [], PATIENCE_S)
    if ready and not os.read(read_end, 1):
        return  # the program ended by itself
    os.write(2, b"Stopped.\n")
    os._exit(128 + told[0])
