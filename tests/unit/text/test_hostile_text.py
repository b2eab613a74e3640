"""A quadratic step would make these tests hang, a recursive one would make them fail; neither is timed."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.text import frontmatter
from recollect.text.chunking import chunk_note
from recollect.text.headings import heading_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

_MIB = 1 << 20

HOSTILE = {
    "a fence that never closes": "```\n" + "code line here\n" * (_MIB // 15),
    "brackets": "[" * 100_000,
    "quotes on one line": "> " * 50_000,
    "quotes on many lines": "> \n" * 50_000,
    "a list nested deep": "\n".join(f"{' ' * (level % 1000)}- x" for level in range(10_000)),
    "full stops": "." * _MIB,
    "spaces between words": "a" + " " * _MIB + "b",
    "hashes": "#" * _MIB,
    "headings": "# h\n" * (_MIB // 16),
    "backticks": "`" * _MIB,
    "fences": "```\n" * (_MIB // 16),
    "rules": "---\n" * (_MIB // 16),
    "an underline": "title\n" + "=" * _MIB,
    "asterisks": "*" * _MIB,
    "bold without end": ("**a" * 50 + "\n") * 3000,
    "short lines": "x\n" * (_MIB // 8),
    "front matter without end": "---\n" + "a: b\n" * (_MIB // 20),
    "a title of spaces": "---\ntitle:" + " " * _MIB + "\n---\nx",
    "blank lines": "\n" * _MIB + "x" + "\n" * _MIB,
    "Han": "漢" * (_MIB // 4),
    "emoji between letters": "a😀" * (_MIB // 8),
    "lone surrogates": "\ud800" * (_MIB // 8),
}


@pytest.fixture
def shallow_stack() -> Iterator[None]:
    """Little room for recursion: what the test runner needs, and a handful of calls."""
    before = sys.getrecursionlimit()
    depth = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        depth += 1
    sys.setrecursionlimit(depth + 60)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.req("CHUNK-14")
@pytest.mark.usefixtures("shallow_stack")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_note_is_cut_whole(name: str) -> None:
    text = HOSTILE[name]
    chunks = chunk_note(text, tokens=400, overlap=80)
    kept = "".join(text[c.own_start : c.end] for c in chunks)
    body = text[frontmatter.indexed_start(text) :]
    assert re.sub(r"\s+", "", kept) == re.sub(r"\s+", "", body)
    assert max(c.end - c.start for c in chunks) <= 1600
    assert sum(len(path) for _, path in heading_paths(text)) <= len(text)
