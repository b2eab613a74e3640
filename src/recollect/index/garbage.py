"""The collector of cyclic garbage, kept quiet while many rows are made.

Enters nothing. Leaves: a quieter stretch of work. The rows of a batch are some hundred thousand objects without a cycle
among them, all of them in use until the batch is written: to look through them again and again finds nothing, and takes
a fifteenth of the time. Never: left off for a host that had it on, or off so long that other threads' garbage piles up.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_YOUNG = 1  # generations: what came into being since the last look


@contextmanager
def quiet() -> Iterator[None]:
    """No collecting inside, unless it is asked for."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def sweep() -> None:
    """Collect what is young: between two batches, for threads of the host that make garbage meanwhile."""
    gc.collect(_YOUNG)
