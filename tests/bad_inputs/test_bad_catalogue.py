"""The catalogue is whole: every case has a test here, and every case of the source has an entry."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from bad_inputs.catalogue import CASES

_HERE = Path(__file__).parent
_SOURCE = _HERE.parents[2] / "shared" / "spec" / "bad-inputs.json"
_SURFACES = ("get", "index", "search", "status", "cli", "config", "store")


def _named_in_tests() -> set[str]:
    """The ids that rows and marks of this folder name."""
    named: set[str] = set()
    for path in _HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name in ("row", "pytest.mark.req"):
                arguments = node.args[:1] if name == "row" else node.args
                named |= {str(one.value) for one in arguments if isinstance(one, ast.Constant)}
    return named


@pytest.mark.req("BADCAT-01")
def test_every_case_has_a_test() -> None:
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids))
    assert _named_in_tests() - {"BADCAT-01"} == set(ids)


@pytest.mark.req("BADCAT-01")
def test_every_case_of_the_source_is_in_the_catalogue() -> None:
    if not _SOURCE.exists():
        pytest.skip(f"LEFT OUT: {_SOURCE.name} does not lie beside this checkout, so nothing is compared with it")
    wanted = {
        (case["id"], case["surface"])
        for case in json.loads(_SOURCE.read_text())["cases"]
        if case["surface"] in _SURFACES
    }
    assert {(case.id, case.surface) for case in CASES} == wanted
