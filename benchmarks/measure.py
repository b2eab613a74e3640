"""CPU seconds and peak memory of whole processes, and a table with targets beside figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PYTHON = sys.executable


@dataclass(frozen=True)
class Cost:
    """What one process cost."""

    cpu: float
    peak_mb: float
    output: str


def run(arguments: Sequence[str], env: dict[str, str], times: int = 1) -> Cost:
    """Run a command and take the cheapest of some runs."""
    best: Cost | None = None
    for _ in range(times):
        cost = _once(arguments, env)
        if best is None or cost.cpu < best.cpu:
            best = cost
    assert best is not None  # noqa: S101  # times >= 1
    return best


def _once(arguments: Sequence[str], env: dict[str, str]) -> Cost:
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None  # noqa: S101  # a pipe was asked for
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            assert process.stderr is not None  # noqa: S101  # a pipe was asked for
            raise RuntimeError(f"{arguments} failed: {process.stderr.read().decode()[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.decode())


def recollect(*arguments: str) -> list[str]:
    """The command, run by this interpreter."""
    return [PYTHON, "-m", "recollect", *arguments]


class Table:
    """Rows of what, figure, target; printed as they come and kept as JSON."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []

    def add(self, what: str, figure: float, target: float, unit: str, *, higher_is_better: bool = False) -> None:
        """A figure beside its target."""
        met = figure >= target if higher_is_better else figure <= target
        floor = figure >= target / 2 if higher_is_better else figure <= 2 * target
        mark = "met" if met else "within twice" if floor else "MISSED"
        relation = ">=" if higher_is_better else "<="
        print(f"{what:<74} {figure:9.3f} {unit:<6} {relation} {target:<8g} {mark}", flush=True)
        self.rows.append({"what": what, "figure": figure, "target": target, "unit": unit, "mark": mark})

    def save(self, path: Path) -> None:
        """Keep the figures."""
        path.write_text(json.dumps(self.rows, indent=1) + "\n", encoding="utf-8")
