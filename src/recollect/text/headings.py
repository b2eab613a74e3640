"""The headings under which each place of a note stands.

In: a note's text. Out: heading paths, outermost first. Never: headings inside fenced code or front matter. A path
begins to hold behind its heading: the heading itself stands under its ancestors only, because its words are in the
text that begins with it.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING

from recollect.text import frontmatter
from recollect.text.blocks import DEEPEST, UNDERLINE, kinds_of
from recollect.text.lines import LineTable

if TYPE_CHECKING:
    from collections.abc import Sequence

Path = tuple[str, ...]

_OFFSET = itemgetter(0)
_LONGEST = 200  # a heading goes into every chunk below it: a line of a megabyte must not


def heading_paths(text: str) -> Sequence[tuple[int, Path]]:
    """The places where the heading path of a text changes, as (offset, path), by ascending offset."""
    if "#" not in text and "\n===" not in text and "\n---" not in text:
        return ()
    table = LineTable.of(text)
    return paths_of(table, kinds_of(table, first=table.line_at(frontmatter.indexed_start(text)) - 1))


def path_at(paths: Sequence[tuple[int, Path]], offset: int) -> Path:
    """The heading path that holds at an offset."""
    place = bisect_right(paths, offset, key=_OFFSET)
    return paths[place - 1][1] if place else ()


def paths_of(table: LineTable, kinds: bytearray) -> list[tuple[int, Path]]:
    """As heading_paths, for a text whose lines are known already."""
    found: list[tuple[int, Path]] = []
    levels: list[tuple[int, str]] = []
    for index, kind in enumerate(kinds):
        if not 1 <= kind <= DEEPEST:
            continue
        while levels and levels[-1][0] >= kind:
            levels.pop()
        found.append((table.starts[index], tuple(title for _, title in levels if title)))
        levels.append((kind, _title(table.lines[index])))
        below = index + 2 if kinds[index + 1 : index + 2] == bytes((UNDERLINE,)) else index + 1
        found.append((table.starts[below], tuple(title for _, title in levels if title)))
    return found


def _title(line: str) -> str:
    """A heading's words, without the marks in front and the closing ones behind."""
    words = line[: _LONGEST * 2].strip().lstrip("#").strip()
    bare = words.rstrip("#")
    if not bare or bare[-1].isspace():
        words = bare
    return words.strip()[:_LONGEST].rstrip()
