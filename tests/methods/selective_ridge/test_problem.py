"""The certificate of a fit is true: its gap bounds what is left."""

import numpy as np
import pytest

from solvers.methods.selective_ridge import selective_ridge_stream
from tests.each import each
from tests.methods.selective_ridge.solved import every_loss, solve_case
from tests.methods.selective_ridge_cases import objective, random_case


@every_loss
@each("seed", range(25, 50))
def test_certificate_is_true(loss, seed):
    case = random_case(seed, loss)
    fit = solve_case(case, tol=1e-7)
    assert fit.relative_gap <= 1e-7 or loss == "hinge"
    assert fit.relative_gap <= 1e-6
    assert fit.objective == pytest.approx(
        objective(case, fit.coef, fit.intercept), rel=1e-9
    )


@every_loss
@each("seed", range(10))
def test_gap_is_never_negative_and_bounds_what_is_left(loss, seed):
    case = random_case(seed, loss)
    least = solve_case(case).objective
    found = selective_ridge_stream(
        case.X, case.y, mu=case.mu, tol=1e-8, every_iteration=True, **case.options
    )
    for fit in found:
        assert fit.duality_gap >= -1e-12 * fit.objective
        assert fit.objective - least <= fit.duality_gap + 1e-8 * least


@every_loss
@each("seed", range(10))
def test_dual_is_feasible(loss, seed):
    case = random_case(seed, loss)
    dual = solve_case(case).dual_coef
    assert abs(dual.sum()) <= 1e-9 * np.abs(dual).sum()
    if loss != "squared":
        assert np.all(case.y * dual >= 0)
        assert np.all(case.y * dual <= (1 + 1e-12) / (2 * case.gamma))


@pytest.mark.kernels
@every_loss
@each("seed", range(5))
def test_states_obey_the_optimality_conditions(loss, seed):
    case = random_case(seed, loss)
    fit = solve_case(case, tol=1e-10)
    scores, limits = case.X.T @ fit.dual_coef, case.mu * case.feature_weights
    slack = 1e-3 * max(np.abs(scores).max(), limits.max())
    zero, boundary, ridge = (
        fit.states == name for name in ("zero", "boundary", "ridge")
    )
    assert np.all(np.abs(scores[zero]) <= limits[zero] + slack)
    assert np.allclose(np.abs(scores[boundary]), limits[boundary], atol=slack)
    assert np.allclose(fit.coef[ridge], scores[ridge], atol=slack)
    assert np.all(fit.coef * scores >= 0)
