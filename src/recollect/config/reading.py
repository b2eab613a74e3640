"""A settings file read from the disk.

What enters: a path. What leaves: the decoded document, or a ConfigError that names line and column.
Never: a file that is not regular, or more of one than a person could have written; a line of the file in a message.
"""

from __future__ import annotations

import os
import re
import stat

from recollect.errors import ConfigError

MAX_BYTES = 1 << 20
MAX_DEPTH = 64


def read_settings(path: str, name: str, *, follow: bool = True, limit: int = MAX_BYTES) -> object | None:
    """The document in a file; None where there is no file."""
    data = _read_bytes(path, name, follow=follow, limit=limit)
    return None if data is None else parse(data, name)


def _read_bytes(path: str, name: str, *, follow: bool, limit: int) -> bytes | None:
    # Not blocking, so that a pipe in its place cannot hold us.
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name cannot be used"
        raise ConfigError(
            f"The settings file {name} cannot be read: {reason}.", hint="Check its permissions and its name."
        ) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"The settings file {name} is not a regular file.", hint="Put a JSON5 file there.")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise ConfigError(f"The settings file {name} cannot be read: {error.strerror}.", hint="Try again.") from error
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise ConfigError(
            f"The settings file {name} is larger than {limit:,} bytes.", hint="Check that it is the right file."
        )
    return data


def parse(data: bytes, name: str) -> object:
    """The document in the bytes of a JSON5 file."""
    text = _decode(data, name)
    if not text.strip():
        raise _wrong(name, 1, 1, "the file is empty", "Write {} for the defaults.")
    from msgspec import DecodeError, json  # only a settings file needs it

    try:
        document: object = json.decode(text)
    except (DecodeError, RecursionError):
        return _json5(text, name)  # has comments, or is wrong: its parser is loaded for nothing less
    return document


def _decode(data: bytes, name: str) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _wrong(name, 1, 1, "the file is UTF-16", "Save it as UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]  # without the byte order mark
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8", "replace")) + 1
        raise _wrong(name, before.count(b"\n") + 1, column, "a byte is no UTF-8", "Save it as UTF-8.") from error


def _json5(text: str, name: str) -> object:
    import pyjson5  # only a settings file with comments needs it

    try:
        document: object = pyjson5.decode(text, MAX_DEPTH)
    except pyjson5.Json5DecoderException as error:
        message = str(error.args[0]) if error.args else ""
        line, column = _place(text, message)
        raise _wrong(name, line, column, _in_words(message), "Mend that place; the file is JSON5.") from error
    return document


def _place(text: str, message: str) -> tuple[int, int]:
    found = re.search(r"near (\d+)", message)
    offset = min(max(int(found[1]) - 1, 0), len(text)) if found else 0
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _in_words(message: str) -> str:
    """The parser's message without its offsets, type marks and code points."""
    words = re.sub(r"\s*(?:starting )?near \d+", "", message)
    words = re.sub(r"b'(\w+)'", r"\1", words).replace("JSON5Value", "a value")
    words = re.sub(r"U\+([0-9a-f]{4,6})", lambda m: _character(int(m[1], 16)), words)
    return words[:1].lower() + words[1:]


def _character(code: int) -> str:
    one = chr(code) if code < 0x110000 else "\N{REPLACEMENT CHARACTER}"  # noqa: PLR2004 - the end of Unicode
    return f"'{one}'" if one.isprintable() else f"the character U+{code:04X}"


def _wrong(name: str, line: int, column: int, what: str, hint: str) -> ConfigError:
    return ConfigError(f"{name}, line {line}, column {column}: {what}.", hint=hint)
