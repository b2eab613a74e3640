"""What must hold of the embed room: the offline table, its tokenizer, the choice of a provider, the doubles."""

from __future__ import annotations

from manifest import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        id="EMBED-01",
        source="core 6",
        says="The tokenizer cuts every text as the reference does.",
        divergence="`[CLS]` and its like in a text are plain text: a note that speaks of them is no markup.",
    ),
    Requirement(
        id="EMBED-02",
        source="core 6",
        says="The tokenizer takes any text in linear time and bounded memory.",
    ),
    Requirement(
        id="EMBED-03",
        source="core 6",
        says="A table file has a version and a digest; a damaged, cut, foreign or newer one is refused in a sentence.",
    ),
    Requirement(
        id="EMBED-04",
        source="core 6",
        says="The digest of the table is part of what makes vectors comparable, and is told without loading the table.",
    ),
    Requirement(
        id="EMBED-05",
        source="core 6",
        says="Semantic search works offline: texts that mean the same are nearer than texts that do not.",
    ),
    Requirement(
        id="EMBED-06",
        source="core 6",
        says="A text that is mostly outside the table's vocabulary gets a row of zeros: no vector and no vote.",
    ),
    Requirement(
        id="EMBED-07",
        source="core 6; behaviour 1.6, Auto",
        says="`auto` looks for a local model file, then OpenAI, Gemini, Voyage, Mistral by key, then takes `offline`.",
        divergence="None of the former is available yet: each one that would have been taken is named as passed over. "
        "Without a key the seeds switch vectors off; here `offline` takes their place.",
    ),
    Requirement(
        id="EMBED-08",
        source="core 6",
        says="`none` means keyword search on purpose, without a problem.",
    ),
    Requirement(
        id="EMBED-09",
        source="core 6; behaviour 1.6, Explicit",
        says="A provider asked for by name that cannot be had is a clear error, or its named fallback with the reason.",
        divergence="Only `offline` can be fallen back upon until the other providers exist.",
    ),
    Requirement(
        id="EMBED-10",
        source="hardening, embeddings",
        says="An answer with the wrong count, dimensions, type or a number that is not finite is refused.",
    ),
    Requirement(
        id="EMBED-11",
        source="core 1",
        says="The testing room has a deterministic hashed-word embedder that ranks sensibly and counts its work.",
    ),
    Requirement(
        id="EMBED-12",
        source="core 1",
        says="The testing room can inject failures: failing calls, failing texts, wrong shapes, numbers that are none.",
    ),
    Requirement(
        id="EMBED-13",
        source="core 1",
        says="Every embedder passes one contract suite.",
    ),
    Requirement(
        id="EMBED-14",
        source="core 6",
        says="The recipe makes a table from the model's weights with numpy alone, the same from the same input.",
    ),
    Requirement(
        id="EMBED-15",
        source="core 8",
        says="Choosing and naming an embedder loads neither numpy nor the table, which is loaded once in a process.",
    ),
)
