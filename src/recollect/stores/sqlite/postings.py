"""Postings as bytes: which units a term occurs in, how often, and whether in what describes them.

Enters: analysed terms of numbered units, or stored lists. Leaves: one list of bytes per term, in the terms' order,
or arrays. Pure; numpy is imported where arrays are made. Never a loop in Python over postings.

A list: width (1 byte; 0x80: all postings carry the same flags), first unit (4), the steps to the next units (width
bytes each), the flags (one byte per posting, or one for all).
Flags: occurrences in the unit's own text (31 at most) << 3 | in a heading << 0 | describes the note << 1.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from recollect.stores.sqlite.blocks import Lists

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

IN_HEADING = 1
IN_NOTE = 2
COUNT_SHIFT = 3
MAX_COUNT = 31

_HEADER = 5  # width and first unit
_UNIFORM = 0x80
_LONGEST_TERM = 1_000
_NARROW = 31  # bits of a number that fits int32
_PART = 1_000_000  # occurrences that are sorted at once
_OWN, _HEADING, _NOTE = 0, 1, 2  # kinds of occurrence, two bits


class EncodedSegment(NamedTuple):
    """A segment or a part of it, ready to be written."""

    lists: Lists
    postings: int


NOTHING = EncodedSegment(Lists((), b"", ()), 0)


class DecodedLists(NamedTuple):
    """Many lists at once: list i holds units[starts[i]:starts[i + 1]], ascending."""

    starts: NDArray[np.int64]
    units: NDArray[np.int64]
    flags: NDArray[np.uint8]


class _Vocabulary(dict[str, int]):
    """Gives every new term the next number; `names` are the terms in that order."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, term: str) -> int:
        clean = storable(term)
        if clean == term:
            number = len(self.names)
            self.names.append(term)
        else:
            number = self[clean]
        self[term] = number
        return number


class SegmentBuilder:
    """Gathers the terms of units and makes one segment of them. Units are added in ascending order."""

    def __init__(self) -> None:
        self._vocabulary = _Vocabulary()
        self._terms = array("i")
        self._lengths = array("i")
        self._places = array("q")  # unit << 2 | kind, one for each run of terms
        self._heading: Sequence[str] = ()
        self._heading_terms = array("i")
        self.units = 0
        self.first_unit = 0
        self.last_unit = 0

    @property
    def occurrences(self) -> int:
        """How many terms were added."""
        return len(self._terms)

    def add(self, unit: int, own: Sequence[str], heading: Sequence[str], note: Sequence[str]) -> None:
        """Add the terms of one unit."""
        if not self.units:
            self.first_unit = unit
        self.units += 1
        self.last_unit = unit
        number_of = self._vocabulary.__getitem__
        if own:
            self._terms.extend(map(number_of, own))
            self._lengths.append(len(own))
            self._places.append(unit << 2 | _OWN)
        if heading:
            if heading is not self._heading:  # the units of a section come with one list
                self._heading, self._heading_terms = heading, array("i", map(number_of, heading))
            self._terms.extend(self._heading_terms)
            self._lengths.append(len(heading))
            self._places.append(unit << 2 | _HEADING)
        if note:
            self._terms.extend(map(number_of, note))
            self._lengths.append(len(note))
            self._places.append(unit << 2 | _NOTE)

    def build(self) -> Iterator[EncodedSegment]:
        """All that was added, as lists in the order of their terms; in parts, so that memory stays small."""
        if not self._terms:
            return
        import numpy as np

        names = self._vocabulary.names
        in_order = sorted(range(len(names)), key=names.__getitem__)
        rank = np.empty(len(names), dtype=np.int32)
        rank[in_order] = np.arange(len(names), dtype=np.int32)
        ranks = rank[np.frombuffer(self._terms, dtype=np.int32)]
        places = np.frombuffer(self._places, dtype=np.int64) - (self.first_unit << 2)
        bits = int((self.last_unit - self.first_unit + 1) << 2).bit_length()
        narrow = places.astype(np.int32 if bits <= _NARROW else np.int64)
        places = np.repeat(narrow, np.frombuffer(self._lengths, dtype=np.int32))
        for low, high in _parts(np.cumsum(np.bincount(ranks, minlength=len(names)))):
            chosen = slice(None) if high - low == len(names) else np.flatnonzero((ranks >= low) & (ranks < high))
            keys = ranks[chosen].astype(np.int64) << bits
            keys |= places[chosen]
            yield self._encoded(keys, bits, [names[i] for i in in_order[low:high]])

    def _encoded(self, keys: NDArray[np.int64], bits: int, names: Sequence[str]) -> EncodedSegment:
        """The lists of these terms, from one key (rank of the term, unit, kind) for each occurrence."""
        import numpy as np

        keys.sort()
        kinds = keys & 3
        keys >>= 2
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        flags = _flags(kinds, starts)
        keys = keys[starts]
        units = (keys & ((1 << (bits - 2)) - 1)) + self.first_unit
        return EncodedSegment(encode(names, _starts_of_runs(keys >> (bits - 2)), units, flags), len(units))


