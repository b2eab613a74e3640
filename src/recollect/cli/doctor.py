"""`recollect doctor`: look for what is wrong, and say what to do.

In come settings, files and index; out goes a list of checks, each with what to do about it. It changes nothing, and
asks no provider: keys and model files are looked for, not tried.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import click
from msgspec import Struct

from recollect.cli.options import common, common_options, open_memory
from recollect.cli.output import counted, tidy, visible, visible_text, write_json, write_lines
from recollect.cli.places import missing_folder, no_notes_hint, settings_files
from recollect.cli.render_status import sentence, waiting
from recollect.errors import ConfigError, RecollectError

if TYPE_CHECKING:
    from recollect.cli.options import Common
    from recollect.cli.output import Line
    from recollect.memory import Memory
    from recollect.types import Status

State = Literal["ok", "warning", "failed"]
_STYLES: dict[State, str] = {"ok": "green", "warning": "yellow", "failed": "bold red"}
# What status says of an index that it could not look into, in the store's words and as an error.
_UNUSABLE = frozenset({"E_STORE", "unusable"})
_MEND = "Run `recollect index`; if it cannot be written, check the disk and who may use the folder."
_REBUILD = "Run `recollect index --force`: the index is made anew from the notes."


class Check(Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    name: str
    state: State
    message: str
    hint: str | None = None


@click.command("doctor")
@click.option("--verify-data", is_flag=True, help="Also read the whole index and look for damage.")
@common_options
@click.pass_context
def doctor_command(context: click.Context, *, verify_data: bool) -> int:
    """Look for what is wrong with settings, notes and index, and say what to do."""
    options = common(context)
    checks = examine(options, verify_data=verify_data)
    healthy = all(check.state != "failed" for check in checks)
    if options.json:
        write_json({"ok": healthy, "checks": checks})
    else:
        write_lines(line for check in checks for line in _lines(check))
    if healthy:
        return 0
    return ConfigError.exit_code if any(check.name == "settings" and check.state == "failed" for check in checks) else 1


def examine(options: Common, *, verify_data: bool) -> list[Check]:
    """Every check that can be made; what cannot be opened ends the list."""
    try:
        memory = open_memory(options)
    except RecollectError as error:
        return [_failed("settings", error)]
    with memory:
        checks = [*_settings(memory), _notes(memory)]
        try:
            status = memory.status()
        except RecollectError as error:
            if isinstance(error, ConfigError):  # a provider that cannot be had: the settings are wrong after all
                return [_failed("settings", error), *(check for check in checks if check.state != "ok")]
            return [*checks, _failed("provider" if error.code == "E_PROVIDER" else "index", error)]
        checks += [_provider(status), _index(status), _words(status), _meaning(status)]
        said = {problem.message for problem in memory.config_problems}
        checks += [
            Check(name="left out", state="warning", message=sentence(problem))
            for problem in status.problems
            if problem.message not in said and problem.code not in _UNUSABLE and os.path.isdir(memory.workspace)
        ]
        if verify_data:
            checks += _data(memory)
    return checks


def _failed(name: str, error: RecollectError) -> Check:
    return Check(name=name, state="failed", message=error.message, hint=error.hint or None)


def _settings(memory: Memory) -> list[Check]:
    where = settings_files(memory.loaded) or "no file, so the defaults hold"
    return [
        Check(name="settings", state="ok", message=where),
        *(Check(name="settings", state="warning", message=problem.message) for problem in memory.config_problems),
    ]


def _notes(memory: Memory) -> Check:
    place = f"{tidy(memory.workspace)} ({visible(memory.workspace_origin)})"
    if not os.path.isdir(memory.workspace):
        hint = missing_folder(memory) or "Run `recollect init`, or name another folder with --workspace."
        return Check(name="notes", state="warning", message=f"{place} does not exist yet.", hint=hint)
    missing = no_notes_hint(memory)
    if missing is not None:
        return Check(name="notes", state="warning", message=place, hint=missing)
    return Check(name="notes", state="ok", message=place)


def _provider(status: Status) -> Check:
    model = f", {status.model}" if status.model else ""
    message = f"{status.provider}{model}"
    if status.fallback is not None:
        message += f", because {status.fallback.from_} cannot be used: {status.fallback.reason}"
        return Check(name="provider", state="warning", message=message, hint="Check its key or its model file.")
    return Check(name="provider", state="ok", message=message)


def _index(status: Status) -> Check:
    place = tidy(status.db_path)
    unusable = next((problem for problem in status.problems if problem.code in _UNUSABLE), None)
    if unusable is not None:
        return Check(name="index", state="failed", message=unusable.message, hint=_MEND)
    if not status.indexed:
        return Check(name="index", state="warning", message="There is none yet.", hint="Run `recollect index`.")
    if status.last_error is not None:
        hint = "Run `recollect index`; if it fails again, `recollect index --force`."
        return Check(name="index", state="warning", message=status.last_error.message, hint=hint)
    if status.dirty:
        waits = waiting(status.pending) if status.pending else "The index is not up to date"
        message = f"{waits}."
        return Check(name="index", state="warning", message=message, hint="Run `recollect index`.")
    held = f"{counted(status.files, 'file')}, {counted(status.chunks, 'chunk')}"
    return Check(name="index", state="ok", message=f"{place}: {held}")


def _words(status: Status) -> Check:
    if status.fts.available or not status.indexed:
        return Check(name="words", state="ok", message="Search by words works.")
    return Check(name="words", state="failed", message=status.fts.error or "The full text is missing.", hint=_REBUILD)


def _meaning(status: Status) -> Check:
    vector = status.vector
    if vector.load_error is not None:
        hint = "Search by meaning goes on without it. Check store.vector.extensionPath, or remove it."
        return Check(name="meaning", state="warning", message=f"sqlite-vec: {vector.load_error}", hint=hint)
    if not vector.enabled:
        message = "Search by meaning is switched off; words alone are searched."
        return Check(name="meaning", state="ok", message=message)
    if status.indexed and not vector.available:
        return Check(name="meaning", state="warning", message="The index holds no vectors.", hint=_REBUILD)
    return Check(name="meaning", state="ok", message="Search by meaning works.")


def _data(memory: Memory) -> list[Check]:
    try:
        damage = memory.verify()
    except RecollectError as error:
        return [_failed("data", error)]
    if not damage:
        return [Check(name="data", state="ok", message="Every row of the index is as it was written.")]
    return [Check(name="data", state="failed", message=text, hint=_REBUILD) for text in damage]


def _lines(check: Check) -> list[Line]:
    width = max(len(state) for state in _STYLES)
    lines: list[Line] = [
        [
            (check.state.ljust(width), _STYLES[check.state]),
            (f"  {check.name}: ", "bold"),
            (visible_text(check.message), ""),
        ]
    ]
    if check.hint is not None:
        lines.append([(" " * (width + 2) + visible_text(check.hint), "dim")])
    return lines
