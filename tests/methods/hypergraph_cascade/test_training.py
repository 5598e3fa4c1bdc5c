"""Training counts to its end, and is the same for the same seed."""

import numpy as np
from sklearn.base import clone

from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.methods.hypergraph_cascade.variants import PRICES, table


def test_policies_cost_what_their_training_rows_pay(variant):
    X, _, model = variant
    costs = model.prediction_cost(X)
    assert {round(c, 6) for c in costs} <= {
        round(c, 6)
        for leaf in model.members_[model.policy_.member].leaves
        for c in leaf.plan.costs
    }
    assert model.policy_.mean <= model.policy_.max + 1e-12
    assert model.policy_.p95 <= model.policy_.max


def test_the_same_seed_gives_the_same_cascade(variant):
    X, y, model = variant
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
