"""What a sync has to do, worked out from values alone.

Enter: what lies on the disk, what the index remembers, the keys of a note's chunks old and new. Leave: which files to
look at, which chunks stay, come and go. Never touched: clock, disk, database.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recollect.protocols import StoredChunk
    from recollect.types import FileRecord, Problem, SourceFile

# What is missing because of these may be back in a moment: its rows stay.
PASSING = frozenset({"unreadable", "missing-workspace"})


class Comparison(Struct, frozen=True, kw_only=True):
    """The files of the disk against the files of the index; every tuple is in order of path."""

    added: tuple[SourceFile, ...] = ()
    changed: tuple[SourceFile, ...] = ()  # the stat differs; whether the content does, only reading can tell
    unchanged: tuple[SourceFile, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def work(self) -> bool:
        """Whether anything has to be looked at or dropped."""
        return bool(self.added or self.changed or self.removed)


class ChunkDiff(Struct, frozen=True, kw_only=True):
    """A note's chunks, old against new; numbers are positions among the new ones."""

    keep: tuple[tuple[StoredChunk, int], ...] = ()
    heal: tuple[tuple[StoredChunk, int], ...] = ()  # the rows are right, but the vector is still owed
    insert: tuple[int, ...] = ()
    dropped: int = 0  # old chunks that are in neither


def compare(
    files: Sequence[SourceFile], records: Mapping[str, FileRecord], problems: Iterable[Problem] = ()
) -> Comparison:
    """Tell apart by stat alone what is new, perhaps changed, the same, and gone.

    Size, mtime, ctime and inode must all be equal: restored backups turn mtime back, same-size edits keep size and
    may keep mtime. A record below a path that could not be read just now is not gone.
    """
    added: list[SourceFile] = []
    changed: list[SourceFile] = []
    unchanged: list[SourceFile] = []
    present: set[str] = set()
    for file in sorted(files, key=_path):
        present.add(file.path)
        record = records.get(file.path)
        if record is None:
            added.append(file)
        elif record.stat == file.stat and record.source == file.source:
            unchanged.append(file)
        else:
            changed.append(file)
    removed = () if len(records) == len(unchanged) + len(changed) else sorted(records.keys() - present)
    return Comparison(
        added=tuple(added),
        changed=tuple(changed),
        unchanged=tuple(unchanged),
        removed=tuple(_really_gone(removed, problems)),
    )


def diff(stored: Sequence[StoredChunk], keys: Sequence[bytes], *, vectors: bool) -> ChunkDiff:
    """Match chunks by key: equal key, equal rows, whatever the position.

    Equal keys are matched in order, so that of several equal chunks each keeps its own row. With `vectors` a matched
    chunk that was never embedded is to be healed.
    """
    waiting: defaultdict[bytes, deque[StoredChunk]] = defaultdict(deque)
    for chunk in stored:
        waiting[chunk.key].append(chunk)
    keep: list[tuple[StoredChunk, int]] = []
    heal: list[tuple[StoredChunk, int]] = []
    insert: list[int] = []
    for number, key in enumerate(keys):
        same = waiting.get(key)
        if not same:
            insert.append(number)
        else:
            chunk = same.popleft()
            (heal if vectors and not chunk.embedded else keep).append((chunk, number))
    return ChunkDiff(
        keep=tuple(keep), heal=tuple(heal), insert=tuple(insert), dropped=len(stored) - len(keep) - len(heal)
    )


def _path(file: SourceFile) -> str:
    return file.path


def _really_gone(removed: Iterable[str], problems: Iterable[Problem]) -> list[str]:
    held = {(problem.path or "").strip("/") for problem in problems if problem.code in PASSING}
    if not held:
        return list(removed)
    return [path for path in removed if not any(parent in held for parent in _parents(path))]


def _parents(path: str) -> list[str]:
    """The path itself, every folder above it, and "" for everything."""
    parts = path.split("/")
    return ["", ".", *("/".join(parts[:length]) for length in range(1, len(parts) + 1))]
