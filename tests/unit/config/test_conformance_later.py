"""Settings of the reference whose feature waits: they are accepted, and it is said that they do nothing yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recollect.config.load import load
from recollect.config.show import check

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@pytest.mark.req("ROW-LATER-01")
@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({"provider": "openai"}, "provider"),
        ({"remote": {"batch": {"enabled": True}}}, "remote.batch.enabled"),
        ({"sources": ["memory", "sessions"], "experimental": {"sessionMemory": True}}, "sources"),
        ({"sync": {"sessions": {"deltaBytes": 5}}}, "sync.sessions.deltaBytes"),
    ],
)
def test_a_setting_whose_feature_waits_is_accepted_and_said_to_do_nothing(
    config: Mapping[str, object], named: str, tmp_path: Path
) -> None:
    loaded = load(environ={"HOME": str(tmp_path)}, cwd=str(tmp_path), config=config)
    said = [problem.message for problem in check(loaded) if problem.code == "not-active-yet"]
    assert f"{named} is accepted, but has no effect yet." in said