def _parts(occurrences: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Ranges of terms with about so many occurrences that a part takes little memory; `occurrences` is their sum up to
    each term."""
    low, done = 0, 0
    while low < len(occurrences):
        high = max(low + 1, int(occurrences.searchsorted(done + _PART, side="right")))
        yield low, high
        low, done = high, int(occurrences[high - 1])


def _flags(kinds: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """One byte for each posting: `starts` says where its occurrences begin among `kinds`, which ascend within it."""
    import numpy as np

    ends = np.append(starts[1:], len(kinds))
    before = np.concatenate(([0], np.cumsum(kinds == _OWN)))
    counts = np.minimum(before[ends] - before[starts], MAX_COUNT)
    before = np.concatenate(([0], np.cumsum(kinds == _HEADING)))
    heading = before[ends] > before[starts]
    note = kinds[ends - 1] == _NOTE
    flags: NDArray[np.uint8] = (counts << COUNT_SHIFT | heading * IN_HEADING | note * IN_NOTE).astype(np.uint8)
    return flags


def _starts_of_runs(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each run of equal values begins, and the end of all."""
    import numpy as np

    return np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1, [len(values)]))


def encode(
    terms: Sequence[str], starts: NDArray[np.int64], units: NDArray[np.int64], flags: NDArray[np.uint8]
) -> Lists:
    """The lists as bytes: list i is of terms[i] and holds units[starts[i]:starts[i + 1]], ascending."""
    import numpy as np

    heads, counts = starts[:-1], np.diff(starts)
    steps = np.diff(units, prepend=units[:1])
    steps[heads] = 0
    widest = np.maximum.reduceat(steps, heads)
    widths = np.where(widest < 1 << 8, 1, np.where(widest < 1 << 16, 2, 4))
    uniform = np.maximum.reduceat(flags, heads) == np.minimum.reduceat(flags, heads)
    ends = np.cumsum(_HEADER + (counts - 1) * widths + np.where(uniform, 1, counts))
    offsets = np.concatenate(([0], ends[:-1]))
    out = np.zeros(ends[-1], dtype=np.uint8)
    out[offsets] = widths | np.where(uniform, _UNIFORM, 0)
    _put(out, offsets + 1, units[heads], 4)
    inner = np.ones(len(units), dtype=bool)
    inner[heads] = False
    inner_widths = np.repeat(widths, counts)
    # where the first step of each posting's list would lie if the list's first unit had one
    origin = np.repeat(offsets + _HEADER - widths - heads * widths, counts)
    for width in (1, 2, 4):
        chosen = np.flatnonzero(inner & (inner_widths == width))
        _put(out, origin[chosen] + chosen * width, steps[chosen], width)
    at_flags = offsets + _HEADER + (counts - 1) * widths
    out[at_flags[uniform]] = flags[heads[uniform]]
    varied = np.flatnonzero(np.repeat(~uniform, counts))
    out[np.repeat(at_flags - heads, counts)[varied] + varied] = flags[varied]
    return Lists(terms, out.tobytes(), ends.tolist())


def _put(out: NDArray[np.uint8], at: NDArray[np.int64], values: NDArray[np.int64], width: int) -> None:
    for byte in range(width):
        out[at + byte] = values >> (8 * byte) & 0xFF


