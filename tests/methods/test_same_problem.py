"""A problem written down in another order, or twice at half the weight, is the same."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.methods.acafh import ACAFHClassifier
from solvers.methods.l1 import L1Classifier
from solvers.methods.reweighted_l1 import ReweightedL1Classifier
from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    SelectiveRidgeRegressor,
)
from solvers.numerics.ridge_logistic import fit_logistic
from tests.each import each

pytestmark = pytest.mark.kernels

N_ROWS, N_FEATURES = 90, 8
COSTS = np.linspace(0.5, 4.0, N_FEATURES)

# Each with the share to which its objective is known.
MODELS = {
    "l1": (lambda prices: L1Classifier(prices, alpha=0.02, tol=1e-9), 1e-6),
    "reweighted_l1": (
        lambda prices: ReweightedL1Classifier(prices, alpha=0.01, tol=1e-9),
        1e-6,
    ),
    "acafh": (lambda prices: ACAFHClassifier(prices, alpha=0.01), 1e-6),
    "acafh, mcp": (
        lambda prices: ACAFHClassifier(prices, alpha=0.01, penalty="mcp"),
        1e-6,
    ),
    "acafh, scad": (
        lambda prices: ACAFHClassifier(prices, alpha=0.01, penalty="scad"),
        1e-6,
    ),
    "hinge": (lambda prices: SelectiveRidgeClassifier(mu=1.0, hypergraph=prices), 1e-8),
    "logistic": (
        lambda prices: SelectiveRidgeClassifier(
            mu=1.0, hypergraph=prices, loss="logistic"
        ),
        2e-6,
    ),
    "squared": (
        lambda prices: SelectiveRidgeRegressor(mu=1.0, hypergraph=prices),
        2e-6,
    ),
}


def rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_ROWS, N_FEATURES)) * rng.uniform(0.5, 3.0, N_FEATURES)
    X[:, -1] = np.round(X[:, 0])  # a column that nearly says the same
    y = X @ rng.standard_normal(N_FEATURES) + 2.0 * rng.standard_normal(N_ROWS) > 0
    return X, np.where(y, 1, -1)


def objective(make, X, y, costs=COSTS, weights=None):
    model = make(FeatureHypergraph.independent(costs))
    return model.fit(X, y, sample_weight=weights).objective_


def rewritten(how, X, y, rng):
    """Return the same problem in other words: rows, labels, costs, weights."""
    if how == "rows":
        order = rng.permutation(len(y))
        return X[order], y[order], COSTS, None
    if how == "columns":
        order = rng.permutation(X.shape[1])
        return X[:, order], y, COSTS[order], None
    if how == "units":
        return X * 2.0 ** rng.integers(-12, 12, X.shape[1]), y, COSTS, None
    twice = np.repeat(np.arange(len(y)), 2)
    return X[twice], y[twice], COSTS, np.full(len(twice), 0.5)


HOW = ("rows", "columns", "units", "twice")


@each("how", HOW)
@each("name", MODELS)
def test_the_objective_is_the_same(name, how):
    make, tolerance = MODELS[name]
    X, y = rows(0)
    here = objective(make, X, y)
    there = objective(make, *rewritten(how, X, y, np.random.default_rng(0)))
    assert there == pytest.approx(here, rel=tolerance)


@each("how", HOW)
def test_selective_ridge_s_hinge_is_the_same_model(how):
    make, _ = MODELS["hinge"]
    X, y = rows(0)
    X2, y2, costs, weights = rewritten(how, X, y, np.random.default_rng(0))
    here = make(FeatureHypergraph.independent(COSTS)).fit(X, y)
    there = make(FeatureHypergraph.independent(costs)).fit(X2, y2, weights)
    step = 2 if how == "twice" else 1
    decisions = np.sort(there.decision_function(X2))[::step]
    assert decisions == pytest.approx(np.sort(here.decision_function(X)), abs=1e-7)
    assert here.support_.sum() == there.support_.sum()


@each("how", HOW)
def test_ridge_logistic_decides_the_same(how):
    X, y = rows(0)
    X2, y2, _, weights = rewritten(how, X, y, np.random.default_rng(0))
    weights = np.ones(len(y2)) if weights is None else weights
    step = 2 if how == "twice" else 1
    here = fit_logistic(X, y.astype(float), np.ones(len(y))).odds(X)
    there = fit_logistic(X2, y2.astype(float), weights).odds(X2)
    assert np.sort(there)[::step] == pytest.approx(np.sort(here), abs=1e-6)
