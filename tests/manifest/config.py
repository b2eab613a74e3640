"""Required behaviours of the settings."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS = (
    Requirement("CONFIG-01", "conformance 10", "Without settings every default is the seeds'."),
    Requirement(
        "CONFIG-02",
        "conformance 10",
        "`enabled` false switches the memory off, also for one agent alone.",
        divergence="The seeds resolve to null; here the settings say `enabled` false, so that the rest can be shown.",
    ),
    Requirement("CONFIG-03", "conformance 10", "The overlap stays below the chunk size; one agent may override both."),
    Requirement(
        "CONFIG-04",
        "conformance 10",
        "Weights are clamped to 0..1 and divided by their sum.",
        divergence="The seeds turn 0 and 0 into .7 and .3; here it is an error (bad input CF-007), for it says that "
        "nothing counts.",
    ),
    Requirement("CONFIG-05", "conformance 10", "Multiplier, lambda, half life and least score are moved into bounds."),
    Requirement("CONFIG-06", "conformance 10", "Transcripts are a source only with the experimental flag."),
    Requirement("CONFIG-07", "conformance 10", "`{agentId}` in the store's path is replaced everywhere."),
    Requirement("CONFIG-08", "conformance 10, SO-018", "maxEntries: a fraction is 1, 0 is off, less is an error."),
    Requirement("CONFIG-09", "conformance 10", "extraPaths of all layers add up, trimmed, each once."),
    Requirement("CONFIG-10", "conformance 10", "There are remote settings only where a remote provider may be used."),
    Requirement("CONFIG-11", "conformance 10", "An agent inherits, key by key, what it does not set."),
    Requirement("CONFIG-12", "behaviour 1.2", "A model's name loses its provider's prefix; empty means the default."),
    Requirement("CONFIG-13", "seed 000, Configuration", "Every key of the seeds is accepted."),
    Requirement("CONFIG-14", "core 3", "An unknown key is an error that names its path and the nearest valid key."),
    Requirement("CONFIG-15", "core 3", "A wrong type or a bad value is an error that names its path."),
    Requirement("CONFIG-16", "core 3", "Sections that are none of our business are left alone."),
    Requirement("CONFIG-17", "core 3", "Settings whose feature does not exist yet are accepted and reported."),
    Requirement("CONFIG-18", "core 3", "The file is found by argument, environment, state directory, in that order."),
    Requirement(
        "CONFIG-19",
        "core 3",
        "A workspace's own file sets harmless keys only, as the memorySearch object or by "
        "that name; whatever else is in it, mistakes too, is reported and stops nothing.",
    ),
    Requirement("CONFIG-20", "core 3", "The workspace is chosen in the documented order, and it is said which."),
    Requirement("CONFIG-21", "core 3", "Every effective value is shown with where it comes from, and never a key."),
    Requirement(
        "CONFIG-22",
        "bad inputs CF-*",
        "Bad settings end as the catalogue says.",
        divergence="`redactPatterns` (CF-021, CF-022) is refused as unknown: transcripts are not indexed yet.",
    ),
    Requirement("CONFIG-23", "bad inputs CF-024", "A bad settings file is an error with line and column, not a crash."),
    Requirement("CONFIG-24", "behaviour 1.6", "A key comes from remote.apiKey, the file's providers, the environment."),
    Requirement(
        "CONFIG-25", "bad inputs CF-012, CF-013", "An endpoint is http(s), and no metadata or private address."
    ),
    Requirement("CONFIG-26", "core 3", "The page on settings and the JSON Schema name every setting."),
    Requirement("CONFIG-27", "core 8", "Without a settings file no parser is loaded."),
    Requirement("CONFIG-28", "bad inputs CF-018", "An agent's name cannot lead the index file elsewhere."),
    Requirement("CONFIG-29", "design, Pure rooms", "Resolving is pure: what it gives, given back, gives the same."),
    Requirement("CONFIG-30", "seed 000, Memory", '`plugins.slots.memory` "none" switches the memory off.'),
    Requirement(
        "CONFIG-31",
        "seed 000, What gets indexed",
        "The index lies at <state>/memory/<agentId>.sqlite unless store.path says otherwise.",
        divergence="so for the configured workspace only; any other folder has an index of its own beside it, or two "
        "projects with the same agent would empty one another's index at every search",
    ),
    Requirement(
        "CONFIG-32",
        "product, the files are the truth",
        "store.path is refused where a note is or would be looked for: no name in .md, no place in memory/ or in an "
        "extra path.",
    ),
    Requirement(
        "CONFIG-33",
        "product, errors say what to do",
        "A mistake names the settings file with its folder, the home as `~`, and never somebody's home.",
    ),
    Requirement(
        "CONFIG-34",
        "product, nothing is written where nobody asked for it",
        "A HOME that is empty or relative is not used: the system's own home of the user is, or it is an error.",
    ),
)
