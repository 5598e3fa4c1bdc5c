"""L1, reweighted L1 and forward selection do what their pages say."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression

from solvers import FeatureHypergraph
from solvers.methods.forward_selection import ForwardSelectionClassifier
from solvers.methods.l1 import L1Classifier
from solvers.methods.reweighted_l1 import ReweightedL1Classifier
from tests.each import each
from tests.methods.tables import random_problem


def _saga(table, y, alpha):
    model = LogisticRegression(
        l1_ratio=1,
        solver="saga",
        C=1 / (len(y) * alpha),
        tol=1e-9,
        max_iter=100_000,
        random_state=0,
    )
    return model.fit(table, y)


@each("method", [L1Classifier, ReweightedL1Classifier])
def test_weights_are_those_of_scikit_learn_on_priced_columns(method):
    X, y, hypergraph = random_problem(0, n_features=8, n_samples=200)
    alpha = 0.02 if method is L1Classifier else 0.005
    model = method(hypergraph, alpha=alpha, refit=False, tol=1e-9).fit(X, y)
    prices = (
        np.ones(8)
        if method is L1Classifier
        else np.asarray(hypergraph.marginal_costs())
    )
    divisor = prices * (np.ptp(X, axis=0) / 2)
    exact = _saga(X / divisor, y, alpha)
    assert 0 < model.support_.sum() < 8
    assert model.coef_[0] == pytest.approx(exact.coef_[0] / divisor, abs=1e-4)
    assert model.intercept_ == pytest.approx(exact.intercept_, abs=1e-4)


@pytest.fixture(scope="module")
def three():
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    X = np.hstack([X, rng.standard_normal((len(X), 2))])
    needs = [[1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 0, 0], [1, 0, 1, 0, 0, 0], np.eye(6)[5]]
    return X, y, FeatureHypergraph(needs, [1.0, 2.0, 0.5, 0.1])


@each("method", [L1Classifier, ReweightedL1Classifier])
def test_of_three_classes_it_is_scikit_learn_s_multinomial_at_no_price(method, three):
    X, y, hypergraph = three
    model = method(hypergraph, alpha=0.0, tol=1e-8).fit(X, y)
    exact = LogisticRegression(C=np.inf, tol=1e-9, max_iter=20_000).fit(X, y)
    shares = model.predict_proba(X)
    assert shares == pytest.approx(exact.predict_proba(X), abs=1e-3)
    assert model.coef_.shape == (3, 6)
    assert model.coef_.sum(axis=0) == pytest.approx(0.0, abs=1e-9)


@each("method", [L1Classifier, ReweightedL1Classifier, ForwardSelectionClassifier])
def test_of_three_classes_a_feature_is_paid_once_for_all(method, three):
    X, y, hypergraph = three
    fewer = {} if method is ForwardSelectionClassifier else {"n_alphas": 12}
    models = list(method(hypergraph, **fewer).path(X, y))
    costs = {round(model.cost_, 9) for model in models}
    assert len(costs) > 2
    for model in models:
        used = (model.coef_ != 0).any(axis=0)
        assert np.array_equal(used, model.support_)
        assert np.array_equal((model.coef_ != 0).all(axis=0), used)  # one group
        assert model.cost_ == hypergraph.cost(used)
    assert models[-1].score(X, y) > 0.95


def test_of_three_classes_the_first_bought_explains_most_for_its_price(three):
    X, y, hypergraph = three
    first, *_ = ForwardSelectionClassifier(hypergraph).fit(X, y).order_
    wanted = np.eye(3)[y] - np.eye(3)[y].mean(axis=0)
    left = [LinearRegression().fit(x[:, None], wanted) for x in X.T]
    explained = [
        (wanted**2).sum() - ((wanted - fit.predict(x[:, None])) ** 2).sum()
        for fit, x in zip(left, X.T, strict=True)
    ]
    assert first == np.argmax(explained / hypergraph.marginal_costs())


def test_l1_does_not_look_at_prices():
    X, y, hypergraph = random_problem(1, n_features=8, n_samples=200)
    priced = L1Classifier(hypergraph, alpha=0.02).fit(X, y)
    blind = L1Classifier(alpha=0.02).fit(X, y)
    assert np.array_equal(priced.coef_, blind.coef_)
    assert priced.cost_ == hypergraph.cost(priced.support_) != blind.cost_


@each("method", [L1Classifier, ReweightedL1Classifier])
def test_path_is_what_fits_give(method):
    X, y, hypergraph = random_problem(2, n_features=8, n_samples=200)
    for model in list(method(hypergraph, n_alphas=6).path(X, y)):
        again = method(hypergraph, alpha=model.alpha).fit(X, y)
        assert model.objective_ == pytest.approx(again.objective_, abs=1e-8)
        assert np.array_equal(model.support_, again.support_)


def test_budget_of_a_prefix_buys_the_prefix():
    X, y, hypergraph = random_problem(3, n_features=12, n_samples=200)
    models = list(ForwardSelectionClassifier(hypergraph).path(X, y))
    assert len(models) > 6
    for model in models:
        again = ForwardSelectionClassifier(hypergraph, budget=model.budget).fit(X, y)
        bought = set(np.flatnonzero(again.support_))
        assert set(np.flatnonzero(model.support_)) <= bought
        assert again.cost_ <= model.budget * (1 + 1e-9)


def test_prefixes_are_nested_and_dearer():
    X, y, hypergraph = random_problem(4, n_features=12, n_samples=200)
    models = list(ForwardSelectionClassifier(hypergraph).path(X, y))
    for one, other in pairwise(models):
        assert (one.support_ <= other.support_).all()
        assert one.cost_ < other.cost_
    assert models[-1].support_.all()


def test_shared_component_makes_the_second_feature_cheap():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 3))
    y = X @ [2.0, 1.0, 1.2] + rng.standard_normal(400) > 0
    shared = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 3.0])
    model = ForwardSelectionClassifier(shared).fit(X, y)
    assert model.order_.tolist() == [0, 1, 2]


def test_forward_selection_keeps_its_budget():
    X, y, hypergraph = random_problem(5, n_features=10, n_samples=150)
    for share in (0.0, 0.2, 0.5, 1.0):
        budget = share * hypergraph.total_cost
        model = ForwardSelectionClassifier(hypergraph, budget=budget).fit(X, y)
        assert model.cost_ <= budget * (1 + 1e-9)


def test_without_refit_forward_selection_is_least_squares():
    X, y, hypergraph = random_problem(6, n_features=6, n_samples=150)
    model = ForwardSelectionClassifier(hypergraph, refit=False).fit(X, y)
    exact = LinearRegression().fit(X, y)
    assert model.coef_[0] == pytest.approx(exact.coef_, rel=1e-8)
    assert model.intercept_[0] == pytest.approx(exact.intercept_, rel=1e-7)
