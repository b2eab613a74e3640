"""The settings as they hold here and now.

What enters: arguments, the environment, the settings file and the workspace's own. What leaves: `Loaded`: effective
settings, workspace, state directory, and where each of them comes from. Never: a file written, a provider asked.

Later layers win: defaults, `agents.defaults`, `agents.list[n]`, the workspace file, the argument. extraPaths add up.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from recollect.config import paths
from recollect.config.layers import (
    EXTRA_PATHS,
    Layer,
    agent_layer,
    argument_layer,
    file_layer,
    merge,
    without_weights,
    workspace_layer,
)
from recollect.config.resolve import Settings, resolve
from recollect.config.surface import KEYS
from recollect.config.values import Given, Pairs, shown
from recollect.errors import ArgumentError, ConfigError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_AGENT = "main"
_REMOTE = "memorySearch.remote."


DEFAULT_WORKSPACE = "the default workspace"  # the origin of a workspace that nobody named


class Loaded(Struct, frozen=True, kw_only=True):
    """Effective settings with their surroundings and origins."""

    settings: Settings
    workspace: str  # absolute
    workspace_origin: str  # how it was chosen, in words
    state_dir: str
    config_path: str | None  # the settings file that was read
    workspace_file: bool = False  # whether the workspace brings a settings file of its own
    configured_workspace: str = ""  # the one of the settings, whatever was given or found
    configured_origin: str = ""  # how that one was chosen
    origins: tuple[tuple[str, str], ...]  # where each setting's value comes from, by its name
    given: tuple[Given, ...] = ()  # what was given and counts, defaults left out
    problems: tuple[Problem, ...] = ()
    config_stamp: tuple[int, ...] = ()  # of the settings file when it was read

    @property
    def changed(self) -> bool:
        """Whether the settings file is another one than was read; what was read goes on to hold."""
        return self.config_path is not None and paths.stamp(self.config_path) != self.config_stamp

    @property
    def provider_keys(self) -> Pairs:
        """models.providers.*.apiKey as written, by the provider's name in the file."""
        return tuple(
            (one.key.split(".")[2], one.value)
            for one in self.given
            if one.key.startswith("models.providers.") and isinstance(one.value, str)
        )


