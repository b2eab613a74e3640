"""A store that is damaged, emptied, foreign or old: what a reader says, and what the next writer makes of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from recollect.errors import StoreError
from recollect.protocols import SyncState
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_asserts import places_of
from recollect.testing.store_samples import chunk_of, identity_of, logical_digest, update_of, vector_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = [f"word{number}" for number in range(60)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a few dozen chunks, closed."""
    path = tmp_path / "index.sqlite"
    store = SqliteStore(str(path))
    chance = random.Random(1)  # noqa: S311 - sample text
    with store.rebuild() as writer:
        writer.begin(identity_of(dtype="int8"))
        for number in range(12):
            rows = [chunk_of(seq, *[" ".join(chance.choices(WORDS, k=12)) for _ in range(3)]) for seq in range(4)]
            writer.apply([update_of(f"memory/{number}.md", *rows)])
        writer.finish(SyncState(at=1.0, reason="test", problems=(("unreadable", "It cannot be read.", "x.md"),)))
    with store.write() as writer:
        writer.apply([update_of("memory/3.md", chunk_of(0, "later"))])
    store.close()
    return path


def answers_of(store: SqliteStore) -> tuple[object, ...]:
    """All that a store says."""
    return store.read(
        lambda reader: (
            logical_digest(reader),
            reader.identity(),
            reader.files(),
            reader.sync_state(),
            reader.stats().by_source,
            np.round(reader.cosines(vector_of("question")), 4).tobytes(),
            [None if p is None else (p.units.tobytes(), p.counts.tobytes()) for p in reader.postings(WORDS)],
        )
    )


def change(path: Path, *statements: str) -> None:
    """Meddle with the database by hand."""
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def is_made_anew(path: Path, *, kept: bool) -> None:
    """The next writer finds an empty index, fills it, and nothing but the file put aside is left."""
    store = SqliteStore(str(path))
    with store.write() as writer:
        assert store.read(lambda reader: reader.identity()) is None
        writer.begin(identity_of())
        writer.apply([update_of("a.md", chunk_of(0, "alpha"))])
    assert places_of(store, "alpha") == [(0, 1, False, False)]
    assert list(store.verify()) == []
    store.close()
    names = {entry.name for entry in path.parent.iterdir()}
    assert names == {"index.sqlite", "index.sqlite.lock"} | ({"index.sqlite.damaged"} if kept else set())
    assert kept == bool([note for note in store.health().notes if note[0] == "quarantined"])


@pytest.mark.req("STORE-03")
def test_an_empty_file_counts_as_no_index(path: Path) -> None:
    path.write_bytes(b"")
    assert not SqliteStore(str(path)).exists()
    is_made_anew(path, kept=False)


@pytest.mark.req("STORE-03", "STORE-07")
@pytest.mark.parametrize("sidecar", ["-wal", "-journal"])
def test_a_log_beside_a_missing_store_is_never_taken_for_its_own(path: Path, sidecar: str) -> None:
    stale = path.with_name(path.name + sidecar)
    stale.write_bytes(path.read_bytes())
    path.unlink()
    assert not SqliteStore(str(path)).exists()
    is_made_anew(path, kept=False)


