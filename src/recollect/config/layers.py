"""What was given, laid over each other: the settings file, the agent's part of it, the workspace's own, the argument.

What enters: files and the argument. What leaves: for each setting the one that counts, its paths made absolute, and
what was not used. Never: a default, or a setting of a workspace that could lead anything out of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from recollect.config.paths import WORKSPACE_SETTINGS, agent_id_fault, expand, home_expanded, shown_path
from recollect.config.values import Given, shown
from recollect.errors import ConfigError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.config.walk import Faults

EXTRA_PATHS = "memorySearch.extraPaths"
WORKSPACE_ORIGIN = "workspace file"
_WORKSPACE_BYTES = 1 << 16  # every path in it costs a look at the disk, and a stranger may have written it
_MOST_FAULTS = 10  # of a workspace's file that are named
_AGENT = re.compile(r"agents\.list\[(\d+)\]")


class Layer(Struct, frozen=True):
    """What one document gives, and what of it was not used."""

    given: tuple[Given, ...] = ()
    problems: tuple[Problem, ...] = ()
    found: bool = False  # of a workspace: whether it brings a file


def file_layer(path: str, environ: Mapping[str, str], *, named: bool) -> Layer:
    """All that the settings file gives, for every agent."""
    from recollect.config.reading import read_settings  # only where there is a settings file
    from recollect.config.walk import file_surface, walk  # as above

    name = shown_path(path, environ)
    document = read_settings(path, name)
    if document is None:
        if named:
            raise ConfigError(f"There is no settings file {name}.", hint="Check the path that was given.")
        return Layer()
    walked = walk(document, file_surface(), where=name, origin=os.path.basename(path))
    doubts = tuple(
        Problem(code="unknown-name", message=f"{name_there} in {name} is not ours; {likely} was perhaps meant.")
        for name_there, likely in walked.doubts
    )
    return Layer(_absolute(walked.given, os.path.dirname(path), environ), doubts)


def agent_layer(file: Layer, agent_id: str) -> Layer:
    """What of the settings file holds for one agent."""
    ids = {place: str(one.value).strip() for one in file.given if one.key == "agents.list[].id" if (place := _at(one))}
    _check_agents(file, ids)
    mine = next((place for place, listed in ids.items() if listed == agent_id), None)
    everybody = [one for one in file.given if _at(one) is None]
    own = [structs.replace(one, origin=mine) for one in file.given if mine is not None and _at(one) == mine]
    problems = list(file.problems)
    if ids and mine is None and agent_id != "main":
        message = f"agents.list names no agent {shown(agent_id)!r}; agents.defaults holds for it."
        problems.append(Problem(code="unknown-agent", message=message))
    return Layer((*everybody, *own), tuple(problems))


def _at(one: Given) -> str | None:
    found = _AGENT.match(one.path)
    return found[0] if found else None


def _check_agents(file: Layer, ids: Mapping[str, str]) -> None:
    seen: set[str] = set()
    for one in file.given:
        place = _at(one)
        if place is None:
            continue
        if place not in ids:
            raise ConfigError(f"{place} in {one.where} has no id.", hint="Give every agent of the list an id.")
        if one.key != "agents.list[].id":
            continue
        if fault := agent_id_fault(ids[place]):
            raise ConfigError(f"{one.path} in {one.where} {fault}.", hint="Use letters, digits and hyphens.")
        if ids[place] in seen:
            twice = f"{one.path} in {one.where} names {shown(ids[place])!r}, which stands twice in the list."
            raise ConfigError(twice, hint="Give each agent an id of its own, or put its settings into one entry.")
        seen.add(ids[place])


def argument_layer(config: Mapping[str, object], here: str, environ: Mapping[str, str]) -> Layer:
    """What the caller's memorySearch object gives."""
    from recollect.config.walk import memory_search_surface, walk  # only where it is given

    walked = walk(config, memory_search_surface(), where="the settings given", origin="argument")
    return Layer(_absolute(walked.given, here, environ))


def workspace_layer(workspace: str) -> Layer:
    """What the workspace's own file gives. Somebody else may have written it: it is held to harmless settings, and
    nothing in it is ever an error."""
    path = os.path.join(workspace, WORKSPACE_SETTINGS)
    if not os.path.lexists(path):
        return Layer()
    if os.path.islink(path):
        return Layer(problems=(_refused("Everything", "it is a link, and a link can lead anywhere"),), found=True)
    from recollect.config.walk import Faults  # only where there is such a file

    faults = Faults(_MOST_FAULTS)
    try:
        used, problems = _harmless(_workspace_given(path, faults), workspace)
    except ConfigError as error:
        return Layer(problems=(_ignored(error, "Nothing in it is used."),), found=True)
    problems = [*(_ignored(error, "It is not used.") for error in faults.errors), *problems]
    if faults.more or len(problems) > _MOST_FAULTS:
        problems = [*problems[:_MOST_FAULTS], _refused("Something more", "the first mistakes are named above")]
    return Layer(tuple(used), tuple(problems), found=True)


