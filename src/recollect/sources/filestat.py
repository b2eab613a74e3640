"""What a stat says of a file: an os.stat_result enters, a FileStat that any database can hold leaves.

Never touches a file itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from recollect.types import FileStat

if TYPE_CHECKING:
    import os

MAX_FILE_BYTES: Final = 16 * 1024 * 1024
"""Larger files are no notes: they are named in the report and left out."""

_TOP: Final = 2**63 - 1


def file_stat(status: os.stat_result) -> FileStat:
    """The part of a stat that tells whether a file may have changed, within 64-bit signed integers.

    Times beyond the year 2262 and inodes with the highest bit set (network and union file systems have them) would
    not fit into a database's integer; folding them keeps equal things equal, which is all that they are for.
    """
    modified = status.st_mtime_ns
    changed = status.st_ctime_ns
    return FileStat(
        size=status.st_size,
        mtime_ns=modified if -_TOP <= modified <= _TOP else _folded(modified),
        ctime_ns=changed if -_TOP <= changed <= _TOP else _folded(changed),
        inode=status.st_ino & _TOP,
    )


def _folded(nanoseconds: int) -> int:
    return _TOP if nanoseconds > 0 else -_TOP
