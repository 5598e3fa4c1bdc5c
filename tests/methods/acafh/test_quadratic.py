"""Dropped together as one by one: a quadratic says what a fit would."""

import numpy as np
import pytest

from solvers.methods.acafh.quadratic import Quadratic
from tests.methods.acafh.quadratics import CHOSEN, N_FEATURES, least


def test_sets_of_several_sizes_are_dropped_together_as_one_by_one(quadratic):
    matrix, target = quadratic
    model = Quadratic(matrix, target, CHOSEN)
    dropped = np.zeros((4, N_FEATURES), dtype=bool)
    dropped[1, 2] = dropped[2, [0, 7]] = True
    dropped[3] = CHOSEN
    left = model.without(dropped)
    gains, covariances = left.gains(), left.covariances()
    before = least(matrix, target, CHOSEN)
    for i, gone in enumerate(dropped):
        kept = CHOSEN & ~gone
        after = least(matrix, target, kept)
        assert left.harm[i] == pytest.approx(after - before, abs=1e-8)
        assert np.allclose(np.diag(covariances[i]), left.variance[i])
        for j in np.flatnonzero(~CHOSEN):
            one_more = kept | (np.arange(N_FEATURES) == j)
            gain = after - least(matrix, target, one_more)
            assert gains[i, j] == pytest.approx(gain, abs=1e-8)
