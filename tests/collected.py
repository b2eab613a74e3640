"""Where tests/conftest.py leaves the list of all collected tests, and tests/meta finds it."""

from __future__ import annotations

import pytest

ALL_TESTS: pytest.StashKey[tuple[pytest.Item, ...]] = pytest.StashKey()
