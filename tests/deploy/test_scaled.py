"""A policy behind a scaler decides on raw columns as it did on scaled ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.deploy.scaled import _exact_bound

numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers, st.floats(1e-3, 1e3))
def test_a_bound_is_the_last_number_that_is_not_above_it_once_scaled(at, centre, width):
    bound = _exact_bound(at, centre, width)
    assert (bound - centre) / width <= at
    above = math.nextafter(bound, math.inf)
    assert (above - centre) / width > at


@pytest.mark.parametrize("seed", range(5))
def test_values_that_occur_stay_on_their_side_of_a_cut_at_one_of_them(seed):
    rng = np.random.default_rng(seed)
    column = np.round(rng.normal(50, 20, 200), 1)
    centre, width = float(column.mean()), float(column.std())
    scaled = (column - centre) / width
    for at in scaled[:20]:
        bound = _exact_bound(float(at), centre, width)
        assert ((column <= bound) == (scaled <= at)).all()


@pytest.mark.parametrize("value", [0.0, 1.0, -3.0])
def test_a_cut_at_a_count_is_found_around_0_too(value):
    centre, width = 1.0, 0.5
    at = (value - centre) / width
    bound = _exact_bound(at, centre, width)
    assert value <= bound < value + 1e-9
    assert (math.nextafter(bound, math.inf) - centre) / width > at


@pytest.mark.parametrize(
    ("at", "centre", "width"),
    [(math.inf, 1.0, 2.0), (1e308, 0.0, 1e3), (1.0, 1.5e308, 1.5e308)],
)
def test_a_cut_that_nothing_is_above_stays_one(at, centre, width):
    assert _exact_bound(at, centre, width) == math.inf
    assert _exact_bound(-at, -centre, width) == -math.inf


def test_a_column_whose_mean_is_beyond_all_numbers_ends_the_search():
    assert math.isnan(_exact_bound(0.5, math.inf, math.nan))
