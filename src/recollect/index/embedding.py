"""Vectors for texts, paid for once.

Enter: the texts of a batch by key, and a writer for the cache. Leave: their vectors, and in counts and words what was
computed, what was taken from the cache, and what failed.

Never: embeds a blank text, asks again after the provider has gone silent, opens a transaction around a call.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from recollect.errors import ProviderError
from recollect.protocols import CacheKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import Embedder, StoredChunk, StoreWriter
    from recollect.types import Grain

# A remote model is called with so many bytes of UTF-8 at a time (bytes, because tokens are never more than bytes), one
# text alone if it is longer. A local one is quickest with many texts a call.
_REMOTE_BYTES: Final = 8_000
_LOCAL_TEXTS: Final = 4_096

# Tells a text that the provider refuses from a provider that does not answer at all.
_PROBE: Final = "memory"
_PROBE_AFTER: Final = 16  # and again after so many failures in a row


class Embedding:
    """The embedding side of one sync: it counts, and it remembers when the provider went silent."""

    def __init__(self, embedder: Embedder, *, cache: bool) -> None:
        self._embedder = embedder
        self._identity = embedder.identity
        self._cache_key: CacheKey | None = None
        if cache and self._identity.cached:
            self._cache_key = CacheKey(
                provider=self._identity.provider,
                model=self._identity.model,
                provider_key=self._identity.fingerprint,
            )
        self._failures_in_a_row = 0
        self.computed = 0
        self.from_cache = 0
        self.refused: dict[bytes, str] = {}  # by key: why the provider would not embed this text
        self.outage: ProviderError | None = None  # set once the provider no longer answers: no further calls are made

    @property
    def remote(self) -> bool:
        """Whether a call is dear: the model is slow, far away, or costs money."""
        return self._identity.cached

    def silence(self, error: ProviderError) -> None:
        """Make no more calls and leave the cache alone: only vectors that the index holds are of use from here on."""
        self.outage = error
        self._cache_key = None

    def vectors(self, texts: Mapping[bytes, str], writer: StoreWriter) -> dict[bytes, NDArray[np.float32]]:
        """The vectors of as many of these texts as can be had; each finished call is kept in the cache at once."""
        if not texts:
            return {}
        found: dict[bytes, NDArray[np.float32]] = {}
        digests: dict[bytes, bytes] = {}
        if self._cache_key is not None:
            digests = {key: sha256(text.encode(errors="replace")).digest() for key, text in texts.items()}
            cached = writer.cached(self._cache_key, sorted(set(digests.values())))
            # The cache knows provider, model and endpoint, but one model may be asked for vectors of several lengths.
            usable = {digest: row for digest, row in cached.items() if row.size == self._identity.dims}
            found = {key: usable[digest] for key, digest in digests.items() if digest in usable}
            self.from_cache += len(found)
        missing = {key: text for key, text in texts.items() if key not in found and key not in self.refused}
        for keys, rows in self._calls(missing):
            computed = dict(zip(keys, rows, strict=True))
            found.update(computed)
            if self._cache_key is not None:
                writer.cache(self._cache_key, {digests[key]: row for key, row in computed.items()}, None)
        return found

    def rows(
        self, keys: Sequence[bytes], texts: Sequence[str], vectors: Mapping[bytes, NDArray[np.float32]], dims: int
    ) -> NDArray[np.float32] | None:
        """One row per text, zeros for a blank one; None as long as any vector is missing."""
        import numpy as np

        rows = np.zeros((len(keys), dims), dtype=np.float32)
        for row, key, text in zip(rows, keys, texts, strict=True):
            if text:
                vector = vectors.get(key)
                if vector is None:
                    return None
                row[:] = vector.reshape(-1)
        return rows

    def prune(self, writer: StoreWriter, max_entries: int | None) -> None:
        """Drop the oldest vectors of the cache beyond `max_entries`, if this sync put any in."""
        if self._cache_key is not None and max_entries is not None and self.computed:
            writer.cache(self._cache_key, {}, max_entries)

    def _calls(self, texts: Mapping[bytes, str]) -> Iterator[tuple[Sequence[bytes], NDArray[np.float32]]]:
        """Call the model batch by batch. A batch that fails is halved until the text that fails stands alone."""
        waiting = list(_batches(texts, remote=self._identity.cached))
        waiting.reverse()
        while waiting and self.outage is None:
            keys = waiting.pop()
            try:
                rows = self._call([texts[key] for key in keys])
            except ProviderError as error:
                if self._silent():
                    self.outage = error
                elif len(keys) == 1:
                    self.refused[keys[0]] = str(error)
                else:
                    middle = len(keys) // 2
                    waiting += [keys[middle:], keys[:middle]]
            else:
                self._failures_in_a_row = 0
                self.computed += len(keys)
                yield keys, rows

    def _call(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = self._embedder.embed_documents(texts)
        if rows.shape != (len(texts), self._identity.dims):
            raise ProviderError(
                f"The embedding provider answered vectors of shape {rows.shape} for {len(texts)} texts.",
                hint=f"Each text needs one vector of {self._identity.dims} dimensions; check the model.",
            )
        return rows

    def _silent(self) -> bool:
        """Whether the provider fails for a harmless text too: then it is not the text, and asking on is useless."""
        self._failures_in_a_row += 1
        if self._failures_in_a_row % _PROBE_AFTER != 1:
            return False
        try:
            self._call([_PROBE])
        except ProviderError:
            return True
        return False


def take_over(
    stored: Sequence[StoredChunk],
    vectors: Mapping[bytes, NDArray[np.float32]],
    wanted: Iterable[bytes],
    grain: Grain,
) -> dict[bytes, NDArray[np.float32]]:
    """The vectors among a note's that are wanted again, by the key of what was embedded."""
    if grain == "unit":
        return {key: vectors[key] for key in wanted if key in vectors}
    by_embed_key = {key: chunk.key for chunk in stored for key in chunk.unit_keys if chunk.key in vectors}
    return {key: vectors[by_embed_key[key]] for key in wanted if key in by_embed_key}


def _batches(texts: Mapping[bytes, str], *, remote: bool) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for key, text in texts.items():
        length = len(text.encode(errors="replace")) if remote else 0
        if batch and (len(batch) == _LOCAL_TEXTS or size + length > _REMOTE_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(key)
        size += length
    if batch:
        yield batch
