"""A settings document checked against the surface.

What enters: a decoded document and its name. What leaves: the settings that it gives, each with the place where it
stands, or a ConfigError that names the place. Never: a default, a merge, a look at the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from recollect.config.checks import check_value
from recollect.config.surface import KEYS, OPEN, PLACES
from recollect.config.values import Given, shown
from recollect.errors import ConfigError


class Node(Struct):
    """A part of the surface: a section with its parts, or a setting. A list is a section with the one part `[]`."""

    parts: dict[str, Node]
    key: str | None = None  # the setting's name, where it is one


class Walked(Struct, frozen=True):
    """What a document gives, and the names in it that only look like ours: (path, the likely name)."""

    given: tuple[Given, ...]
    doubts: tuple[tuple[str, str], ...] = ()


class Faults:
    """What is wrong in a document that must stop nobody; of very many mistakes only the first are kept."""

    def __init__(self, most: int) -> None:
        self.errors: list[ConfigError] = []
        self.more = False
        self._most = most

    def note(self, error: ConfigError) -> None:
        """Keep a mistake."""
        self.more = self.full
        if not self.more:
            self.errors.append(error)

    @property
    def full(self) -> bool:
        """Whether no more are kept: then looking for what was meant is not worth its time."""
        return len(self.errors) >= self._most


def _plant(root: Node, path: str, key: str) -> None:
    node = root
    for name in path.replace("[]", ".[]").split("."):
        node = node.parts.setdefault(name, Node(parts={}))
    node.key = key


@cache
def file_surface() -> Node:
    """The surface as the settings file has it."""
    root = Node(parts={})
    for key in KEYS:
        places = [f"{place}.{key}" for place in PLACES] if key.startswith("memorySearch.") else [key]
        for path in places:
            _plant(root, path, key)
    return root


@cache
def memory_search_surface() -> Node:
    """The surface of the memorySearch object by itself."""
    return file_surface().parts["agents"].parts["defaults"].parts["memorySearch"]


@cache
def workspace_surface() -> Node:
    """The surface of a workspace's own file that names the object."""
    return Node(parts={"memorySearch": memory_search_surface()})


def walk(document: object, root: Node, *, where: str, origin: str = "argument", faults: Faults | None = None) -> Walked:
    """The settings that a document gives, in its order. With `faults`, what is wrong is left out and noted there."""
    given: list[Given] = []
    doubts: list[tuple[str, str]] = []
    waiting: list[tuple[Node, object, str, str]] = [(root, document, "", "")]  # node, value, path on the surface, path
    whole_file = root is file_surface()
    while waiting:
        node, value, pattern, path = waiting.pop()
        try:
            if node.key is not None:
                checked = check_value(KEYS[node.key], value, path, where)
                given.append(Given(key=node.key, path=path, value=checked, origin=origin, where=where))
            elif value is None and path:
                continue  # an empty section gives nothing
            elif "[]" in node.parts:
                waiting.extend(reversed(_items(node, value, pattern, path, where)))
            else:
                is_open = whole_file and pattern in OPEN
                found, alike = _entries(node, value, pattern, path, where=where, is_open=is_open, faults=faults)
                waiting.extend(reversed(found))
                doubts.extend(alike)
        except ConfigError as error:
            if faults is None:
                raise
            faults.note(error)
    return Walked(given=tuple(given), doubts=tuple(doubts))


def _items(node: Node, value: object, pattern: str, path: str, where: str) -> list[tuple[Node, object, str, str]]:
    if not isinstance(value, list | tuple):
        raise ConfigError(f"{path} in {where} must be a list.", hint="Write it as [ ... ].")
    item = node.parts["[]"]
    return [(item, one, f"{pattern}[]", f"{path}[{number}]") for number, one in enumerate(value)]


def _entries(
    node: Node, value: object, pattern: str, path: str, *, where: str, is_open: bool, faults: Faults | None
) -> tuple[list[tuple[Node, object, str, str]], list[tuple[str, str]]]:
    if not isinstance(value, Mapping):
        name = f"{path} in {where}" if path else f"The outermost value of {where}"
        raise ConfigError(f"{name} must be an object.", hint="Write it as { ... }.")
    found: list[tuple[Node, object, str, str]] = []
    alike: list[tuple[str, str]] = []
    for name, inner in value.items():
        below = f"{path}.{shown(str(name))}" if path else shown(str(name))
        part = node.parts.get(name) if isinstance(name, str) else None
        if part is not None:
            found.append((part, inner, f"{pattern}.{name}" if pattern else name, below))
        elif is_open:
            alike.extend(_look_alike(str(name), node, path, where))
        elif faults is None:
            raise _unknown(str(name), node, path, where)
        elif faults.full:
            faults.more = True
        else:
            faults.note(_unknown(str(name), node, path, where))
    return found, alike


def _look_alike(name: str, node: Node, path: str, where: str) -> list[tuple[str, str]]:
    if not path and name == "memorySearch":
        raise ConfigError(
            f"memorySearch stands at the top of {where}, where nothing reads it.",
            hint="Move it into agents.defaults.memorySearch.",
        )
    prefix = f"{path}." if path else ""
    return [(f"{prefix}{shown(name)}", f"{prefix}{known}") for known in node.parts if _nearly(name, known)]


def _nearly(name: str, known: str) -> bool:
    """Whether a name is one slip of the finger away from a known one; cheap, for every foreign key is asked."""
    a, b = name[:40].casefold(), known.casefold()
    if a == b:
        return True
    if len(b) < 6 or abs(len(a) - len(b)) > 1:  # noqa: PLR2004 - shorter names are too easily alike
        return False
    counts = {c: a.count(c) - b.count(c) for c in {*a, *b}}
    return sum(map(abs, counts.values())) <= 2  # noqa: PLR2004 - one letter changed is two counts


def _unknown(name: str, node: Node, path: str, where: str) -> ConfigError:
    prefix = f"{path}." if path else ""
    likely = _nearest(name, node)
    hint = f"Did you mean {prefix}{likely}?" if likely else f"What may stand here: {', '.join(sorted(node.parts))}."
    return ConfigError(f"{prefix}{shown(name)} in {where} is no setting.", hint=hint)


def _nearest(name: str, node: Node) -> str | None:
    """The setting that was probably meant: the same name deeper down, else the name that is spelt most alike."""
    import difflib  # only a mistake needs it

    below: dict[str, str] = {}
    waiting = [("", node)]
    while waiting:
        prefix, inner = waiting.pop()
        for part, child in inner.parts.items():
            place = prefix + (part if part == "[]" or not prefix else f".{part}")
            below.setdefault(part, place)
            waiting.append((place, child))
    if name in below:
        return below[name]
    close = difflib.get_close_matches(name[:60], [*node.parts], n=1) or difflib.get_close_matches(name[:60], below, n=1)
    return below[close[0]] if close else None
