from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.describe import HeadingTerms, Sketch, describe, embed_text, path_words, row
from recollect.text.chunking import chunk_note
from recollect.text.tokens import Analyzer

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.protocols import ChunkRow
    from recollect.types import Grain

NOTE = """# Cellar

Notes about wine.

## Racks

### North

The north rack holds Riesling. It wants cool nights.

### South

Everything red lies here.
"""
PATH = "memory/projects/2026-02-10-cellar.md"


def sketches(text: str = NOTE, path: str = PATH, *, tokens: int = 400, grain: Grain = "unit") -> tuple[Sketch, ...]:
    return describe(path, text, chunk_note(text, tokens=tokens, overlap=20), grain)


def row_of(sketch: Sketch, analyse: Callable[[str], list[str]]) -> ChunkRow:
    return row(sketch, analyse, HeadingTerms(analyse), None)


def embedded(text: str = NOTE, *, grain: Grain = "unit", tokens: int = 400) -> list[str]:
    return [one for sketch in sketches(text, grain=grain, tokens=tokens) for one in sketch.embed_texts]


@pytest.mark.req("SYNC-50")
def test_a_unit_is_embedded_with_the_last_two_headings_above_it() -> None:
    texts = embedded("# A\n\n## B\n\n### C\n\n" + "Riesling wants cool nights. " * 20)

    assert any(text.startswith("B > C\nRiesling") for text in texts)


@pytest.mark.req("SYNC-50")
def test_a_heading_is_not_said_twice_of_the_unit_that_begins_with_it() -> None:
    racks = next(text for text in embedded() if "north rack" in text)

    assert racks.count("North") == 1


@pytest.mark.req("SYNC-50")
def test_a_chunk_with_one_vector_is_embedded_whole_under_all_its_headings() -> None:
    text = "# A\n\n## B\n\n### C\n\n" + "\n".join(f"Line {n} about Riesling and cool nights." for n in range(40))
    last = sketches(text, tokens=60, grain="chunk")[-1]
    chunk = last.chunk

    assert last.embed_texts == (f"A > B > C\n{text[chunk.start : chunk.end].strip()}",)
    assert chunk.start < chunk.own_start  # the overlap is embedded too
    built = row_of(last, str.split)
    assert {unit.key for unit in built.units} == set(last.embed_keys)


@pytest.mark.req("SYNC-30")
@pytest.mark.parametrize("text", ["", " \t\n", "\n\n"])
def test_a_blank_text_has_nothing_to_embed(text: str) -> None:
    assert embed_text(("A", "B"), text) == ""


@pytest.mark.req("SYNC-51")
def test_the_first_unit_answers_to_title_path_and_date() -> None:
    analyse = Analyzer().terms
    rows = [row_of(sketch, analyse) for sketch in sketches(tokens=20)]
    units = [unit for built in rows for unit in built.units]

    assert set(analyse("Cellar projects Tuesday 10 February 2026 2026-02-10")) <= set(units[0].note_terms)
    assert len(rows) > 1
    assert not any(unit.note_terms for unit in units[1:])


@pytest.mark.req("SYNC-51")
def test_the_title_of_the_front_matter_goes_before_the_first_heading() -> None:
    first = sketches("---\ntitle: Wine diary\n---\n# Cellar\n\nText.\n")[0]

    assert first.note.splitlines()[0] == "Wine diary"


@pytest.mark.req("SYNC-51")
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("MEMORY.md", "MEMORY"),
        ("memory/people/ana.md", "memory people ana"),
        ("../notes/x.md", "notes x"),
        ("a.md/b.md", "a.md b"),
    ],
)
def test_the_words_of_a_path_leave_out_ending_and_steps_upward(path: str, words: str) -> None:
    assert path_words(path) == words


@pytest.mark.req("SYNC-52")
def test_offsets_and_lines_of_a_row_count_from_its_own_text() -> None:
    for sketch in sketches(tokens=20):
        built = row_of(sketch, str.split)
        lines = NOTE.split("\n")
        for unit, source in zip(built.units, sketch.chunk.units, strict=True):
            assert built.text[unit.start : unit.end] == NOTE[source.start : source.end]
            assert built.own_line + unit.first_line == source.start_line
            assert built.text[unit.start : unit.end].split("\n")[0] in lines[built.own_line + unit.first_line - 1]
            assert list(unit.terms) == NOTE[source.start : source.end].split()


@pytest.mark.req("SYNC-52")
def test_lines_inserted_above_change_no_key_below() -> None:
    below = "\n".join(f"## Part {n}\n\n" + f"Sentence {n} about racks. " * 30 + "\n" for n in range(20))
    before = {sketch.key for sketch in sketches("# Top\n\n" + below)}
    after = {sketch.key for sketch in sketches("# Top\n\nTwo more\n\nlines.\n\n" + below)}

    assert len(after - before) <= 2


@pytest.mark.req("SYNC-52")
@pytest.mark.parametrize("grain", ["unit", "chunk"])
@pytest.mark.parametrize(
    "other",
    [
        {"text": NOTE.replace("cool", "warm")},
        {"text": NOTE.replace("## Racks", "## Shelves")},
        {"text": NOTE.replace("Notes about", "Notes  about")},
        {"path": "memory/projects/2026-02-11-cellar.md"},
        {"path": "memory/2026-02-10-cellar.md"},
    ],
)
def test_whatever_the_rows_hold_is_in_the_key(other: dict[str, str], grain: Grain) -> None:
    ours = sketches(grain=grain)
    theirs = describe(
        other.get("path", PATH),
        other.get("text", NOTE),
        chunk_note(other.get("text", NOTE), tokens=400, overlap=20),
        grain,
    )
    analyse = Analyzer().terms

    def held(sketch: Sketch) -> tuple[object, ...]:
        built = row_of(sketch, analyse)
        return built.text, built.units

    assert [held(sketch) for sketch in ours] != [held(sketch) for sketch in theirs]
    assert {sketch.key for sketch in ours} != {sketch.key for sketch in theirs}


WORDS = st.lists(
    st.sampled_from(["# A\n", "## B\n", "\n", "red wine\n", "- item\n", "```\n", "Ana: yes\n"]), max_size=30
)


@pytest.mark.req("SYNC-52")
@given(WORDS, WORDS, st.sampled_from(["unit", "chunk"]))
def test_equal_keys_mean_equal_rows(one: list[str], two: list[str], grain: Grain) -> None:
    rows: dict[bytes, tuple[object, ...]] = {}
    for text in ("".join(one), "".join(two), "".join(one + two)):
        for sketch in sketches(text, tokens=8, grain=grain):
            built = row_of(sketch, str.split)
            held = built.text, built.units, sketch.embed_texts
            assert rows.setdefault(built.key, held) == held
