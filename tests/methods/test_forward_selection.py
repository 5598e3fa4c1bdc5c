"""Forward selection beside the same greedy choice by plain least squares."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from solvers.methods.forward_selection import ForwardSelectionClassifier
from tests.each import each
from tests.methods.tables import random_problem


def _by_hand(X, y, hypergraph, budget):
    """Buy what explains most of the labels per marginal cost, fit by fit."""
    bought = []

    def explained(features):
        if not features:
            return 0.0
        return LinearRegression().fit(X[:, features], y).score(X[:, features], y)

    while True:
        best, most = None, 0.0
        for j in set(range(X.shape[1])) - set(bought):
            price = hypergraph.cost([*bought, j]) - hypergraph.cost(bought)
            if hypergraph.cost([*bought, j]) > budget * (1 + 1e-9):
                continue
            worth = (explained([*bought, j]) - explained(bought)) / max(price, 1e-300)
            if worth > most:
                best, most = j, worth
        if best is None:
            return bought
        bought.append(best)


@each("seed", range(4))
@each("share", [0.4, 1.0])
def test_features_are_bought_as_by_hand(seed, share):
    X, y, hypergraph = random_problem(seed, n_features=6, n_samples=120)
    budget = share * hypergraph.total_cost
    model = ForwardSelectionClassifier(hypergraph, budget=budget).fit(X, y)
    assert model.order_.tolist() == _by_hand(X, y, hypergraph, budget)


def test_the_refit_is_logistic_regression_on_what_was_bought():
    X, y, hypergraph = random_problem(1, n_features=6, n_samples=120)
    budget = 0.5 * hypergraph.total_cost
    model = ForwardSelectionClassifier(hypergraph, budget=budget).fit(X, y)
    columns = X[:, model.support_]
    plain = LogisticRegression(C=np.inf, tol=1e-10, max_iter=2000).fit(columns, y)
    assert model.decision_function(X) == pytest.approx(
        plain.decision_function(columns), abs=1e-3
    )


def test_a_weight_of_two_is_a_row_written_twice():
    X, y, hypergraph = random_problem(2, n_features=6, n_samples=120)
    weights = np.where(np.arange(120) % 3 == 0, 2, 1)
    twice = np.repeat(np.arange(120), weights)
    weighed = ForwardSelectionClassifier(hypergraph).fit(X, y, weights)
    written = ForwardSelectionClassifier(hypergraph).fit(X[twice], y[twice])
    assert weighed.order_.tolist() == written.order_.tolist()
    assert weighed.coef_ == pytest.approx(written.coef_, abs=1e-6)


def test_what_is_a_combination_of_bought_features_is_not_bought():
    X, y, _ = random_problem(3, n_features=3, n_samples=120)
    table = np.column_stack([X, X[:, 0] + X[:, 1], np.full(120, 7.0)])
    model = ForwardSelectionClassifier().fit(table, y)
    assert model.support_.sum() == 3
    assert not model.support_[4]


def test_without_a_budget_for_anything_the_prior_answers():
    X, y, hypergraph = random_problem(0)
    model = ForwardSelectionClassifier(hypergraph, budget=0.0).fit(X, y)
    assert model.cost_ == 0.0
    share = (y == 1).mean()
    assert model.decision_function(X) == pytest.approx(
        np.full(len(y), np.log(share / (1 - share)))
    )
