"""Rows of parametrised tests that carry the ids of their cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


def row(case: str, *values: object, named: str = "") -> ParameterSet:
    """A row that proves a case of the catalogue; its id begins with that of the case."""
    return pytest.param(*values, id=f"{case}-{named}" if named else case, marks=pytest.mark.req(case))
