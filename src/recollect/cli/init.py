"""`recollect init`: start a memory.

In comes a folder, or none: then it is the configured workspace, else the present folder. Out go MEMORY.md and memory/
where they are missing. It never changes a file that exists.
"""

from __future__ import annotations

import os

import click

from recollect.cli.options import Common, common, common_options, open_memory
from recollect.cli.output import joined, say, tidy, visible, write, write_json
from recollect.cli.places import workspace_line
from recollect.errors import PathError


@click.command("init")
@click.argument("folder", required=False)
@common_options
@click.pass_context
def init_command(context: click.Context, *, folder: str | None) -> int:
    """Make MEMORY.md and memory/ in FOLDER, in the workspace that the settings name, or here.

    What exists is left as it is.
    """
    options = common(context)
    with open_memory(options, workspace=folder or _here(options)) as memory:
        try:
            created = memory.init()
        except OSError as error:
            raise PathError(
                f"No memory can be made in {tidy(memory.workspace)}: {error.strerror}.",
                hint="Name a folder that you may write to: recollect init FOLDER",
            ) from error
        if options.json:
            write_json({"created": created, "workspace": memory.workspace, "workspaceOrigin": memory.workspace_origin})
            return 0
        say(workspace_line(memory))
        if not created:
            write("Everything is there already; nothing was changed.\n")
            return 0
        write(f"Made {joined([visible(name) for name in created])} in {tidy(memory.workspace)}.\n")
        write('Write what should be remembered, then ask: recollect search "..."\n')
    return 0


def _here(options: Common) -> str | None:
    """The present folder, as `git init` would take it, whatever lies above it. A workspace that the settings name goes
    before; and never the home itself, which has a workspace of its own."""
    from recollect.config.load import DEFAULT_WORKSPACE
    from recollect.config.paths import home_folder

    if options.workspace is not None:
        return None
    with open_memory(options) as memory:
        loaded = memory.loaded
    home = home_folder(os.environ)
    at_home = home is not None and os.path.realpath(os.curdir) == os.path.realpath(home)
    if loaded.configured_origin == DEFAULT_WORKSPACE and not at_home:
        return os.curdir
    # Where it would be taken anyway, its origin is told as it is.
    return None if loaded.workspace == loaded.configured_workspace else loaded.configured_workspace
