"""`recollect status`: how the memory of one agent, or of all, stands.

In come an agent's files, index and settings, as they are; out goes a table or the seeds' array. It writes nothing
unless it is told to index, and asks no provider unless it is told to look deep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.cli.agents import configured_agents
from recollect.cli.options import common, common_options, open_memory
from recollect.cli.output import write_json, write_lines
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.cli.options import Common
    from recollect.memory import Memory
    from recollect.types import Status


@click.command("status")
@click.option("--deep", is_flag=True, help="Also ask the embedding provider whether it answers.")
@click.option("--index", "sync", is_flag=True, help="Bring the index up to date first; implies --deep.")
@click.option("--verbose", is_flag=True, help="Say more.")
@common_options
@click.pass_context
def status_command(context: click.Context, *, deep: bool, sync: bool, verbose: bool) -> int:
    """Say how the memory stands: every agent's, or that of --agent."""
    options = common(context)
    entries: list[dict[str, object]] = []
    failed = False
    for number, memory in enumerate(_memories(options)):
        error = _sync(memory) if sync else None
        status = memory.status(deep=deep or sync)
        failed = failed or error is not None
        if options.json:
            from recollect.cli.json_values import status_entry

            entries.append(status_entry(status, error))
        else:
            _tell(status, memory, verbose=verbose, index_error=error, apart=number > 0)
    if options.json:
        write_json(entries)
    return int(failed)


def _memories(options: Common) -> Iterator[Memory]:
    """The memory of the agent that was named, or of every one, each open while it is looked at."""
    with open_memory(options) as memory:
        yield memory
        others = [] if options.agent is not None else configured_agents(memory)[1:]
    for agent in others:
        with open_memory(options, agent=agent) as memory:
            yield memory


def _sync(memory: Memory) -> str | None:
    """Index; a failure is part of the status and does not hide the rest of it."""
    from recollect.cli.progress import progress_bar

    try:
        with progress_bar() as progress:
            memory.sync(reason="cli", force=False, progress=progress)
    except RecollectError as error:
        return str(error)
    return None


def _tell(status: Status, memory: Memory, *, verbose: bool, index_error: str | None, apart: bool) -> None:
    from recollect.cli.render_status import render

    write_lines([*([[]] if apart else []), *render(status, verbose=verbose, index_error=index_error)])
    from recollect.cli.output import say
    from recollect.cli.places import missing_folder, no_notes_hint

    hint = no_notes_hint(memory) if not status.indexed else missing_folder(memory)
    if hint is not None:
        say(hint)
