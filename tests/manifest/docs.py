"""What must hold of the words about the product: what they say is so, and all of it is said."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="DOC-01",
        source="core 1, README",
        says="Every command of the shell in the README and in docs/ runs as it stands, or names a target of make or a "
        "step of installing that exists.",
    ),
    Requirement(id="DOC-02", source="core 1, README", says="Every Python snippet and every example runs as it stands."),
    Requirement(
        id="DOC-03", source="core 1, README", says="The README names every command and every option that there is."
    ),
    Requirement(
        id="DOC-04",
        source="core 1, README; core 3",
        says="Every setting, default and JSON5 example in the README is one that the program knows.",
    ),
    Requirement(
        id="DOC-05",
        source="core 1, make demo",
        says="The demo indexes the sample notes and answers three questions with citations, one of them in words that "
        "the notes do not use; it writes nothing outside a temporary folder and leaves nothing there.",
    ),
    Requirement(
        id="DOC-06", source="core 1", says="Every link between the documents leads to a file or heading that exists."
    ),
    Requirement(
        id="DOC-08",
        source="core 1, README, limits",
        says="The README leads to every page of docs/, and the limits that they name are those that hold.",
    ),
    Requirement(
        id="DOC-07",
        source="core, done when",
        says="Who follows the README in an empty home, from the first command to the last, arrives.",
    ),
)
