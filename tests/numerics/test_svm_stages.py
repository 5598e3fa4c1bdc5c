"""Columns in units of their spread, and machines on more and more of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.svm_optimum import primal_objective
from solvers.numerics.svm_stages import ColumnScale, train_stages
from tests.each import each


def uneven_table(seed, n=20):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 3)) * [1.0, 1e-6, 1e9] + [0.0, 5.0, -1e9]


@given(st.integers(0, 10_000))
def test_weights_count_rows(seed):
    X = uneven_table(seed)
    times = np.random.default_rng(seed).integers(0, 4, len(X))
    times[0] = 1
    scale = ColumnScale.of(X, times.astype(float))
    written = np.repeat(X, times, axis=0)
    np.testing.assert_allclose(scale.centre, written.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(scale.spread, written.std(axis=0), rtol=1e-7)


def test_columns_come_out_with_mean_0_and_spread_1():
    X = uneven_table(0)
    scaled = ColumnScale.of(X, np.ones(len(X))).standardised(X)
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(scaled.std(axis=0), 1.0, rtol=1e-9)


@each("value", [0.0, 0.1, -3e300, 1e-310])
def test_a_constant_column_comes_out_as_zeros_whatever_its_value(value):
    X = np.column_stack([np.full(7, value), np.arange(7.0)])
    scale = ColumnScale.of(X, np.linspace(1, 2, 7))
    assert scale.is_constant.tolist() == [True, False]
    assert not scale.standardised(X)[:, 0].any()
    assert scale.spread[0] == 1.0


def test_values_whose_squares_overflow_have_a_spread():
    X = np.array([[-1e300], [1e300]])
    assert ColumnScale.of(X, np.ones(2)).spread == pytest.approx([1e300])


@given(st.integers(0, 10_000))
def test_raw_weights_say_of_raw_rows_what_scaled_ones_say_of_scaled(seed):
    X, rng = uneven_table(seed), np.random.default_rng(seed)
    scale = ColumnScale.of(X, rng.uniform(0.5, 2, len(X)))
    coef, intercept = rng.standard_normal((2, 3)), rng.standard_normal(2)
    said = scale.standardised(X) @ coef.T + intercept
    raw_coef, raw_intercept = scale.raw(coef, intercept)
    np.testing.assert_allclose(X @ raw_coef.T + raw_intercept, said, atol=1e-6)


def test_a_scale_that_changes_nothing_gives_back_the_same_numbers():
    X = uneven_table(1)
    assert np.array_equal(ColumnScale.unchanged(3).standardised(X), X)


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


@each("how", HOW)
@each(("C", "noise"), [(0.1, 2.0), (10.0, 0.1)], ids=["noisy", "nearly separable"])
@each("solver", ["interior_point", "path"])
def test_every_stage_has_the_same_objective(solver, C, noise, how):
    X, y = table(3, noise)
    groups = [np.array(group) for group in GROUPS]
    rng = np.random.default_rng(3)
    here = objectives(X, y, groups, np.ones(len(y)), C, solver)
    there = objectives(*rewritten(how, X, y, groups, rng), C, solver)
    assert there == pytest.approx(here, rel=2e-8)


@each("how", HOW)
def test_stages_of_more_columns_than_rows_have_the_same_objective(how):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 60))
    y = np.where(X[:, 0] + rng.standard_normal(30) > 0, 1.0, -1.0)
    groups = np.array_split(np.arange(60), 4)
    here = objectives(X, y, groups, np.ones(30), 1.0, "interior_point")
    there = objectives(*rewritten(how, X, y, groups, rng), 1.0, "interior_point")
    assert there == pytest.approx(here, rel=2e-8)
