"""What lay at the index's path and was put aside: said once, by the command that did it.

In come the memory and how things were before; out go problems in words. It looks at names alone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.cli.output import tidy, visible
from recollect.types import Problem

if TYPE_CHECKING:
    from recollect.memory import Memory

_ENDINGS = (".damaged", ".foreign")
Seen = tuple[tuple[int, int] | None, ...]


def seen(memory: Memory) -> Seen:
    """What lies beside the index because it was put aside."""
    return tuple(_stamp(memory.settings.store.path + ending) for ending in _ENDINGS)


def put_aside(memory: Memory, before: Seen) -> tuple[Problem, ...]:
    """What was put aside since: perhaps somebody's own file, to which a setting led by mistake."""
    path = memory.settings.store.path
    return tuple(
        Problem(
            code="put-aside",
            message=f"{tidy(path)} was no index that could be used: it was put aside as "
            f"{visible(os.path.basename(path) + ending)}, and the index is made anew from the notes. If that file is "
            "yours, give store.path another place and move it back.",
        )
        for ending, was, now in zip(_ENDINGS, before, seen(memory), strict=True)
        if now is not None and now != was
    )


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_ctime_ns
