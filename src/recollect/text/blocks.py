"""What each line of a note is: blank, heading, list item, turn, fence, code, or plain text.

In: a table of lines. Out: one kind a line. Never: a Markdown parser; just what is needed to find good borders, in one
pass, so that a fence that never closes and a list nested ten thousand deep cost what their lines cost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from recollect.text.lines import LineTable

# Kinds are small integers because there is one for every line of the memory. A heading's kind is its level, 1 to 6.
BLANK: Final = 0
PLAIN: Final = 10
ITEM: Final = 11  # a list item at top level
TURN: Final = 12  # a turn of a conversation: a name and a colon, or a time, as a line or as a list item at top level
FENCE: Final = 13  # the line that opens a fenced block
CODE: Final = 14  # a line inside a fenced block, and the line that closes it
UNDERLINE: Final = 15  # the line of = or - that makes the line above it a heading

DEEPEST: Final = 6

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|\r?$)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"(?:[-*+\u2022\u2013]|[0-9]{1,9}[.)])[ \t]+(?=\S)")
_TIME = re.compile(r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-9]{1,2}:[0-9]{2}\b")
_BOLD_TURN = re.compile(r"(\*\*|__)(?=[^\s*_])(?:(?!\1).){1,60}?(?::\1|\1:)")
_TURN = re.compile(r"[^\W\d_][^:\uff1a*`|<>\[\]{}=]{0,30}(?::[ \t]+|\uff1a[ \t]*)\S")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})[ \t]*\r?")

# How a line begins says which patterns can apply to it; other beginnings are plain.
_MARKS = frozenset("-*+\u2022\u20130123456789[_")
_SPACES = frozenset(" \t\r\f\v\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000")
_TURN_REACH = 80  # all that tells a turn stands here
_NAME_REACH = 33  # where the ": " of a turn may stand at the latest
_INDENT = 3  # four spaces make code, no heading and no fence


def kinds_of(table: LineTable, *, first: int = 0) -> bytearray:
    """The kind of every line, from the line with index `first` on; lines before it count as blank."""
    lines = table.lines
    kinds = bytearray(len(lines))
    fence = ""
    for index in range(first, len(lines)):
        line = lines[index]
        if not line or (line[0] in _SPACES and not line.strip()):
            continue
        if fence:
            kinds[index] = CODE
            if _closes(line, fence):
                fence = ""
        elif line[0] in "=-" and _underlines(lines, kinds, index):
            kinds[index - 1] = 1 if line[0] == "=" else 2
            kinds[index] = UNDERLINE
        else:
            kinds[index], fence = _kind(line)
    return kinds


def _kind(line: str) -> tuple[int, str]:
    """The kind of a line outside fences that is not blank, and the fence that it opens."""
    head = line[0]
    if head in _MARKS:
        item = _ITEM.match(line)
        kind = TURN if _is_turn(line[item.end() :][:_TURN_REACH] if item else line) else ITEM if item else PLAIN
        return kind, ""
    if head in " #`~":
        if len(line) - len(line.lstrip(" ")) > _INDENT:
            return PLAIN, ""
        fence = _opened(line)
        return (FENCE if fence else _level(line) or PLAIN), fence
    return (TURN if _is_turn(line) else PLAIN), ""


def _is_turn(line: str) -> bool:
    head = line[0]
    if head in "*_[" or head.isdigit():
        return bool(_TIME.match(line) or _BOLD_TURN.match(line))
    name = line[:_NAME_REACH]
    return (": " in name or "\uff1a" in name) and _TURN.match(line) is not None


def _level(line: str) -> int:
    found = _HEADING.match(line)
    return len(found[1]) if found else 0


def _opened(line: str) -> str:
    found = _FENCE.match(line)
    return found[1] if found else ""


def _closes(line: str, fence: str) -> bool:
    """Whether a line ends a fenced block: the same mark, at least as often, and nothing else."""
    mark = fence[0]
    if mark not in line[: _INDENT + 1]:
        return False
    found = line.strip()
    return len(found) >= len(fence) and not found.strip(mark)


def _underlines(lines: list[str], kinds: bytearray, index: int) -> bool:
    """Whether this line makes a heading of the one above it: a single plain line between blank ones.

    Longer paragraphs over a rule are left alone: in notes "---" under a paragraph is meant as a rule.
    """
    above = index - 1
    return (
        above >= 0
        and kinds[above] == PLAIN
        and (above == 0 or kinds[above - 1] == BLANK)
        and _UNDERLINE.fullmatch(lines[index]) is not None
    )
