"""The settings file described: as a JSON Schema for editors, and as a page for people.

What enters: the surface. What leaves: text. Never: a value of somebody's settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from msgspec import json

from recollect.config.surface import KEYS, OPEN
from recollect.config.walk import file_surface

if TYPE_CHECKING:
    from recollect.config.surface import Key
    from recollect.config.walk import Node

_Json: TypeAlias = "bool | int | float | str | list[_Json] | dict[str, _Json] | None"

_INTRODUCTION = """\
# Settings

This page is generated from the settings themselves (`recollect.config.show.settings_markdown`).

Nothing has to be set. What is set stands in one JSON5 file (comments and trailing commas are welcome):

```json5
{
  agents: {
    defaults: { memorySearch: { query: { maxResults: 10 } } },
    list: [{ id: "work", memorySearch: { extraPaths: ["../team-notes"] } }],
  },
}
```

The file is the one that `--config` names, else the one that `RECOLLECT_CONFIG` names, else `recollect.json5`,
`recollect.json` or `openclaw.json` in the state directory (`RECOLLECT_STATE_DIR`, by default `~/.recollect`).

- `memorySearch.*` stands under `agents.defaults` for every agent, and under `agents.list[n]` for one; the agent's own
  settings win, one by one. In Python, `config=` takes the same object and wins over the file.
- A folder of notes may bring a `.recollect.json5`: a `memorySearch` object as it is, such as
  `{ query: { maxResults: 10 } }`, or `{ memorySearch: { ... } }`. It may set only `chunking`, `query`, and `extraPaths`
  that stay inside the folder. Anything else in it, a mistake too, is a warning and not used; it never stops a command.
- Lists of `extraPaths` add up. `~` is the home; another relative path in the file counts from the file's own folder,
  and `extraPaths` from the workspace.
- An unknown name, a wrong type or a bad value in your own file is an error that says where it stands. Other parts of
  the file, such as another program's, are left alone.
- `store.path` is never a note: a name that ends in `.md`, or a place in `memory/` or in an extra path, is an error.
- The workspace is the one that `--workspace` names, else the nearest folder upward from here with `MEMORY.md` or
  `memory/`, else the agent's `workspace`, else `agents.defaults.workspace`, else `<state>/workspace`.
- "Not active yet" marks a setting that is accepted and reported by `recollect config check`, but has no effect so far.
"""

_ENVIRONMENT = """\
## Environment

| Variable | Meaning |
| --- | --- |
| `RECOLLECT_CONFIG` | The settings file. |
| `RECOLLECT_STATE_DIR` | The folder of the index and of the settings file. |
| `OPENAI_API_KEY` | The key of openai. |
| `GEMINI_API_KEY`, `GOOGLE_API_KEY` | The key of gemini. |
| `VOYAGE_API_KEY` | The key of voyage. |
| `MISTRAL_API_KEY` | The key of mistral. |

A key is looked for in `remote.apiKey`, then in `models.providers.<name>.apiKey`, then in the environment. In
`remote.apiKey`, `remote.baseUrl` and `remote.headers`, `${NAME}` is replaced by a variable that must exist; in
`models.providers`, which other programs may share, a missing variable means that there is no key.
"""

_GROUPS = (
    ("The memory of an agent", "memorySearch."),
    ("The engine", "memory."),
    ("Agents", "agents."),
    ("Plugins", "plugins."),
    ("Providers", "models."),
)


def settings_markdown() -> str:
    """The page on every setting."""
    parts = [_INTRODUCTION]
    for title, prefix in _GROUPS:
        rows = [_row(name, key) for name, key in KEYS.items() if name.startswith(prefix)]
        head = "| Setting | Kind | Default | Meaning |\n| --- | --- | --- | --- |\n"
        parts.append(f"## {title}\n\n{head}" + "\n".join(rows) + "\n")
    return "\n".join([*parts, _ENVIRONMENT])


def _row(name: str, key: Key) -> str:
    says = key.says
    if not key.active:
        says += " *Not active yet.*"
    elif key.later:
        says += f" *Not active yet: {', '.join(f'`{choice}`' for choice in key.later)}.*"
    return f"| `{name}` | {_kind(key)} | {_default(key)} | {says} |"


def _kind(key: Key) -> str:
    words = {
        "flag": "true or false",
        "whole": "whole number",
        "number": "number",
        "text": "text",
        "path": "path",
        "secret": "text",
        "reference": "text",
        "choice": " or ".join(f"`{choice}`" for choice in key.choices),
        "texts": "list of texts",
        "choices": "list of " + ", ".join(f"`{choice}`" for choice in key.choices),
        "pairs": "object of texts",
    }[key.kind]
    return words + _bounds(key)


def _bounds(key: Key) -> str:
    parts: list[str] = []
    if key.low is not None or key.high is not None:
        low = "" if key.low is None else f"from {key.low:.0f}"
        high = "" if key.high is None else f"to {key.high:.0f}"
        parts.append(" ".join(part for part in (low, high) if part))
    if key.least is not None or key.most is not None:
        low = "" if key.least is None else f"at least {key.least:.0f}"
        high = "" if key.most is None else f"at most {key.most:.0f}"
        parts.append("moved to " + " and ".join(part for part in (low, high) if part))
    return f" ({'; '.join(parts)})" if parts else ""


def _default(key: Key) -> str:
    if key.shown_default:
        return key.shown_default
    if key.default is None:
        return "unset"
    if key.kind == "pairs":
        return "`{}`"
    return f"`{json.encode(key.default).decode()}`"


def json_schema() -> str:
    """The JSON Schema of the settings file."""
    schema: dict[str, _Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of recollect",
        **_schema_of(file_surface(), ""),
    }
    return json.format(json.encode(schema), indent=2).decode() + "\n"


def _schema_of(node: Node, path: str) -> dict[str, _Json]:
    if node.key is not None:
        return _schema_of_key(KEYS[node.key])
    if "[]" in node.parts:
        return {"type": ["array", "null"], "items": _schema_of(node.parts["[]"], f"{path}[]")}
    properties: dict[str, _Json] = {
        name: _schema_of(part, f"{path}.{name}" if path else name) for name, part in node.parts.items()
    }
    kind: _Json = ["object", "null"] if path else "object"
    return {"type": kind, "properties": properties, "additionalProperties": path in OPEN}


def _schema_of_key(key: Key) -> dict[str, _Json]:
    schema: dict[str, _Json] = {"description": key.says + ("" if key.active else " Not active yet.")}
    schema |= _type_of(key)
    if key.default is not None and key.kind != "pairs":
        schema["default"] = [str(one) for one in key.default] if isinstance(key.default, tuple) else key.default
    return schema


def _type_of(key: Key) -> dict[str, _Json]:
    choices: list[_Json] = [*key.choices]
    match key.kind:
        case "flag":
            return {"type": "boolean"}
        case "whole" | "number":
            # A fraction of a whole number is cut off, not refused.
            bounds = {"minimum": key.low, "maximum": key.high}
            return {"type": "number", **{word: bound for word, bound in bounds.items() if bound is not None}}
        case "choice":
            return {"enum": choices}
        case "texts" | "choices":
            return {"type": "array", "items": {"enum": choices} if choices else {"type": "string"}}
        case "pairs":
            return {"type": "object", "additionalProperties": {"type": "string"}}
        case "reference" | "text" | "path" | "secret":
            return {"type": ["string", "object"] if key.kind == "reference" else "string"}
        case _:
            assert_never(key.kind)
