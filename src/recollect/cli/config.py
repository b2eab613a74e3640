"""`recollect config`: show and check the settings.

In come the settings file, the environment and the workspace's own file; out go effective values with their origin,
what is odd about them, the schema of the file, and its path. It changes nothing and never shows a key.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from recollect.cli.options import common, common_options
from recollect.cli.output import counted, say, tidy, visible, visible_text, write, write_json, write_lines
from recollect.cli.places import settings_files
from recollect.config import paths

if TYPE_CHECKING:
    from recollect.cli.options import Common
    from recollect.cli.output import Line
    from recollect.config.load import Loaded
    from recollect.config.show import Entry


@click.group("config", invoke_without_command=True)
@common_options
@click.pass_context
def config_group(context: click.Context) -> None:
    """Show and check the settings."""
    if context.invoked_subcommand is None:
        raise click.UsageError("Say what of the settings: show, check, schema or path.", context)


@config_group.command("show")
@click.argument("names", metavar="[SETTING]...", nargs=-1)
@common_options
@click.pass_context
def show_command(context: click.Context, *, names: tuple[str, ...]) -> int:
    """Print the settings as they hold, and where each comes from.

    SETTING limits it to settings whose name holds that text.
    """
    from recollect.config.show import effective

    options = common(context)
    loaded = _load(options)
    entries = [
        entry for entry in effective(loaded) if not names or any(name.lower() in entry.key.lower() for name in names)
    ]
    if not entries:
        raise click.UsageError(f"No setting's name holds {visible(names[0])[:60]!r}.", context)
    if options.json:
        write_json(_as_json(loaded, entries))
        return 0
    say(f"Settings: {_file(loaded)}")
    say(f"Workspace: {tidy(loaded.workspace)} ({visible(loaded.workspace_origin)})")
    write_lines(_line(entry) for entry in entries)
    return 0


@config_group.command("check")
@common_options
@click.pass_context
def check_command(context: click.Context) -> int:
    """Say whether the settings are right, and which have no effect."""
    from recollect.config.show import check
    from recollect.memory import chosen_provider

    options = common(context)
    loaded = _load(options)  # what is wrong is an error, and ends here with exit status 2
    problems = (*check(loaded), *chosen_provider(loaded).problems)  # as above, for a provider that cannot be had
    if options.json:
        theirs = os.path.join(loaded.workspace, paths.WORKSPACE_SETTINGS) if loaded.workspace_file else None
        write_json({"ok": True, "path": loaded.config_path, "workspaceFile": theirs, "problems": problems})
        return 0
    for problem in problems:
        write(f"{visible_text(problem.message)}\n")
    remarks = f", with {counted(len(problems), 'remark')}" if problems else ""
    write(f"The settings are valid{remarks}: {_file(loaded)}.\n")
    return 0


@config_group.command("schema")
@common_options
def schema_command() -> int:
    """Print the JSON Schema of the settings file, for an editor."""
    from recollect.config.show import json_schema

    write(json_schema())
    return 0


@config_group.command("path")
@common_options
@click.pass_context
def path_command(context: click.Context) -> int:
    """Print where the settings file is, or would be. It need not be valid for that."""
    options = common(context)
    here = paths.current_folder(None)
    state = paths.state_folder(options.state_dir, os.environ, here)
    found, _ = paths.settings_file(options.config, os.environ, here, state)
    path = found or os.path.join(state, paths.SETTINGS_NAMES[0])
    exists = os.path.isfile(path)
    if options.json:
        write_json({"path": path, "exists": exists})
        return 0
    write(f"{visible(path)}\n")
    if not exists:
        say("It does not exist yet, so the defaults hold.")
    return 0


def _load(options: Common) -> Loaded:
    from recollect.config.load import load

    return load(
        workspace=options.workspace, agent=options.agent, state_dir=options.state_dir, config_file=options.config
    )


def _file(loaded: Loaded) -> str:
    return settings_files(loaded) or "no file, the defaults hold"


def _line(entry: Entry) -> Line:
    given = entry.origin != "default"
    return [
        (visible(entry.key), "bold" if given else ""),
        (" = ", "dim"),
        (visible_text(entry.value), "cyan"),
        (f"  ({visible(entry.origin)}{'' if entry.active else '; not active yet'})", "dim"),
    ]


def _as_json(loaded: Loaded, entries: list[Entry]) -> dict[str, object]:
    import msgspec

    return {
        "path": loaded.config_path,
        "stateDir": loaded.state_dir,
        "workspace": loaded.workspace,
        "workspaceOrigin": loaded.workspace_origin,
        "settings": [
            {
                "key": entry.key,
                "value": msgspec.json.decode(entry.value),
                "origin": entry.origin,
                "active": entry.active,
            }
            for entry in entries
        ],
    }
