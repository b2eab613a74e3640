from __future__ import annotations

import pytest

from recollect.text.chunking import chunk_note
from recollect.text.headings import heading_paths, path_at


def path(text: str, word: str) -> tuple[str, ...]:
    return path_at(heading_paths(text), text.index(word))


NOTE = """before
# Network #
one
### Leases ###   \r
second
## Wi-Fi
three
#nothashed
####### eight
#\tTabbed
four
#
five
 ## Indented
six
    # code
seven
"""


@pytest.mark.req("HEADING-01")
@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("before", ()),
        ("# Network", ()),
        ("one", ("Network",)),
        ("### Leases", ("Network",)),
        ("second", ("Network", "Leases")),
        ("## Wi-Fi", ("Network",)),
        ("three", ("Network", "Wi-Fi")),
        ("#nothashed", ("Network", "Wi-Fi")),
        ("#\tTabbed", ()),
        ("four", ("Tabbed",)),
        ("five", ()),
        ("six", ("Indented",)),
        ("seven\n", ("Indented",)),
    ],
)
def test_each_place_has_the_path_above_it(word: str, expected: tuple[str, ...]) -> None:
    assert path(NOTE, word) == expected


@pytest.mark.req("HEADING-01")
def test_a_chunk_has_the_path_that_holds_where_its_own_text_begins() -> None:
    section = "\n".join(f"Entry {number} of this section is a plain line." for number in range(60))
    text = f"# Network\n\n## Leases\n\n{section}"
    first, second, *_ = chunk_note(text, tokens=400, overlap=80)
    assert first.headings == ()
    assert second.headings == ("Network", "Leases")


@pytest.mark.req("HEADING-01")
def test_a_text_without_headings_has_no_paths() -> None:
    assert heading_paths("plain\ntext") == ()
    assert path_at((), 5) == ()


@pytest.mark.req("HEADING-02")
@pytest.mark.parametrize(
    "fenced",
    [
        "```\n# no\n```\n",
        "~~~ sh\n# no\n```\n# no\n~~~~\n",
        "````\n```\n# no\n````  \r\n",
        "  ```py\n# no\n\n# no\n  ```\n",
    ],
)
def test_code_has_no_headings(fenced: str) -> None:
    text = f"# Yes\n{fenced}end\n# Other\nlast"
    assert path(text, "end") == ("Yes",)
    assert path(text, "last") == ("Other",)


@pytest.mark.req("HEADING-02")
def test_a_fence_that_never_closes_reaches_to_the_end() -> None:
    assert path("# Yes\n```\n# no\nend", "end") == ("Yes",)


@pytest.mark.req("HEADING-02")
def test_inline_code_opens_no_fence() -> None:
    assert path("# Yes\n```x``` and ```y```\n## Below\nend", "end") == ("Yes", "Below")


@pytest.mark.req("HEADING-02")
def test_front_matter_has_no_headings() -> None:
    assert path("---\n# a comment\ntitle: x\n---\nend", "end") == ()


@pytest.mark.req("HEADING-03")
def test_a_heading_of_a_megabyte_is_repeated_only_in_part() -> None:
    text = "# " + "word " * 200_000 + "\nend"
    (title,) = path(text, "end")
    assert len(title) <= 200


@pytest.mark.req("HEADING-04")
def test_underlined_lines_are_headings() -> None:
    text = "Network\n=======\n\none\n\nLeases\n---\n\nsecond\n"
    assert path(text, "one") == ("Network",)
    assert path(text, "second") == ("Network", "Leases")
    assert path(text, "Leases") == ("Network",)


@pytest.mark.req("HEADING-04")
@pytest.mark.parametrize(
    "text", ["a\nb\n---\nend", "a\n\n---\n\nend", "- a\n---\nend", "| a |\nb\n---\nend", "a\n--\nend"]
)
def test_rules_make_no_heading(text: str) -> None:
    assert path(text, "end") == ()
