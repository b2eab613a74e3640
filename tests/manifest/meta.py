"""What must hold of the project itself: its tests, its public surface, its files."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="META-01",
        source="core 1, tests",
        says="Every required behaviour has a test, and every test names the behaviours that it proves.",
    ),
    Requirement(
        id="META-02",
        source="core 2",
        says="The public names are sorted, can be imported one by one, and are told by dir(); a misspelt one is an "
        "AttributeError.",
    ),
    Requirement(
        id="META-03",
        source="core, done when",
        says="No file that is written by hand has more than 400 lines without a reason in CONTRIBUTING.md.",
    ),
    Requirement(
        id="META-04",
        source="core 2",
        says="No Any and no dict stands in a public signature, and every argument and return value is typed.",
    ),
    Requirement(id="META-05", source="core 2", says="Every value that leaves the library is frozen and keyword-only."),
    Requirement(
        id="META-06",
        source="core 8, TARGETS speed",
        says="Importing recollect loads no module of weight; status and get of the library load neither numpy nor the "
        "embedder.",
    ),
    Requirement(
        id="META-07",
        source="core 1",
        says="Every module says in its docstring what it is; the rooms are those of the map.",
    ),
    Requirement(
        id="META-08",
        source="core 1",
        says="The repository holds no path of the machine on which it was written.",
    ),
    Requirement(
        id="META-09",
        source="core 1, tests",
        says="Tests cannot reach the network, the home of whoever runs them, or keys in the environment; warnings "
        "are errors; no test sleeps.",
    ),
    Requirement(
        id="META-10",
        source="core 1",
        says="make knows demo, test, check, bench and clean; test includes check, check runs its four tools, and "
        ".ci/run runs make test.",
    ),
    Requirement(
        id="META-11",
        source="core 1",
        says="Every rule of ruff that is switched off carries its reason, as does every noqa and type: ignore.",
    ),
)
