"""The tree of commands and the one place where anything that was raised ends.

In come arguments, out goes an exit status. A command's file is imported when it is named; what it raises is told in
one sentence. No traceback, ever.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from recollect import __version__
from recollect.cli import failures
from recollect.cli.options import common_options
from recollect.cli.output import prepare_streams, say, visible
from recollect.cli.signals import Stopped, stoppable
from recollect.cli.table import COMMANDS, help_text

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_BROKEN_PIPE = 128 + 13  # as a process that SIGPIPE ended


class LazyGroup(click.Group):
    """The commands of the table, each imported when it is used."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[name]
        command = getattr(import_module(f"recollect.cli.{module}"), attribute)
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may be meant."""
        name = arguments[0]
        command = self.get_command(context, name)
        if command is not None:
            return name, command, arguments[1:]
        if name.startswith("-"):
            return super().resolve_command(context, arguments)
        raise click.UsageError(_no_such_command(name, arguments), context)

    def get_help(self, _context: click.Context) -> str:
        """The same text as that which needs no click."""
        return help_text().rstrip("\n")

    def shell_complete(self, _context: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names without importing the commands."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name, help=row[2]) for name, row in COMMANDS.items() if name.startswith(incomplete)]


def _no_such_command(name: str, arguments: list[str]) -> str:
    close = failures.nearest(name, list(COMMANDS))
    if close is not None:
        return f"There is no command {visible(name)!r}. Did you mean `recollect {close}`?"
    if len(arguments) > 1 or " " in name:
        return f'There is no command {visible(name)[:40]!r}. To ask the notes: recollect search "..."'
    return f"There is no command {visible(name)[:40]!r}."


def _print_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"recollect {__version__}")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version)
@common_options
def recollect() -> None:
    """Memory for AI agents in plain Markdown."""


def run(arguments: list[str]) -> int:
    """Run the command and say how it ended."""
    prepare_streams()
    if "_RECOLLECT_COMPLETE" in os.environ:
        recollect.main(arguments, prog_name="recollect", complete_var="_RECOLLECT_COMPLETE")
    try:
        with stoppable():
            return _answered(arguments)
    except KeyboardInterrupt as stop:
        # Whatever is still on its way to a reader is given up: who asked us to end does not wait for it.
        _forget_output()
        say("\nStopped. What was finished is kept.")
        return stop.exit_code if isinstance(stop, Stopped) else 130


def _answered(arguments: list[str]) -> int:
    """Run, tell what was raised, and see that the answer really left."""
    as_json = _wants_json(arguments)
    try:
        status = _invoke(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return _BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the one place where everything ends in a sentence
        return _told(error, as_json=as_json)
    return status


def _invoke(arguments: list[str]) -> int:
    try:
        with recollect.make_context("recollect", list(arguments)) as context:
            status = recollect.invoke(context)
    except click.exceptions.Exit as end:  # --help, --version
        return end.exit_code
    return status if isinstance(status, int) else 0


def _told(error: Exception, *, as_json: bool) -> int:
    """Report an error; when even that cannot be written, the exit status must do."""
    if os.environ.get("RECOLLECT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    failure = failures.explain(error)
    try:
        failures.report(failure, as_json=as_json)
        sys.stdout.flush()
    except OSError:
        _forget_output()
    return failure.exit_code


def _wants_json(arguments: list[str]) -> bool:
    """Whether `--json` was said, known even when the arguments cannot be parsed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:end]


def _forget_output() -> None:
    """Send what stdout still holds nowhere, so that nothing complains when the process ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):  # no descriptor: a stream of somebody who calls us from Python
        return
    finally:
        os.close(null)
