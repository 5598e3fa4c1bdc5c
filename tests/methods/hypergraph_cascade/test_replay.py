"""A replay says of every policy what the cascade at that policy says."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier, Replay
from tests.methods.hypergraph_cascade.variants import PRICES

CASES = {
    "binary": (2, {}),
    "f1": (2, {"objective": "f1"}),
    "routed": (2, {"routing": 1}),
    "multiclass": (3, {}),
}


@pytest.fixture(params=CASES.values(), ids=CASES, scope="module")
def replayed(request):
    n_classes, params = request.param
    X, y = make_classification(
        240, 6, n_informative=4, n_classes=n_classes, random_state=1
    )
    if "routing" in params:  # which features count depends on the sign of the first
        X[:, 0] = np.where(np.arange(len(X)) % 2, 1.0, -1.0) * (1.0 + abs(X[:, 0]))
        y = np.where(X[:, 0] > 0, X[:, 2] > 0, X[:, 3] > 0).astype(int)
    settings = {"objective": "accuracy", "stages": 3, "order": "forward", **params}
    model = HypergraphCascadeClassifier(PRICES, **settings).fit(X[:160], y[:160])
    return model, X[160:], y[160:], Replay(model, X[160:], y[160:])


def test_rows_leave_where_the_cascade_lets_them(replayed):
    model, X, _, replay = replayed
    for policy in model.policies_:
        expected = model.at_budget(policy.mean).exit_stages(X)
        assert np.array_equal(replay.exits(policy), expected)


def test_rows_that_leave_right_are_those_that_are_predicted_right(replayed):
    model, X, y, replay = replayed
    for policy in model.policies_:
        right = replay.right(policy)[np.arange(len(y)), replay.exits(policy)]
        expected = model.at_budget(policy.mean).predict(X) == y
        assert np.array_equal(right, expected)


def test_outcome_is_mean_cost_and_accuracy(replayed):
    model, X, y, replay = replayed
    for policy in model.policies_:
        cost, accuracy = replay.outcome(policy)
        at_budget = model.at_budget(policy.mean)
        assert cost == pytest.approx(at_budget.prediction_cost(X).mean())
        assert accuracy == pytest.approx(at_budget.score(X, y))
