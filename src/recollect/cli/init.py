"""`recollect init`: start a memory.

In comes a folder, out go MEMORY.md and memory/ where they are missing. It never changes a file that exists.
"""

from __future__ import annotations

import click

from recollect.cli.options import common, common_options, open_memory
from recollect.cli.output import joined, say, tidy, visible, write, write_json
from recollect.cli.places import workspace_line
from recollect.errors import PathError


@click.command("init")
@click.argument("folder", required=False)
@common_options
@click.pass_context
def init_command(context: click.Context, *, folder: str | None) -> int:
    """Make MEMORY.md and memory/ in FOLDER, or in the workspace that the settings name.

    What exists is left as it is.
    """
    options = common(context)
    with open_memory(options, workspace=folder) as memory:
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
        write(f"Made {joined([visible(name) for name in created])}.\n")
        write('Write what should be remembered, then ask: recollect search "..."\n')
    return 0
