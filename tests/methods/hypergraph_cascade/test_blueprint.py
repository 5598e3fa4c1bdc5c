"""A blueprint has the stages of each leaf, from rows that it is drawn from alone."""

from dataclasses import replace

import numpy as np
import pytest

from solvers.methods.hypergraph_cascade.rows import WeightedRows
from solvers.methods.hypergraph_cascade.settings import MemberRecipe, Settings
from solvers.methods.hypergraph_cascade.training import Sample
from tests.methods.hypergraph_cascade.variants import PRICES, table

SETTINGS = Settings("both", 4, "logistic", 0, None, "mean", 0)
FORWARD = MemberRecipe("logistic", "forward")


@pytest.fixture(scope="module")
def sample():
    X, y = table()
    rows = WeightedRows(X, y, np.ones(len(y)), 2)
    return Sample(rows, PRICES, SETTINGS)


def test_stages_buy_everything_in_the_end_and_pay_for_it(sample):
    (plan,) = sample.draw(FORWARD, 4).plans
    assert sorted(plan.columns) == list(range(PRICES.n_features))
    assert plan.costs[-1] == pytest.approx(PRICES.total_cost)
    for end, cost in zip(plan.ends, plan.costs, strict=True):
        assert cost == pytest.approx(PRICES.cost(plan.columns[:end].tolist()))


def test_each_leaf_of_a_routed_one_has_paid_for_its_route(sample):
    drawn = sample.draw(MemberRecipe("logistic", "forward", 1), 4)
    assert len(drawn.plans) == len(drawn.tree.paths)
    for path, plan in zip(drawn.tree.paths, drawn.plans, strict=True):
        assert plan.costs[0] >= PRICES.cost(list(path)) - 1e-12


def test_expanded_models_see_more_columns_and_trees_are_grown_once(sample):
    assert len(sample.columns("expanded").parents) > PRICES.n_features
    assert len(sample.columns("logistic").parents) == PRICES.n_features
    assert sample.tree(1) is sample.tree(1)


def test_blueprints_are_the_same_where_their_stages_are(sample):
    one = sample.draw(FORWARD, 4)
    assert one.equals(sample.draw(FORWARD, 4))
    assert not one.equals(sample.draw(FORWARD, 1))
    other = replace(sample, hypergraph=PRICES.set_cost(PRICES.components[0], 99.0))
    assert not one.equals(other.draw(FORWARD, 4))