def _workspace_given(path: str, faults: Faults) -> tuple[Given, ...]:
    """What a workspace's file gives: a memorySearch object, by itself or under its name."""
    from recollect.config.reading import read_settings  # only where there is such a file
    from recollect.config.walk import memory_search_surface, walk, workspace_surface  # as above

    name = WORKSPACE_SETTINGS
    document = read_settings(path, name, follow=False, limit=_WORKSPACE_BYTES)
    if document is None:
        return ()
    wrapped = isinstance(document, Mapping) and "memorySearch" in document
    root = workspace_surface() if wrapped else memory_search_surface()
    return walk(document, root, where=name, origin=WORKSPACE_ORIGIN, faults=faults).given


def _harmless(given: Iterable[Given], workspace: str) -> tuple[list[Given], list[Problem]]:
    """What of it may be used, and what was refused."""
    from recollect.config.surface import HARMLESS  # only where there is such a file

    used: list[Given] = []
    problems: list[Problem] = []
    for one in given:
        if not one.key.startswith(HARMLESS):
            problems.append(_refused(one.path, "a workspace may set only chunking, query and extraPaths"))
        elif one.key == EXTRA_PATHS:
            judged = {path: _is_inside(path, workspace) for path in _texts(one)}
            inside = tuple(path for path, is_inside in judged.items() if is_inside)
            outside = (path for path, is_inside in judged.items() if not is_inside)
            problems.extend(_refused(f"{one.path}: {shown(p)}", "it leaves the workspace") for p in outside)
            used.append(structs.replace(one, value=inside))
        else:
            used.append(one)
    return used, problems


def without_weights(layer: Layer, error: ConfigError) -> Layer | None:
    """A workspace's layer without its weights, which with those of the other layers leave nothing that counts; None
    where it has none to leave out."""
    kept = tuple(one for one in layer.given if not one.key.endswith("Weight"))
    if len(kept) == len(layer.given):
        return None
    return structs.replace(layer, given=kept, problems=(*layer.problems, _ignored(error, "It is not used.")))


def _ignored(error: ConfigError, outcome: str) -> Problem:
    message = f"{error.message} {outcome} {error.hint}".strip()
    return Problem(code="workspace-setting-refused", message=message)


def _refused(what: str, why: str) -> Problem:
    return Problem(code="workspace-setting-refused", message=f"{what} in {WORKSPACE_SETTINGS} was not used: {why}.")


def _is_inside(path: str, workspace: str) -> bool:
    root = os.path.realpath(workspace)
    try:
        full = os.path.realpath(os.path.join(root, path.strip()))
    except (OSError, ValueError):
        return False
    return not path.strip().startswith("~") and (full == root or full.startswith(root.rstrip(os.sep) + os.sep))


def _absolute(given: Iterable[Given], base: str, environ: Mapping[str, str]) -> tuple[Given, ...]:
    """The same, with paths made absolute; those of the notes stay relative to the workspace."""
    from recollect.config.surface import KEYS  # only where something is given

    done: list[Given] = []
    for one in given:
        value = one.value
        if KEYS[one.key].kind == "path" and isinstance(value, str) and not _is_no_file(value):
            done.append(structs.replace(one, value=expand(value, base, environ)))
        elif one.key == EXTRA_PATHS and isinstance(value, tuple):
            homes = tuple(home_expanded(p.strip(), environ) for p in value if isinstance(p, str))
            done.append(structs.replace(one, value=homes))
        else:
            done.append(one)
    return tuple(done)


def _is_no_file(path: str) -> bool:
    """Addresses, and `auto`, which lets the program look for the installed library."""
    return path == "auto" or path.startswith(("hf:", "http://", "https://"))


def merge(layers: Iterable[Layer]) -> dict[str, Given]:
    """For each setting the one that counts: the last, but for extraPaths, which add up."""
    merged: dict[str, Given] = {}
    for layer in layers:
        for one in layer.given:
            # An item of a list has no name of its own but the place where it stands.
            name = one.path if "[]" in one.key else one.key
            before = merged.get(name)
            if name == EXTRA_PATHS and before is not None and before.value:
                both = (*_texts(before), *_texts(one))
                merged[name] = structs.replace(one, value=both, origin=f"{before.origin} + {one.origin}")
            else:
                merged[name] = one
    return merged


def _texts(one: Given) -> tuple[str, ...]:
    return tuple(p for p in one.value if isinstance(p, str)) if isinstance(one.value, tuple) else ()
