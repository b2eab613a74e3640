"""`python -m recollect` is the command `recollect`."""

from __future__ import annotations

import sys

from recollect.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
