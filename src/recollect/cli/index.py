"""`recollect index`: bring the index to the state of the notes.

In come the notes as they are; out goes what was done and, file by file, what was left out and why. A file that had to
be left out is a warning and not a failure: the rest is indexed. When nothing at all could be indexed, it failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import structs

from recollect.cli.aside import put_aside, seen
from recollect.cli.json_values import with_workspace
from recollect.cli.options import common, common_options, open_memory
from recollect.cli.output import counted, say, visible, write, write_json
from recollect.cli.places import no_notes_hint, say_workspace
from recollect.cli.progress import progress_bar
from recollect.cli.render_status import problem_lines

if TYPE_CHECKING:
    from recollect.types import SyncReport

_SHOWN_PROBLEMS = 10  # without --verbose


@click.command("index")
@click.option("--force", is_flag=True, help="Make the whole index anew.")
@click.option("--verbose", is_flag=True, help="Say more, and name every file that was left out.")
@common_options
@click.pass_context
def index_command(context: click.Context, *, force: bool, verbose: bool) -> int:
    """Bring the index to the state of the notes. Only what changed is read and embedded."""
    options = common(context)
    with open_memory(options) as memory:
        if not options.json:
            say_workspace(memory)
        before = seen(memory)
        with progress_bar() as progress:
            report = memory.sync(reason="cli", force=force, progress=progress)
        if aside := put_aside(memory, before):
            report = structs.replace(report, problems=(*aside, *report.problems))
        failed = nothing_done(report)
        if options.json:
            write_json(with_workspace(report, memory))
            return int(failed)
        _tell(report, memory.settings.agent_id, verbose=verbose)
        if not report.files_seen and (hint := no_notes_hint(memory)) is not None:
            say(hint)
    return int(failed)


def nothing_done(report: SyncReport) -> bool:
    """Whether there were notes and none of them is in the index, or no folder in which notes could be."""
    if any(problem.code == "missing-workspace" for problem in report.problems):
        return True
    inside = report.files_added + report.files_changed + report.files_unchanged
    return report.files_seen > 0 and inside == 0


def _tell(report: SyncReport, agent: str, *, verbose: bool) -> None:
    if nothing_done(report):
        write("No note could be indexed.\n")
    else:
        write(f"Memory index updated ({visible(agent)}).\n")
    write(summary(report) + "\n")
    if report.rebuilt is not None:
        write(f"The whole index was made anew: {visible(report.rebuilt)}\n")
    if verbose:
        write(
            f"Chunks: {report.chunks_added} added, {report.chunks_removed} removed, {report.chunks_kept} kept. "
            f"Vectors: {report.embedded} computed, {report.reused} taken over.\n"
        )
    shown = report.problems if verbose else report.problems[:_SHOWN_PROBLEMS]
    for line in problem_lines(shown):
        say(line)
    if len(report.problems) > len(shown):
        say(f"... and {len(report.problems) - len(shown)} more; --verbose names them.")


def summary(report: SyncReport) -> str:
    """The line that says what changed, as in `12 files: 10 added, 2 unchanged.`."""
    parts = [
        f"{number:,} {word}"
        for number, word in (
            (report.files_added, "added"),
            (report.files_changed, "changed"),
            (report.files_removed, "removed"),
            (report.files_unchanged, "unchanged"),
        )
        if number
    ]
    files = counted(report.files_seen, "file")
    return f"{files}: {', '.join(parts)}." if parts else f"{files}."
