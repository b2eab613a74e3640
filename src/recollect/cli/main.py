"""Where the command starts: answers `--help` at once, hands everything else to `app`.

In come the arguments of the process, out goes its exit status. Nothing heavier than `sys` is imported before it is
known that it is needed: a person who asks for help does not wait for a parser of arguments.
"""

from __future__ import annotations

import os
import sys

_HELP = ("--help", "-h", "help")


def main(arguments: list[str] | None = None) -> int:
    """Run the command and say how it ended: 0 done, 1 failed, 2 wrong use or settings.

    Without arguments it is the process's own command, and ends the process.
    """
    if arguments is not None:
        return _main(arguments)
    # Threads for matrices would cost this process more to start than they could ever save it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    status = _main(sys.argv[1:])
    if not os.environ.get("RECOLLECT_DEBUG"):
        _leave(status)
    return status


def _main(argv: list[str]) -> int:
    if argv[:1] == ["help"] and len(argv) > 1:
        argv = [*argv[1:], "--help"]
    if _asks_for_help(argv):
        return _print_help()
    try:
        from recollect.cli.app import run

        return run(argv)
    except KeyboardInterrupt:  # before or after the part that has a handler of its own
        return 130


def _leave(status: int) -> None:
    """End the process at once. Everything is written and closed; taking the interpreter down piece by piece would
    cost a quarter of the time of a short command."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, or nobody reads
            continue
    os._exit(status)


def _asks_for_help(argv: list[str]) -> bool:
    if "_RECOLLECT_COMPLETE" in os.environ:  # a shell asks for completions
        return False
    return not argv or (len(argv) == 1 and argv[0] in _HELP)


def _print_help() -> int:
    from recollect.cli.table import help_text

    if sys.stdout is None:  # closed by the caller
        return 0
    try:
        sys.stdout.write(help_text())
        sys.stdout.flush()
    except OSError as error:  # whoever read us has gone, or the disk is full
        return 141 if isinstance(error, BrokenPipeError) else 1
    return 0
