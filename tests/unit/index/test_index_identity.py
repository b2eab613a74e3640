from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace

from recollect.index.identity import difference, identity_of, same_program
from recollect.protocols import EmbedderIdentity, IndexIdentity

EMBEDDER = EmbedderIdentity(
    provider="offline",
    model="en-1",
    fingerprint="abc",
    dims=128,
    grain="unit",
    dtype="int8",
    cached=False,
    trust=0.25,
)


def made(embedder: EmbedderIdentity | None = EMBEDDER) -> IndexIdentity:
    return identity_of(embedder, 400, 80, ("memory",))


@pytest.mark.req("SYNC-20")
def test_what_does_not_change_vectors_is_no_part_of_the_identity() -> None:
    assert made(replace(EMBEDDER, cached=True, trust=0.9)) == made()
    assert identity_of(EMBEDDER, 400, 80, ("sessions", "memory", "sessions")) == identity_of(
        EMBEDDER, 400, 80, ("memory", "sessions")
    )
    assert difference(made(), made()) is None


@pytest.mark.req("SYNC-20")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 99}, "layout of the index changed"),
        ({"text": 99}, "the way text is cut and analysed changed"),
        ({"provider": "openai"}, "provider changed from offline to openai"),
        ({"model": "en-2"}, "model changed from en-1 to en-2"),
        ({"fingerprint": "def"}, "endpoint or model file is another one"),
        ({"dims": 256}, "from 128 to 256 dimensions"),
        ({"grain": "chunk"}, "one a chunk as int8, not one a unit as int8"),
        ({"dtype": "float32"}, "one a unit as float32, not one a unit as int8"),
        ({"chunk_tokens": 200}, "from 400 tokens with 80 overlap to 200 with 80"),
        ({"chunk_overlap": 0}, "from 400 tokens with 80 overlap to 400 with 0"),
        ({"sources": ("memory", "sessions")}, "sources changed from memory to memory, sessions"),
    ],
)
def test_every_difference_is_said_in_words(change: dict[str, object], words: str) -> None:
    new = IndexIdentity(**(asdict(made()) | change))

    assert words in str(difference(made(), new))
    assert same_program(made(), new) == (not change.keys() & {"schema", "text"})


@pytest.mark.req("SYNC-20")
def test_every_field_of_an_identity_is_looked_at() -> None:
    for field, value in asdict(made()).items():
        other = ("sessions",) if field == "sources" else 99 if isinstance(value, int) else "other"
        assert difference(made(), IndexIdentity(**(asdict(made()) | {field: other})))


@pytest.mark.req("SYNC-25")
def test_an_index_without_an_embedder_has_an_identity_of_its_own() -> None:
    assert (made(None).provider, made(None).dims) == ("none", 0)
    assert "from none to offline" in str(difference(made(None), made()))
