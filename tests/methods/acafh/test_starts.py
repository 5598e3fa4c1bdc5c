"""Starts of descents: what they are, and that earlier questions do not change them."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers import FeatureHypergraph
from solvers.methods.acafh.penalties import Lp, Scad, SharedPenalty, Sharing
from solvers.methods.acafh.starts import Starts
from solvers.numerics.curvature import HessianCache
from solvers.numerics.logistic import LogisticLoss
from tests.methods.tables import random_problem

ROOT = Lp(0.5)


def _starts(seed=0, n_free=0, n_features=6):
    X, y, hypergraph = random_problem(seed, n_features=n_features, n_samples=150)
    if n_free:
        costs = np.where(np.arange(n_features) < n_free, 0.0, 1.0)
        hypergraph = FeatureHypergraph.independent(costs)
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    return X, y, Starts(loss, Sharing(hypergraph), 1e-6, 500)


def _found(starts, alpha, shape=ROOT):
    penalty = SharedPenalty(alpha, shape, starts.sharing)
    return starts.of(penalty, starts.hessians_near(penalty))


def test_the_dense_fit_is_that_of_scikit_learn_without_a_penalty():
    X, y, starts = _starts()
    plain = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X, y)
    dense = starts.dense_fit
    assert dense.loss == pytest.approx(
        np.logaddexp(0, -y * plain.decision_function(X)).mean(), abs=1e-4
    )


def test_the_null_fit_uses_features_that_cost_nothing_alone():
    _, _, starts = _starts(n_free=2)
    assert np.flatnonzero(starts.null_fit.weights).tolist() == [0, 1]
    assert not _starts()[2].null_fit.weights.any()


def test_every_kind_of_start_is_there_and_the_null_model_first():
    _, _, starts = _starts()
    kinds = [kind for kind, _, _ in _found(starts, 0.01)]
    assert kinds[0] == "null"
    assert {"dense", "l1", "elimination", "ladder"} <= set(kinds)


@pytest.mark.parametrize("shape", [Lp(0.5), Scad(3.0)], ids=str)
def test_what_was_asked_before_changes_no_start(shape):
    fresh = _found(_starts()[2], 0.01, shape)
    _, _, asked = _starts()
    for alpha in (0.3, 0.001, 0.05):
        _found(asked, alpha, Lp(0.7))
        _found(asked, alpha, shape)
    again = _found(asked, 0.01, shape)
    assert [kind for kind, *_ in again] == [kind for kind, *_ in fresh]
    for (_, one, _), (_, other, _) in zip(again, fresh, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_selections_within_a_budget_cost_no_more(share):
    _, _, starts = _starts()
    budget = share * starts.sharing.costs.sum()
    found = starts.within(budget, Lp(0.5))
    assert all(starts.sharing.cost(support) <= budget for support in found)
    if share == 1.0:
        assert any(support.sum() >= 3 for support in found)


def test_from_the_null_alpha_on_no_eliminated_fit_beats_the_null_model():
    _, _, starts = _starts()
    shape = Lp(0.5)
    alpha = starts.null_alpha(shape)
    penalty = SharedPenalty(alpha * (1 + 1e-9), shape, starts.sharing)
    for weights, intercept in starts.pool.best(penalty, 50):
        used = np.flatnonzero(weights)
        loss = starts.loss.value(starts.loss.odds(used, weights[used], intercept))
        assert loss + penalty.value(np.abs(weights)) >= starts.null_fit.loss - 1e-9


def test_a_descent_ends_below_its_start_and_counts_its_steps():
    _, _, starts = _starts()
    penalty = SharedPenalty(0.01, Lp(0.5), starts.sharing)
    dense, before = starts.dense_fit, starts.n_iter
    cache = HessianCache(starts.loss)
    fit = starts.descend(penalty, dense.weights, dense.intercept, 1e-6, cache)
    assert fit.objective <= dense.loss + penalty.value(np.abs(dense.weights))
    assert starts.n_iter == before + fit.n_iter > before


def test_more_features_than_rows_start_from_those_that_l1_leaves():
    X, y, hypergraph = random_problem(1, n_features=60, n_samples=40)
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    starts = Starts(loss, Sharing(hypergraph), 1e-6, 500)
    kept = starts.dense_fit.weights != 0
    assert 0 < kept.sum() < 60
    assert [kind for kind, *_ in _found(starts, 0.01)].count("ladder") == 0
