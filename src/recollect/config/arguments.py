"""The arguments with which a program opens a memory, checked for their kind.

What enters: whatever was given. What leaves: paths as text, or an ArgumentError that says what is wanted. Never: a
look at the disk, or a call of what was given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from recollect.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.types import Source


def path_of(value: object, name: str) -> str | None:
    """A path that was given, as text."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if path is not None and not isinstance(path, str):
        raise ArgumentError(f"{name} must be a path.", hint=f'Give a text or a pathlib.Path, as in {name}="~/notes".')
    return path


def check_kinds(config: object, embedder: object, clock: object) -> None:
    """Arguments of another kind are found here, not where they are first used."""
    if config is not None and not isinstance(config, Mapping):
        hint = 'Write config={"query": {"maxResults": 10}}; a file is named with config_file=.'
        raise ArgumentError("config must be a mapping of memorySearch settings.", hint=hint)
    verbs = ("embed_documents", "embed_query")
    if embedder is not None and not all(callable(getattr(embedder, verb, None)) for verb in verbs):
        hint = "It needs identity, embed_documents and embed_query; a provider is chosen with memorySearch.provider."
        raise ArgumentError("embedder must be an embedder.", hint=hint)
    if clock is not None and not callable(clock):
        raise ArgumentError("clock must be a function that tells the time.", hint="Try clock=time.time.")


def sources_of(sources: Sequence[Source] | None) -> tuple[Source, ...] | None:
    """The sources that a question is limited to; None for no limit."""
    if sources is None:
        return None
    if isinstance(sources, str) or not isinstance(sources, Iterable):
        raise ArgumentError('sources must be a list, such as ["memory"].', hint="Sources are memory and sessions.")
    for source in sources:
        if source not in ("memory", "sessions"):
            raise ArgumentError(f"{source!r} is not a source.", hint="Sources are memory and sessions.")
    return tuple(sources)
