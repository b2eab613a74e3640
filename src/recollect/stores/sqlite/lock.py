"""The lock that keeps a second writer out: a kernel lock on a file of its own, gone when its holder dies.

Enters: the path of the lock file and how long to wait. Leaves: the right to write, while the context lasts.
Never: a marker that outlives a process, a look at a pid, the deletion of the lock file.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.errors import BusyError
from recollect.stores.sqlite.driver import explain_os

if TYPE_CHECKING:
    from collections.abc import Iterator

_POLL_SECONDS = 0.02


@contextmanager
def write_lock(path: str, wait: float | None) -> Iterator[None]:
    """Hold the lock at `path`; None waits for as long as it takes, BusyError after `wait` seconds."""
    try:
        descriptor = _acquire(path, wait)
    except OSError as error:
        raise explain_os(error, "locked", path) from error
    try:
        yield
    finally:
        os.close(descriptor)  # the kernel lets go of the lock with the last descriptor


def _acquire(path: str, wait: float | None) -> int:
    deadline = None if wait is None else time.monotonic() + wait
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
            _wait_for(descriptor, deadline)
            if _is_still(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the folder was removed and made anew while this waited


def _wait_for(descriptor: int, deadline: float | None) -> None:
    if deadline is None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
        else:
            return
        left = deadline - time.monotonic()
        if left <= 0:
            raise BusyError("Another process is writing the index.", hint="Try again when it is done.")
        time.sleep(min(_POLL_SECONDS, left))


def _is_still(path: str, descriptor: int) -> bool:
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return False
    mine = os.fstat(descriptor)
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)
