"""`recollect search`: ask the notes a question.

In comes a question with its limits; out go hits with file, lines and score, and what the answer may lack.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import click
import msgspec

from recollect.cli.json_values import with_workspace
from recollect.cli.options import common, common_options, open_memory, whole_number
from recollect.cli.output import is_terminal, write_json, write_lines
from recollect.cli.places import no_notes_hint, say_workspace
from recollect.cli.render_search import NO_NOTES, render
from recollect.errors import StoreError
from recollect.types import Problem

if TYPE_CHECKING:
    from recollect.types import SearchResult, Source

_EXAMPLES = """\b
recollect search "what did we decide about Redis?"
recollect search --since 2026-02-01 --max-results 3 deployment
"""


def _finite(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
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
    with open_memory(options) as memory:
        if not options.json:
            say_workspace(memory)
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
            warning = Problem(code=NO_NOTES, message=hint)
            result = msgspec.structs.replace(result, warnings=(*result.warnings, warning))
        if options.json:
            write_json(with_workspace(result, memory))
        else:
            write_lines(render(result, question if is_terminal(sys.stdout) else None))
    return int(nothing_searched(result))


def nothing_searched(result: SearchResult) -> bool:
    """Whether the index could not be used at all: that is no empty answer."""
    return result.mode == "none" and any(warning.code == StoreError.code for warning in result.warnings)
