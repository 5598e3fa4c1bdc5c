"""What lies midway parts its neighbours, however close they are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.midway import midway

numbers = st.floats(allow_nan=False)


def neighbours(number):
    """Numbers one after the other, from the smallest step that there is on."""
    return number, float(np.nextafter(number, np.inf))


pairs = st.one_of(st.tuples(numbers, numbers), numbers.map(neighbours)).filter(
    lambda pair: pair[0] < pair[1]
)


@given(pairs)
def test_it_parts_the_lower_from_the_higher(pair):
    low, high = pair
    assert low < midway(low, high, inclusive=True) <= high
    assert low <= midway(low, high, inclusive=False) < high


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=9, unique=True))
def test_it_is_halfway_where_that_is_between(found):
    ranked = np.sort(found)
    halfway = (ranked[:-1] + ranked[1:]) / 2
    for inclusive in (True, False):
        between = midway(ranked[:-1], ranked[1:], inclusive=inclusive)
        assert np.array_equal(between, halfway)
