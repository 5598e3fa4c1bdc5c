"""Elimination drops, each time, what harms a quadratic least for what it saves."""

import numpy as np
import pytest

from solvers import FeatureHypergraph, split_dataset
from solvers.datasets import make_motions
from solvers.methods.acafh import ACAFHClassifier
from solvers.methods.acafh.elimination import elimination_order
from solvers.methods.acafh.penalties import Sharing


def _model(seed, k=5):
    """A Hessian of k features and an intercept, and the weights of its minimum."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.standard_normal((60, k)), np.ones(60)])
    return table.T @ table / 60, rng.standard_normal(k + 1)


def _restricted(matrix, weights, kept):
    """Weights of the least quadratic around a minimum where some must be 0."""
    free = np.append(kept, len(matrix) - 1)
    found = np.zeros(len(weights))
    right = (matrix @ weights)[free]
    found[free] = np.linalg.solve(matrix[np.ix_(free, free)], right)
    return found


def _harm(matrix, weights, other):
    return 0.5 * (other - weights) @ matrix @ (other - weights)


@pytest.mark.parametrize("seed", range(4))
def test_weights_after_each_drop_are_the_best_of_those_that_are_left(seed):
    matrix, weights = _model(seed)
    sharing = Sharing(FeatureHypergraph.independent(np.ones(5)))
    order, steps = elimination_order(matrix, weights, np.arange(5), sharing)
    assert sorted(order.tolist()) == list(range(5))
    for t in range(6):
        kept = np.setdiff1d(np.arange(5), order[:t])
        wanted = _restricted(matrix, weights, kept)
        assert steps[t] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_of_equal_prices_the_next_drop_is_the_least_harmful(seed):
    matrix, weights = _model(seed)
    sharing = Sharing(FeatureHypergraph.independent(np.ones(5)))
    order, steps = elimination_order(matrix, weights, np.arange(5), sharing)
    for t in range(4):
        kept = np.setdiff1d(np.arange(5), order[:t])
        here = _harm(matrix, weights, steps[t])
        harms = {
            j: _harm(
                matrix, weights, _restricted(matrix, weights, np.setdiff1d(kept, j))
            )
            - here
            for j in kept
        }
        assert min(harms, key=harms.get) == order[t]


def test_a_feature_that_saves_more_goes_before_an_equal_one():
    matrix, weights = np.eye(4), np.array([1.0, 1.0, 1.0, 0.0])
    sharing = Sharing(FeatureHypergraph.independent([1.0, 9.0, 3.0]))
    order, _ = elimination_order(matrix, weights, np.arange(3), sharing)
    assert order.tolist() == [1, 2, 0]


def test_users_of_a_component_share_what_dropping_them_saves_until_one_is_left():
    # Harm over saving: 1 / 2, 1.44 / 2 and 1.8 / 3; once the first is gone the second
    # saves all of the 4, which is 0.36, and goes before the third.
    hypergraph = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [4.0, 3.0])
    matrix, weights = np.eye(4), np.array([1.0, 1.2, np.sqrt(1.8), 0.0])
    order, _ = elimination_order(matrix, weights, np.arange(3), Sharing(hypergraph))
    assert order.tolist() == [0, 1, 2]


def test_columns_that_nearly_repeat_others_do_not_break_the_order():
    """TSFEL's 123 columns on 160 rows: rounding takes C_jj below nothing."""
    data = make_motions()
    part = split_dataset(data)
    model = ACAFHClassifier(data.hypergraph, budget=1000.0)
    model.fit(part.X("train"), part.y("train"))  # a warning is an error
    assert data.hypergraph.cost(model.support_) <= 1000
