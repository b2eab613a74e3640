"""How the index stands to the files, by stat alone. Enter: the listed files and what the index remembers of them.
Leaves: what differs. Never done: reading a note, loading arrays, taking a lock, writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from recollect.index import plan
from recollect.index.identity import difference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.protocols import ChunkStore, IndexIdentity, StoreReader, SyncState
    from recollect.sources.discovery import Discovery
    from recollect.types import FileRecord, FileStat, Problem, SourceFile

# A file may change twice within one tick of its file system's clock and look the same. Kernels tick every 10 ms at
# most; file systems that keep whole seconds only (or every second one) are recognised by their stamps.
_TICK_NS: Final = 20_000_000
_COARSE_TICK_NS: Final = 2_000_000_000
_SECOND_NS: Final = 1_000_000_000


class Pending(Struct, frozen=True, kw_only=True):
    """What the next sync will find to do."""

    changed: tuple[SourceFile, ...] = ()  # new, or with another stat than the index remembers
    removed: tuple[str, ...] = ()
    bytes: int = 0  # size of the changed files
    total_bytes: int = 0  # size of all files: what making the index anew has to read
    indexed: bool = False  # whether anything was ever indexed here
    rebuild: str | None = None  # why the whole index has to be made anew
    problems: tuple[Problem, ...] = ()


class View(Struct, frozen=True, kw_only=True):
    """What the index remembers, read in one transaction."""

    identity: IndexIdentity | None = None
    records: Mapping[str, FileRecord] = {}
    state: SyncState | None = None


def view_of(store: ChunkStore) -> View:
    """What the index remembers; an empty view where there is no index."""
    return store.read(_view) if store.exists() else View()


def pending(found: Discovery, view: View, wanted: IndexIdentity) -> Pending:
    """What differs between the files and the index."""
    comparison = plan.compare(found.files, view.records, found.problems)
    changed = (*comparison.added, *comparison.changed)
    return Pending(
        changed=changed,
        removed=comparison.removed,
        bytes=sum(file.stat.size for file in changed),
        total_bytes=sum(file.stat.size for file in found.files),
        indexed=view.identity is not None,
        rebuild=None if view.identity is None else difference(view.identity, wanted),
        problems=tuple(found.problems),
    )


def settled(stat: FileStat, before: float, after: float) -> FileStat:
    """The stat to remember of a file that was read between two readings of the clock.

    A file that changed so shortly before it was read that a second change could carry the same stamp is remembered
    with no ctime, so that the next sync looks at it again. A ctime far in the future is only a clock that was set back.
    """
    coarse = stat.ctime_ns % _SECOND_NS == 0 and stat.mtime_ns % _SECOND_NS == 0
    tick = _COARSE_TICK_NS if coarse else _TICK_NS
    racy = before * 1e9 - tick < stat.ctime_ns < after * 1e9 + tick
    return replace(stat, ctime_ns=0) if racy else stat


def _view(reader: StoreReader) -> View:
    return View(identity=reader.identity(), records=reader.files(), state=reader.sync_state())
