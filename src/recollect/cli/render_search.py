"""A search result in words: hits with file, lines and score, then whatever the answer may lack.

In comes a SearchResult, out go lines of styled text. Empty because nothing matches and empty because something is
missing are told in different words. It prints nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.cli.output import counted, visible, visible_text
from recollect.cli.render_status import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.cli.output import Line
    from recollect.types import Explanation, Hit, Problem, SearchResult

    Marks = Callable[[str], tuple[tuple[int, int], ...]]

NO_NOTES = "no-notes"  # the warning of an answer from a folder that holds no note
_MOST_WORDS = 32  # of a question that are marked in its answers


def render(result: SearchResult, question: str | None) -> list[Line]:
    """The whole answer; with `question`, its words are marked."""
    marked = _marking(question) if question is not None else None
    lines: list[Line] = []
    for hit in result.results:
        lines += _hit(hit, marked)
    if not result.results:
        lines.append([(_empty(result), "")])
    said_already = set() if result.results else {"not-indexed", NO_NOTES, "missing-workspace"}
    lines += [
        [("Note: ", "yellow"), (sentence(problem), "")]
        for problem in (*result.warnings, *_of_freshness(result))
        if problem.code not in said_already
    ]
    return lines


def _hit(hit: Hit, marked: Marks | None) -> list[Line]:
    shown = ",".join(f"{span.start_line}-{span.end_line}" for span in hit.spans)
    lines: list[Line] = [
        [
            (f"{hit.score:.3f}", "cyan"),
            ("  ", ""),
            (visible(hit.path), "bold"),
            (f":{hit.start_line}-{hit.end_line}", "bold cyan"),
            (f"  (lines {shown})" if len(hit.spans) > 1 else "", "dim"),
        ]
    ]
    lines += [_marked(f"  {line}".rstrip(), marked) for line in visible_text(hit.snippet).strip("\n").split("\n")]
    if hit.explanation is not None:
        lines.append([(f"  why: {_why(hit.explanation)}", "dim")])
    lines.append([])
    return lines


def _why(parts: Explanation) -> str:
    words = f"; words: {visible(', '.join(parts.terms))}" if parts.terms else ""
    place = f"; {_ordinal(parts.mmr_rank)} for diversity" if parts.mmr_rank is not None else ""
    return (
        f"({parts.text_weight:.2f} x words {parts.text_score:.3f} + {parts.vector_weight:.2f} x meaning "
        f"{parts.vector_score:.3f}) x decay {parts.decay:.3f}; admitted by {parts.admitted}{place}{words}"
    )


def _ordinal(rank: int) -> str:
    return f"{rank}." if rank else "first"


def _empty(result: SearchResult) -> str:
    for warning in result.warnings:
        if warning.code == NO_NOTES:
            return visible_text(warning.message)
    if not result.freshness.indexed:
        return "Nothing is indexed yet, so nothing could be searched. Run `recollect index`."
    if result.mode == "none":
        return "Nothing was searched."
    if result.warnings or _of_freshness(result):
        return "No matches in what could be searched."
    return "No matches."


def _of_freshness(result: SearchResult) -> list[Problem]:
    """What the freshness says and no warning has said yet."""
    from recollect.types import Problem

    said = {warning.code for warning in result.warnings}
    fresh, problems = result.freshness, []
    if fresh.changed and fresh.indexed and "stale" not in said:
        text = f"{counted(fresh.changed, 'file')} changed since the last index. Run `recollect index`."
        problems.append(Problem(code="stale", message=text))
    if fresh.missing_vectors and "vectors-missing" not in said:
        text = f"{counted(fresh.missing_vectors, 'chunk')} had no vector yet and could be found by words alone."
        problems.append(Problem(code="vectors-missing", message=text))
    if not fresh.known and not said:
        problems.append(Problem(code="freshness-unknown", message="It could not be told whether the index is fresh."))
    return problems


def _marking(question: str) -> Marks:
    """What finds the question's words in a line, in whatever form they stand there."""
    from recollect.text.keywords import keywords
    from recollect.text.snippet import highlight

    words = keywords(question)[:_MOST_WORDS]
    return lambda line: highlight(line, words)


def _marked(line: str, marks: Marks | None) -> Line:
    if marks is None:
        return [(line, "")]
    pieces: Line = []
    at = 0
    for start, end in marks(line):
        pieces += [(line[at:start], ""), (line[start:end], "bold yellow")]
        at = end
    pieces.append((line[at:], ""))
    return pieces
