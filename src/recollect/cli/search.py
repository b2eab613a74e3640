"""`recollect search`: ask the notes a question.

In comes a question with its limits; out go hits with file, lines and score, and what the answer may lack.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import click
import msgspec

from recollect.cli.aside import put_aside, seen
from recollect.cli.json_values import with_workspace
from recollect.cli.options import common, common_options, open_memory, whole_number
from recollect.cli.output import is_terminal, write_json, write_lines
from recollect.cli.places import missing_folder, no_notes_hint, say_workspace
from recollect.cli.render_search import NO_NOTES, render
from recollect.errors import StoreError
from recollect.types import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.types import SearchResult, Source

_EXAMPLES = """\b
recollect search "what did we decide about Redis?"
recollect search --since 2026-02-01 --max-results 3 deployment
"""


def _finite(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not (math.isfinite(value) and value >= 0):
        raise click.BadParameter("a score is a number from 0 to 1.")
    return value


@click.command("search", epilog=_EXAMPLES)
@click.argument("words", metavar="[QUERY]...", nargs=-1)
@click.option("--query", metavar="QUERY", help="The question; goes before what stands as an argument.")
@click.option("--max-results", metavar="N", callback=whole_number, help="At most so many hits.")
@click.option("--min-score", metavar="X", type=float, callback=_finite, help="No hit below this score (0 to 1).")
@click.option("--since", metavar="DATE", help="Only notes of this day (YYYY-MM-DD) and later.")
@click.option("--until", metavar="DATE", help="Only notes of this day and earlier.")
@click.option("--source", "sources", multiple=True, type=click.Choice(["memory", "sessions"]), help="Only these.")
@click.option("--explain", is_flag=True, help="Say for every hit where its score comes from.")
@common_options
@click.pass_context
def search_command(
    context: click.Context,
    *,
    words: tuple[str, ...],
    query: str | None,
    max_results: int | None,
    min_score: float | None,
    since: str | None,
    until: str | None,
    sources: tuple[Source, ...],
    explain: bool,
) -> int:
    """Ask the notes a question. Answers come with file and lines."""
    options = common(context)
    question = query if query is not None else " ".join(words)
    if not question.strip():
        raise click.UsageError('There is no question. Write it behind the command: recollect search "..."', context)
    # An argument that is no UTF-8 arrives with lone surrogates; what was meant cannot be told, so it matches nothing.
    question = question.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    _check_days(context, since, until)
    with open_memory(options) as memory:
        if not options.json:
            say_workspace(memory)
        before = seen(memory)
        result = memory.search(
            question,
            max_results=max_results,
            min_score=min_score,
            sources=sources or None,
            since=since,
            until=until,
            explain=explain,
        )
        if not result.results and (hint := no_notes_hint(memory)) is not None:
            result = _warned(result, Problem(code=NO_NOTES, message=hint))
        result = _warned(result, *put_aside(memory, before), *_of_limits(min_score, sources))
        if options.json:
            write_json(with_workspace(result, memory))
        else:
            write_lines(render(result, question if is_terminal(sys.stdout) else None))
        missing = missing_folder(memory) is not None and not memory.settings.extra_paths
    return int(missing or nothing_searched(result))


def _check_days(context: click.Context, since: str | None, until: str | None) -> None:
    if since is None or until is None:
        return
    from recollect.text.dates import parse_day

    if parse_day(since) > parse_day(until):
        raise click.UsageError(f"--since {since.strip()} is after --until {until.strip()}: no day is in both.", context)


def _of_limits(min_score: float | None, sources: tuple[Source, ...]) -> Iterator[Problem]:
    """What was asked for and cannot give anything."""
    if min_score is not None and min_score > 1:
        yield Problem(code="unreachable-score", message=f"Nothing can reach {min_score:g}: scores are from 0 to 1.")
    if "sessions" in sources:
        message = "Session transcripts are not indexed yet; only notes can be found. A later version will read them."
        yield Problem(code="not-active-yet", message=message)


def _warned(result: SearchResult, *warnings: Problem) -> SearchResult:
    return msgspec.structs.replace(result, warnings=(*result.warnings, *warnings)) if warnings else result


def nothing_searched(result: SearchResult) -> bool:
    """Whether the index could not be used at all: that is no empty answer."""
    return result.mode == "none" and any(warning.code == StoreError.code for warning in result.warnings)
