"""The second and third process of the kill test: one reads and judges every answer, one writes notes.

Run as a script: `python kill_helpers.py reader|writer WORKSPACE STATE`. Both stop at end of input and print what they
saw as one JSON object.
"""

from __future__ import annotations

import json
import select
import sys
from itertools import count
from pathlib import Path

STEADY = 40  # notes that never change: each must be found at every moment


def steady_text(number: int) -> str:
    """The text of a note that never changes."""
    filler = "\n".join(f"- entry {line} of note {number}: nothing that anybody would look for" for line in range(60))
    return f"# Note {number}\n\nThe keyword is steady{number:03}marker.\n\n{filler}\n"


def _told_to_stop() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


def read(workspace: str, state: str) -> dict[str, object]:
    """Ask for notes that are surely indexed; an answer without them, or an error, is a fault."""
    from recollect import Memory

    faults: list[str] = []
    answers = 0
    settings = {"sync": {"onSearch": False}}
    while not _told_to_stop():
        with Memory(workspace, state_dir=state, config=settings) as memory:
            for number in range(answers % 7, STEADY, 7):
                word = f"steady{number:03}marker"
                try:
                    result = memory.search(f"where is {word}")
                except Exception as error:  # noqa: BLE001  # whatever it is, it is a fault
                    faults.append(f"{word}: {type(error).__name__}: {error}")
                    continue
                answers += 1
                if not result or result[0].path != f"memory/steady-{number:03}.md" or word not in result[0].snippet:
                    faults.append(f"{word}: {[hit.path for hit in result]} {[w.message for w in result.warnings]}")
    return {"answers": answers, "faults": faults[:20], "count": len(faults)}


def write(workspace: str, _state: str) -> dict[str, object]:
    """Write new notes and change old ones, as fast as a busy agent would."""
    folder = Path(workspace, "memory")
    written = 0
    for number in count():
        if _told_to_stop():
            break
        note = folder / f"busy-{number % 30:03}.md"
        note.write_text(f"# Busy {number}\n\n" + f"changed again, time {number}\n" * (number % 90 + 1))
        written += 1
        select.select([sys.stdin], [], [], 0.002)  # lets the others run; wakes at once when told to stop
    return {"written": written}


if __name__ == "__main__":
    work = {"reader": read, "writer": write}[sys.argv[1]]
    sys.stdout.write(json.dumps(work(sys.argv[2], sys.argv[3])))
