"""One value of a settings document, checked against its entry on the surface.

What enters: an entry, a decoded value, the place where it stands. What leaves: the value in its plain form (a whole
number for a whole number, a tuple for a list), or a ConfigError that names the place. Never: a default or a clamp.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, assert_never

from recollect.config.values import Secret, Value, shown
from recollect.errors import ConfigError

if TYPE_CHECKING:
    from recollect.config.surface import Key

_MAX_WHOLE = 10**15
_WORDS = {
    "flag": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "text": "text",
    "path": "a path",
    "secret": "text",
    "reference": "text",
    "texts": "a list of texts",
    "pairs": "an object whose values are texts",
}


def check_value(key: Key, value: object, path: str, where: str) -> Value:  # noqa: PLR0911 - one return for each kind
    """The value in its plain form."""
    match key.kind:
        case "flag":
            return value if isinstance(value, bool) else _refuse(key, value, path, where)
        case "whole" | "number":
            return _number(key, value, path, where)
        case "text":
            return _text(key, value, path, where)
        case "path":
            return _path(key, value, path, where)
        case "secret":
            return Secret(_text(key, value, path, where))
        case "reference":
            # A host may keep its keys elsewhere and write an object that says where: none that we could follow.
            return Secret("" if isinstance(value, Mapping) else _text(key, value, path, where))
        case "choice":
            return _choice(key, value, path, where)
        case "texts" | "choices":
            return _texts(key, value, path, where)
        case "pairs":
            return _pairs(key, value, path, where)
        case _:
            assert_never(key.kind)


def _refuse(key: Key, value: object, path: str, where: str) -> NoReturn:
    raise ConfigError(
        f"{path} in {where} must be {_wanted(key)}, not {_kind_of(value)}.",
        hint="Leave it out for the default." if value is None else "",
    )


def _wanted(key: Key) -> str:
    if key.kind == "choice":
        return f"one of {', '.join(key.choices)}"
    if key.kind == "choices":
        return f"a list of some of {', '.join(key.choices)}"
    return _WORDS[key.kind]


def _kind_of(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    kinds = ((str, "text"), (int | float, "a number"), (Mapping, "an object"), (list | tuple, "a list"))
    return next((words for kind, words in kinds if isinstance(value, kind)), type(value).__name__)


def _number(key: Key, value: object, path: str, where: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(key, value, path, where)
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{path} in {where} must be a finite number.", hint="Leave it out for the default.")
    if key.exact and value != math.floor(value):
        raise ConfigError(
            f"{path} in {where} must be a whole number, not {value:g}.", hint="Leave it out for the default."
        )
    if key.kind == "whole" and abs(value) > _MAX_WHOLE:
        raise ConfigError(f"{path} in {where} is too large a number.", hint="Leave it out for the default.")
    if (key.low is not None and value < key.low) or (key.high is not None and value > key.high):
        raise ConfigError(f"{path} in {where} must be {_range(key)}.", hint="Leave it out for the default.")
    if key.kind == "whole":
        # A fraction is cut off, but what is more than nothing never becomes nothing.
        return max(1, math.floor(value)) if value > 0 else math.floor(value)
    # A number of hundreds of digits has no float; its sign is what a clamp needs of it.
    return float(min(max(value, -1e300), 1e300))


def _range(key: Key) -> str:
    if key.high is None:
        return f"{key.low:,.0f} or more"
    low = key.low if key.low is not None else key.least
    return f"at most {key.high:,.0f}" if low is None else f"from {low:,.0f} to {key.high:,.0f}"


def _text(key: Key, value: object, path: str, where: str) -> str:
    if not isinstance(value, str):
        _refuse(key, value, path, where)
    if not _is_clean(value):
        raise ConfigError(f"{path} in {where} holds a character that no setting can hold.", hint="Type it anew.")
    return value


def _is_clean(value: str) -> bool:
    # UTF-8 has no place for half a surrogate pair, and no operating system one for NUL.
    return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)


def _path(key: Key, value: object, path: str, where: str) -> str:
    text = _text(key, value, path, where).strip()
    if not text:
        raise ConfigError(f"{path} in {where} must be a path, not empty.", hint="Leave it out for the default.")
    return text


def _choice(key: Key, value: object, path: str, where: str) -> str:
    if not isinstance(value, str):
        _refuse(key, value, path, where)
    if value not in key.choices:
        raise _no_choice(key, value, path, where)
    return value


def _no_choice(key: Key, value: str, path: str, where: str) -> ConfigError:
    import difflib  # only a mistake needs it

    close = difflib.get_close_matches(value[:60].strip().lower(), key.choices, n=1)
    return ConfigError(
        f"{path} in {where} must be {_wanted(key)}, not {shown(value)!r}.",
        hint=f"Did you mean {close[0]!r}?" if close else "",
    )


def _texts(key: Key, value: object, path: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        _refuse(key, value, path, where)
    texts: list[str] = []
    for number, item in enumerate(value):
        place = f"{path}[{number}]"
        if not isinstance(item, str):
            raise ConfigError(f"{place} in {where} must be text, not {_kind_of(item)}.")
        if key.choices and item not in key.choices:
            raise _no_choice(key, item, place, where)
        texts.append(_text(key, item, place, where))
    return tuple(texts)


def _pairs(key: Key, value: object, path: str, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        _refuse(key, value, path, where)
    pairs: list[tuple[str, str]] = []
    for name, text in value.items():
        place = f"{path}.{shown(str(name))}"
        if not isinstance(text, str):
            raise ConfigError(f"{place} in {where} must be text, not {_kind_of(text)}.")
        pairs.append((_text(key, str(name), place, where), Secret(_text(key, text, place, where))))
    return tuple(pairs)
