from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.cuts import landmarks
from recollect.text.segments import Segments

_PIECES = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 6)), max_size=60)


def segments(pieces: list[tuple[int, int]]) -> Segments:
    starts = [sum(size for size, _ in pieces[:place]) for place in range(len(pieces))]
    ends = [start + size - 1 for start, (size, _) in zip(starts, pieces, strict=True)]
    return Segments(
        starts=starts,
        ends=ends,
        start_costs=starts,
        end_costs=ends,
        priorities=[priority for _, priority in pieces],
    )


@pytest.mark.req("CHUNK-11")
@given(_PIECES, st.integers(1, 100))
def test_a_landmark_is_better_than_all_that_begins_around_it(pieces: list[tuple[int, int]], horizon: int) -> None:
    given_ = segments(pieces)
    starts, priorities = given_.starts, given_.priorities
    expected = [
        place
        for place, start in enumerate(starts)
        if start >= starts[0] + horizon
        and start <= given_.ends[-1] - horizon
        and all(
            priorities[other] < priorities[place]
            for other in range(len(starts))
            if other != place and abs(starts[other] - start) <= horizon
        )
    ]
    assert landmarks(given_, horizon) == expected
