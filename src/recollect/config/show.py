"""Settings as a person sees them: what holds and where it comes from, and what is worth knowing about it.

What enters: `Loaded`. What leaves: entries, problems, the JSON Schema and the documentation of the file.
Never: a key, or a header's value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, json

from recollect.config.describe import json_schema, settings_markdown
from recollect.config.flat import flatten
from recollect.config.surface import KEYS
from recollect.config.values import Secret
from recollect.types import Problem

if TYPE_CHECKING:
    from recollect.config.load import Loaded
    from recollect.config.values import Given, Value

__all__ = ["Entry", "check", "effective", "json_schema", "settings_markdown"]

MASK = "***"


class Entry(Struct, frozen=True, kw_only=True):
    """One setting as it holds."""

    key: str
    value: str  # as JSON text
    origin: str
    active: bool  # false: accepted, but its feature does not exist yet


def effective(loaded: Loaded) -> tuple[Entry, ...]:
    """Every setting that holds, with where it comes from: first those of the memory, then what else was given."""
    origins = dict(loaded.origins)
    values = flatten(loaded.settings)
    rows = [(name, name, value, origins[name]) for name, value in values.items()]
    # What has no place in the effective settings yet is shown as it was given.
    rows += [(one.key, one.path, one.value, one.origin) for one in loaded.given if one.key not in values]
    return tuple(
        Entry(key=path, value=_as_json(name, value), origin=origin, active=_is_active(name, value))
        for name, path, value, origin in rows
    )


def _as_json(name: str, value: Value | None) -> str:
    if name == "memorySearch.remote.headers" and isinstance(value, tuple):
        return json.encode({pair[0]: MASK for pair in value}).decode()
    if isinstance(value, Secret) or KEYS[name].kind in ("secret", "reference"):
        return json.encode(MASK if value else None).decode()
    if name == "memorySearch.remote.baseUrl" and isinstance(value, str):
        # Some endpoints take their key in the address.
        address, mark, _ = value.partition("?")
        return json.encode(address + (f"?{MASK}" if mark else "")).decode()
    return json.encode(value).decode()


def _is_active(name: str, value: Value | None) -> bool:
    key = KEYS[name]
    values = value if isinstance(value, tuple) else (value,)
    return key.active and not any(one in key.later for one in values)


def check(loaded: Loaded) -> tuple[Problem, ...]:
    """What is worth knowing: settings without effect yet, values that were moved into their bounds, and the like."""
    later = (
        Problem(code="not-active-yet", message=f"{path} is accepted, but has no effect yet.")
        for path in loaded.settings.inactive
    )
    values = flatten(loaded.settings)
    moved = (problem for one in loaded.given if (problem := _moved(one, values.get(one.key))) is not None)
    return (*loaded.problems, *later, *moved)


def _moved(one: Given, value: Value | None) -> Problem | None:
    """Whether a setting does not hold as it was given."""
    name = one.key.rpartition(".")[2]
    if name == "sources":
        if value == one.value:
            return None
        message = f"{one.path} names sessions, which need experimental.sessionMemory; memory alone is searched."
        return Problem(code="not-used", message=message) if "sessions" in _texts(one) and value == ("memory",) else None
    key = KEYS[one.key]
    if key.kind not in ("whole", "number") or not isinstance(one.value, int | float) or value is None:
        return None
    bounded = min(max(one.value, _or(key.least, one.value)), _or(key.most, one.value))
    if name == "overlap" and isinstance(value, int):
        bounded = value
    if bounded == one.value:
        return None
    return Problem(code="clamped", message=f"{one.path} is {one.value:g}; {bounded:g} is used.")


def _or(bound: float | None, value: float) -> float:
    return value if bound is None else bound


def _texts(one: Given) -> tuple[object, ...]:
    return one.value if isinstance(one.value, tuple) else ()
