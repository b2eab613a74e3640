"""How a server ends: signals enter, one event leaves, and a deadline that holds whatever the program is doing.

Work that runs in threads is told to stop and is waited for; what does not stop is left to the end of the process, which
the index survives at any moment.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PATIENCE_S: Final = 1.7  # from the signal to the end, whatever happens
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@asynccontextmanager
async def stop_signals() -> AsyncIterator[anyio.Event]:
    """An event that a polite signal sets. A process that does not end soon after is ended."""
    stop = anyio.Event()
    loop = asyncio.get_running_loop()

    def ask() -> None:
        if not stop.is_set():
            stop.set()
            end_at_last()

    # Who started us may have said that Ctrl-C or a hang-up is not for us (nohup, a shell's background job).
    before = {number: signal.getsignal(number) for number in _STOPPING}
    wanted = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in wanted:
        loop.add_signal_handler(number, ask)
    try:
        yield stop
    finally:
        for number in wanted:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])


def end_at_last(patience: float = PATIENCE_S) -> None:
    """End this process after a while, should it still be there."""
    timer = threading.Timer(patience, os._exit, args=(0,))
    timer.daemon = True
    timer.start()
