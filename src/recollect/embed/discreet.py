"""An embedder whose answers are checked and whose failures name no secret.

Enters: an embedder that somebody wrote, and the secrets that the settings hold. Leaves: the same embedder; an answer
that is none is a failure, and what a failure says is passed on without the secrets, for it is stored, shown and
logged. Never: a change of a vector or a text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.embed.validate import check_vectors
from recollect.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.protocols import Embedder, EmbedderIdentity

_SHORTEST = 6  # characters: what is shorter is no secret, and would blot out words
_MASK = "***"
# What keys look like, for those that stand in no setting.
_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|pa|key)-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|(?<=[Bb]earer )\S{8,}")


class Discreet:
    """An embedder around another one."""

    def __init__(self, inner: Embedder, secrets: Sequence[str]) -> None:
        self._inner = inner
        # The longer one first: one secret may be a part of another.
        self._secrets = sorted((one for one in secrets if len(one) >= _SHORTEST), key=len, reverse=True)

    @property
    def identity(self) -> EmbedderIdentity:
        """That of the inner embedder."""
        return self._inner.identity

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The inner embedder's rows."""
        try:
            rows = self._inner.embed_documents(texts)
            check_vectors(rows, len(texts), self.identity.dims)
        except ProviderError as error:
            raise self._without_secrets(error) from None
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The inner embedder's vector of a question."""
        try:
            vector = self._inner.embed_query(text)
            check_vectors(vector[None], 1, self.identity.dims)
        except ProviderError as error:
            raise self._without_secrets(error) from None
        return vector

    def _without_secrets(self, error: ProviderError) -> ProviderError:
        return type(error)(self._masked(error.message), hint=self._masked(error.hint))

    def _masked(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _MASK)
        return _LIKE_A_KEY.sub(_MASK, text)
