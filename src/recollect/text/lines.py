r"""Where lines begin: the way between offsets and line numbers.

In: a note's text. Out: offsets and 1-based line numbers. Lines are separated by "\n" and by nothing else, so that a
number means the same line to an editor, to `sed` and to a citation; a "\r" is part of its line.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, repeat
from operator import add

from msgspec import Struct


class LineTable(Struct, frozen=True, kw_only=True, eq=False):
    r"""A note's text by lines. A text that ends in "\n" has an empty last line, as editors show it."""

    text: str
    lines: list[str]  # without their "\n"
    starts: list[int]  # one more than there are lines: the last is where a further line would begin

    @classmethod
    def of(cls, text: str) -> LineTable:
        """The lines of a text."""
        lines = text.split("\n")
        starts = list(accumulate(map(add, map(len, lines), repeat(1)), initial=0))
        return cls(text=text, lines=lines, starts=starts)

    def line_at(self, offset: int) -> int:
        r"""The number of the line that holds this character; a "\n" belongs to the line that it ends."""
        return min(max(bisect_right(self.starts, offset), 1), len(self.lines))

    def start(self, line: int) -> int:
        """The offset of a line's first character."""
        return self.starts[line - 1]

    def end(self, line: int) -> int:
        r"""The offset behind a line's last character, its "\n" left out."""
        return self.starts[line] - 1
