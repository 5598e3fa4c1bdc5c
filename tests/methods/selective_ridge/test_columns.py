"""Selective ridge on columns as they come: large, moved, free, in units of spread."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

from solvers import FeatureHypergraph
from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    maximum_selectivity,
    selective_ridge_path,
    selective_ridge_stream,
)
from tests.each import each
from tests.methods.selective_ridge_cases import (
    LOSSES,
    Case,
    objective,
    optimum,
    random_case,
)

every_loss = each("loss", LOSSES)


def last(X, y, **options):
    *_, fit = selective_ridge_stream(X, y, **options)
    return fit


@pytest.mark.kernels
def test_hinge_on_the_raw_breast_cancer_table_ends_at_the_optimum():
    X, y = load_breast_cancer(return_X_y=True)
    fit = last(X, y, mu=0.1)
    assert fit.relative_gap <= 1e-6
    assert fit.objective == pytest.approx(52.32101296, abs=1e-7)  # CLARABEL: 52.32101


@every_loss
@each(("gamma", "mu"), [(1e-3, 1e-2), (100.0, 10.0)])
def test_raw_columns_end_at_the_optimum_of_cvxpy(cancer, loss, gamma, mu):
    X, y = cancer
    fit = last(X, y, loss=loss, gamma=gamma, mu=mu, tol=1e-7)
    assert fit.relative_gap <= 1e-6
    least, is_exact = optimum(Case(X, y, loss, gamma, mu, np.ones(X.shape[1])))
    assert fit.objective <= least * (1 + 1e-6)
    if is_exact:
        assert fit.objective == pytest.approx(least, rel=2e-6)


@pytest.mark.kernels
@every_loss
def test_a_moved_table_has_the_same_optimum(loss):
    case, shift = random_case(4, loss), 1e6
    options = {**case.options, "mu": case.mu, "tol": 1e-8}
    here = last(case.X, case.y, **options)
    moved = last(case.X + shift, case.y, **options)
    assert moved.relative_gap <= 1e-6
    assert moved.objective == pytest.approx(here.objective, rel=1e-6)
    assert objective(case, moved.coef, moved.intercept + shift * moved.coef.sum()) == (
        pytest.approx(here.objective, rel=1e-5)
    )


@pytest.mark.kernels
def test_hinge_states_and_coefficients_are_exact(cancer):
    """What constraints in force fix is solved for, not approached."""
    X, y = cancer
    for share in (0.5, 0.1, 0.01):
        mu = share * maximum_selectivity(X, y)
        fit = last(X, y, mu=mu)
        scores = X.T @ fit.dual_coef
        boundary, ridge = fit.states == "boundary", fit.states == "ridge"
        size = np.linalg.norm(X, axis=0) * np.linalg.norm(fit.dual_coef)
        assert fit.relative_gap <= 1e-10
        assert np.all(np.abs(np.abs(scores) - mu)[boundary] <= 1e-10 * size[boundary])
        assert np.all(np.abs(fit.coef - scores)[ridge] <= 1e-10 * size[ridge])


@every_loss
@each("n_free", [1, 7])
def test_features_that_cost_nothing_have_a_largest_selectivity(loss, n_free):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 8))
    y = np.where(X[:, 0] + X[:, 1] + 0.5 * rng.standard_normal(60) > 0, 1.0, -1.0)
    weights = np.r_[np.zeros(n_free), np.ones(8 - n_free)]
    options = {"loss": loss, "feature_weights": weights}
    largest = maximum_selectivity(X, y, **options)
    first, *_ = selective_ridge_path(X, y, n_points=3, **options)
    below = last(X, y, mu=0.98 * largest, tol=1e-11, **options)
    assert not first.support[n_free:].any()
    assert first.support[:n_free].all()
    assert below.support[n_free:].any()


def test_a_free_feature_is_in_every_model_of_a_path():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((80, 5))
    y = X[:, 1] + 0.3 * X[:, 0] + 0.5 * rng.standard_normal(80) > 0
    prices = FeatureHypergraph.independent([0.0, 1.0, 2.0, 3.0, 4.0])
    models = list(SelectiveRidgeClassifier(hypergraph=prices).path(X, y))
    assert models[0].support_.tolist() == [True, False, False, False, False]
    assert models[0].cost_ == 0.0
    assert all(model.support_[0] for model in models)


def test_where_everything_is_free_nothing_is_left_out():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((40, 3))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    assert maximum_selectivity(X, y, feature_weights=[0, 0, 0]) == 0.0


@each("loss", ["hinge", "logistic"])
def test_the_estimator_solves_the_problem_of_scaled_columns(cancer, loss):
    X, y = cancer
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = SelectiveRidgeClassifier(mu=0.3, loss=loss).fit(X, y)
    theirs = SelectiveRidgeClassifier(mu=0.3, loss=loss, standardise=False)
    theirs.fit(scaled, y)
    assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-9)
    assert ours.decision_function(X) == pytest.approx(
        theirs.decision_function(scaled), abs=1e-5
    )
    case = Case(scaled, y, loss, 1.0, 0.3, np.ones(30))
    least, _ = optimum(case)
    found = objective(
        case, ours.coef_[0] * X.std(axis=0), ours.intercept_ + ours.coef_ @ X.mean(0)
    )
    assert found == pytest.approx(ours.objective_, rel=1e-9)
    assert found - ours.duality_gap_ <= least * (1 + 1e-6)
    assert found <= least * (1 + 1e-6)


@each("loss", ["hinge", "logistic"])
def test_units_and_origin_of_a_column_change_no_decision(cancer, loss):
    X, y = cancer
    rng = np.random.default_rng(0)
    factors = 2.0 ** rng.integers(-20, 20, X.shape[1])
    moved = X * factors + 1e3 * X.std(axis=0) * factors
    here = SelectiveRidgeClassifier(mu=1.0, loss=loss).fit(X, y)
    there = SelectiveRidgeClassifier(mu=1.0, loss=loss).fit(moved, y)
    assert there.objective_ == pytest.approx(here.objective_, rel=1e-6)
    assert np.array_equal(there.feature_states_, here.feature_states_)
    assert there.decision_function(moved) == pytest.approx(
        here.decision_function(X), abs=1e-4
    )


def test_weighted_spread_is_that_of_rows_written_again(cancer):
    X, y = cancer
    weights = np.where(np.arange(len(y)) % 3, 1.0, 2.0)
    again = np.repeat(np.arange(len(y)), weights.astype(int))
    once = SelectiveRidgeClassifier(mu=0.5).fit(X, y, sample_weight=weights)
    twice = SelectiveRidgeClassifier(mu=0.5).fit(X[again], y[again])
    assert once.objective_ == pytest.approx(twice.objective_, rel=1e-8)
    assert np.array_equal(once.support_, twice.support_)


def test_sparse_columns_are_scaled_alike(cancer):
    X, y = cancer
    dense = SelectiveRidgeClassifier(mu=0.5).fit(X, y)
    thin = SelectiveRidgeClassifier(mu=0.5).fit(sparse.csr_array(X), y)
    assert thin.objective_ == pytest.approx(dense.objective_, rel=1e-6)
    assert np.array_equal(thin.support_, dense.support_)


def test_a_constant_column_is_left_out():
    X = np.c_[np.full(40, 0.1), np.linspace(-1, 1, 40)]
    model = SelectiveRidgeClassifier(mu=0.1).fit(X, X[:, 1] > 0)
    assert model.support_.tolist() == [False, True]


def test_the_largest_selectivity_is_that_of_the_estimator(cancer):
    X, y = cancer
    largest = maximum_selectivity(X, y, standardise=True)
    at, below = (
        SelectiveRidgeClassifier(mu=share * largest).fit(X, y)
        for share in (1 + 1e-9, 0.99)
    )
    assert not at.support_.any()
    assert below.support_.any()


@pytest.mark.kernels
@each("loss", ["hinge", "logistic"])
@each("standardise", [True, False])
def test_every_point_of_a_path_is_what_its_parameters_train(cancer, loss, standardise):
    X, y = cancer
    model = SelectiveRidgeClassifier(loss=loss, standardise=standardise)
    for point in list(model.path(X, y))[5::10]:
        again = clone(point).fit(X, y)
        assert np.array_equal(again.support_, point.support_)
        assert np.array_equal(again.predict(X), point.predict(X))
        assert again.objective_ == pytest.approx(point.objective_, rel=1e-6)
