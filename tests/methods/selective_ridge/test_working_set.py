"""The solver's fits meet the optimality conditions of every single feature."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from solvers.methods.selective_ridge.paths import empty_model
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.working_set import (
    Solver,
    largest_ratio,
    without_priced,
)
from tests.each import each
from tests.methods.selective_ridge_cases import LOSSES

every_loss = each("loss", LOSSES)


def _problem(loss, scales=None, n_samples=40, n_features=25, gamma=0.5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    y = X[:, 0] - X[:, 1] + 0.7 * rng.standard_normal(n_samples)
    if loss != "squared":
        y = np.where(y > 0, 1.0, -1.0)
    scales = np.ones(n_features) if scales is None else scales
    return X, y, RidgeProblem.of(X, y, np.ones(n_samples), scales, gamma, loss)


def _fit(problem, mu, tolerance=1e-10):
    *_, last = Solver(problem).refine(mu, tolerance, polish=True)
    return last


@every_loss
@each("share", [0.02, 0.2, 0.7])
def test_scores_say_the_state_of_every_feature(loss, share):
    X, _, problem = _problem(loss)
    mu = share * empty_model(problem)[1]
    fit = _fit(problem, mu)
    scores = fit.dual_coef @ X
    sizes = np.abs(scores)
    slack = 1e-3 * mu
    assert (sizes[fit.states == "zero"] <= mu + slack).all()
    at_boundary = fit.states == "boundary"
    assert sizes[at_boundary] == pytest.approx(
        np.full(at_boundary.sum(), mu), abs=slack
    )
    assert (np.sign(fit.coef) == np.sign(scores))[at_boundary].all()
    ridge = fit.states == "ridge"
    assert fit.coef[ridge] == pytest.approx(scores[ridge], abs=slack)


@every_loss
def test_fits_get_better_down_to_the_tolerance(loss):
    _, _, problem = _problem(loss)
    fits = list(Solver(problem).refine(0.1, 1e-8))
    gaps = [fit.relative_gap for fit in fits]
    assert gaps == sorted(gaps, reverse=True)
    assert -1e-12 <= gaps[-1] <= 1e-8
    objectives = [fit.objective - fit.duality_gap for fit in fits]
    assert max(objectives) <= fits[-1].objective * (1 + 1e-9)


@every_loss
def test_above_the_largest_selectivity_the_empty_model_is_given_at_once(loss):
    _, _, problem = _problem(loss)
    largest = empty_model(problem)[1]
    (only,) = Solver(problem, empty_model(problem)[0]).refine(1.01 * largest, 1e-6)
    assert not only.support.any()
    assert only.duality_gap == pytest.approx(0.0, abs=1e-9 * only.objective)


def test_without_selectivity_it_is_ridge_regression():
    X, y, problem = _problem("squared", gamma=2.0)
    fit = _fit(problem, 0.0)
    ridge = Ridge(alpha=2.0).fit(X, y)
    assert fit.coef == pytest.approx(ridge.coef_, abs=1e-6)
    assert fit.intercept == pytest.approx(ridge.intercept_, abs=1e-6)


@every_loss
def test_where_a_solver_has_been_changes_nothing(loss):
    _, _, problem = _problem(loss)
    solver = Solver(problem)
    for mu in (0.5, 0.01, 0.3):
        list(solver.refine(mu, 1e-6))
    *_, warm = solver.refine(0.1, 1e-9, polish=True)
    cold = _fit(problem, 0.1, 1e-9)
    assert warm.objective == pytest.approx(cold.objective, rel=1e-8)
    assert (warm.support == cold.support).all()


def test_the_free_features_alone_make_the_first_model():
    scales = np.where(np.arange(25) < 3, 0.0, 1.0)
    X, y, problem = _problem("squared", scales, gamma=2.0)
    coef, dual = without_priced(problem)
    ridge = Ridge(alpha=2.0).fit(X[:, :3], y)
    assert coef[:3] == pytest.approx(ridge.coef_, abs=1e-6)
    assert not coef[3:].any()
    left = y - ridge.predict(X[:, :3])
    assert dual == pytest.approx(2 * problem.capacity * left, abs=1e-5)


def test_a_feature_that_is_free_has_no_ratio():
    scores = np.array([-4.0, 1.0, 3.0])
    assert largest_ratio(scores, np.array([0.0, 1.0, 2.0])) == 1.5
    assert largest_ratio(scores, np.zeros(3)) == 0.0
