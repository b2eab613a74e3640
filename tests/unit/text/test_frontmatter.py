from __future__ import annotations

import pytest

from recollect.text.chunking import chunk_note
from recollect.text.frontmatter import body_start, title

FRONT = "---\ntitle: The router\ntags: [a, b]\n---\n"


@pytest.mark.req("FRONT-01")
@pytest.mark.parametrize("front", [FRONT, FRONT.replace("\n", "\r\n"), "---\n---\n", "---  \n\n# note\na: b\n...\n"])
def test_the_body_begins_behind_the_front_matter(front: str) -> None:
    assert body_start(front + "# Network\n") == len(front)


@pytest.mark.req("FRONT-01")
def test_front_matter_is_in_no_chunk_and_lines_keep_their_numbers() -> None:
    (chunk,) = chunk_note(f"{FRONT}\nThe lease is an hour.\n", tokens=400, overlap=80)
    assert (chunk.start_line, chunk.end_line, chunk.start) == (6, 7, len(FRONT) + 1)
    many = chunk_note(FRONT + "word " * 1000, tokens=400, overlap=80)
    assert min(c.start for c in many) == len(FRONT)


@pytest.mark.req("FRONT-02")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\ntitle: never closed\n",
        "---\nA first section in prose.\n\n---\nA second one.",
        "---\n- an item: with a colon\n---\n",
        "----\ntitle: x\n---\n",
        " ---\ntitle: x\n---\n",
        "text\n---\ntitle: x\n---\n",
    ],
)
def test_what_is_no_front_matter_is_text(text: str) -> None:
    assert body_start(text) == 0
    assert title(text) is None


@pytest.mark.req("FRONT-03")
@pytest.mark.parametrize("rest", ["", "\n", "  \n\n"])
def test_a_note_that_is_all_front_matter_is_indexed_by_it(rest: str) -> None:
    text = FRONT.rstrip("\n") + rest
    (chunk,) = chunk_note(text, tokens=400, overlap=80)
    assert "The router" in text[chunk.units[0].start : chunk.units[0].end]


@pytest.mark.req("FRONT-04")
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("title: The router", "The router"),
        ("Title :  'The router'  \r", "The router"),
        ('tags: [a]\ntitle: "Router: leases"', "Router: leases"),
        ("subtitle: no\nname: x", None),
        ("title:", None),
        ("title: >\n  folded", None),
        ("a: b", None),
    ],
)
def test_the_title_is_the_entry_of_that_name(entry: str, expected: str | None) -> None:
    assert title(f"---\n{entry}\n---\ntitle: not this\n") == expected
