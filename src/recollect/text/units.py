"""The units of a chunk: what a person would quote, what search ranks, what a static table embeds.

In: lines with their kinds, and the own part of a chunk. Out: units in order that hold all of its text that is not
blank. Never: a unit beyond the limit, or one that crosses the part it was asked for. Where a unit ends depends on a
few lines around that place, so an insertion moves few borders.

Lines become atoms, long lines one for each sentence. Atoms become blocks: a heading, a blank line, a list item or a
turn of a conversation begins one. A tiny block joins the next one; a block beyond the limit is shared out evenly.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from recollect.text.blocks import CODE, DEEPEST, FENCE, ITEM, PLAIN, TURN, UNDERLINE
from recollect.text.sentences import best_cut, sentence_ends
from recollect.types import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.text.cost import Meter
    from recollect.text.lines import LineTable

LONGEST = 350  # what a unit may cost
WIDE = 2  # cost: a Han character says about as much as two Latin ones, so a unit of them is about 175 long
_TINY = 100  # a block below this joins the next one
_TINY_BEFORE_TURN = 60  # as before a turn: who said what is better told apart
# A sentence that no unit could hold is cut at a word behind a piece of this cost.
_SHORT_PIECE = 150
_LONG_PIECE = 250

_Atom = tuple[int, int, int, int]  # start, end, first line, last line


class _Block:
    """Atoms that belong together, and the kind of the line that opened them."""

    __slots__ = ("atoms", "kind")

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.atoms: list[_Atom] = []


class UnitCutter:
    """Cuts parts of one note into units; `meter` must count `WIDE` for a wide character."""

    def __init__(self, table: LineTable, kinds: bytearray, meter: Meter) -> None:
        self._text = table.text
        self._lines = table.lines
        self._starts = table.starts
        self._kinds = kinds
        self._meter = meter
        self._plain = self._meter.plain
        self._short = LONGEST // self._meter.heaviest  # so many characters fit a unit whatever they are

    def units(self, start: int, end: int, first_line: int, last_line: int) -> tuple[Unit, ...]:
        """The units of the text [start, end), which stands on these lines."""
        found: list[Unit] = []
        waiting: list[_Atom] = []
        for block in self._blocks(start, end, first_line, last_line):
            atoms = block.atoms
            if waiting:
                tiny = _TINY_BEFORE_TURN if block.kind == TURN else _TINY
                apart = self._cost(waiting[0][0], waiting[-1][1]) >= tiny or block.kind <= DEEPEST
                if apart or self._cost(waiting[0][0], atoms[-1][1]) > LONGEST:
                    found += self._shared_out(waiting)
                else:
                    atoms = waiting + atoms
            waiting = atoms
        if waiting:
            found += self._shared_out(waiting)
        return tuple(found)

    def _blocks(self, start: int, end: int, first_line: int, last_line: int) -> Iterator[_Block]:
        """The blocks of a part, in order. A heading opens one and what follows it belongs to it."""
        block = _Block(PLAIN)
        gap = glued = False
        for line in range(first_line, last_line + 1):
            kind = self._kinds[line - 1]
            if not kind:
                gap = True
                continue
            opens = gap or kind <= DEEPEST or ITEM <= kind <= TURN
            text, begin = self._lines[line - 1], self._starts[line - 1]
            closing = kind == CODE and not text.strip("`~ \t\r")
            if opens and not glued and not closing and block.atoms:
                yield block
                block = _Block(kind)
            elif not block.atoms:
                block.kind = kind
            stop = begin + len(text)
            joins = (glued or closing) and bool(block.atoms)
            if not joins and begin >= start and stop <= end and len(text) <= self._short and not text.isspace():
                block.atoms.append((begin, stop, line, line))  # as most lines are
            else:
                self._add_line(block.atoms, line, max(begin, start), min(stop, end), glued=joins)
            glued = kind <= DEEPEST or kind == FENCE or (kind == UNDERLINE and glued)
            gap = False
        if block.atoms:
            yield block

    def _add_line(self, atoms: list[_Atom], line: int, begin: int, stop: int, *, glued: bool) -> None:
        """Put a line to the others; a glued one belongs to the atom before it wherever that does not get too long."""
        pieces = ((begin, stop),) if self._cost(begin, stop) <= LONGEST else self._sentences(begin, stop)
        for start, end in pieces:
            if glued and self._cost(atoms[-1][0], end) <= LONGEST:
                atoms[-1] = (atoms[-1][0], end, atoms[-1][2], line)
            elif not self._text[start:end].isspace():  # a stretch of spaces in a long line is nobody's text
                atoms.append((start, end, line, line))
            glued = False

    def _sentences(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A long line by sentences; one that is too long is cut at words."""
        for stop in chain(sentence_ends(self._text, start, end), (end,)):
            while self._cost(start, stop) > LONGEST:
                cost = self._meter.at(start)
                earliest = self._meter.reach(cost + _SHORT_PIECE)
                cut = best_cut(self._text, earliest, self._meter.reach(cost + _LONG_PIECE))
                yield start, cut
                start = cut
            if start < stop:
                yield start, stop
                start = stop

    def _shared_out(self, atoms: list[_Atom]) -> Iterator[Unit]:
        """One unit, or as many of about the same length as the limit asks for."""
        start, end, first, last = atoms[0]
        total = self._cost(start, atoms[-1][1])
        if total <= LONGEST:
            yield self._unit(start, atoms[-1][1], first, atoms[-1][3])
            return
        target = total / -(-total // LONGEST)
        for atom in atoms[1:]:
            grown = self._cost(start, atom[1])
            if grown > LONGEST or grown - target > target - self._cost(start, end):
                yield self._unit(start, end, first, last)
                start, first = atom[0], atom[2]
            end, last = atom[1], atom[3]
        yield self._unit(start, end, first, last)

    def _unit(self, start: int, end: int, first_line: int, last_line: int) -> Unit:
        text = self._text[start:end]
        return Unit(
            start=end - len(text.lstrip()),
            end=start + len(text.rstrip()),
            start_line=first_line,
            end_line=last_line,
        )

    def _cost(self, start: int, end: int) -> int:
        return end - start if self._plain else self._meter.at(end) - self._meter.at(start)
