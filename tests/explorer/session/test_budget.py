"""A budget opens where it buys something, and goes on doing so at other prices."""

import pytest

from explorer.session.budget import opening_budget, repriced
from solvers import FeatureHypergraph


@pytest.mark.parametrize(
    ("costs", "budget"),
    [([1.0] * 8, 1.0), ([1.0] * 40, 4.0), ([0.0, 5.0, 6.0], 5.0), ([0.0], 0.0)],
)
def test_the_budget_opens_where_it_buys_something(costs, budget):
    assert opening_budget(FeatureHypergraph.independent(costs)) == budget


@pytest.mark.parametrize(
    ("budget", "before", "after", "then"),
    [(2.0, 8.0, 8000.0, 2000.0), (0.3, 0.7, 0.7, 0.3), (9.0, 8.0, 4.0, 4.0)],
)
def test_at_other_prices_it_is_the_same_share(budget, before, after, then):
    assert repriced(budget, before, after) == then
