"""What the whole index was made with. Enter: the embedder's identity and the chunking settings. Leaves: the identity of
the index, and in words how two of them differ. Never touched: the embedder itself, the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from recollect.protocols import IndexIdentity
from recollect.text.version import TEXT_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.protocols import EmbedderIdentity
    from recollect.types import Source

# Raised whenever what `describe` puts into rows, or what the rows mean, changes.
SCHEMA: Final = 1
NO_PROVIDER: Final = "none"


def identity_of(
    embedder: EmbedderIdentity | None, chunk_tokens: int, chunk_overlap: int, sources: Iterable[Source]
) -> IndexIdentity:
    """The identity of an index made with this embedder (None: keywords only) and these settings."""
    return IndexIdentity(
        schema=SCHEMA,
        text=TEXT_VERSION,
        provider=embedder.provider if embedder else NO_PROVIDER,
        model=embedder.model if embedder else "",
        fingerprint=embedder.fingerprint if embedder else "",
        dims=embedder.dims if embedder else 0,
        grain=embedder.grain if embedder else "unit",
        dtype=embedder.dtype if embedder else "int8",
        chunk_tokens=chunk_tokens,
        chunk_overlap=chunk_overlap,
        sources=tuple(sorted(set(sources))),
    )


def difference(old: IndexIdentity, new: IndexIdentity) -> str | None:
    """Why an index made as `old` cannot serve as `new`, in words for a person; None: it can."""
    if old == new:
        return None
    return _in_program(old, new) or _in_embedder(old, new) or _in_settings(old, new)


def same_program(old: IndexIdentity, new: IndexIdentity) -> bool:
    """Whether this program still writes the rows that the old index holds."""
    return _in_program(old, new) is None


def _in_program(old: IndexIdentity, new: IndexIdentity) -> str | None:
    if old.schema != new.schema:
        return f"the layout of the index changed from version {old.schema} to {new.schema}"
    if old.text != new.text:
        return f"the way text is cut and analysed changed from version {old.text} to {new.text}"
    return None


def _in_embedder(old: IndexIdentity, new: IndexIdentity) -> str | None:
    if old.provider != new.provider:
        return f"the embedding provider changed from {old.provider} to {new.provider}{_dimensions(old, new)}"
    if old.model != new.model:
        models = f"from {old.model or 'none'} to {new.model or 'none'}"
        return f"the embedding model changed {models}{_dimensions(old, new)}"
    if old.fingerprint != new.fingerprint:
        return "the embedding endpoint or model file is another one"
    if old.dims != new.dims:
        return f"the vectors changed from {old.dims} to {new.dims} dimensions"
    if (old.grain, old.dtype) != (new.grain, new.dtype):
        return f"vectors are now kept one a {new.grain} as {new.dtype}, not one a {old.grain} as {old.dtype}"
    return None


def _dimensions(old: IndexIdentity, new: IndexIdentity) -> str:
    return f" ({old.dims} to {new.dims} dimensions)" if old.dims != new.dims and old.dims and new.dims else ""


def _in_settings(old: IndexIdentity, new: IndexIdentity) -> str:
    if (old.chunk_tokens, old.chunk_overlap) != (new.chunk_tokens, new.chunk_overlap):
        return (
            f"chunking changed from {old.chunk_tokens} tokens with {old.chunk_overlap} overlap "
            f"to {new.chunk_tokens} with {new.chunk_overlap}"
        )
    return f"the sources changed from {', '.join(old.sources)} to {', '.join(new.sources)}"
