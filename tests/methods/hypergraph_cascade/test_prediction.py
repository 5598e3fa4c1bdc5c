"""What a trained cascade answers, pays and lets go, at any budget."""

import numpy as np
import pytest

from solvers.errors import KnobError
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.methods.hypergraph_cascade.variants import PRICES, table


def test_a_budget_buys_the_best_policy_that_it_pays_for(fitted, sources):
    full = sources[0].hypergraph.total_cost
    for budget in np.linspace(0, full, 57):
        affordable = [p for p in fitted.policies_ if p.mean <= budget * (1 + 1e-9)]
        best = max(affordable, key=lambda policy: policy.score)
        assert fitted.at_budget(budget).policy_ is best


def test_another_budget_needs_no_training(fitted):
    assert fitted.at_budget(3.0).members_ is fitted.members_
    assert fitted.budget is None


def test_no_budget_is_no_cost(fitted, sources):
    X = sources[1].X("test")
    assert not fitted.at_budget(0.0).prediction_cost(X).any()


def test_rows_pay_the_components_of_the_stage_reached_once(variant):
    X, _, model = variant
    expected = [PRICES.cost(row) for row in model.acquired_features(X)]
    assert model.prediction_cost(X) == pytest.approx(expected)
    member = model.members_[model.policy_.member]
    for leaf, stage, cost in zip(
        model.leaves(X), model.exit_stages(X), expected, strict=True
    ):
        assert member.leaves[leaf].plan.costs[stage] == pytest.approx(cost)


def test_features_of_later_stages_cannot_change_a_prediction(variant):
    X, _, model = variant
    hidden = np.where(model.acquired_features(X), X, 1e6)
    assert np.array_equal(model.decision_function(hidden), model.decision_function(X))
    assert np.array_equal(model.exit_stages(hidden), model.exit_stages(X))


def test_rows_leave_where_the_intervals_say(variant):
    X, _, model = variant
    scores, leaves = model.stage_scores(X), model.leaves(X)
    stages = {(row.leaf, row.stage): row for row in model.stage_table()}
    for number, exit_stage in enumerate(model.exit_stages(X)):
        for stage in range(exit_stage + 1):
            at = stages[(leaves[number], stage)]
            goes_on = at.low < scores[number, stage] < at.high
            assert goes_on == (stage < exit_stage)


def test_exit_probabilities_are_probabilities():
    for n_classes in (2, 3):
        X, y = table(n_classes)
        model = HypergraphCascadeClassifier(
            PRICES, model="logistic", order="forward", stages=3
        ).fit(X, y)
        chances = model.at_budget(6.0).exit_probabilities(X)
        assert chances.shape == (len(X), n_classes)
        assert chances.min() >= 0
        assert chances.sum(axis=1) == pytest.approx(1.0)


def test_a_budget_below_zero_is_refused_at_the_look_up(fitted):
    with pytest.raises(KnobError, match="budget is -1"):
        fitted.at_budget(-1)
