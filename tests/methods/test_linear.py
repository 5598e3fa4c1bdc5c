"""Fits that share work are those of fits that stand alone."""

import numpy as np
import pytest

from solvers import all_datasets, split_dataset
from solvers.datasets import make_breast_cancer
from solvers.methods.acafh import ACAFHClassifier
from solvers.methods.l1 import L1Classifier
from solvers.methods.reweighted_l1 import ReweightedL1Classifier
from tests.each import each
from tests.methods.tables import random_problem


@each("method", [L1Classifier, ReweightedL1Classifier])
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


@each("method", [L1Classifier, ReweightedL1Classifier])
def test_fits_that_follow_each_other_converge_in_few_steps(method):
    # A fit that does not converge warns, and a warning fails a test.
    split = split_dataset(all_datasets()["signals"]())
    fits = method(split.dataset.hypergraph).refitter(split.X("train"), split.y("train"))
    steps = [fits(alpha=alpha).n_iter_ for alpha in np.geomspace(1e-5, 1e-2, 60)]
    assert max(steps) < 60


@each("method", [ACAFHClassifier, L1Classifier])
def test_neither_unit_nor_zero_of_a_column_changes_a_decision(method):
    X, y, hypergraph = random_problem(3, n_features=10, n_samples=200)
    moved = X.copy()
    moved[:, 2] += 1e4
    moved[:, 5] = 32 - 1.8 * moved[:, 5]
    # L1 looks at no prices, so its trade-off is another one.
    alpha = 0.002 if method is ACAFHClassifier else 0.005
    here = method(hypergraph, alpha=alpha).fit(X, y)
    there = method(hypergraph, alpha=alpha).fit(moved, y)
    assert here.support_.any()
    assert here.support_[[2, 5]].any()
    assert np.array_equal(there.support_, here.support_)
    decisions = here.decision_function(X)
    assert there.decision_function(moved) == pytest.approx(decisions, abs=1e-6)
