"""What a model sent as arguments, understood: names in another style, numbers as text, a citation for a path.

A mapping, JSON text or nothing enters; checked arguments leave, or an ArgumentError that says what to send instead.
What cannot be meant in one way only is not guessed. Linear in the size of what was sent, no recursion of our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from recollect.errors import ArgumentError

SEND_SEARCH: Final = 'Send {"query": "what did we decide about Redis?"}; maxResults and minScore are optional.'
SEND_GET: Final = 'Send {"path": "memory/2026-02-10.md", "from": 3, "lines": 10}; from and lines are optional.'

_LONGEST_JSON: Final = 4 << 20
_LONGEST_NUMBER: Final = 18  # digits and sign: more is no number of lines
_LARGEST: Final = 10**_LONGEST_NUMBER
_LONGEST_SHOWN: Final = 60
_UNWRAPPED: Final = 2  # how often JSON text is looked for inside JSON text
_WRAPPERS: Final = frozenset({"arguments", "args", "input", "parameters", "params"})
_SCHEMES: Final = ("memory://",)
_NOTE: Final = ".md"

_SEARCH_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("query", "q", "question", "search", "searchquery", "text"), "query"),
    **dict.fromkeys(("maxresults", "max", "limit", "topk", "k", "n", "count", "numresults"), "maxResults"),
    **dict.fromkeys(("minscore", "minimumscore", "threshold", "scorethreshold"), "minScore"),
}
_GET_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("path", "file", "filename", "filepath", "note", "citation", "source", "uri"), "path"),
    **dict.fromkeys(("from", "fromline", "start", "startline", "line", "offset"), "from"),
    **dict.fromkeys(("lines", "count", "limit", "linecount", "numlines"), "lines"),
    **dict.fromkeys(("to", "toline", "end", "endline"), "to"),
}


class SearchArguments(Struct, frozen=True, kw_only=True):
    """A question with its limits."""

    query: str
    max_results: int | None = None
    min_score: float | None = None


class GetArguments(Struct, frozen=True, kw_only=True):
    """A note and a range of its lines."""

    path: str
    start: int | None = None
    lines: int | None = None


class Cited(NamedTuple):
    """A path, and the lines that stood behind it."""

    path: str
    first: int | None = None
    last: int | None = None


def search_arguments(sent: object) -> SearchArguments:
    """What memory_search was asked."""
    named = _named(sent, "query", _SEARCH_NAMES, SEND_SEARCH)
    query = named.get("query")
    if isinstance(query, int) and not isinstance(query, bool) and abs(query) < _LARGEST:
        query = str(query)
    if not isinstance(query, str):
        said = "query is missing." if query is None else f"query must be a text, not {_kind(query)}."
        raise ArgumentError(said, hint=SEND_SEARCH)
    return SearchArguments(
        query=_clean(query),
        max_results=_whole(named.get("maxResults"), "maxResults", SEND_SEARCH, least=0),
        min_score=_number(named.get("minScore"), "minScore", SEND_SEARCH),
    )


def get_arguments(sent: object) -> GetArguments:
    """What memory_get was asked. Lines that are named apart count more than those in the path."""
    named = _named(sent, "path", _GET_NAMES, SEND_GET)
    path = named.get("path")
    if not isinstance(path, str):
        said = "path is missing." if path is None else f"path must be a text, not {_kind(path)}."
        raise ArgumentError(said, hint=SEND_GET)
    cited = split_citation(_clean(path))
    start = _whole(named.get("from"), "from", SEND_GET, least=1)
    lines = _whole(named.get("lines"), "lines", SEND_GET, least=1)
    last = _whole(named.get("to"), "to", SEND_GET, least=1)
    if start is None:
        start, last = cited.first, last if last is not None else cited.last
    if lines is None and last is not None:
        lines = last - (start if start is not None else 1) + 1
        if lines < 1:
            raise ArgumentError("The range ends before it begins.", hint=SEND_GET)
    return GetArguments(path=cited.path, start=start, lines=lines)


def asked_path(sent: object) -> str:
    """The path of a call that was not understood, as far as it can be told; to be shown in the answer."""
    try:
        path = _named(sent, "path", _GET_NAMES, "").get("path")
    except ArgumentError:
        return ""
    return _clean(path) if isinstance(path, str) else ""


def split_citation(text: str) -> Cited:
    """Take a citation apart: `x.md#L5-L9`, `x.md#L5` (that line), `x.md:5-9`, `x.md:5` (from there on).

    A note's name ends in .md, so what else stands behind it names lines. What is in no such form is a path.
    """
    path = text.strip().removeprefix("Source:").strip().strip("`")
    for scheme in _SCHEMES:
        path = path.removeprefix(scheme)
    for sign in ("#", ":"):
        before, mark, behind = path.rpartition(sign)
        if not mark or not before.endswith(_NOTE):
            continue
        first, dash, last = behind.replace("L", "").replace("l", "").partition("-")
        if _is_digits(first) and (_is_digits(last) or not dash):
            only = int(first) if sign == "#" else None
            return Cited(before, int(first), int(last) if dash else only)
    return Cited(path)


# --- names -----------------------------------------------------------------------------------------------------------


def _named(sent: object, main: str, names: Mapping[str, str], send: str) -> dict[str, object]:
    """What was sent, by our names; what was left empty is left out."""
    found: dict[str, object] = {}
    for key, value in _unwrap(sent, main, names, send).items():
        name = names.get(_folded(key))
        if name is None:
            raise ArgumentError(f"There is no argument {_short(key)}.", hint=send)
        if value is None or (value == "" and name != main):
            continue
        if name in found and found[name] != value:
            raise ArgumentError(f"{name} was given twice, as {_short(found[name])} and {_short(value)}.", hint=send)
        found[name] = value
    return found


def _unwrap(sent: object, main: str, names: Mapping[str, str], send: str) -> Mapping[object, object]:
    """The object that was meant: JSON text, or an object in an object, is opened; a plain text is the main argument."""
    for _ in range(_UNWRAPPED):
        if isinstance(sent, (str, bytes)):
            sent = _decoded(sent, main, send)
        elif isinstance(sent, Mapping) and len(sent) == 1:
            ((key, value),) = sent.items()
            if _folded(key) not in _WRAPPERS or _folded(key) in names or not isinstance(value, (str, Mapping)):
                break
            sent = value
    if sent is None:
        return {}
    if not isinstance(sent, Mapping):
        raise ArgumentError(f"The arguments must be an object, not {_kind(sent)}.", hint=send)
    return sent


def _decoded(sent: str | bytes, main: str, send: str) -> object:
    text = _clean(sent) if isinstance(sent, str) else sent.decode("utf-8", "replace")
    text = text.strip()
    if not text:
        return {}
    if len(text) > _LONGEST_JSON:
        raise ArgumentError("The arguments are too long.", hint=send)
    try:
        value: object = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        if text[0] in '{["':
            raise ArgumentError("The arguments are no valid JSON.", hint=send) from error
        return {main: text}
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        return {main: value}
    return value


def _folded(key: object) -> str:
    """maxResults, max_results and max-results are one name."""
    return "".join(char for char in key.casefold() if char.isalnum()) if isinstance(key, str) else ""


# --- values ----------------------------------------------------------------------------------------------------------


def _whole(value: object, name: str, send: str, *, least: int) -> int | None:
    """A whole number, also as text and as 5.0."""
    number = _number(value, name, send)
    if number is None:
        return None
    if isinstance(number, float) and not number.is_integer():
        raise ArgumentError(f"{name} must be a whole number, not {_short(value)}.", hint=send)
    if number < least:
        raise ArgumentError(f"{name} must be {least} or more, not {_short(value)}.", hint=send)
    return int(number)


def _number(value: object, name: str, send: str) -> int | float | None:
    if value is None:
        return None
    if isinstance(value, str):
        value = _parsed(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:  # noqa: PLR0124 - not a number
        raise ArgumentError(f"{name} must be a number.", hint=send)
    if not -_LARGEST < value < _LARGEST:
        raise ArgumentError(f"{name} is too large a number.", hint=send)
    return value


def _parsed(text: str) -> int | float | None:
    if len(text) > _LONGEST_NUMBER or not text.isascii():
        return None
    try:
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        return None


def _is_digits(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NUMBER and text.isascii() and text.isdigit()


def _clean(text: str) -> str:
    """A text that can be written as UTF-8: half a surrogate pair stands for nothing."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _short(value: object) -> str:
    """A value in an error: as it is, where that is short."""
    if isinstance(value, str):
        return repr(_clean(value[:_LONGEST_SHOWN])) + ("\u2026" if len(value) > _LONGEST_SHOWN else "")
    is_short = isinstance(value, float) or (isinstance(value, int) and abs(value) < _LARGEST)
    return repr(value) if is_short else _kind(value)


def _kind(value: object) -> str:
    """What a value is, in the words of JSON."""
    kinds = {
        type(None): "null",
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
    }
    return "an object" if isinstance(value, Mapping) else kinds.get(type(value), type(value).__name__)
