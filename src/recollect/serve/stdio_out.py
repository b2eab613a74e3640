"""Keeps standard output for the protocol: nothing enters, a private descriptor leaves.

From then on, what anybody prints (a library, a child process) goes to standard error and cannot disturb a client.
"""

from __future__ import annotations

import fcntl
import os
import sys

_ABOVE_STANDARD = 3


def take_stdout() -> int:
    """A private descriptor for the protocol; from now on, what anybody prints goes to standard error."""
    sys.stdout.flush()
    private = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return private
