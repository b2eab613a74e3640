"""What must hold of bad inputs: one requirement for each case of the catalogue."""

from __future__ import annotations

from bad_inputs.catalogue import CASES
from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="BADCAT-01",
        source="bad inputs",
        says="Every bad input of the catalogue is tried through a public door.",
    ),
    *(
        Requirement(
            id=case.id,
            source=f"bad inputs, {case.surface}",
            says=f"{case.done[0].upper()}{case.done[1:]}: {case.outcome}.",
            divergence=case.divergence,
        )
        for case in CASES
    ),
)
