"""A budget opens where it buys something, and goes on doing so at other prices."""

from dataclasses import replace

import numpy as np

from explorer.session.budget import opening_budget, repriced
from explorer.session.state import bundled
from solvers import Dataset, FeatureHypergraph
from tests.each import each


@each(
    ("costs", "budget"),
    [([1.0] * 8, 1.0), ([1.0] * 40, 4.0), ([0.0, 5.0, 6.0], 5.0), ([0.0], 0.0)],
)
def test_the_budget_opens_where_it_buys_something(costs, budget):
    hypergraph = FeatureHypergraph.independent(costs)
    rows = np.arange(2.0 * len(costs)).reshape(2, -1)
    assert opening_budget(Dataset("mine", rows, np.array([0, 1]), hypergraph)) == budget


def test_examples_open_where_their_question_is():
    assert opening_budget(bundled("heart")) == 50.0
    assert opening_budget(bundled("published")) == 10.5
    dear = replace(bundled("heart").hypergraph, component_costs=np.ones(16))
    assert opening_budget(replace(bundled("heart"), hypergraph=dear)) < 50.0


@each(
    ("budget", "before", "after", "then"),
    [(2.0, 8.0, 8000.0, 2000.0), (0.3, 0.7, 0.7, 0.3), (9.0, 8.0, 4.0, 4.0)],
)
def test_at_other_prices_it_is_the_same_share(budget, before, after, then):
    assert repriced(budget, before, after) == then
