"""Training is the same for the same seed, and plans stages from its own rows alone."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.hypergraph_cascade.rows import WeightedRows
from solvers.methods.hypergraph_cascade.settings import MemberRecipe, Settings
from solvers.methods.hypergraph_cascade.training import Sample
from tests.each import each
from tests.methods.hypergraph_cascade.variants import (
    PRICES,
    every_variant,
    table,
    trained,
)


@every_variant
def test_policies_cost_what_their_training_rows_pay(name):
    X, _, model = trained(name)
    costs = model.prediction_cost(X)
    assert {round(c, 6) for c in costs} <= {
        round(c, 6)
        for leaf in model.members_[model.policy_.member].leaves
        for c in leaf.plan.costs
    }
    assert model.policy_.mean <= model.policy_.max + 1e-12
    assert model.policy_.p95 <= model.policy_.max


@each("name", ["both", "boosted", "routed"])
def test_the_same_seed_gives_the_same_cascade(name):
    X, y, model = trained(name)
    again = clone(model).fit(X, y)
    assert np.array_equal(again.decision_function(X), model.decision_function(X))


def test_progress_counts_to_its_end_and_only_then_is_the_model_fitted():
    X, y = table()
    model = HypergraphCascadeClassifier(PRICES, model="logistic", stages=2)
    seen = []
    for progress in model.iter_fit(X, y):
        assert not hasattr(model, "policies_")
        seen.append(progress)
    assert [p.done for p in seen] == list(range(1, seen[0].total + 1))
    assert {p.doing for p in seen} >= {"stages", "windows", "prefixes"}
    assert model.policies_


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
