"""Blocks of posting lists: some hundred terms with their lists in one row, because most terms occur once or twice.

Enters: terms in order with their lists. Leaves: rows (first term, bytes), and from such a row a term's list again.
Pure. A block: checksum (4 bytes, of segment, first term and all that follows), a letter (1; "z": the rest is deflated,
"r": it is not), and the rest: number of terms (2), where each term ends (2 each), where each list ends (4 each), the
terms, the lists. A term so frequent that its list is a block by itself is not deflated: it is read too often.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from recollect.stores.sqlite.driver import DamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Bytes; a block is at most as long as this, or holds one term. Deflated it is a little longer than a page of 8,192
# bytes, which SQLite keeps as one full page and a rest beside the key: few bytes are lost.
TARGET = 19_000
_HEAD = struct.Struct("<H")
_AT_LETTER, _AT_REST = 4, 5
_PER_TERM = 6  # what the head holds of each term

BlockRow = tuple[str, bytes]
ListRow = tuple[str, bytes]


class Lists(NamedTuple):
    """Encoded lists of terms, in the order of the terms: list i ends at ends[i] in `body`."""

    terms: Sequence[str]
    body: bytes
    ends: Sequence[int]


def pack(segment: int, lists: Lists) -> Iterator[BlockRow]:
    """The lists as blocks."""
    names = [term.encode() for term in lists.terms]
    # how much room all terms up to this one take, this one included
    taken = [
        end + so_far for end, so_far in zip(lists.ends, accumulate(len(n) + _PER_TERM for n in names), strict=True)
    ]
    low = start = 0
    while low < len(names):
        high = max(low + 1, bisect_right(taken, (taken[low - 1] if low else 0) + TARGET, low))
        end = lists.ends[high - 1]
        yield (
            lists.terms[low],
            _block(segment, names[low:high], [one - start for one in lists.ends[low:high]], lists.body[start:end]),
        )
        low, start = high, end


def _block(segment: int, names: Sequence[bytes], ends: Sequence[int], body: bytes) -> bytes:
    name_ends, count = accumulate(map(len, names)), len(names)
    rest = struct.pack(f"<H{count}H{count}I", count, *name_ends, *ends) + b"".join(names) + body
    stored = b"r" + rest
    if count > 1:
        packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
        stored = b"z" + packer.compress(rest) + packer.flush()
    return _checksum(segment, names[0], stored) + stored


def _checksum(segment: int, first: bytes, rest: bytes) -> bytes:
    return zlib.crc32(rest, zlib.crc32(first, segment & 0xFFFF_FFFF)).to_bytes(4, "little")


class Block:
    """A stored block. Raises DamagedError for one that is not as it was written."""

    def __init__(self, segment: int, first: str, stored: bytes) -> None:
        if len(stored) <= _AT_REST or stored[:4] != _checksum(segment, first.encode(), stored[_AT_LETTER:]):
            raise DamagedError(
                "Words of the index are damaged.",
                hint="Run `recollect index`: it makes the index anew from your notes.",
            )
        rest = stored[_AT_REST:]
        self._rest = zlib.decompress(rest, -zlib.MAX_WBITS) if stored[_AT_LETTER] == ord("z") else rest
        self.count: int = _HEAD.unpack_from(self._rest)[0]
        self._name_ends = struct.unpack_from(f"<{self.count}H", self._rest, _HEAD.size)
        self._names_at = _HEAD.size + _PER_TERM * self.count
        self._lists_at = self._names_at + (self._name_ends[-1] if self.count else 0)

    def find(self, term: str) -> bytes | None:
        """The list of a term; None when the block does not hold it."""
        wanted, low, high = term.encode(), 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self._name(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == self.count or self._name(low) != wanted:
            return None
        at = _HEAD.size + 2 * self.count + 4 * low
        end = int.from_bytes(self._rest[at : at + 4], "little")
        start = int.from_bytes(self._rest[at - 4 : at], "little") if low else 0
        return self._rest[self._lists_at + start : self._lists_at + end]

    def rows(self) -> list[ListRow]:
        """All terms with their lists."""
        ends = struct.unpack_from(f"<{self.count}I", self._rest, _HEAD.size + 2 * self.count)
        found, name_at, list_at = [], self._names_at, self._lists_at
        for name_end, list_end in zip(self._name_ends, ends, strict=True):
            name = self._rest[name_at : self._names_at + name_end]
            found.append((name.decode(), self._rest[list_at : self._lists_at + list_end]))
            name_at, list_at = self._names_at + name_end, self._lists_at + list_end
        return found

    def _name(self, number: int) -> bytes:
        start = self._name_ends[number - 1] if number else 0
        return self._rest[self._names_at + start : self._names_at + self._name_ends[number]]