def load(
    *,
    workspace: str | None = None,
    agent: str | None = None,
    state_dir: str | None = None,
    config: Mapping[str, object] | None = None,
    config_file: str | None = None,
    environ: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> Loaded:
    """Read, check and resolve the settings of one agent. `config` is the memorySearch object as it stands on disk."""
    env = os.environ if environ is None else environ
    here = paths.current_folder(cwd)
    state = paths.state_folder(state_dir, env, here)
    agent_id = _agent_id(agent)
    file_path, file, stamp = _file(config_file, env, here, state)
    mine = agent_layer(file, agent_id)
    configured = _configured_workspace(state, mine)
    folder = _workspace(workspace, here, env, configured)
    layers = (mine, workspace_layer(folder.path), argument_layer(config, here, env) if config else Layer())
    default_store = paths.default_store(state, folder.path, configured.path)
    try:
        merged, settings = _resolved(layers, env, agent_id, default_store)
    except ConfigError as error:
        if (theirs := without_weights(layers[1], error)) is None:
            raise
        layers = (mine, theirs, layers[2])  # what somebody else wrote into the folder stops nothing
        merged, settings = _resolved(layers, env, agent_id, default_store)
    store = merged.get("memorySearch.store.path")
    if store is not None:
        notes = paths.note_folders(folder.path, _own_extra_paths(layers))
        paths.check_store_path(settings.store.path, store.path, store.where, notes)
    problems = [problem for layer in layers for problem in layer.problems]
    problems += (*_shared_store(file, store), *_unset_keys(merged, env))
    return Loaded(
        settings=settings,
        workspace=folder.path,
        workspace_origin=folder.origin,
        state_dir=state,
        config_path=file_path,
        workspace_file=layers[1].found,
        configured_workspace=configured.path,
        configured_origin=configured.origin,
        origins=_origins(merged),
        given=tuple(merged.values()),
        problems=tuple(problems),
        config_stamp=stamp,
    )


def _resolved(
    layers: tuple[Layer, Layer, Layer], env: Mapping[str, str], agent_id: str, default_store: str
) -> tuple[dict[str, Given], Settings]:
    merged = merge(layers)
    _fill_secrets(merged, env)
    _check_remote(merged)
    return merged, resolve(merged, agent_id=agent_id, store_path=default_store)


def _own_extra_paths(layers: tuple[Layer, Layer, Layer]) -> tuple[str, ...]:
    """The extra paths without those of the workspace's file, which must not make a store's path an error."""
    mine, _, argument = layers
    extra = merge((mine, argument)).get(EXTRA_PATHS)
    return tuple(str(path) for path in extra.value) if extra is not None and isinstance(extra.value, tuple) else ()


def _origins(merged: Mapping[str, Given]) -> tuple[tuple[str, str], ...]:
    origins = {name: "default" for name in KEYS if "[]" not in name}
    origins |= {name: one.origin for name, one in merged.items()}
    slot = merged.get("plugins.slots.memory")
    if slot is not None and slot.value == "none":
        origins["memorySearch.enabled"] = f"plugins.slots.memory in {slot.origin}"
    return tuple(origins.items())


def _agent_id(agent: str | None) -> str:
    agent_id = DEFAULT_AGENT if agent is None else agent
    if not isinstance(agent_id, str):
        raise ArgumentError("The agent's name must be a text.", hint="Use letters, digits and hyphens.")
    if fault := paths.agent_id_fault(agent_id):
        raise ArgumentError(f"The agent's name {fault}.", hint="Use letters, digits and hyphens.")
    return agent_id


def _file(
    argument: str | None, env: Mapping[str, str], here: str, state: str
) -> tuple[str | None, Layer, tuple[int, ...]]:
    path, named = paths.settings_file(argument, env, here, state)
    if path is None:
        return None, Layer(), ()
    stamp = paths.stamp(path)  # before it is read: what changes meanwhile shows
    return path, file_layer(path, env, named=named), stamp


def _workspace(argument: str | None, here: str, env: Mapping[str, str], configured: paths.Workspace) -> paths.Workspace:
    if argument is not None:
        return paths.given_workspace(argument, here, env)
    return paths.found_workspace(here) or configured


def _configured_workspace(state: str, mine: Layer) -> paths.Workspace:
    """The agent's own workspace, which stands after the one of all agents."""
    for one in reversed(mine.given):
        if one.key in ("agents.defaults.workspace", "agents.list[].workspace"):
            return paths.Workspace(str(one.value), one.path)
    return paths.Workspace(os.path.join(state, "workspace"), DEFAULT_WORKSPACE)


def _fill_secrets(merged: dict[str, Given], env: Mapping[str, str]) -> None:
    """Fill in `${NAME}` where a key, an address or a header names an environment variable."""
    if not any(name.startswith(_REMOTE) for name in merged):
        return
    from recollect.config.keys import secret_of  # only where a remote provider is spoken of

    for name in ("apiKey", "baseUrl"):
        one = merged.get(_REMOTE + name)
        if one is not None and isinstance(one.value, str):
            value = secret_of(one.value, one.path, one.where, env)
            plain = value if name == "apiKey" else str(value)
            merged[_REMOTE + name] = structs.replace(one, value=plain)
    headers = merged.get(_REMOTE + "headers")
    if headers is not None:
        filled = tuple(
            (pair[0], secret_of(pair[1], f"{headers.path}.{pair[0]}", headers.where, env)) for pair in _pairs(headers)
        )
        merged[_REMOTE + "headers"] = structs.replace(headers, value=filled)


def _check_remote(merged: Mapping[str, Given]) -> None:
    url, headers = merged.get(_REMOTE + "baseUrl"), merged.get(_REMOTE + "headers")
    if url is None and headers is None:
        return
    from recollect.config.endpoint import address_fault, header_fault  # only where one is given

    if url is not None and isinstance(url.value, str) and url.value:
        allowed = merged.get(_REMOTE + "allowPrivateNetwork")
        fault = address_fault(url.value, allow_private=allowed is not None and allowed.value is True)
        if fault:
            raise ConfigError(f"{url.path} in {url.where} {fault[0]}.", hint=fault[1])
    if headers is not None and (wrong := header_fault(_pairs(headers))):
        name, (what, todo) = wrong
        raise ConfigError(f"{headers.path}.{shown(name)} in {headers.where} {what}.", hint=todo)


def _pairs(one: Given) -> Pairs:
    return tuple(pair for pair in one.value if isinstance(pair, tuple)) if isinstance(one.value, tuple) else ()


def _shared_store(file: Layer, store: Given | None) -> tuple[Problem, ...]:
    """Agents that would overwrite each other's index."""
    agents = sum(one.key == "agents.list[].id" for one in file.given)
    if store is None or agents < 2 or "{agentId}" in str(store.value) or not store.path.startswith("agents.defaults."):  # noqa: PLR2004 - one agent shares with nobody
        return ()
    message = f"{store.path} gives all agents one index; put {{agentId}} into it."
    return (Problem(code="shared-store", message=message),)


def _unset_keys(merged: Mapping[str, Given], env: Mapping[str, str]) -> tuple[Problem, ...]:
    """Keys of models.providers whose variable is not there; the file may be shared with a host that has it."""
    names = [name for name in merged if name.startswith("models.providers.")]
    if not names:
        return ()
    from recollect.config.keys import missing_variables  # only where such a key is given

    return tuple(
        Problem(code="unset-variable", message=f"{name} names the environment variable {shown(missing[0])}, not set.")
        for name in names
        if (missing := missing_variables(str(merged[name].value), env))
    )
