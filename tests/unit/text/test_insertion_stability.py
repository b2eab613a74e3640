from __future__ import annotations

import random
import statistics
from typing import TYPE_CHECKING

import pytest

from recollect.text.chunking import chunk_note

if TYPE_CHECKING:
    from collections.abc import Callable

_VOCABULARY = [
    *("memory", "agent", "plain", "file", "search", "line", "budget", "redis", "deploy", "router", "owner", "decided"),
    *("the", "a", "of", "in", "and", "must", "cite", "lives", "tuesday", "because", "rollback", "invoice", "delta"),
]
_INSERTED = "A line that was not there before\nand a second one below it\n"
_SAMPLES = 25


def dice_of(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same notes in every run, no secret


def words(dice: random.Random, least: int, most: int) -> str:
    return " ".join(dice.choices(_VOCABULARY, k=dice.randint(least, most)))


def plain_lines(dice: random.Random, count: int) -> list[str]:
    return [words(dice, 4, 16) for _ in range(count)]


def log_lines(dice: random.Random, count: int) -> list[str]:
    return [f"- {dice.randint(0, 23):02}:{dice.randint(0, 59):02} {words(dice, 5, 25)}" for _ in range(count)]


def turns(dice: random.Random, count: int) -> list[str]:
    return [f"**{('User', 'Assistant')[turn % 2]}:** {words(dice, 5, 80)}\n" for turn in range(count // 2)]


def paragraphs(dice: random.Random, count: int) -> list[str]:
    return ["\n".join(words(dice, 8, 14) for _ in range(dice.randint(1, 6))) + "\n" for _ in range(count // 4)]


def sections(dice: random.Random, count: int) -> list[str]:
    return [
        line
        for _ in range(count // 12)
        for line in (f"{'#' * dice.choice((1, 2, 2, 3))} {words(dice, 1, 4)}\n", *paragraphs(dice, dice.randint(8, 50)))
    ]


def repeated_headings(dice: random.Random, count: int) -> list[str]:
    return [f"## {dice.choice(('User', 'Assistant'))}\n\n{words(dice, 5, 60)}\n\n---\n" for _ in range(count // 6)]


def long_lines(dice: random.Random, count: int) -> list[str]:
    return [words(dice, 30, 120) for _ in range(count // 3)]


NOTES = [plain_lines, log_lines, turns, paragraphs, sections, repeated_headings, long_lines]


def changed(before: str, after: str, tokens: int, overlap: int) -> int:
    """How many chunks would have to be embedded again."""
    known = {before[c.start : c.end] for c in chunk_note(before, tokens=tokens, overlap=overlap)}
    return sum(after[c.start : c.end] not in known for c in chunk_note(after, tokens=tokens, overlap=overlap))


@pytest.mark.req("CHUNK-11")
@pytest.mark.parametrize(("tokens", "overlap"), [(400, 80), (200, 40)])
@pytest.mark.parametrize("lines", NOTES)
def test_two_lines_at_the_top_change_one_chunk_and_seldom_two(
    lines: Callable[[random.Random, int], list[str]],
    tokens: int,
    overlap: int,
) -> None:
    counts = []
    for seed in range(_SAMPLES):
        dice = dice_of(seed)
        note = "\n".join(lines(dice, dice.randint(200, 600)))
        counts.append(changed(note, _INSERTED + note, tokens, overlap))
    assert statistics.median(counts) == 1
    assert sum(count > 2 for count in counts) <= _SAMPLES // 8
    assert max(counts) <= 4


@pytest.mark.req("CHUNK-11")
def test_two_lines_in_the_middle_change_few_chunks() -> None:
    counts = []
    for seed in range(_SAMPLES):
        dice = dice_of(seed)
        note = plain_lines(dice, 400)
        after = note.copy()
        after.insert(dice.randint(0, 400), _INSERTED)
        counts.append(changed("\n".join(note), "\n".join(after), 400, 80))
    assert statistics.median(counts) <= 2
    assert max(counts) <= 4


@pytest.mark.req("CHUNK-11")
def test_equal_lines_change_two_chunks_at_most() -> None:
    note = "\n".join(["- the same line again and again"] * 500)
    assert changed(note, _INSERTED + note, 400, 80) <= 2


@pytest.mark.req("CHUNK-12")
@pytest.mark.parametrize("lines", NOTES)
def test_chunks_are_well_filled(lines: Callable[[random.Random, int], list[str]]) -> None:
    sizes = []
    for seed in range(_SAMPLES):
        dice = dice_of(seed)
        note = "\n".join(lines(dice, dice.randint(200, 600)))
        sizes += [c.end - c.start for c in chunk_note(note, tokens=400, overlap=80)]
    assert statistics.mean(sizes) > 0.6 * 1600
