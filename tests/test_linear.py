"""Fits that share work are those of fits that stand alone."""

import numpy as np
import pytest

from solvers import all_datasets, split_dataset
from solvers.datasets import make_breast_cancer
from solvers.methods.l1 import L1Classifier
from solvers.methods.reweighted_l1 import ReweightedL1Classifier


@pytest.mark.parametrize("method", [L1Classifier, ReweightedL1Classifier])
def test_a_shared_fit_is_that_of_a_fit_alone(method):
    data = make_breast_cancer()
    split = split_dataset(data)
    X, y = split.X("train"), split.y("train")
    refit = method(data.hypergraph).refitter(X, y)
    for alpha in (0.01, 0.05, 0.02):
        alone = method(data.hypergraph, alpha=alpha).fit(X, y)
        shared = refit(alpha=alpha)
        assert shared.alpha == alpha
        assert shared.objective_ == pytest.approx(alone.objective_, rel=1e-6)
        assert np.array_equal(shared.support_, alone.support_)


@pytest.mark.parametrize("method", [L1Classifier, ReweightedL1Classifier])
def test_fits_that_follow_each_other_converge_in_few_steps(method):
    # A fit that does not converge warns, and a warning fails a test.
    split = split_dataset(all_datasets()["signals"]())
    fits = method(split.dataset.hypergraph).refitter(split.X("train"), split.y("train"))
    steps = [fits(alpha=alpha).n_iter_ for alpha in np.geomspace(1e-5, 1e-2, 60)]
    assert max(steps) < 60
