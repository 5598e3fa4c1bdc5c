"""Random instances of up to fourteen components, three of a size, and brute force."""

import pytest

from tests.certify.cases import random_instance
from tests.certify.test_frontier import hold_bounds_at_every_moment
from tests.certify.test_nearly import hold_listing

SIZES = 11


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1001, 1034, SIZES))
def test_bounds_hold_at_every_moment_and_lists_are_whole(first):
    for seed in range(first, first + SIZES):
        case = random_instance(seed, n_components=4 + seed % 11, n=50)
        hold_bounds_at_every_moment(case, tol=1e-3)
        hold_listing(case, 0.2 + 0.1 * (seed % 7), within=0.1)
