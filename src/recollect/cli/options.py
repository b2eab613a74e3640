"""The options that every command takes, before its name or after it, and the memory that they name.

In come click's parameters; out come `Common` and an open `Memory`. Of the same option given twice the later one
holds. Nothing of the memory is imported before `open_memory`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from recollect.cli.output import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.memory import Memory

Decorated = TypeVar("Decorated", bound="Callable[..., object] | click.Command")


_MOST_DIGITS = 10  # what any line number and any count fits into


class Common:
    """What the common options said."""

    def __init__(self) -> None:
        self.workspace: str | None = None
        self.agent: str | None = None
        self.config: str | None = None
        self.state_dir: str | None = None
        self.json = False


def whole_number(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A count or a line, 1 or more; a callback of click's."""
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS and int(value) > 0):
        raise click.BadParameter(f"{visible(value)[:40]!r} is not a whole number of 1 or more.", context, parameter)
    return int(value)


def common_options(command: Decorated) -> Decorated:
    """Give a command the options that all of them have."""
    for option in _OPTIONS:
        command = option(command)
    return command


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value is not None and value is not False and parameter.name is not None:
        common = context.ensure_object(Common)
        setattr(common, parameter.name, value)


def _text(flag: str, metavar: str, text: str) -> Callable[[Decorated], Decorated]:
    return click.option(flag, metavar=metavar, help=text, expose_value=False, callback=_keep)


# The last is shown first: click puts a decorator's option before those below it.
_OPTIONS: tuple[Callable[[Decorated], Decorated], ...] = (
    click.option("--json", is_flag=True, help="Print JSON and nothing else.", expose_value=False, callback=_keep),
    _text("--state-dir", "FOLDER", "Where index and settings live (~/.recollect)."),
    _text("--config", "FILE", "The settings file."),
    _text("--agent", "ID", "Whose memory (main)."),
    _text("--workspace", "FOLDER", "The folder with MEMORY.md and memory/."),
)


def common(context: click.Context) -> Common:
    """What the common options of this run said."""
    return context.ensure_object(Common)


def open_memory(options: Common, *, agent: str | None = None, workspace: str | None = None) -> Memory:
    """The memory that the options name; the arguments go before them."""
    from recollect.memory import Memory

    return Memory(
        workspace=workspace or options.workspace,
        agent=agent or options.agent,
        state_dir=options.state_dir,
        config_file=options.config,
    )
