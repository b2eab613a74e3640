from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from recollect.index import garbage

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.enable()
    yield
    if not was_on:
        gc.disable()


class Knot:
    def __init__(self) -> None:
        self.end = self


@pytest.mark.req("SYNC-53")
def test_the_collector_rests_and_is_woken_also_after_an_error() -> None:
    def fail() -> None:
        with garbage.quiet():
            assert not gc.isenabled()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert gc.isenabled()


@pytest.mark.req("SYNC-53")
def test_a_collector_that_the_host_switched_off_stays_off() -> None:
    gc.disable()
    with garbage.quiet():
        pass
    assert not gc.isenabled()


@pytest.mark.req("SYNC-53")
def test_garbage_that_was_made_meanwhile_goes_with_a_sweep() -> None:
    gc.collect()
    with garbage.quiet():
        gone = weakref.ref(Knot())
        assert gone() is not None
        garbage.sweep()
        assert gone() is None
