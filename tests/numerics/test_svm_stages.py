"""Stages of machines: a problem in other words has the same optimum at every stage."""

import numpy as np
import pytest

from solvers.numerics.svm_objective import primal_objective
from solvers.numerics.svm_stages import train_stages

pytestmark = pytest.mark.kernels

N_ROWS, GROUPS = 90, ([0, 1, 2], [3], [4, 5, 6, 7])
HOW = ("rows", "columns", "units", "twice")


def table(seed, noise=2.0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_ROWS, 8)) * rng.uniform(0.5, 3.0, 8)
    X[:, -1] = np.round(X[:, 0])  # a column that nearly says the same
    scores = X @ rng.standard_normal(8) + noise * rng.standard_normal(N_ROWS)
    return X, np.where(scores > 0, 1.0, -1.0)


def rewritten(how, X, y, groups, rng):
    """Return the same problem in other words: rows, signs, groups, weights."""
    weights = np.ones(len(y))
    if how == "rows":
        order = rng.permutation(len(y))
        return X[order], y[order], groups, weights
    if how == "columns":
        order = rng.permutation(X.shape[1])
        places = np.argsort(order)
        return X[:, order], y, [places[group] for group in groups], weights
    if how == "units":
        return X * 2.0 ** rng.integers(-12, 12, X.shape[1]), y, groups, weights
    twice = np.repeat(np.arange(len(y)), 2)
    return X[twice], y[twice], groups, np.full(len(twice), 0.5)


def objectives(X, y, groups, weights, C, solver):
    """Return the objective of every stage, in units of spread, by definition."""
    caps = C * weights
    stages = train_stages(
        X, y[np.newaxis], caps, [np.array(group) for group in groups], solver
    )
    found = []
    for stage in stages:
        assert stage.gap[0] <= 1e-8
        coef = stage.coef[0] * stage.spread
        shift = stage.intercept[0]
        found.append(primal_objective(X / stage.spread, y, caps, coef, shift))
    return found


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("C", "noise"), [(0.1, 2.0), (10.0, 0.1)], ids=["noisy", "nearly separable"]
)
@pytest.mark.parametrize("solver", ["interior_point", "path"])
def test_every_stage_has_the_same_objective(solver, C, noise, how):
    X, y = table(3, noise)
    groups = [np.array(group) for group in GROUPS]
    rng = np.random.default_rng(3)
    here = objectives(X, y, groups, np.ones(len(y)), C, solver)
    there = objectives(*rewritten(how, X, y, groups, rng), C, solver)
    assert there == pytest.approx(here, rel=2e-8)


@pytest.mark.parametrize("how", HOW)
def test_stages_of_more_columns_than_rows_have_the_same_objective(how):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 60))
    y = np.where(X[:, 0] + rng.standard_normal(30) > 0, 1.0, -1.0)
    groups = np.array_split(np.arange(60), 4)
    here = objectives(X, y, groups, np.ones(30), 1.0, "interior_point")
    there = objectives(*rewritten(how, X, y, groups, rng), 1.0, "interior_point")
    assert there == pytest.approx(here, rel=2e-8)
