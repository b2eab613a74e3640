"""Several callers at once: threads of one process, and other processes by way of the store's lock."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from recollect.errors import BusyError
from recollect.index.turns import Turns
from recollect.stores.sqlite.store import SqliteStore
from recollect.testing.embedder import HashedEmbedder
from recollect.types import SyncReport
from unit.index.rig import Rig, contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG_ENOUGH = 30


class Stage:
    """A piece of work that can be held: `begun` says that it runs, `go` lets it end."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self.runs = 0

    def __call__(self) -> SyncReport:
        self.runs += 1
        self.begun.set()
        assert self.go.wait(LONG_ENOUGH)
        return SyncReport(reason=f"run {self.runs}")


def started(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def wait_until_waiting(turns: Turns, count: int) -> None:
    """Until so many threads wait for their turn; they have asked by then."""
    for _ in range(10_000):
        with turns._condition:
            if len(turns._condition._waiters) == count:  # type: ignore[attr-defined]  # Condition has no other way to tell
                return
            turns._condition.wait(0.001)
    raise AssertionError("nobody waits")


@pytest.mark.req("SYNC-42")
def test_callers_who_wait_share_one_later_run() -> None:
    turns, first, second = Turns(), Stage(), Stage()
    second.go.set()
    reports: list[str] = []
    holder = started(lambda: turns.take(first, alone=False, wait=None))
    assert first.begun.wait(LONG_ENOUGH)
    others = [started(lambda: reports.append(turns.take(second, alone=False, wait=None).reason)) for _ in range(4)]
    wait_until_waiting(turns, 4)
    first.go.set()
    for thread in (holder, *others):
        thread.join(LONG_ENOUGH)

    assert first.runs == 1
    assert second.runs == 1
    assert reports == ["run 1"] * 4


@pytest.mark.req("SYNC-42")
def test_who_wants_a_rebuild_gets_one() -> None:
    turns, first, second = Turns(), Stage(), Stage()
    second.go.set()
    holder = started(lambda: turns.take(first, alone=False, wait=None))
    assert first.begun.wait(LONG_ENOUGH)
    others = [started(lambda: turns.take(second, alone=True, wait=None)) for _ in range(2)]
    wait_until_waiting(turns, 2)
    first.go.set()
    for thread in (holder, *others):
        thread.join(LONG_ENOUGH)

    assert second.runs == 2


@pytest.mark.req("SYNC-42")
def test_who_does_not_want_to_wait_is_told_so() -> None:
    turns, first = Turns(), Stage()
    holder = started(lambda: turns.take(first, alone=False, wait=None))
    assert first.begun.wait(LONG_ENOUGH)

    with pytest.raises(BusyError):
        turns.take(first, alone=False, wait=0)

    first.go.set()
    holder.join(LONG_ENOUGH)


@pytest.mark.req("SYNC-42", "SYNC-43")
def test_a_run_that_fails_gives_the_turn_away_and_is_shared_with_nobody() -> None:
    turns, second = Turns(), Stage()
    second.go.set()

    def fail() -> SyncReport:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        turns.take(fail, alone=False, wait=None)

    assert turns.take(second, alone=False, wait=0).reason == "run 1"


@pytest.mark.req("SYNC-42")
def test_a_note_written_while_a_sync_runs_is_in_the_index_when_the_next_call_returns(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", "Riesling.\n").write("memory/b.md", "Silvaner.\n")
    reading, go_on = threading.Event(), threading.Event()

    def pause(file: object) -> None:
        reading.set()
        assert go_on.wait(LONG_ENOUGH)

    rig.before_read = pause
    indexer = rig.indexer()
    holder = started(indexer.sync)
    assert reading.wait(LONG_ENOUGH)
    rig.workspace.write("memory/c.md", "Pumpkins.\n")
    reports: list[SyncReport] = []
    second = started(lambda: reports.append(indexer.sync()))
    wait_until_waiting(indexer._turns, 1)
    go_on.set()
    for thread in (holder, second):
        thread.join(LONG_ENOUGH)

    assert [report.files_added for report in reports] == [1]
    assert rig.store.read(lambda reader: reader.postings(["pumpkin"]))[0] is not None


@pytest.mark.req("SYNC-41")
@pytest.mark.parametrize("force", [False, True])
def test_what_another_process_did_while_this_one_waited_is_not_done_again(rig: Rig, *, force: bool) -> None:
    rig.embedder = HashedEmbedder(cached=False)
    rig.workspace.write("memory/a.md", "Riesling.\n")
    if force:  # both find that the index has to be made anew
        rig.indexer().sync()
        rig.embedder = HashedEmbedder(cached=False, model="other")
    other = Rig(rig.workspace.root.parent / "x", rig.store.inner, rig.embedder)
    other.workspace = rig.workspace

    def overtake() -> None:
        rig.workspace.write("memory/b.md", "Silvaner.\n")
        other.indexer().sync()

    rig.store.before_lock = overtake
    report = rig.indexer().sync()

    assert (report.files_seen, report.files_unchanged, report.files_added, report.files_removed) == (2, 2, 0, 0)
    assert report.rebuilt is None
    assert rig.embedder.calls == 1
    assert rig.reads.count("memory/b.md") == 0


@pytest.mark.req("SYNC-41")
def test_two_processes_with_other_settings_do_not_mix_their_rows(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", "Riesling.\n")
    rig.indexer().sync()
    rig.workspace.append("memory/a.md", "Silvaner.\n")
    other = Rig(rig.workspace.root.parent / "x", rig.store.inner, HashedEmbedder(model="other"))
    other.workspace = rig.workspace
    rig.store.before_lock = lambda: other.indexer().sync()
    before = len(other.reads)

    with pytest.raises(BusyError, match="other settings"):
        rig.indexer().sync()

    assert len(other.reads) > before
    assert other.indexer().pending().rebuild is None


@pytest.mark.req("SYNC-41")
def test_how_long_to_wait_is_handed_to_the_store(rig: Rig) -> None:
    rig.workspace.write("memory/a.md", "Riesling.\n")
    rig.indexer().sync(wait=0)
    rig.indexer().sync(wait=2.5, force=True)

    assert rig.store.waits == [0, 2.5]


QUIET = """
import sys
sys.path.insert(0, sys.argv[1])
from unit.index.rig import Rig
from pathlib import Path
from recollect.stores.sqlite.store import SqliteStore
from recollect.testing.embedder import HashedEmbedder
from recollect.errors import StoreError
rig = Rig(Path(sys.argv[2]), SqliteStore(sys.argv[2] + "/index.sqlite"))
pending = rig.indexer().pending()
if pending.changed or pending.removed or pending.rebuild or not pending.indexed:
    raise SystemExit("not in order")
report = rig.indexer().sync()
if rig.reads or rig.store.writes or report.files_unchanged != 3:
    raise SystemExit("something was done")
loaded = {"numpy", "Stemmer", "simsimd", "recollect.text.chunking"} & set(sys.modules)
raise SystemExit(f"loaded: {loaded}" if loaded else 0)
"""


@pytest.mark.req("SYNC-45", "SYNC-02")
def test_looking_and_finding_nothing_loads_no_arrays(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    rig = Rig(tmp_path, SqliteStore(str(tmp_path / "index.sqlite")))
    for n in range(3):
        rig.workspace.write(f"memory/{n}.md", f"Note {n}.\n")
    rig.indexer().sync()
    rig.store.close()

    done = subprocess.run(
        [sys.executable, "-c", QUIET, str(pytestconfig.rootpath / "tests"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.req("SYNC-45")
def test_what_is_pending_is_told_without_reading_or_locking(rig: Rig) -> None:
    assert not rig.indexer().pending().indexed
    rig.workspace.write("memory/a.md", "Riesling.\n").write("memory/b.md", "Silvaner.\n").write("memory/c.md", "C.\n")
    assert [file.path for file in rig.indexer().pending().changed] == ["memory/a.md", "memory/b.md", "memory/c.md"]
    rig.indexer().sync()
    rig.workspace.append("memory/a.md", "More.\n").remove("memory/b.md").write("memory/d.md", "New.\n")
    before = contents(rig.store)
    rig.forget()

    pending = rig.indexer().pending()

    assert [file.path for file in pending.changed] == ["memory/d.md", "memory/a.md"]
    assert pending.removed == ("memory/b.md",)
    assert pending.bytes == len("Riesling.\nMore.\n") + len("New.\n")
    assert (pending.indexed, pending.rebuild, pending.problems) == (True, None, ())
    assert (rig.reads, rig.store.writes) == ([], 0)
    assert contents(rig.store) == before
