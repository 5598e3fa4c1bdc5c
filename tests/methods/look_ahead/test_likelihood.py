"""How likely bins are in each class, against what they were drawn from."""

import numpy as np
import pytest
from scipy.stats import entropy, norm

from solvers.methods.look_ahead.likelihood import Scale, class_entropy, log_table


def test_of_rows_of_two_normals_bins_are_as_likely_as_these_say():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=20_000)
    X = rng.standard_normal((20_000, 1)) + 1.5 * y[:, np.newaxis]
    weights = np.ones(len(X))
    scale = Scale(X, weights)
    codes = scale.codes(X)
    table = np.exp(log_table(scale, codes, y, weights, (2, 1)))[0, :, :, 0]
    assert table.sum(axis=0) == pytest.approx(1.0, abs=1e-6)
    # Where half of one class lies, the other has what its normal says.
    below = np.bincount(codes[y == 0, 0], minlength=len(table)).cumsum() / sum(y == 0)
    at = int(np.searchsorted(below, 0.5))
    assert table[: at + 1, 0].sum() == pytest.approx(below[at], abs=0.03)
    edge = norm.ppf(below[at])
    assert table[: at + 1, 1].sum() == pytest.approx(norm.cdf(edge - 1.5), abs=0.03)


def test_entropy_is_that_of_the_class_whatever_the_pattern():
    share = np.random.default_rng(1).random((5, 3, 2))
    expected = entropy(share.sum(axis=2), axis=1)
    assert class_entropy(share) == pytest.approx(expected)
