"""The parts of the manifest of required behaviours, one file a room; `tests/requirements.py` joins them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Requirement:
    """One behaviour that must hold. `divergence` says where and why it deliberately differs from its source."""

    id: str  # e.g. "CHUNK-07"
    source: str  # e.g. "seed 000, Hybrid search", "conformance 1", "hardening 11", "core 4"
    says: str  # the behaviour in one sentence
    divergence: str | None = None
