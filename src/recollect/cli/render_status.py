"""A status in words, in the seeds' order, and problems as sentences.

In comes a Status, out go lines of styled text. Paths show the home as `~`. It prints nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.cli.output import counted, tidy, visible, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.cli.output import Line
    from recollect.types import Problem, Status

_UNITS = ("B", "kB", "MB", "GB", "TB")
_STEP = 1000


def render(status: Status, *, verbose: bool, index_error: str | None = None) -> list[Line]:
    """Everything that a person may want to know."""
    rows = [
        _row("Workspace", f"{tidy(status.workspace_dir)} ({visible(status.workspace_origin)})"),
        _row("Index", _index(status)),
        _row("Indexed", f"{counted(status.files, 'file')}, {counted(status.chunks, 'chunk')}"),
        _row("Dirty", _dirty(status)),
        _row("Provider", _provider(status)),
        _row("Model", visible(status.model)) if status.model else None,
        _row("Sources", _sources(status)),
        _row("Extra paths", ", ".join(tidy(path) for path in status.extra_paths)) if status.extra_paths else None,
        *_vector(status, verbose=verbose),
        _row("FTS", _fts(status)),
        _row("Embedding cache", _cache(status)),
        _row("Embeddings", _probe(status)) if status.embedding_probe is not None else None,
        _row("Fallback", _fallback(status)) if status.fallback is not None else None,
        _row("Last sync", _last_sync(status)) if status.last_sync_at is not None else None,
        _row("Last error", visible_text(status.last_error.message)) if status.last_error is not None else None,
        _row("Index error", visible_text(index_error)) if index_error is not None else None,
    ]
    heading: Line = [(f"Memory ({visible(status.agent_id)})", "bold")]
    problems: list[Line] = [[("Issue: ", "yellow"), (text, "")] for text in problem_lines(status.problems)]
    return [heading, *(row for row in rows if row is not None), *problems]


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """What was left out or is odd, a sentence each, with the file that it is about."""
    return [sentence(problem) for problem in problems]


def sentence(problem: Problem) -> str:
    """A problem in words; its file goes before it unless it is named already, or is the workspace itself."""
    message = visible(problem.message)
    if problem.path in (None, "", ".") or problem.path in problem.message or visible(problem.path) in message:
        return message
    return f"{visible(problem.path)}: {message}"


def _row(name: str, value: str) -> Line:
    return [(f"{name}: ", "cyan"), (value, "")]


def _index(status: Status) -> str:
    if not status.indexed:
        return f"{tidy(status.db_path)} (none yet)"
    return f"{tidy(status.db_path)} ({_size(status.db_bytes)})"


def _size(number: int) -> str:
    value = float(number)
    for unit in _UNITS:
        if value < _STEP or unit == _UNITS[-1]:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= _STEP
    return f"{number} B"


def _dirty(status: Status) -> str:
    if not status.dirty:
        return "no"
    if not status.indexed:
        return "yes (nothing is indexed yet; run `recollect index`)"
    if status.pending:
        return f"yes ({waiting(status.pending)}; run `recollect index`)"
    return "yes (run `recollect index`)"


def waiting(pending: int) -> str:
    """How many files differ from the index."""
    return f"{counted(pending, 'file')} not in the index as {'it is' if pending == 1 else 'they are'} now"


def _provider(status: Status) -> str:
    asked = visible(status.requested_provider)
    return visible(status.provider) + (f" (asked for: {asked})" if asked != status.provider else "")


def _sources(status: Status) -> str:
    counts = {count.source: count for count in status.source_counts}
    parts = []
    for source in status.sources:
        count = counts.get(source)
        parts.append(
            f"{source} ({counted(count.files, 'file')}, {counted(count.chunks, 'chunk')})" if count else source
        )
    return ", ".join(parts)


def _vector(status: Status, *, verbose: bool) -> list[Line]:
    vector = status.vector
    if not vector.enabled:
        return [_row("Vector", "disabled")]
    rows = [_row("Vector", "ready" if vector.available else "unavailable" if status.indexed else "not yet")]
    if vector.dims is not None:
        rows.append(_row("Vector dims", str(vector.dims)))
    if verbose or vector.path != "in-process":
        rows.append(_row("Vector path", vector.path))
    if vector.extension_path is not None:
        rows.append(_row("Vector extension", tidy(vector.extension_path)))
    if vector.load_error is not None:
        rows.append(_row("Vector error", visible_text(vector.load_error)))
    return rows


def _fts(status: Status) -> str:
    if not status.fts.enabled:
        return "disabled"
    if status.fts.available:
        return "ready"
    return f"unavailable ({visible_text(status.fts.error)})" if status.fts.error else "unavailable"


def _cache(status: Status) -> str:
    cache = status.cache
    if not cache.enabled:
        return "disabled"
    limit = f", at most {cache.max_entries}" if cache.max_entries is not None else ""
    return f"enabled ({cache.entries} {'entry' if cache.entries == 1 else 'entries'}{limit})"


def _probe(status: Status) -> str:
    probe = status.embedding_probe
    if probe is None or probe.ok:
        return "ready"
    return f"unavailable ({visible_text(probe.error)})" if probe.error else "unavailable"


def _fallback(status: Status) -> str:
    if status.fallback is None:
        return ""
    return f"{visible(status.provider)} instead of {visible(status.fallback.from_)} ({visible(status.fallback.reason)})"


def _last_sync(status: Status) -> str:
    reason = f" ({visible(status.last_sync_reason)})" if status.last_sync_reason else ""
    return f"{visible(status.last_sync_at or '')}{reason}"
