"""Prices of sets of features, from whatever a caller gives."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from solvers import FeatureHypergraph
from solvers.bayes.pricing import as_prices
from solvers.errors import NetworkError
from tests.bayes.worlds import subsets
from tests.each import each
from tests.strategies import hypergraphs

NAMES = ("a", "b", "c")


@given(hypergraphs(max_features=5))
@settings(max_examples=25)
def test_a_set_costs_what_the_hypergraph_charges(hypergraph):
    prices = as_prices(hypergraph.features, hypergraph, 1.0)
    for chosen in subsets(hypergraph.n_features):
        assert prices.cost(chosen) == pytest.approx(hypergraph.cost(list(chosen)))
    alone = [hypergraph.cost([j]) for j in range(hypergraph.n_features)]
    assert prices.alone() == pytest.approx(alone)


def test_features_are_found_by_name_in_any_order_and_others_are_left_out():
    hypergraph = FeatureHypergraph(
        [[1, 1, 0], [0, 0, 1]], [2.0, 5.0], ("c", "a", "z"), ("fft", "own")
    )
    prices = as_prices(("a", "c"), hypergraph, 10.0)
    assert prices.component_costs.tolist() == [2.0]
    assert prices.cost((0, 1)) == 2.0


@each(
    ("costs", "wanted"),
    [
        (None, [1, 1, 1]),
        ([1, 2, 3], [1, 2, 3]),
        ({"c": 3, "a": 1, "b": 2}, [1, 2, 3]),
        (pd.Series({"c": 3, "a": 1, "b": 2}), [1, 2, 3]),
    ],
)
def test_costs_may_be_left_out_listed_or_named(costs, wanted):
    assert as_prices(NAMES, costs, 1.0).alone().tolist() == wanted


def test_what_does_not_fit_beside_what_is_paid_is_not_affordable():
    prices = as_prices(NAMES, [1.0, 2.0, 3.0], 4.0)
    assert prices.affordable(prices.paid((1,)), (0, 2)).tolist() == [True, False]
    assert prices.affordable(prices.paid(()), (0, 1, 2)).all()


def test_sums_of_decimal_costs_fit_in_a_budget_of_their_sum():
    prices = as_prices(("a", "b"), [0.1, 0.2], 0.3)
    assert prices.fits(prices.cost((0, 1)))
    assert not prices.fits(0.3001)


@each(
    ("costs", "budget", "sentence"),
    [
        (None, -1, "The budget is -1; give a number, 0 or more."),
        (None, np.nan, "The budget is nan; give a number, 0 or more."),
        (None, "much", "The budget is 'much'; give a number, 0 or more."),
        ([1, 2], 1, "There are 3 features, but costs of shape (2,)"),
        ([1, -2, 3], 1, "Feature 'b' costs -2; a cost is a finite number, 0 or more."),
        ([1, np.inf, 3], 1, "Feature 'b' costs inf"),
        (["x", 1, 2], 1, "The feature costs ['x', 1, 2] are not numbers"),
        ({"a": 1, "b": 2}, 1, "'c' has no cost; give one for each feature."),
        ({"a": 1, "b": 2, "c": 3, "d": 4}, 1, "There is a cost of 'd', which is not"),
    ],
)
def test_prices_that_make_no_sense_are_refused(costs, budget, sentence):
    with pytest.raises(NetworkError) as refusal:
        as_prices(NAMES, costs, budget)
    assert sentence in str(refusal.value)
