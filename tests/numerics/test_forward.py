"""Forward selection takes the best gain for the price, shared components once."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from solvers.numerics.forward import forward_order, least_squares, most_for_its_price
from solvers.numerics.logistic import LogisticLoss
from tests.each import each


def _problem(seed=0, n_samples=120, n_features=6):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    X[:, 3] = X[:, 0] + 0.3 * X[:, 3]
    signs = np.where(X[:, 0] + X[:, 1] + rng.standard_normal(n_samples) > 0, 1.0, -1.0)
    incidence = np.vstack([rng.random((3, n_features)) < 0.5, np.eye(n_features)])
    costs = rng.exponential(1.0, 3 + n_features)
    loss = LogisticLoss.from_rows(X, signs, rng.uniform(0.5, 2, n_samples))
    return loss, sparse.csr_array(incidence.astype(float)), costs


def _unexplained(loss, chosen):
    """Weighted residual variance of least squares on a selection, from scratch."""
    weights, intercept = least_squares(loss, np.array(chosen, dtype=int))
    gap = loss.signs - weights @ loss.columns - intercept
    return float(loss.shares @ gap**2)


@each("seed", range(5))
def test_every_choice_is_the_best_of_all(seed):
    loss, incidence, costs = _problem(seed)
    needs = incidence.toarray() > 0
    order = [feature for feature, _ in forward_order(loss, incidence, costs)]
    assert sorted(order) == list(range(6))
    for t, chosen in enumerate(order):
        paid = needs[:, order[:t]].any(axis=1)
        before = _unexplained(loss, order[:t])

        def worth(j, t=t, paid=paid, before=before):
            gain = before - _unexplained(loss, [*order[:t], j])
            return gain / costs[needs[:, j] & ~paid].sum()

        rest = [j for j in range(6) if j not in order[:t]]
        assert worth(chosen) >= max(map(worth, rest)) * (1 - 1e-6)


def test_prices_are_marginal():
    loss, incidence, costs = _problem(1)
    needs = incidence.toarray() > 0
    paid = np.zeros(len(costs), dtype=bool)
    for feature, price in forward_order(loss, incidence, costs):
        assert price == pytest.approx(costs[needs[:, feature] & ~paid].sum())
        paid |= needs[:, feature]


def test_free_features_come_first():
    loss, incidence, costs = _problem(2)
    costs = costs.copy()
    costs[incidence.toarray()[:, 4] > 0] = 0.0
    prices = [price for _, price in forward_order(loss, incidence, costs)]
    first = next(iter(forward_order(loss, incidence, costs)))
    assert first == (4, 0.0)
    assert prices[0] == 0.0
    bought = [price > 0 for price in prices]
    assert not any(now and price == 0 for now, price in pairwise([*bought, 1.0]))


def test_budget_is_kept_and_small_features_still_fit():
    loss, incidence, costs = _problem(3)
    order = list(forward_order(loss, incidence, costs, budget=0.6 * costs.sum()))
    assert 0 < sum(price for _, price in order) <= 0.6 * costs.sum()


def test_copies_of_a_column_are_bought_once():
    loss, incidence, costs = _problem(4)
    columns = loss.columns.copy()
    columns[5] = columns[0]
    twice = LogisticLoss(
        columns, loss.signs, loss.shares, loss.scale, loss.centre, loss.selectable
    )
    order = [feature for feature, _ in forward_order(twice, incidence, costs)]
    assert len(order) == 5
    assert not {0, 5} <= set(order)


def test_an_order_of_all_features_takes_one_more_table():
    X = np.random.default_rng(0).standard_normal((20_000, 40))
    signs, weights = np.where(X[:, 0] + X[:, 1] > 0, 1.0, -1.0), np.ones(len(X))
    loss = LogisticLoss.from_rows(X, signs, weights)
    incidence, costs = sparse.csr_array(np.eye(40)), np.ones(40)
    tracemalloc.start()
    order = list(forward_order(loss, incidence, costs))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(order) == 40
    assert peak < 1.5 * X.nbytes  # their directions; growing one array took two


def test_what_is_free_and_gains_comes_first_then_what_gains_most_for_its_price():
    gains, prices = np.array([1.0, 6.0, 0.1, 6.0]), np.array([1.0, 2.0, 0.0, 2.0])
    assert most_for_its_price(gains, prices) == 2
    assert most_for_its_price(gains, prices, least=0.5) == 1  # the first of equals
    net = np.array([0.9, 0.1, 0.0, 0.1])
    assert most_for_its_price(gains, prices, least=0.5, net=net) == 0
