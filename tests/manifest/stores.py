"""What must hold of the stores."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(id="STORE-01", source="core 1, core 5", says="Every store keeps one public contract."),
)
