"""Which embedder a memory uses.

Enters: what the settings ask for, and a way to ask whether there is a key. Leaves: the embedder, its names, and what
was passed over and why. Never: loads numpy or a model, opens a connection, or reads a key.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.embed.offline import PROVIDER as OFFLINE
from recollect.embed.offline import OfflineEmbedder
from recollect.errors import ConfigError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.protocols import Embedder

AUTO = "auto"
NONE = "none"
LOCAL = "local"
BY_KEY = ("openai", "gemini", "voyage", "mistral")  # in the order in which `auto` looks for keys
NOT_YET = (*BY_KEY, LOCAL, "ollama")  # known by name, not available in this version
_USE_INSTEAD = "Set `memorySearch.provider` to `offline` (no key, no download) or to `none` (search by words alone)."


class Chosen(Struct, frozen=True, kw_only=True):
    """The embedder that was chosen (none: search by words alone), and honestly how."""

    embedder: Embedder | None
    provider: str
    requested: str
    model: str | None
    problems: tuple[Problem, ...] = ()
    fallback_from: str | None = None
    fallback_reason: str | None = None


def choose(
    *,
    provider: str,
    model: str,
    fallback: str,
    local_model_path: str | None,
    has_key: Callable[[str], bool],
    vectors_wanted: bool = True,
) -> Chosen:
    """Choose as the settings say. ConfigError for a provider that is unknown or not available yet."""
    if provider == NONE or not vectors_wanted:
        return Chosen(embedder=None, provider=NONE, requested=provider, model=None)
    if provider == AUTO:
        return _offline(AUTO, problems=_passed_over(local_model_path, has_key))
    if provider == OFFLINE:
        return _offline(OFFLINE, model=model)
    if provider not in NOT_YET:
        names = ", ".join(f"`{name}`" for name in (AUTO, OFFLINE, NONE))
        raise ConfigError(f"There is no embedding provider `{provider}`.", hint=f"Choose one of {names}.")
    return _instead_of(provider, fallback)


def _passed_over(local_model_path: str | None, has_key: Callable[[str], bool]) -> tuple[Problem, ...]:
    """What `auto` would have taken before `offline`, had it been available."""
    keyed = [name for name in BY_KEY if has_key(name)]
    ready = ["a local model file"] if local_model_path and os.path.isfile(os.path.expanduser(local_model_path)) else []
    if keyed:
        ready.append(f"a key for {_listed(keyed)}")
    if not ready:
        return ()
    message = (
        f"There is {' and '.join(ready)}, but this version of recollect cannot use that yet. "
        f"`{OFFLINE}` is used instead; set `memorySearch.provider` to it and this is not said again."
    )
    return (Problem(code="provider-not-available", message=message),)


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _instead_of(provider: str, fallback: str) -> Chosen:
    """A provider that was asked for by name and cannot be had: the fallback that the settings name, or an error."""
    reason = f"The embedding provider `{provider}` is not available in this version of recollect."
    if fallback != OFFLINE:
        raise ConfigError(reason, hint=_USE_INSTEAD)
    problem = Problem(
        code="provider-not-available", message=f"{reason} `{OFFLINE}` is used instead, as `fallback` says."
    )
    return _offline(provider, problems=(problem,), fallback_from=provider, fallback_reason=reason)


def _offline(
    requested: str,
    *,
    model: str = "",
    problems: tuple[Problem, ...] = (),
    fallback_from: str | None = None,
    fallback_reason: str | None = None,
) -> Chosen:
    embedder = OfflineEmbedder()
    name = embedder.identity.model
    if model not in {"", name}:
        raise ConfigError(
            f"The provider `{OFFLINE}` has no model `{model}`.",
            hint=f"Leave `memorySearch.model` out, or set it to `{name}`.",
        )
    return Chosen(
        embedder=embedder,
        provider=OFFLINE,
        requested=requested,
        model=name,
        problems=problems,
        fallback_from=fallback_from,
        fallback_reason=fallback_reason,
    )
