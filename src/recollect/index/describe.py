"""What is embedded and indexed for a note: more than what is shown. Pure.

Enter: a note's path, text and chunks. Leave: for each chunk a key that covers all that its rows will hold, the texts to
embed, and on demand its row. Words are analysed for rows that are really written, not for chunks that stay.

A unit is embedded with the last two headings above it, because a paragraph alone often does not say what it is about;
a chunk that has one vector for all its units is embedded whole. A note's first unit also answers to what describes the
note: its title, the words of its path, and its date in figures and in words. None of this is ever shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from recollect.protocols import ChunkRow, UnitRow
from recollect.text.dates import date_words, note_date
from recollect.text.frontmatter import title
from recollect.text.hashing import key8, key16
from recollect.text.headings import heading_paths, path_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recollect.types import Chunk, Grain

    Analyse = Callable[[str], Sequence[str]]
    Path = tuple[str, ...]
    Paths = Sequence[tuple[int, Path]]

_EMBEDDED_HEADINGS = 2


class Sketch(Struct, frozen=True, kw_only=True):
    """A chunk as it will stand in the index, but for its analysed words and its vectors."""

    seq: int
    key: bytes
    chunk: Chunk
    text: str  # the own text
    headings: tuple[Path, ...]  # per unit: the path above it, without a heading that it begins with
    note: str  # what describes the note; empty but for the chunk that holds its first unit
    embed_keys: tuple[bytes, ...]  # per vector
    embed_texts: tuple[str, ...]


def describe(
    path: str, text: str, chunks: Sequence[Chunk], grain: Grain, paths: Paths | None = None
) -> tuple[Sketch, ...]:
    """Sketch every chunk of a note. Its heading paths need not be looked for where they are known."""
    if paths is None:
        paths = heading_paths(text)
    note = describe_note(path, text, paths)
    sketches: list[Sketch] = []
    for seq, chunk in enumerate(chunks):
        headings = tuple(path_at(paths, unit.start) for unit in chunk.units)
        embedded = _embedded(text, chunk, headings, paths, grain)
        sketches.append(_sketch(seq, text, chunk, headings, note if chunk.units else "", embedded))
        if chunk.units:
            note = ""
    return tuple(sketches)


def describe_note(path: str, text: str, paths: Paths) -> str:
    """What a note is called and when it was written, one fact a line: title, words of the path, date."""
    day = note_date(path)
    facts = [title(text) or _first_heading(paths), path_words(path)]
    if day is not None:
        facts += [day.isoformat(), date_words(day)]
    return "\n".join(fact for fact in facts if fact)


def path_words(path: str) -> str:
    """A note's folders and name without its ending and without steps upward."""
    parts = [part for part in path.split("/") if part not in {"", ".", ".."}]
    if parts:
        parts[-1] = parts[-1].removesuffix(".md")
    return " ".join(parts)


def embed_text(headings: Sequence[str], text: str, *, depth: int = _EMBEDDED_HEADINGS) -> str:
    """A text with the last headings above it, as the model sees it; empty for a blank text."""
    body = text.strip()
    if not body:
        return ""
    above = " > ".join(headings[-depth:]) if depth else ""
    return f"{above}\n{body}" if above else body


class HeadingTerms(dict["Path", "Sequence[str]"]):
    """The analysed words of heading paths: one path stands above many units, and is analysed once."""

    def __init__(self, analyse: Analyse) -> None:
        super().__init__()
        self._analyse = analyse

    def __missing__(self, path: Path) -> Sequence[str]:
        """Analyse a path that was not asked for before."""
        terms = self[path] = self._analyse("\n".join(path))
        return terms


def row(
    sketch: Sketch, analyse: Analyse, heading_terms: Mapping[Path, Sequence[str]], vectors: NDArray[np.float32] | None
) -> ChunkRow:
    """The chunk's row, with the words of its units analysed."""
    chunk = sketch.chunk
    note_terms = analyse(sketch.note) if sketch.note else ()
    # A chunk embedded whole gives its one key to all its units.
    keys = sketch.embed_keys if len(sketch.embed_keys) == len(chunk.units) else sketch.embed_keys * len(chunk.units)
    units: list[UnitRow] = []
    for unit, headings, key in zip(chunk.units, sketch.headings, keys, strict=True):
        start, end = unit.start - chunk.own_start, unit.end - chunk.own_start
        units.append(
            UnitRow(
                start=start,
                end=end,
                first_line=unit.start_line - chunk.own_start_line,
                last_line=unit.end_line - chunk.own_start_line,
                key=key,
                terms=analyse(sketch.text[start:end]),
                heading_terms=heading_terms[headings],
                note_terms=() if units else note_terms,
            )
        )
    return ChunkRow(
        seq=sketch.seq,
        key=sketch.key,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        own_line=chunk.own_start_line,
        text=sketch.text,
        units=tuple(units),
        vectors=vectors,
    )


def _embedded(text: str, chunk: Chunk, headings: Sequence[Path], paths: Paths, grain: Grain) -> tuple[str, ...]:
    """The texts that get a vector: one a unit, or the chunk as a whole under its full heading path."""
    if grain == "unit":
        pairs = zip(chunk.units, headings, strict=True)
        return tuple(embed_text(above, text[unit.start : unit.end]) for unit, above in pairs)
    above = path_at(paths, chunk.start)
    return (embed_text(above, text[chunk.start : chunk.end], depth=len(above)),)


def _sketch(
    seq: int, text: str, chunk: Chunk, headings: tuple[Path, ...], note: str, embedded: tuple[str, ...]
) -> Sketch:
    own = text[chunk.own_start : chunk.end]
    embed_keys = tuple(key8(embed) for embed in embedded)
    return Sketch(
        seq=seq,
        key=_key(own, chunk, headings, note, embed_keys),
        chunk=chunk,
        text=own,
        headings=headings,
        note=note,
        embed_keys=embed_keys,
        embed_texts=embedded,
    )


def _first_heading(paths: Paths) -> str:
    return next((path[-1] for _, path in paths if path), "")


def _key(own: str, chunk: Chunk, headings: Sequence[Path], note: str, embed_keys: Sequence[bytes]) -> bytes:
    """All that the rows hold but line numbers of the note, which may shift."""
    borders = " ".join(
        f"{unit.start - chunk.own_start} {unit.end - chunk.own_start} "
        f"{unit.start_line - chunk.own_start_line} {unit.end_line - chunk.own_start_line}"
        for unit in chunk.units
    )
    above = (part for path in headings for part in (str(len(path)), *path))
    return key16(own, note, borders, "".join(key.hex() for key in embed_keys), *above)
