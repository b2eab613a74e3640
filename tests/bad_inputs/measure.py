"""How much memory a run of the command takes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bad_inputs.room import Room

_MEASURED = """
import sys
from recollect.cli import app
status = app.run(sys.argv[1:])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
sys.stderr.write("peak " + peak.split()[1])
"""


def peak_kib(room: Room, *arguments: str) -> tuple[int, str]:
    """The most memory that a run of the command held, in KiB, and what it printed."""
    argv = [sys.executable, "-c", _MEASURED, *arguments, "--workspace", room.notes.path, "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, env=room.environment())
    return int(done.stderr.rpartition("peak ")[2]), done.stdout
