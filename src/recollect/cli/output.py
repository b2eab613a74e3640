"""What reaches stdout and stderr: text that cannot command a terminal, JSON that any reader can parse.

In come values and lines of styled text; out go characters. Control characters, bidirectional overrides and lone
surrogates never pass unescaped to a terminal, and no character stops a stream that cannot encode it.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

Piece = tuple[str, str]  # text and its style, in rich's words; "" is plain
Line = list[Piece]

# C0 and C1 controls, DEL, overrides of the direction of text, lone surrogates. Patterns are compiled when a text needs
# them, which is seldom.
_COMMANDING = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = f"[{_COMMANDING}]"
# A name has no use for line ends and invisible marks either, which honest text may hold.
_IN_NAME = f"[{_COMMANDING}\t\n\u061c\u200b\u200e\u200f\u2028\u2029\ufeff]"
_IN_JSON = "[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
_NOT_ASCII = r"[^\x00-\x7f]"


def visible(name: str) -> str:
    """A name or a sentence on one line: whatever would move the cursor or turn the text round is spelt out."""
    return name if name.isprintable() else re.sub(_IN_NAME, _spell, name)


def visible_text(text: str) -> str:
    """As `visible`, for text of several lines: line ends and tabs stay."""
    return text if text.isprintable() else re.sub(_IN_TEXT, _spell, text)


def _spell(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code in _SHORT:
        return _SHORT[code]
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - what two digits can hold


_SHORT = {9: "\\t", 10: "\\n", 13: "\\r"}


def tidy(path: str) -> str:
    """A path as it may be shown: the home as `~`."""
    from recollect.config.paths import home_folder  # a path that is shown was found there

    home = home_folder(os.environ)
    if home not in (None, "/") and (path == home or path.startswith(f"{home}/")):
        path = "~" + path[len(home or "") :]
    return visible(path)


def prepare_streams() -> None:
    """Make stdout and stderr take anything: a closed one swallows, a narrow encoding escapes."""
    for name in ("stdin", "stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            # This takes the free descriptor, which the next file that is opened would get, and with it our output.
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115 - stays open as long as the process
        elif name != "stdin" and (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors="backslashreplace")


def is_terminal(stream: TextIO) -> bool:
    """Whether a person reads this."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def write(text: str) -> None:
    """Text to stdout as it stands."""
    sys.stdout.write(text)


def say(text: str) -> None:
    """A line to stderr: for the person, not part of the answer."""
    with suppress(OSError):  # nobody listens: then there is nothing to say
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def write_lines(lines: Iterable[Line]) -> None:
    """Lines to stdout: coloured for a person, plain for a pipe."""
    if is_terminal(sys.stdout):
        _write_styled(lines)
        return
    for line in lines:
        sys.stdout.write("".join(text for text, _ in line) + "\n")


def _write_styled(lines: Iterable[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, emoji=False, markup=False)
    for line in lines:
        text = Text()
        for piece, style in line:
            text.append(piece, style or None)
        console.print(text, soft_wrap=True)


def write_json(value: object) -> None:
    """A value as one line of JSON; what is None is left out."""
    import msgspec

    plain = without_none(msgspec.to_builtins(value))
    try:
        text = msgspec.json.encode(plain).decode()
    except UnicodeEncodeError:  # a lone surrogate, from a file name that is no UTF-8
        text = msgspec.json.encode(_whole(plain)).decode()
    if not text.isascii() or "\x7f" in text:
        text = re.sub(_IN_JSON, _json_escape, text)
    if not text.isascii() and (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        text = re.sub(_NOT_ASCII, _json_escape, text)
    sys.stdout.write(text + "\n")


def without_none(value: object) -> object:
    """The same value without the keys that hold None, at any depth."""
    if isinstance(value, dict):
        return {key: without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [without_none(item) for item in value]
    return value


def _whole(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 file`, `3 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def joined(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
