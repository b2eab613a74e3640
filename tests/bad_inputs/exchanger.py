"""Exchanges two names as fast as it can until its input ends. A program: exchanger.py ONE OTHER."""

from __future__ import annotations

import ctypes
import os
import select
import sys

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2


def main() -> None:
    one, other = (os.fsencode(name) for name in sys.argv[1:3])
    rename = ctypes.CDLL(None).renameat2
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while not select.select([sys.stdin], [], [], 0)[0]:
        for _ in range(50):
            rename(_HERE, one, _HERE, other, _EXCHANGE)


if __name__ == "__main__":
    main()
