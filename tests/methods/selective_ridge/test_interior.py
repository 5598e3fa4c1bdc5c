"""Interior points: certified all the way, and at the optimum in the end."""

import numpy as np
import pytest

from solvers.methods.selective_ridge.interior import Subproblem, interior_point
from solvers.methods.selective_ridge.problem import RidgeProblem
from tests.each import each
from tests.methods.selective_ridge.solved import solve
from tests.methods.selective_ridge_cases import LOSSES, Case, objective, optimum

every_loss = each("loss", LOSSES)


def _case(loss, seed=0, n_samples=30, n_features=12, mu=0.05, gamma=0.5):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    y = X[:, 0] - X[:, 1] + 0.7 * rng.standard_normal(n_samples)
    if loss != "squared":
        y = np.where(y > 0, 1.0, -1.0)
    return Case(X, y, loss, gamma, mu, rng.uniform(0.5, 2.0, n_features))


def _sub(case, kept=slice(None), gram=None, folded=0.0, **options):
    weights = np.ones(len(case.y))
    problem = RidgeProblem.of(
        case.X, case.y, weights, case.feature_weights, case.gamma, case.loss
    )
    thresholds = case.mu * case.feature_weights
    block = np.asfortranarray(case.X[:, kept])
    return Subproblem(problem, block, thresholds[kept], gram, folded, **options)


def _best(sub, dual=None):
    """The point of least gap: beyond rounding later ones may be worse."""
    return min(interior_point(sub, dual), key=lambda point: point.gap)


@every_loss
@each("mu", [0.0, 0.05, 0.6])
@each("n_features", [6, 60])
def test_the_best_point_is_the_optimum_of_a_generic_solver(loss, mu, n_features):
    case = _case(loss, n_features=n_features, mu=mu)
    found, (wanted, is_vouched) = _best(_sub(case)), optimum(case)
    assert 2 * case.gamma * found.primal == pytest.approx(wanted, rel=1e-5)
    assert is_vouched
    assert found.relative_gap <= 1e-8


@every_loss
def test_every_point_on_the_way_proves_its_distance_from_the_optimum(loss):
    case = _case(loss)
    points = list(interior_point(_sub(case)))
    least = min(point.primal for point in points)
    for point in points:
        assert point.gap >= -1e-12 * least
        assert point.primal - point.gap <= least * (1 + 1e-9)
    assert points[0].gap > 1e3 * min(point.gap for point in points)


@every_loss
def test_the_primal_value_is_the_objective_of_the_paper(loss):
    case = _case(loss)
    sub = _sub(case)
    found = _best(sub)
    decisions = case.X @ found.coef
    intercept = sub.problem.loss_of(decisions)[1]
    wanted = objective(case, found.coef, intercept)
    assert 2 * case.gamma * found.primal == pytest.approx(wanted)


@every_loss
def test_the_extended_system_ends_at_the_same_optimum(loss):
    case = _case(loss)
    plain, extended = _best(_sub(case)), _best(_sub(case, is_extended=True))
    assert extended.primal == pytest.approx(plain.primal, rel=1e-8)


@every_loss
def test_ridge_features_folded_into_a_gram_matrix_change_nothing(loss):
    case = _case(loss, mu=0.1)
    whole = _best(_sub(case))
    limits = case.mu * case.feature_weights
    ridge = np.abs(whole.dual @ case.X) > 1.05 * limits
    assert 0 < ridge.sum() < len(ridge)
    folded = case.X[:, ridge]
    half = 0.5 * float((limits[ridge] ** 2).sum())
    part = _best(_sub(case, ~ridge, folded @ folded.T, half))
    assert part.primal == pytest.approx(whole.primal, rel=1e-8)
    assert part.carrier @ folded == pytest.approx(whole.coef[ridge], abs=1e-4)


@every_loss
def test_a_warm_start_ends_where_a_cold_one_does(loss):
    case = _case(loss)
    near = _best(_sub(_case(loss, mu=0.06)))
    warm = _best(_sub(case), near.dual)
    assert warm.primal == pytest.approx(_best(_sub(case)).primal, rel=1e-8)


@every_loss
def test_a_dual_stays_feasible(loss):
    case = _case(loss)
    sub = _sub(case)
    for point in interior_point(sub):
        assert point.dual.sum() == pytest.approx(0.0, abs=1e-9)
        if loss != "squared":
            size = case.y * point.dual
            assert (size >= -1e-12).all()
            assert (size <= sub.problem.capacity * (1 + 1e-12)).all()


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((40, 15))
    y = X[:, :4] @ [2.0, -1.0, 1.0, 0.5] + 0.5 * rng.standard_normal(40)
    return X, y, np.where(y > 0, 1, -1)


@each(("mu", "expected"), [(0.2, 2 / 3), (0.65, 2 / 3), (0.9, 0.55), (2.0, 0.0)])
def test_one_feature_two_rows_by_hand(mu, expected):
    """a = 2t / (2 + gamma) if that is above mu, else max(0, t - gamma mu / 2)."""
    fit = solve([[1.0], [-1.0]], [1.0, -1.0], mu, loss="squared", tol=1e-12)
    assert fit.coef[0] == pytest.approx(expected, abs=1e-6)


@each("mu", [1e-3, 3.0])
def test_a_duplicated_feature_shares_its_coefficient(table, mu):
    X, y, _ = table
    alone = solve(X, y, mu, loss="squared", gamma=5.0)
    twice = solve(np.hstack([X, X[:, :1]]), y, mu, loss="squared", gamma=5.0)
    if alone.states[0] == "boundary":
        total = twice.coef[0] + twice.coef[-1]
        assert total == pytest.approx(alone.coef[0], abs=1e-5)
    else:
        assert twice.coef[0] == pytest.approx(twice.coef[-1], abs=1e-6)
