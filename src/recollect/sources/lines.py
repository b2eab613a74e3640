r"""Lines of a note, for `get`: a path and a range enter, the file's own text leaves, cut to a size that a model can
take.

Lines are what "\n" separates, so the last line of a file that ends in "\n" is empty; a carriage return stays in the
text. A file of any size is read in a bounded amount of memory. Never writes, never follows a symbolic link.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from recollect.errors import ArgumentError, PathError
from recollect.sources.beneath import open_regular, path_error
from recollect.sources.roots import Roots
from recollect.types import GetResult

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LINES: Final = 120
MAX_CHARS: Final = 12_000

_BLOCK: Final = 256 * 1024
_FARTHEST: Final = 64 * 1024 * 1024  # how far into a file a line is looked for
_FARTHEST_BREAK: Final = 16 * 1024 * 1024  # how far the end of a line that was cut is looked for
_MARK: Final = b"\xef\xbb\xbf"  # byte order mark


def get(
    workspace: str,
    extra_paths: Sequence[str],
    path: object,
    start: object = None,
    lines: object = None,
    *,
    max_lines: int = MAX_LINES,
    max_chars: int = MAX_CHARS,
) -> GetResult:
    """Lines of a note, from line `start` on (1 where it is left out).

    Without `lines`, at most `max_lines` are given; at most `max_chars` characters always. `truncated` says that the
    file goes on, `next_line` where to continue. A file that does not exist is an empty text with `exists` false, and
    so are lines behind its end an empty text; everything that may not or cannot be read is an error.
    """
    roots = Roots(workspace, extra_paths)
    return get_beneath(roots, path, start, lines, max_lines=max_lines, max_chars=max_chars)


def get_beneath(
    roots: Roots, path: object, start: object, lines: object, *, max_lines: int, max_chars: int
) -> GetResult:
    """As `get`, for roots that are known already."""
    first = _whole_number(start, "start", 1)
    limit = _whole_number(lines, "lines", max_lines)
    place = roots.locate(path)
    try:
        descriptor, _ = open_regular(place)
        try:
            return _Passage(descriptor, place.path, first, limit, max_chars).result()
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return GetResult(path=place.path, text="", start_line=first, end_line=first - 1, exists=False)
    except OSError as error:
        raise path_error(error, place.path) from error


def _whole_number(value: object, name: str, default: int) -> int:
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool):
        raise ArgumentError(f"{name} must be a whole number.", hint="Lines are counted from 1.")
    if value < 1:
        raise ArgumentError(f"{name} must be 1 or more.", hint="Lines are counted from 1.")
    return value


class _Passage:
    """A range of lines in an open file."""

    def __init__(self, descriptor: int, path: str, first: int, limit: int, max_chars: int) -> None:
        self._descriptor = descriptor
        self._path = path
        self._first = first
        self._limit = limit
        self._max_chars = max_chars

    def result(self) -> GetResult:
        """The lines, as far as they are there and the caps allow."""
        head = self._head()
        if head is None:
            return self._lines("", 0)
        beginning, offset = head
        # A character takes at most four bytes, so this holds one character more than may be given, all of it whole.
        window = 4 * (self._max_chars + 2)
        data, at_end = self._fill(beginning, window)
        text = data.decode("utf-8", "replace")
        if not text:
            return self._lines("", 0)
        count, end = self._fitting(text)
        if count == 0:
            return self._cut_line(text, offset)
        rest = text[end:]
        if at_end and rest in ("", "\n"):  # what is left is at most the empty line behind the last "\n"
            return self._lines(text[:end], count)
        return self._lines(text[:end], count, next_line=self._first + count)

    def _lines(self, text: str, count: int, *, next_line: int | None = None, truncated: bool = False) -> GetResult:
        return GetResult(
            path=self._path,
            text=text,
            start_line=self._first,
            end_line=self._first + count - 1,
            truncated=truncated or next_line is not None,
            next_line=next_line,
        )

    def _fitting(self, text: str) -> tuple[int, int]:
        """How many whole lines may be given, and where the last of them ends."""
        count = end = 0
        while count < self._limit:
            stop = text.find("\n", end + 1 if count else 0)
            if stop < 0:
                stop = len(text)
            if stop > self._max_chars:
                break
            count, end = count + 1, stop
            if stop == len(text):
                break
        return count, end

    def _head(self) -> tuple[bytes, int] | None:
        """What was read from the beginning of the first line on, and where that is; None behind the end."""
        block = os.read(self._descriptor, _BLOCK)
        offset = len(_MARK) if block.startswith(_MARK) else 0
        block = block[offset:]
        missing = self._first - 1
        while missing:
            breaks = block.count(b"\n")
            if breaks >= missing:
                position = _after_breaks(block, missing)
                return block[position:], offset + position
            missing -= breaks
            offset += len(block)
            if not block:
                return None
            if offset > _FARTHEST:
                raise PathError("The file is too large to look for that line.", hint="Ask for an earlier one.")
            block = os.read(self._descriptor, _BLOCK)
        return block, offset

    def _fill(self, head: bytes, window: int) -> tuple[bytes, bool]:
        """`window` bytes from the first line on, and whether the file ends before."""
        data = head
        while len(data) < window:
            block = os.read(self._descriptor, window - len(data))
            if not block:
                return data, True
            data += block
        return data[:window], False

    def _cut_line(self, text: str, offset: int) -> GetResult:
        """The beginning of a line that is longer than may be given; a line behind it can be read on its own."""
        position = offset + self._max_chars  # the line has as many bytes at least
        goes_on = False
        broken = False
        while position - offset < _FARTHEST_BREAK and not goes_on:
            block = os.pread(self._descriptor, _BLOCK, position)
            if not block:
                break
            position += len(block)
            if not broken:
                _, line_break, block = block.partition(b"\n")
                broken = bool(line_break)
            goes_on = broken and bool(block)
        next_line = self._first + 1 if goes_on else None
        return self._lines(text[: self._max_chars], 1, next_line=next_line, truncated=True)


def _after_breaks(block: bytes, count: int) -> int:
    position = 0
    for _ in range(count):
        position = block.index(b"\n", position) + 1
    return position
