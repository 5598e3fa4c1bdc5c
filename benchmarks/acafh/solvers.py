"""What is timed: each returns weights and intercept on raw columns for each alpha."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from solvers.methods.acafh import ACAFHProblem, Lp

from .datasets import Data

Weights = list[tuple[np.ndarray, float]]
Solver = Callable[[Data, Sequence[float], float], Weights]


def problem(data: Data) -> ACAFHProblem:
    ones = np.ones(len(data.signs))
    return ACAFHProblem(data.X, data.signs, ones, data.hypergraph)


def majorise(data: Data, alphas: Sequence[float], p: float) -> Weights:
    """Ours: majorise-minimise from several starts, preparation included."""
    prepared = problem(data)
    fits = [solution.fit for solution in prepared.along(alphas, Lp(p))]
    return [prepared.loss.to_raw(fit.weights, fit.intercept) for fit in fits]


def admm(data: Data, alphas: Sequence[float], p: float) -> Weights:
    """Algorithm 2 of the paper, 20 rounds, with the proximal step corrected."""
    prepared = problem(data)
    fits = [prepared.solve(a, Lp(p), algorithm="admm").fit for a in alphas]
    return [prepared.loss.to_raw(fit.weights, fit.intercept) for fit in fits]


def sklearn_l1(data: Data, alphas: Sequence[float], p: float) -> Weights:
    """scikit-learn's liblinear on columns divided by their price: p = 1."""
    prices = data.hypergraph.marginal_costs() * (np.ptp(data.X, axis=0) / 2)
    table = data.X / prices
    found = []
    for alpha in alphas:
        model = LogisticRegression(
            l1_ratio=1,
            solver="liblinear",
            C=1.0 / (len(data.signs) * alpha),
            intercept_scaling=100.0,
            random_state=0,
        ).fit(table, data.signs)
        found.append((model.coef_[0] / prices, float(model.intercept_[0])))
    return found


SOLVERS: dict[str, Solver] = {
    "ACAFH majorise": majorise,
    "ACAFH admm (as published, 20 rounds)": admm,
    "scikit-learn L1 (liblinear, p = 1)": sklearn_l1,
}
