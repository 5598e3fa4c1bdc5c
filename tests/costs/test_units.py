"""Units of time are converted into each other, and no others into anything."""

import itertools

import pytest

from solvers.costs.units import TIME_UNITS, conversion, is_time
from solvers.errors import HypergraphError
from tests.each import each


@each(
    ("given", "wanted", "factor"),
    [("ms", "us", 1000.0), ("ns", "s", 1e-9), ("s", "ms", 1000.0), ("us", "ms", 1e-3)],
)
def test_times_are_converted(given, wanted, factor):
    assert conversion(given, wanted) == factor


@each("pair", [*itertools.permutations(TIME_UNITS, 2)])
def test_there_and_back_is_where_it_began(pair):
    assert conversion(*pair) * conversion(*pair[::-1]) == pytest.approx(1.0)


@each("micro", ["µs", "μs"])
def test_both_letters_for_a_millionth_mean_it(micro):
    assert conversion(micro, "us") == 1.0
    assert conversion("ms", micro) == 1000.0
    assert is_time(micro)


def test_a_unit_that_is_no_time_is_only_itself():
    assert conversion("CAD", "CAD") == 1.0
    assert not is_time("CAD")
    for pair in (("CAD", "us"), ("us", "CAD"), ("CAD", "EUR")):
        with pytest.raises(HypergraphError, match="only ns, us, ms, s are converted"):
            conversion(*pair)
