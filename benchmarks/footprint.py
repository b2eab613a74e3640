"""What an install weighs: bytes and packages of a fresh environment with the default dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Table

ROOT = Path(__file__).resolve().parent.parent


def main() -> Table:
    """Install into a folder of its own and weigh it."""
    table = Table()
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--target", scratch, str(ROOT)],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        size = sum(
            os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(scratch) for name in names
        )
        packages = len(list(Path(scratch).glob("*.dist-info")))
    table.add("installed size with the default dependencies", size / 1e6, 130, "MB")
    table.add("packages", packages, 20, "")
    return table


if __name__ == "__main__":
    main()
