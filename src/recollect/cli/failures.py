"""Turns whatever was raised into one sentence, a hint and an exit status.

In comes an exception, out goes a `Failure`, in words for a person or as JSON. A traceback is shown only to somebody
who asked for it with RECOLLECT_DEBUG=1.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import NamedTuple

import click

from recollect.cli.output import is_terminal, say, visible, visible_text, write_json
from recollect.errors import ArgumentError, FullError, RecollectError

WRONG_USE = 2
_MEMORY = "Raise the limit or end other programs, and run it again; the index is whole."
_SYSTEM = "Check that the folders exist and may be written to; RECOLLECT_DEBUG=1 shows where it happened."
_BUG = "Run it again with RECOLLECT_DEBUG=1 to see where, and please report it. The notes are untouched."


class Failure(NamedTuple):
    """Why a command ended early."""

    code: str
    message: str
    hint: str
    exit_code: int


def explain(error: BaseException) -> Failure:
    """What to say about an exception."""
    match error:
        case RecollectError():
            return Failure(error.code, error.message, error.hint, error.exit_code)
        case click.UsageError():
            return Failure(ArgumentError.code, error.format_message(), _usage_hint(error), WRONG_USE)
        case click.ClickException():
            return Failure(RecollectError.code, error.format_message(), "", 1)
        case MemoryError():
            return Failure(RecollectError.code, "There is not enough memory to do this.", _MEMORY, 1)
        case OSError():
            return _explain_system(error)
        case _:
            return Failure("E_BUG", f"Something went wrong inside recollect ({type(error).__name__}).", _BUG, 1)


def _usage_hint(error: click.UsageError) -> str:
    context = error.ctx
    if context is None:
        return "`recollect --help` lists the commands."
    if context.info_name == "search" and isinstance(error, click.NoSuchOption):
        return "A question that begins with a dash goes behind `--`: recollect search -- --like-this"
    return f"`{context.command_path} --help` says how it is used."


def _explain_system(error: OSError) -> Failure:
    reason = os.strerror(error.errno) if error.errno else type(error).__name__
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Failure(FullError.code, "No space is left on the disk.", "Free some and run it again.", 1)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return Failure(RecollectError.code, f"{reason}.", "Raise the limit (ulimit -n) and run it again.", 1)
    # Not error.filename: it may be an absolute path of somebody's home.
    return Failure(RecollectError.code, f"The system refused: {reason}.", _SYSTEM, 1)


def report(failure: Failure, *, as_json: bool) -> None:
    """Say it: as JSON on stdout, or in words on stderr."""
    if as_json:
        write_json({"error": {"code": failure.code, "message": failure.message, "hint": failure.hint or None}})
        return
    say(f"{_label()} {visible_text(failure.message)}")
    if failure.hint:
        say(visible_text(failure.hint))


def _label() -> str:
    coloured = is_terminal(sys.stderr) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return "\x1b[1;31mError:\x1b[0m" if coloured else "Error:"


def nearest(word: str, known: list[str]) -> str | None:
    """The known word that somebody may have meant."""
    from difflib import get_close_matches

    close = get_close_matches(word[:200], known, n=1, cutoff=0.6)
    return visible(close[0]) if close else None
