"""Small layouts for ranking tests: notes given as chunks of units given as texts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from recollect.protocols import Layout, NoteEntry, Postings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Notes = "Mapping[str, Sequence[Sequence[str]]]"


class Shelf:
    """A layout with the texts behind it: every unit is a line, a note's lines are counted through its chunks; with an
    empty joint, a note is one long line."""

    def __init__(self, notes: Mapping[str, Sequence[Sequence[str]]], joint: str = "\n") -> None:
        self.texts: dict[int, str] = {}
        self.words: list[list[str]] = []
        chunk_note: list[int] = []
        own_line: list[int] = []
        first_unit, note_first = [0], [0]
        unit_chunk: list[int] = []
        unit_note: list[int] = []
        start: list[int] = []
        end: list[int] = []
        line: list[int] = []
        for note, (_, chunks) in enumerate(notes.items()):
            number = 1
            for units in chunks:
                chunk = len(chunk_note)
                chunk_note.append(note)
                own_line.append(number)
                self.texts[chunk] = joint.join(units)
                at = 0
                for text in units:
                    unit_chunk.append(chunk)
                    unit_note.append(note)
                    start.append(at)
                    end.append(at + len(text))
                    line.append(number)
                    self.words.append(text.lower().split())
                    at += len(text + joint)
                    number += len(joint)
                first_unit.append(len(unit_chunk))
            note_first.append(len(unit_chunk))
        sizes = [b - a for a, b in pairwise(first_unit)]
        self.layout = Layout(
            notes=tuple(NoteEntry(path, "memory", 0) for path in notes),
            note_first_unit=_ints(note_first),
            chunk_ids=np.arange(100, 100 + len(chunk_note), dtype=np.int64),
            chunk_note=_ints(chunk_note),
            chunk_start_line=_ints(own_line),
            chunk_end_line=_ints([first + size - 1 for first, size in zip(own_line, sizes, strict=True)]),
            chunk_own_line=_ints(own_line),
            chunk_first_unit=_ints(first_unit),
            unit_chunk=_ints(unit_chunk),
            unit_note=_ints(unit_note),
            unit_start=_ints(start),
            unit_end=_ints(end),
            unit_line=_ints(line),
            unit_end_line=_ints(line),
            unit_length=_ints([len(words) for words in self.words]),
            unit_has_vector=np.zeros(len(unit_chunk), dtype=np.bool_),
        )

    def postings(self, word: str) -> Postings | None:
        """Where a word occurs."""
        units = [unit for unit, words in enumerate(self.words) if word in words]
        if not units:
            return None
        none = np.zeros(len(units), dtype=np.bool_)
        counts = np.array([self.words[unit].count(word) for unit in units], dtype=np.uint8)
        return Postings(_ints(units), counts, none, none)


def _ints(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(values, dtype=np.int32)