@pytest.mark.req("STORE-04")
@pytest.mark.parametrize("content", [b"# A note\n" * 900, b"\x89PNG\r\n\x1a\n" + bytes(9_000)])
def test_a_file_that_is_no_database_is_put_aside_and_made_anew(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged") as caught:
        SqliteStore(str(path)).read(lambda reader: reader.files())
    assert "recollect index" in caught.value.hint
    assert SqliteStore(str(path)).health().fts_error is not None
    is_made_anew(path, kept=True)
    assert path.with_name("index.sqlite.damaged").read_bytes() == content


def _zero_first_page(data: bytes) -> bytes:
    return bytes(4_096) + data[4_096:]


def _cut_to_half(data: bytes) -> bytes:
    return data[: len(data) // 8_192 * 4_096]


def _scramble_late_pages(data: bytes) -> bytes:
    return data[:20_480] + b"\xaa" * (len(data) - 20_480)


@pytest.mark.req("STORE-04")
@pytest.mark.parametrize("harm", [_zero_first_page, _cut_to_half, _scramble_late_pages])
def test_damage_that_a_reader_meets_is_mended_by_the_next_writer(path: Path, harm: Callable[[bytes], bytes]) -> None:
    path.write_bytes(harm(path.read_bytes()))
    store = SqliteStore(str(path))
    with pytest.raises(StoreError, match="damaged") as caught:
        answers_of(store)
    assert "recollect index" in caught.value.hint
    assert str(path) not in str(caught.value)
    assert list(store.verify())
    is_made_anew(path, kept=True)


@pytest.mark.req("STORE-05")
def test_flipped_bits_that_change_an_answer_are_found(path: Path) -> None:
    sound = path.read_bytes()
    wanted = answers_of(SqliteStore(str(path)))
    chance = random.Random(2)  # noqa: S311 - a sample of offsets
    changed = 0
    for _ in range(120):
        flipped = bytearray(sound)
        flipped[chance.randrange(len(sound))] ^= 1 << chance.randrange(8)
        path.write_bytes(flipped)
        store = SqliteStore(str(path))
        try:
            differs = answers_of(store) != wanted
        except StoreError:
            differs = True
        changed += differs
        assert not differs or list(store.verify())
        store.close()
    assert changed > 20


@pytest.mark.req("STORE-05")
def test_a_row_that_vanished_is_found(path: Path) -> None:
    sound = path.read_bytes()
    for table in ("files", "chunks", "chunk_text", "vectors", "segments", "sync_problems"):
        path.write_bytes(sound)
        change(path, f"DELETE FROM {table} WHERE id=(SELECT max(id) FROM {table})")  # noqa: S608 - names above
        assert list(SqliteStore(str(path)).verify()), table
    path.write_bytes(sound)
    change(path, "DELETE FROM postings WHERE first_term=(SELECT max(first_term) FROM postings WHERE segment=1)")
    assert list(SqliteStore(str(path)).verify())


@pytest.mark.req("STORE-05")
def test_a_damaged_text_is_left_out_and_reported(path: Path) -> None:
    wanted = SqliteStore(str(path)).read(lambda reader: reader.texts([1, 4]))
    change(path, "UPDATE chunk_text SET text=x'72616263' WHERE id=1")
    store = SqliteStore(str(path))
    assert store.read(lambda reader: reader.texts([1, 4])) == ("", wanted[1])
    assert store.health().notes[0][0] == "damaged-rows"
    store.close()
    is_made_anew(path, kept=True)


@pytest.mark.req("STORE-05")
def test_what_verify_finds_is_left_for_the_next_writer(path: Path) -> None:
    change(path, "UPDATE files SET size=size+1 WHERE id=2")
    assert list(SqliteStore(str(path)).verify())
    assert "suspect" in [code for code, _ in SqliteStore(str(path)).health().notes]
    is_made_anew(path, kept=True)


@pytest.mark.req("STORE-05")
def test_a_reader_that_trips_over_a_damaged_row_says_damaged(path: Path) -> None:
    change(path, "UPDATE files SET path=x'00' WHERE id=2")
    store = SqliteStore(str(path))
    with pytest.raises(StoreError, match="damaged"):
        store.read(lambda reader: sorted(reader.files()))
    with pytest.raises(ZeroDivisionError):
        SqliteStore(str(path) + "2").read(lambda _: 1 // 0)
    is_made_anew(path, kept=True)


@pytest.mark.req("STORE-05")
def test_what_was_said_of_damaged_rows_goes_when_they_are_mended(path: Path) -> None:
    change(path, "UPDATE chunk_text SET text=x'72616263' WHERE id=1")
    store = SqliteStore(str(path))
    store.read(lambda reader: reader.texts([1]))
    with store.write() as writer:
        writer.begin(identity_of())
    assert [code for code, _ in store.health().notes] == ["quarantined", "put-aside"]


@pytest.mark.req("STORE-06")
@pytest.mark.parametrize(
    "blob", ["x'00'", "zeroblob(24)", "zeroblob(3000)", "'text of some kind'", "12345"], ids=lambda blob: blob[:9]
)
def test_vectors_that_cannot_be_used_are_left_out_and_counted(path: Path, blob: str) -> None:
    change(path, f"UPDATE vectors SET vectors={blob} WHERE id=1")  # noqa: S608 - values above
    store = SqliteStore(str(path))
    cosines = store.read(lambda reader: reader.cosines(vector_of("question")))
    assert np.isnan(cosines[:3]).all()
    assert np.isfinite(cosines[3:]).all()
    if blob != "zeroblob(24)":
        assert [note for note in store.health().notes if note[0] == "vectors-skipped"]


@pytest.mark.req("STORE-06")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38])
def test_scores_are_finite_whatever_stands_in_a_float_vector(tmp_path: Path, value: float) -> None:
    path = tmp_path / "index.sqlite"
    store = SqliteStore(str(path))
    with store.write() as writer:
        writer.begin(identity_of(dtype="float32"))
        writer.apply([update_of("a.md", chunk_of(0, "alpha"), chunk_of(1, "beta"))])
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE vectors SET vectors=? WHERE id=1", (np.full(8, value, dtype="<f4").tobytes(),))
    connection.close()
    cosines = store.read(lambda reader: reader.cosines(vector_of("beta")))
    assert abs(cosines[1] - 1) < 1e-5
    assert np.isnan(cosines[0]) or abs(cosines[0]) <= 1


@pytest.mark.req("STORE-06")
def test_vectors_of_another_model_are_never_mixed_in(path: Path) -> None:
    change(path, "UPDATE vectors SET model=model+1 WHERE id=1")
    store = SqliteStore(str(path))
    assert np.isnan(store.read(lambda reader: reader.cosines(vector_of("question"))))[:3].all()
    assert list(store.verify())


@pytest.mark.req("STORE-06")
def test_a_question_of_other_dimensions_is_noted_with_both_figures(path: Path) -> None:
    store = SqliteStore(str(path))
    store.read(lambda reader: reader.cosines(vector_of("question", 16)))
    assert [message for code, message in store.health().notes if code == "other-dimensions" and "16" in message]


@pytest.mark.req("STORE-08")
def test_a_table_dropped_by_hand_is_said_and_the_index_made_anew(path: Path) -> None:
    change(path, "DROP TABLE postings")
    store = SqliteStore(str(path))
    assert not store.exists()
    assert store.health().fts_error is not None
    store.close()
    is_made_anew(path, kept=False)


@pytest.mark.req("STORE-08")
def test_an_index_of_another_format_is_not_read_and_made_anew(path: Path) -> None:
    change(path, "PRAGMA user_version=99")
    store = SqliteStore(str(path))
    assert not store.exists()
    assert store.health().notes[0][0] == "old"
    store.close()
    is_made_anew(path, kept=False)


@pytest.mark.req("STORE-09")
def test_a_database_of_another_program_is_put_aside_and_never_lost(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    other = apsw.Connection(str(path))
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("CREATE TABLE diary(entry); INSERT INTO diary VALUES('dear diary')")
    store = SqliteStore(str(path))
    assert not store.exists()
    assert store.health().notes[0][0] == "foreign"
    other.close()
    with store.write() as writer:
        writer.begin(identity_of())
    kept = apsw.Connection(str(tmp_path / "index.sqlite.foreign"))
    assert kept.execute("SELECT entry FROM diary").fetchall() == [("dear diary",)]
    kept.close()
    path.write_bytes((tmp_path / "index.sqlite.foreign").read_bytes())
    with pytest.raises(StoreError, match="another program"), store.write():
        pytest.fail("the second one would overwrite the first")
