"""Make the corpus "docs": English technical documentation as Markdown files, 1,000 or 5,000 of them.

It is made of whatever documentation this machine carries (Markdown, reStructuredText and plain text below the
interpreter, node's packages and /usr/share/doc), cut into files at blank lines; where that is too little, of made-up
text of the same shape. The same machine gives the same corpus.
"""

from __future__ import annotations

import os
import random
import sys
import sysconfig
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIZES = {1000: 9_400_000, 5000: 39_000_000}
_ROOTS = (sys.base_prefix, sysconfig.get_paths()["purelib"], "/usr/share", "/usr/lib", "/usr/local/lib")
_ENDINGS = (".md", ".rst", ".txt")


def make(folder: Path, files: int) -> tuple[int, str]:
    """Write the corpus below folder/memory; its size in bytes, and where the text came from."""
    memory = folder / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    each = SIZES[files] // files
    source, total, made = "documentation on this machine", 0, 0
    parts = _parts(each)
    for made, text in enumerate(parts, 1):
        total += _write(memory, made, text)
        if made == files:
            break
    if made < files:
        source = f"documentation on this machine ({made} files), the rest made up"
        for number in range(made + 1, files + 1):
            total += _write(memory, number, _made_up(number, each))
    return total, source


def _write(memory: Path, number: int, text: str) -> int:
    data = text.encode()
    part = memory / f"part-{number % 50:02}"
    part.mkdir(exist_ok=True)
    (part / f"doc-{number:05}.md").write_bytes(data)
    return len(data)


def _parts(each: int) -> Iterator[str]:
    """Pieces of about `each` characters, cut at blank lines, every paragraph once."""
    seen: set[int] = set()
    held: list[str] = []
    size = wanted = 0
    for path in _documents():
        with open(path, encoding="utf-8", errors="ignore") as file:
            paragraphs = file.read(2_000_000).split("\n\n")
        for paragraph in paragraphs:
            mark = zlib.crc32(paragraph.encode())
            if mark in seen or len(paragraph) > each or not paragraph.strip() or not _is_prose(paragraph):
                continue
            seen.add(mark)
            held.append(paragraph)
            size += len(paragraph.encode()) + 2
            if size >= wanted + each:
                yield "\n\n".join(held) + "\n"
                held, wanted = [], wanted + each


def _is_prose(paragraph: str) -> bool:
    letters = sum(map(str.isalpha, paragraph[:400]))
    return letters > 0.6 * len(paragraph[:400])


def _documents() -> Iterator[str]:
    done: set[str] = set()
    for root in _ROOTS:
        for folder, folders, names in os.walk(os.path.realpath(root)):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(_ENDINGS) and path not in done and os.path.getsize(path) > 1000:
                    done.add(path)
                    yield path


def _made_up(number: int, each: int) -> str:
    chance = random.Random(number)  # noqa: S311  # a corpus, no secret
    words = [f"{chance.choice('bcdfglmprst')}{chance.choice('aeiou')}{n:x}" for n in range(4000)]
    lines, size = [f"# Document {number}"], 0
    while size < each:
        sentence = " ".join(words[min(int(chance.paretovariate(0.9)), 3999)] for _ in range(chance.randint(6, 18)))
        lines.append(sentence.capitalize() + ".")
        size += len(sentence) + 2
        if chance.random() < 0.2:
            lines.append("")
        if chance.random() < 0.03:
            lines += ["", f"## Section {chance.randint(1, 99)}", ""]
    return "\n".join(lines) + "\n"
