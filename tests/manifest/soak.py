"""What must hold however often a process is killed."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        "KILL-01",
        "core, Done when; hardening, What to promise",
        "kill -9 during index and rebuild, with a second process reading and one writing: no lost or wrong answer, no "
        "leftover file.",
    ),
)
