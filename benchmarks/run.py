"""Print the tables of speed, size and quality, target and figure side by side.

    make bench            everything
    make bench-quality    quality alone

Quality is measured on labelled workspaces that are not part of this repository; where there are none, it says so.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import footprint
import speed

HERE = Path(__file__).resolve().parent
SHARED = HERE.parent.parent / "shared"


def quality() -> None:
    """Run the measure of quality over every set that is there."""
    tool = SHARED / "tools" / "quality.py"
    if not tool.exists():
        print("QUALITY NOT MEASURED: there are no labelled workspaces beside this checkout.")
        return
    subprocess.run([sys.executable, str(tool), str(SHARED / "data")], check=True)


def main() -> None:
    """All tables, or those that are named."""
    wanted = set(sys.argv[1:]) or {"speed", "footprint", "quality"}
    if "speed" in wanted:
        speed.main()
    if "footprint" in wanted:
        footprint.main()
    if "quality" in wanted:
        quality()


if __name__ == "__main__":
    main()
