"""One bit of the index is another: whoever met that, one plain sync mends it; and what a writer that died left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.errors import StoreError
from recollect.stores.sqlite.store import SqliteStore
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.protocols import StoreReader

_OFFSETS = 30  # in the suite
_STEP = 512  # in the soak
_FORMAT_IN_HEADER = (18, 19, 47, 59, 63, 71)  # of the file, the schema, the text; version and owner
_WORDS = ("riesl", "tomato", "bird", "week")

_DYING = """
import sys, time
from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_samples import chunk_of, identity_of, update_of

with SqliteStore(sys.argv[1]).rebuild() as writer:
    writer.begin(identity_of())
    writer.apply([update_of("a.md", chunk_of(0, "alpha"))])
    print("at work", flush=True)
    sys.stdin.read()
"""


def _rig(tmp_path: Path) -> tuple[Rig, Path]:
    path = tmp_path / "state" / "index.sqlite"
    rig = Rig(tmp_path, SqliteStore(str(path)))
    for number in range(14):
        weeks = "\n\n".join(f"## Week {week}\n\nBird {number * week} was seen. Tomatoes grow." for week in range(9))
        rig.workspace.write(f"memory/{number}.md", f"# Note {number}\n\nThe north rack holds Riesling.\n\n{weeks}\n")
    rig.indexer().sync()
    rig.store.close()
    return rig, path


def _reopen(rig: Rig, path: Path) -> None:
    rig.store.close()
    rig.store.inner = SqliteStore(str(path))


def _flipped(sound: bytes, offset: int) -> bytes:
    data = bytearray(sound)
    data[offset] ^= 1 << (offset // 512 + offset) % 8
    return bytes(data)


def _met(rig: Rig) -> bool:
    """Ask as a search does, which goes on without what cannot be read; whether damage was met."""

    def sides(reader: StoreReader) -> bool:
        met = False
        for side in (
            lambda: reader.postings(_WORDS),
            lambda: reader.cosines(rig.query()),
            lambda: reader.texts(reader.layout().chunk_ids.tolist()),
        ):
            try:
                side()
            except StoreError:
                met = True
        return met

    try:
        rig.indexer().pending()
        met = rig.store.read(sides)
    except StoreError:
        met = True
    return met or "suspect" in [code for code, _ in rig.store.health().notes]


def _is_mended(tmp_path: Path, offsets: range | tuple[int, ...] | None, *, verify: bool) -> int:
    """Flip a bit, look, sync once, compare; how often damage was met."""
    rig, path = _rig(tmp_path)
    wanted, sound = contents(rig.store), path.read_bytes()
    step = max(1, len(sound) // _OFFSETS // 16 * 16)
    # where pages begin is what matters most to SQLite
    chosen = offsets or (*range(0, len(sound), 8192), *range(step // 2, len(sound), step))
    count = 0
    for offset in chosen:
        if offset >= len(sound):
            break
        _reopen(rig, path)
        path.write_bytes(_flipped(sound, offset))
        if not (_met(rig) | (verify and bool(rig.store.verify()))):
            continue
        count += 1
        _reopen(rig, path)

        report = rig.indexer().sync(reason="cli")

        _reopen(rig, path)
        assert report.complete, offset
        assert list(rig.store.verify()) == [], offset
        assert contents(rig.store) == wanted, offset
    return count


@pytest.mark.req("SYNC-47", "STORE-04")
@pytest.mark.parametrize("verify", [False, True])
def test_damage_that_was_met_is_mended_by_one_plain_sync(tmp_path: Path, *, verify: bool) -> None:
    assert _is_mended(tmp_path, None, verify=verify) > 5


@pytest.mark.req("SYNC-47", "STORE-04")
def test_damage_in_the_first_lines_of_the_file_is_mended_as_well(tmp_path: Path) -> None:
    assert _is_mended(tmp_path, _FORMAT_IN_HEADER, verify=True) > 1


@pytest.mark.slow
@pytest.mark.req("SYNC-47", "STORE-04")
@pytest.mark.parametrize("verify", [False, True])
def test_damage_anywhere_is_mended_by_one_plain_sync(tmp_path: Path, *, verify: bool) -> None:
    assert _is_mended(tmp_path, range(0, 1 << 30, _STEP), verify=verify) > 10


@pytest.mark.req("SYNC-47")
def test_making_the_index_anew_never_fails_because_the_old_one_is_damaged(tmp_path: Path) -> None:
    rig, path = _rig(tmp_path)
    wanted, sound = contents(rig.store), path.read_bytes()
    for page in range(0, len(sound), 8192):
        _reopen(rig, path)
        path.write_bytes(_flipped(sound, page))

        rig.indexer().sync(reason="cli", force=True)

        _reopen(rig, path)
        assert contents(rig.store) == wanted, page


@pytest.mark.req("SYNC-47")
def test_a_sync_says_that_it_made_a_damaged_index_anew_and_the_warning_goes(tmp_path: Path) -> None:
    rig, path = _rig(tmp_path)
    sound = path.read_bytes()
    for page in range(8192, len(sound), 8192):
        path.write_bytes(_flipped(sound, page))
        _reopen(rig, path)
        if not _met(rig):
            continue
        assert "could not be used" in str(rig.indexer().sync().rebuilt)
        codes = {code for code, _ in rig.store.health().notes}
        assert codes == {"quarantined", "put-aside"}
        assert not _met(rig)
        return
    pytest.fail("no page was missed")


@pytest.mark.req("SYNC-48", "STORE-10")
def test_what_a_killed_rebuild_left_goes_with_the_next_sync_that_was_asked_for(tmp_path: Path) -> None:
    rig, path = _rig(tmp_path)
    wanted = contents(rig.store)
    rig.store.close()
    with subprocess.Popen(
        [sys.executable, "-c", _DYING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        rig.indexer().sync(reason="cli")
        assert [name for name in os.listdir(path.parent) if ".build-" in name]  # its writer is at work
        process.send_signal(signal.SIGKILL)
    rig.forget()
    rig.indexer().sync(reason="search")
    assert [name for name in os.listdir(path.parent) if ".build-" in name]

    report = rig.indexer().sync(reason="cli")

    assert (report.files_unchanged, rig.store.writes, rig.store.rebuilds) == (14, 0, 0)
    rig.store.close()
    assert sorted(os.listdir(path.parent)) == ["index.sqlite", "index.sqlite.lock"]
    assert contents(rig.store) == wanted


@pytest.mark.req("SYNC-46")
def test_pending_names_a_folder_that_cannot_be_read_and_weighs_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, _ = _rig(tmp_path)
    rig.workspace.write("memory/people/ann.md", "Ann keeps the key.\n")
    rig.indexer().sync()
    sizes = [file.stat().st_size for file in rig.workspace.root.rglob("*.md")]
    assert rig.indexer().pending().total_bytes == sum(sizes)
    really_open = os.open

    def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "people":
            raise PermissionError(13, "Permission denied")
        return really_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    pending = rig.indexer().pending()

    assert [(problem.code, problem.path) for problem in pending.problems] == [("unreadable", "memory/people")]
    assert (pending.changed, pending.removed) == ((), ())
