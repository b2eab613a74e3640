"""The manifest of required behaviours and the tests, compared in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from collected import ALL_TESTS
from requirements import REQUIREMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator


def _ids(test: pytest.Item) -> Iterator[object]:
    for mark in test.iter_markers("req"):
        yield from mark.args


@pytest.mark.req("META-01")
def test_every_collected_test_names_required_behaviours_that_exist(request: pytest.FixtureRequest) -> None:
    wrong = {
        test.nodeid.partition("[")[0]: [*_ids(test)] or "no ID at all"
        for test in request.config.stash[ALL_TESTS]
        if not {*_ids(test)} or not {*_ids(test)} <= REQUIREMENTS.keys()
    }
    assert wrong == {}


@pytest.mark.req("META-01")
def test_every_required_behaviour_has_a_test(request: pytest.FixtureRequest) -> None:
    config = request.config
    if (
        config.args_source is not config.ArgsSource.TESTPATHS
        or config.getoption("ignore")
        or config.getoption("lf", default=False)
    ):
        pytest.skip("only a part of the tests was collected")
    proven = {one for test in config.stash[ALL_TESTS] for one in _ids(test)}
    assert sorted(REQUIREMENTS.keys() - proven) == []


@pytest.mark.req("META-01")
def test_every_entry_of_the_manifest_is_a_sentence_with_a_source() -> None:
    for requirement in REQUIREMENTS.values():
        assert requirement.source.strip(), requirement.id
        assert requirement.says.rstrip().endswith("."), requirement.id
        assert requirement.divergence is None or len(requirement.divergence.split()) > 3, requirement.id
