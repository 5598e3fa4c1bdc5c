"""Proximal Newton is slower than interior points, and ends where they do."""

import numpy as np
import pytest

from solvers.methods.selective_ridge.interior import Subproblem, interior_point
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.proximal import descend, proximal_newton
from tests.each import each


def _sub(seed=0, mu=0.1, gamma=0.5, n_samples=25, n_features=10):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    y = np.where(X[:, 0] + rng.standard_normal(n_samples) > 0, 1.0, -1.0)
    ones = np.ones(n_features)
    problem = RidgeProblem.of(X, y, np.ones(n_samples), ones, gamma, "logistic")
    return Subproblem(problem, np.asfortranarray(X), mu * ones, None, 0.0)


def _least(points):
    return min(points, key=lambda point: point.gap)


@each("seed", range(3))
@each("gamma", [0.01, 1.0])
def test_both_end_at_the_same_optimum(seed, gamma):
    sub = _sub(seed, gamma=gamma)
    one, other = _least(proximal_newton(sub)), _least(interior_point(sub))
    assert one.primal == pytest.approx(other.primal, rel=1e-7)
    assert one.relative_gap <= 1e-6


def test_every_step_lowers_the_value_and_bounds_the_optimum():
    sub = _sub()
    points = list(proximal_newton(sub))
    values = [point.primal for point in points]
    assert values == sorted(values, reverse=True)
    for point in points:
        assert point.primal - point.gap <= values[-1] * (1 + 1e-12)


def test_whoever_is_satisfied_sees_interior_points_alone():
    sub = _sub()
    *inner, _ = interior_point(sub)
    seen = [point.primal for point, _ in zip(descend(sub, None), inner, strict=False)]
    assert seen == pytest.approx([point.primal for point in inner])
