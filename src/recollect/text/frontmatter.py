"""YAML front matter at the top of a note: where it ends, and the title it gives.

In: a note's text. Out: an offset, a title. Never: a YAML parser; what a note's front matter says stays the note's own.
"""

from __future__ import annotations

import re

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
# What may stand in the first line that is not empty: a key, or a comment. A note that merely begins with a rule
# ("---") goes on with prose, and must not lose its first section.
_FIRST_ENTRY = re.compile(r"(?:[ \t]*\r?\n)*(?:#|[^\s:\-#][^:\n]{0,200}:(?=[ \t\r\n]))")
_TITLE = re.compile(r"^title[ \t]*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_LONGEST_TITLE = 200
_QUOTED = 2


def body_start(text: str) -> int:
    """The offset at which a note's body begins: behind its front matter, 0 where there is none."""
    closing = _closing(text)
    if closing is None:
        return 0
    end = closing.end()
    return end + 1 if text.startswith("\n", end) else end


def indexed_start(text: str) -> int:
    """Where the text that is indexed begins. A note that is all front matter is found by it rather than not at all."""
    start = body_start(text)
    return start if text[start:].strip() else 0


def title(text: str) -> str | None:
    """The title that the front matter gives; None: it gives none."""
    closing = _closing(text)
    found = None if closing is None else _TITLE.search(text, 0, closing.start())
    if found is None:
        return None
    value = _unquoted(found[1][:_LONGEST_TITLE].strip())
    return value or None


def _closing(text: str) -> re.Match[str] | None:
    """The line that ends the front matter; None: there is no front matter."""
    if not text.startswith("---"):
        return None
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    empty = not text[opening.end() : closing.start()].strip()
    return closing if empty or _FIRST_ENTRY.match(text, opening.end(), closing.start()) else None


def _unquoted(value: str) -> str:
    if len(value) >= _QUOTED and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].strip()
    return "" if value.startswith(("|", ">", "{", "[", "&", "*")) else value