def decode(stored: bytes) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """One list as units, ascending, and flags."""
    import numpy as np

    width, room = stored[0] & ~_UNIFORM, len(stored) - _HEADER
    is_uniform = stored[0] >= _UNIFORM
    count = (room - 1) // width + 1 if is_uniform else (room + width) // (width + 1)
    units = np.empty(count, dtype=np.int64)
    units[0] = int.from_bytes(stored[1:_HEADER], "little")
    np.cumsum(np.frombuffer(stored, dtype=f"<u{width}", count=count - 1, offset=_HEADER), out=units[1:])
    units[1:] += units[0]
    at_flags = _HEADER + (count - 1) * width
    if is_uniform:
        return units, np.full(count, stored[at_flags], dtype=np.uint8)
    return units, np.frombuffer(stored, dtype=np.uint8, count=count, offset=at_flags)


def decode_many(lists: Sequence[bytes]) -> DecodedLists:
    """Many lists in a few array operations, whatever their number."""
    import numpy as np

    body = np.frombuffer(b"".join(lists), dtype=np.uint8)
    sizes = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    offsets = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    kinds = body[offsets].astype(np.int64)
    widths, uniform = kinds & ~_UNIFORM, kinds >= _UNIFORM
    room = sizes - _HEADER
    counts = np.where(uniform, (room - 1) // widths + 1, (room + widths) // (widths + 1))
    starts = np.concatenate(([0], np.cumsum(counts)))
    heads = starts[:-1]
    steps = np.empty(int(starts[-1]), dtype=np.int64)
    inner = np.ones(len(steps), dtype=bool)
    inner[heads] = False
    inner_widths = np.repeat(widths, counts)
    origin = np.repeat(offsets + _HEADER - widths - heads * widths, counts)
    for width in (1, 2, 4):
        chosen = np.flatnonzero(inner & (inner_widths == width))
        steps[chosen] = _take(body, origin[chosen] + chosen * width, width)
    steps[heads] = 0
    climbed = np.cumsum(steps)
    units = climbed + np.repeat(_take(body, offsets + 1, 4) - climbed[heads], counts)
    at_flags = np.repeat(offsets + _HEADER + (counts - 1) * widths, counts)
    within = np.arange(len(units)) - np.repeat(heads, counts)
    flags = body[at_flags + np.where(np.repeat(uniform, counts), 0, within)]
    return DecodedLists(starts, units, flags)


def _take(body: NDArray[np.uint8], at: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    import numpy as np

    values = np.zeros(len(at), dtype=np.int64)
    for byte in range(width):
        values |= body[at + byte].astype(np.int64) << (8 * byte)
    return values


def merge(rows: Sequence[tuple[str, bytes]], living: NDArray[np.bool_], first_unit: int) -> EncodedSegment:
    """Lists of several segments as one segment, without the units that are dead. `rows` ascend by term;
    living[u - first_unit] says whether unit u lives."""
    import numpy as np

    if not rows:
        return NOTHING
    lists = decode_many([stored for _, stored in rows])
    number_of = _Vocabulary()
    numbers = np.fromiter((number_of[term] for term, _ in rows), dtype=np.int64, count=len(rows))
    of_term = np.repeat(numbers, np.diff(lists.starts))
    keep = np.flatnonzero(living[lists.units - first_unit])
    of_term, units, flags = of_term[keep], lists.units[keep], lists.flags[keep]
    order = np.argsort(of_term << 32 | units, kind="stable")
    of_term, units, flags = of_term[order], units[order], flags[order]
    if not len(units):
        return NOTHING
    starts = _starts_of_runs(of_term)
    names = number_of.names
    return EncodedSegment(encode([names[i] for i in of_term[starts[:-1]].tolist()], starts, units, flags), len(units))


def storable(term: str) -> str:
    """A term as a database takes it: a lone surrogate, which no text that was read can hold, becomes U+FFFD, and of a
    word that nobody would type the beginning is enough."""
    if len(term) > _LONGEST_TERM:
        term = term[:_LONGEST_TERM]
    return term if term.isascii() else term.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
