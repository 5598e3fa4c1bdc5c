"""Random problems for selective ridge, and the same ones for a general solver."""

import warnings
from dataclasses import dataclass

import cvxpy as cp
import numpy as np

from solvers.methods.selective_ridge import maximum_selectivity

LOSSES = ("squared", "hinge", "logistic")
SHARES = (0.0, 1e-8, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 0.6, 0.9, 1.0)


@dataclass(frozen=True)
class Case:
    """A table, its targets and what to solve it for."""

    X: np.ndarray
    y: np.ndarray
    loss: str
    gamma: float
    mu: float
    feature_weights: np.ndarray

    @property
    def options(self):
        return {
            "gamma": self.gamma,
            "loss": self.loss,
            "feature_weights": self.feature_weights,
        }


def random_case(seed, loss):
    """Any of: n >> N or n < N, correlated, duplicated, rounded, weighted features."""
    rng = np.random.default_rng(seed)
    n_samples, n_features = int(rng.integers(12, 50)), int(rng.integers(3, 200))
    X = rng.standard_normal((n_samples, n_features))
    kind = rng.choice(["plain", "correlated", "duplicated", "rounded"])
    if kind == "correlated":
        hidden = rng.standard_normal((n_samples, 4)) @ rng.standard_normal(
            (4, n_features)
        )
        X = hidden + 0.1 * X
    elif kind == "duplicated":
        half = n_features // 2
        X[:, -half:] = X[:, :half]
    elif kind == "rounded":
        X = np.round(X)
    truth = rng.standard_normal(n_features) * (rng.random(n_features) < 0.2)
    y = X @ truth + 0.5 * rng.standard_normal(n_samples)
    if loss != "squared":
        y = np.where(y > np.quantile(y, rng.uniform(0.25, 0.75)), 1.0, -1.0)
    gamma = 10 ** rng.uniform(-3, 2)
    weights = np.ones(n_features)
    if rng.random() < 0.4:
        weights = rng.uniform(0.1, 3.0, n_features)
    largest = maximum_selectivity(X, y, gamma, loss, feature_weights=weights)
    return Case(X, y, loss, gamma, float(rng.choice(SHARES)) * largest, weights)


def objective(case, coef, intercept):
    """Eq. (11), term by term as the paper has it."""
    limits = case.mu * case.feature_weights
    sizes = np.abs(coef)
    penalties = np.where(sizes <= limits, 2 * limits * sizes, limits**2 + sizes**2)
    decisions = case.X @ coef + intercept
    losses = {
        "squared": (case.y - decisions) ** 2,
        "hinge": np.maximum(0.0, 1.0 - case.y * decisions),
        "logistic": np.logaddexp(0.0, -case.y * decisions),
    }[case.loss]
    return case.gamma * penalties.sum() + losses.sum()


def optimum(case):
    """The least of eq. (11) by cvxpy, and whether cvxpy vouches for it.

    It is posed with abs(a) <= c + e, 0 <= c <= mu and e >= 0.
    """
    n_features = case.X.shape[1]
    limits = case.mu * case.feature_weights
    coef, inner, outer = (cp.Variable(n_features) for _ in range(3))
    decisions = case.X @ coef + cp.Variable()
    losses = {
        "squared": lambda: cp.sum_squares(case.y - decisions),
        "hinge": lambda: cp.sum(cp.pos(1 - cp.multiply(case.y, decisions))),
        "logistic": lambda: cp.sum(cp.logistic(-cp.multiply(case.y, decisions))),
    }[case.loss]()
    penalty = 2 * limits @ (inner + outer) + cp.sum_squares(outer)
    problem = cp.Problem(
        cp.Minimize(case.gamma * penalty + losses),
        [cp.abs(coef) <= inner + outer, inner >= 0, inner <= limits, outer >= 0],
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Solution may be inaccurate")
        problem.solve(solver=cp.CLARABEL)
    return float(problem.value), problem.status == cp.OPTIMAL
