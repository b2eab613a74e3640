"""The pages about the product, taken apart: fenced blocks, commands, links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("**/*.md"))]
ALL_PAGES = [
    *PAGES,
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "models/README.md",
]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path, *languages: str) -> list[Block]:
    """The fenced blocks of a page in these languages."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page.name, text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _FENCE.finditer(text)
        if found[1] in languages
    ]


def commands(*pages: Path) -> list[str]:
    """The lines of the shell blocks, without their comments, in the order in which a reader meets them."""
    lines = (
        line for page in pages for block in blocks(page, "sh", "shell", "bash") for line in block.text.splitlines()
    )
    return [command for line in lines if (command := re.sub(r"(^|\s)#\s.*$", "", line).strip())]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))
