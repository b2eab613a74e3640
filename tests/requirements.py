"""The manifest of required behaviours: what must hold, where it is said, and where we differ on purpose.

Tests carry the IDs (`@pytest.mark.req("CHUNK-07")`); tests/meta checks both directions.
"""

from __future__ import annotations

import importlib
import pkgutil

import manifest
from manifest import Requirement


def _collect() -> dict[str, Requirement]:
    found: dict[str, Requirement] = {}
    for module in pkgutil.iter_modules(manifest.__path__):
        part: tuple[Requirement, ...] = importlib.import_module(f"manifest.{module.name}").REQUIREMENTS
        for requirement in part:
            if requirement.id in found:
                raise ValueError(f"{requirement.id} stands twice in the manifest")
            found[requirement.id] = requirement
    return found


REQUIREMENTS = _collect()
