"""Selective ridge of many classes is cvxpy's optimum, and its gap proves it."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from solvers import FeatureHypergraph
from solvers.errors import DataError, KnobError
from solvers.methods.selective_ridge import SelectiveRidgeClassifier
from solvers.methods.selective_ridge.many_classes import ManyClassProblem
from solvers.numerics.multinomial import class_corners
from tests.each import each


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@each("mu", [0.05, 0.3, 1.0])
def test_it_has_the_optimum_that_cvxpy_finds(wine, mu):
    X, y = wine
    prices = FeatureHypergraph.independent(np.linspace(0.2, 3.0, X.shape[1]))
    model = SelectiveRidgeClassifier(mu, gamma=0.7, hypergraph=prices).fit(X, y)
    table, thresholds = (
        StandardScaler().fit_transform(X),
        mu * np.sqrt(prices.component_costs),
    )
    w, b = cp.Variable((X.shape[1], 3)), cp.Variable((1, 3))
    scores = table @ w + np.ones((len(X), 1)) @ b
    right = cp.sum(cp.multiply(scores, np.eye(3)[y]), axis=1)
    size = np.sqrt(2.0) * cp.norm(w, 2, axis=1)
    over = cp.sum_squares(cp.pos(size - thresholds))
    paid = 0.7 * (2.0 * thresholds @ size + over)
    problem = cp.Problem(
        cp.Minimize(cp.sum(cp.log_sum_exp(scores, axis=1) - right) + paid)
    )
    problem.solve(solver="CLARABEL")
    assert model.objective_ == pytest.approx(problem.value, rel=1e-6)
    assert 0.0 <= model.duality_gap_ + 1e-12 <= 1e-6 * model.objective_
    sizes = np.sqrt(2.0) * np.linalg.norm(w.value, axis=1)
    assert np.array_equal(model.feature_states_ == "zero", sizes < 1e-5)
    # A ridge feature has the weights that the dual gives.
    is_ridge = model.feature_states_ == "ridge"
    of_dual = model.dual_coef_.T @ table
    ours = model.coef_ * X.std(axis=0)
    assert ours[:, is_ridge] == pytest.approx(of_dual[:, is_ridge], abs=1e-4)


def test_without_selectivity_it_is_scikit_learn_s_multinomial_ridge():
    X, y = load_iris(return_X_y=True)
    table = StandardScaler().fit_transform(X)
    model = SelectiveRidgeClassifier(0.0, gamma=0.5).fit(X, y)
    # Twice gamma times all weights squared is theirs over 2 C.
    exact = LogisticRegression(C=1.0 / (4.0 * 0.5), tol=1e-10, max_iter=10_000)
    shares = exact.fit(table, y).predict_proba(table)
    assert model.predict_proba(X) == pytest.approx(shares, abs=1e-5)
    assert model.coef_.shape == (3, 4)


@each("standardise", [True, False])
def test_of_two_classes_the_groups_are_the_logistic_problem(wine, standardise):
    X, y = wine[0][wine[1] < 2], wine[1][wine[1] < 2]
    known = {"gamma": 2.0, "standardise": standardise}
    one = SelectiveRidgeClassifier(0.2, loss="logistic", **known).fit(X, y)
    ones = np.ones(len(y))
    problem = ManyClassProblem(X, class_corners(2)[y], ones, None, 2.0, standardise)
    other = problem.fit(0.2, 1e-7)
    assert other.objective == pytest.approx(one.objective_, rel=1e-6)
    assert np.array_equal(other.states == "zero", one.feature_states_ == "zero")
    led = other.coef[1] - other.coef[0]
    assert led * X.std(axis=0) == pytest.approx(one.coef_[0] * X.std(axis=0), abs=1e-3)


def test_a_path_begins_where_no_feature_is_left_and_pays_once(wine):
    X, y = wine
    models = list(SelectiveRidgeClassifier().fit(X, y).path(X, y))
    assert models[0].cost_ == 0.0
    assert models[1].cost_ > 0.0
    assert models[-1].score(X, y) > 0.99
    for model in models[::4]:
        again = SelectiveRidgeClassifier(model.mu).fit(X, y)
        assert model.objective_ == pytest.approx(again.objective_, rel=1e-6)
        assert model.cost_ == np.count_nonzero(model.coef_.any(axis=0))


def test_what_it_cannot_do_is_said(wine):
    with pytest.raises(KnobError, match="takes two classes"):
        SelectiveRidgeClassifier(algorithm="published").fit(*wine)
    with pytest.raises(DataError, match="not of all classes"):
        SelectiveRidgeClassifier().fit(*wine, sample_weight=(wine[1] > 0) * 1.0)
