"""`recollect get`: print a note, or some of its lines.

In comes a path, perhaps with a range as it stands in a citation; out goes the note's own text, and what to do when it
was cut or does not exist.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from recollect.cli.json_values import with_workspace
from recollect.cli.options import common, common_options, open_memory, whole_number
from recollect.cli.output import is_terminal, say, visible, visible_text, write, write_json
from recollect.cli.places import say_workspace
from recollect.errors import PathError

if TYPE_CHECKING:
    from recollect.cli.options import Common
    from recollect.memory import Memory
    from recollect.types import GetResult

_MOST_DIGITS = 9
_NO_RANGE = re.compile(
    r"([^\n]*\.md)([:#](?![^\n]*\.md$)[^/\n]*)"
)  # a note, and behind it what `parse` took for no range
_EXAMPLES = """\b
recollect get memory/2026-02-10.md
recollect get memory/2026-02-10.md:3-12
recollect get "memory/2026-02-10.md#L3-L12"
"""


class Wanted(NamedTuple):
    """A path and perhaps a range of lines."""

    path: str
    first: int | None = None
    last: int | None = None


@click.command("get", epilog=_EXAMPLES)
@click.argument("path", metavar="PATH[:FROM[-TO]]")
@click.option("--from", "start", metavar="N", callback=whole_number, help="Begin at this line.")
@click.option("--lines", metavar="N", callback=whole_number, help="Print so many lines.")
@common_options
@click.pass_context
def get_command(context: click.Context, *, path: str, start: int | None, lines: int | None) -> int:
    """Print a note, or some of its lines, as a citation names them."""
    options = common(context)
    wanted = parse(path)
    if wanted.first is not None and start is not None:
        raise click.UsageError("The first line is given twice, in the path and with --from.", context)
    if wanted.last is not None and lines is not None:
        raise click.UsageError("The last line is given twice, in the path and with --lines.", context)
    first = wanted.first if wanted.first is not None else start
    if wanted.first is not None and wanted.last is not None:
        lines = wanted.last - wanted.first + 1
    with open_memory(options) as memory:
        if not options.json:
            say_workspace(memory)
        try:
            result = memory.get(wanted.path, start=first, lines=lines)
        except PathError as error:
            raise _explained(error, memory, wanted.path) from error
        return _tell(result, lines, memory, options)


def parse(text: str) -> Wanted:
    """Take a citation apart: `path:3` (from there on), `path:3-12`, `path#L3` (that line), `path#L3-L12`.

    What ends in neither form is a path as it stands.
    """
    path, mark, numbers = text.rpartition("#L")
    if mark and (found := _range(path, numbers.replace("-L", "-", 1))) is not None:
        return found if found.last is not None else found._replace(last=found.first)
    path, mark, numbers = text.rpartition(":")
    if mark and (found := _range(path, numbers)) is not None:
        return found
    return Wanted(text)


def _range(path: str, numbers: str) -> Wanted | None:
    first_digits, dash, last_digits = numbers.partition("-")
    first, last = _number(first_digits), _number(last_digits)
    if not path or first is None or (dash and last is None):
        return None
    if first < 1:
        raise click.UsageError("Lines are counted from 1.")
    if last is not None and last < first:
        raise click.UsageError(f"Lines {first} to {last} are no range: it ends before it begins.")
    return Wanted(path, first, last)


def _number(digits: str) -> int | None:
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else None


def _tell(result: GetResult, lines: int | None, memory: Memory, options: Common) -> int:
    """Print it. A note that does not exist is a failure for whoever asked for it by name."""
    if options.json:
        write_json(with_workspace(result, memory))
        return 0 if result.exists else 1
    if not result.exists:
        return _tell_absent(result.path, memory)
    # A pipe gets the file's own text; a terminal must not be commanded by it.
    write(visible_text(result.text) if is_terminal(sys.stdout) else result.text)
    if result.text and not result.text.endswith("\n"):
        write("\n")
    sys.stdout.flush()
    name, got = visible(result.path), result.end_line - result.start_line + 1
    if not result.text and result.start_line > 1:
        say(f"{name} has no line {result.start_line}.")
    elif result.truncated and (lines is None or got < lines or result.next_line is None):
        more = f" Go on with: recollect get {name}:{result.next_line}" if result.next_line is not None else ""
        say(f"{name} goes on; this is what one answer holds.{more}")
    return 0


def _tell_absent(path: str, memory: Memory) -> int:
    from recollect.cli.failures import Failure, report
    from recollect.cli.places import missing_folder, nearest_note

    close = nearest_note(memory.workspace, path)
    hint = f"Did you mean {visible(close)}?" if close else "`recollect search` finds notes by what is in them."
    hint = missing_folder(memory) or hint
    report(Failure(PathError.code, f"{visible(path)} does not exist.", hint, 1), as_json=False)
    return PathError.exit_code


def _explained(error: PathError, memory: Memory, path: str) -> PathError:
    """The same refusal, with what was probably meant."""
    from recollect.cli.places import missing_folder, nearest_note

    if (found := _NO_RANGE.fullmatch(path)) is not None:
        name = visible(found[1])
        return PathError(
            f"{visible(found[2])[:40]!r} is no range of lines.",
            hint=f"A range looks like {name}:3-12, {name}:3 or {name}#L3-L12.",
        )
    close = nearest_note(memory.workspace, path)
    hint = missing_folder(memory) or (f"Did you mean {visible(close)}?" if close is not None else error.hint)
    if _is_outside(error) and _is_absent(memory.workspace, path):
        return PathError(f"There is no file {visible(path)} in the memory.", hint=hint)
    return PathError(error.message, hint=hint)


def _is_outside(error: PathError) -> bool:
    return "outside the memory" in error.message


def _is_absent(workspace: str, path: str) -> bool:
    """Whether a path leads to nothing inside the workspace: then its name is wrong, rather than its place."""
    parts = path.split("/")
    return not path.startswith(("/", "~")) and ".." not in parts and not os.path.lexists(os.path.join(workspace, path))
