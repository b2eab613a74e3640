"""Swaps two names for each other as fast as it can, until its input ends. A program: folder_flipper.py ONE OTHER."""

from __future__ import annotations

import ctypes
import os
import select
import sys

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2


def main() -> None:
    one, other = (os.fsencode(name) for name in sys.argv[1:3])
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    if exchange is not None and exchange(_HERE, one, _HERE, other, _EXCHANGE) != 0:
        exchange = None
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while not select.select([sys.stdin], [], [], 0)[0]:
        for _ in range(64):
            if exchange is not None:
                exchange(_HERE, one, _HERE, other, _EXCHANGE)
            else:
                os.rename(one, one + b".aside")
                os.rename(other, one)
                os.rename(one + b".aside", other)


if __name__ == "__main__":
    main()
