"""A note, read once: a file of the memory enters, the text that its bytes say leaves, with their hash and stat.

Hash, text and stat belong to the same bytes: they come from one buffer, and a file that changed while it was read is
read again. Never writes, never follows a symbolic link, never holds a file open.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final

from recollect.errors import PathError
from recollect.sources import lines
from recollect.sources.beneath import open_regular, path_error
from recollect.sources.filestat import MAX_FILE_BYTES, file_stat
from recollect.sources.roots import Roots, show
from recollect.types import NoteText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.sources.roots import Place
    from recollect.types import FileStat, GetResult, SourceFile

_TRIES: Final = 4


class Reader:
    """Reads the files of one memory.

    >>> Reader("notes").get("MEMORY.md", start=1, lines=5).text
    """

    def __init__(self, workspace: str, extra_paths: Sequence[str] = ()) -> None:
        self._roots = Roots(workspace, extra_paths)

    def read(self, file: SourceFile) -> NoteText:
        """The whole of a note; PathError where it cannot be read, or did not hold still."""
        place = self._roots.locate(file.path)
        try:
            return read_place(place)
        except OSError as error:
            raise path_error(error, place.path) from error

    def get(
        self,
        path: object,
        start: object = None,
        lines_wanted: object = None,
        *,
        max_lines: int = lines.MAX_LINES,
        max_chars: int = lines.MAX_CHARS,
    ) -> GetResult:
        """Lines of a note, as `lines.get` gives them."""
        return lines.get_beneath(self._roots, path, start, lines_wanted, max_lines=max_lines, max_chars=max_chars)


def read_place(place: Place) -> NoteText:
    """What stands at a place; OSError where it cannot be opened."""
    for _ in range(_TRIES):
        read = _read_once(place)
        if read is not None:
            data, stat = read
            text, replaced = decode(data)
            digest = hashlib.sha256(data).digest()
            return NoteText(path=place.path, text=text, hash=digest, stat=stat, replaced=replaced)
    raise PathError(f"{show(place.path)} changed again and again while it was read.", hint="The next sync picks it up.")


def decode(data: bytes) -> tuple[str, bool]:
    """The text of UTF-8 bytes without their byte order mark, and whether some were no UTF-8 (they become U+FFFD)."""
    try:
        return data.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", "replace"), True


def _read_once(place: Place) -> tuple[bytes, FileStat] | None:
    """The bytes and the stat that they have; None where the file changed meanwhile."""
    descriptor, status = open_regular(place)
    try:
        if status.st_size > MAX_FILE_BYTES:
            raise _too_large(place)
        before = file_stat(status)
        data = _read_all(descriptor, status.st_size)
        after = file_stat(os.fstat(descriptor))
    finally:
        os.close(descriptor)
    return (data, after) if after == before and len(data) == after.size else None


def _read_all(descriptor: int, size: int) -> bytes:
    """What there is, or, of a file that has grown since it was measured, more than `size` bytes."""
    blocks = []
    total = 0
    # One byte more than there should be: a read that ends short of it has seen the end, and growth shows.
    while block := os.read(descriptor, max(size - total, 0) + 1):
        blocks.append(block)
        total += len(block)
        if total > size:
            break  # it grew: whatever was read does not count
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def _too_large(place: Place) -> PathError:
    limit = MAX_FILE_BYTES // (1024 * 1024)
    return PathError(f"{show(place.path)} is larger than {limit} MiB.", hint="Split it into several notes.")
