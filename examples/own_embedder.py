"""Bring a model of your own: anything that turns texts into rows of numbers.

    python examples/own_embedder.py

This one counts letters, which is no good at all and takes no explaining. It keeps its index in a temporary folder.
"""

# ruff: noqa: INP001, T201 - a script that prints
from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from recollect import Memory
from recollect.protocols import EmbedderIdentity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NOTES = Path(__file__).parent / "workspace"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class LetterCounter:
    """One row for each text, of length 1; a row of zeros says "I know nothing about this text"."""

    identity = EmbedderIdentity(
        provider="letters",
        model="letters-1",
        fingerprint="1",  # change it when new vectors cannot be compared with old ones
        dims=len(LETTERS),
        grain="chunk",  # "unit" for a model so quick that every paragraph may have a vector
        dtype="float32",
        cached=True,  # keep vectors: yours may cost money
        trust=0.2,  # how much its cosine counts against the words: measure it
    )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of notes."""
        rows = np.array([[text.lower().count(letter) for letter in LETTERS] for text in texts], dtype=np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question."""
        row: NDArray[np.float32] = self.embed_documents([text])[0]
        return row


def main() -> None:
    """Ask the sample notes with it."""
    with tempfile.TemporaryDirectory() as state, Memory(NOTES, state_dir=state, embedder=LetterCounter()) as memory:
        report = memory.sync()
        print(f"{report.files_added} notes, {report.embedded} vectors")
        result = memory.search("who plays the trombone?", max_results=1)
        print(result.mode, result.model, [hit.citation for hit in result])


if __name__ == "__main__":
    main()
