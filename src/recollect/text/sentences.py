"""Where a long line may be cut: behind a sentence, else behind a word, else anywhere.

In: a text and the range in which a cut is wanted. Out: an offset. Never: a cut inside a range that the caller did not
name, and no grammar: an abbreviation may end a piece, which does no harm.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Latin, Greek, Arabic and Indic marks end a sentence before white space; East Asian ones need none behind them.
# The repetitions of marks are bounded, so that a megabyte of full stops is read in linear time.
_END = re.compile(
    "[.!?\u2026\u037e\u061f\u06d4\u0964\u0965\u1362\u203d]{1,8}[\"'\u2019\u201d\u00bb)\\]*_]{0,4}\\s+"
    "|[\u3002\uff01\uff1f\uff0e\uff61]{1,8}[\u300d\u300f\u2019\u201d\uff09\u3011]{0,4}\\s*"
)
_GAP = re.compile(r"\s+")


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """The offsets behind the sentences of a range, the white space that follows them included."""
    return (found.end() for found in _END.finditer(text, start, end))


def best_cut(text: str, earliest: int, latest: int) -> int:
    """The last good place to cut in [earliest, latest]: behind a sentence, else behind a word, else `latest`."""
    cut = 0
    # Looking back lets a mark count that stands just before the range.
    for found in sentence_ends(text, max(earliest - 2, 0), latest):
        cut = found
    if cut >= earliest:
        return cut
    for gap in _GAP.finditer(text, earliest, latest):
        cut = gap.end()
    return cut if cut >= earliest else latest


def first_cut(text: str, earliest: int, latest: int) -> int:
    """The first good place to begin at in [earliest, latest]: a sentence, else a word, else `earliest`."""
    for found in sentence_ends(text, earliest, latest):
        if found < latest:
            return found
    for gap in _GAP.finditer(text, earliest, latest):
        if gap.end() < latest:
            return gap.end()
    return earliest
