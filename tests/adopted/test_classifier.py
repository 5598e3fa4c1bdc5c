"""An adopted model is a classifier of ours: prices by name, bills, thresholds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier

from solvers import FeatureHypergraph, adopt
from solvers.deploy import itemised, policy_from, to_python
from solvers.errors import DataError
from tests.each import each

RNG = np.random.default_rng(1)
NAMES = ["age", "scan", "blood", "gait"]
X = pd.DataFrame(RNG.integers(0, 9, (600, 4)).astype(float), columns=NAMES)
Y = np.where(X["age"] + X["blood"] + RNG.normal(0, 2, 600) > 9, "ill", "well")
PRICES = FeatureHypergraph.independent(
    [9.0, 1.0, 4.0, 2.0], ["scan", "age", "gait", "blood"]
)


@pytest.fixture(scope="module")
def forest():
    return RandomForestClassifier(15, max_depth=3, random_state=0).fit(X[:300], Y[:300])


def test_prices_are_taken_by_name_in_any_order(forest):
    adopted = adopt(forest, PRICES)
    assert adopted.predict(X).tolist() == forest.predict(X).tolist()
    asked = adopted.acquired_features(X)
    assert np.allclose(adopted.prediction_cost(X), asked @ [9.0, 1.0, 4.0, 2.0])
    assert asked[:, 1].mean() > asked[:, 0].mean()


def test_features_that_it_does_not_know_cost_nothing(forest):
    wider = FeatureHypergraph.independent([5.0, 1, 1, 1, 1], ["sleep", *NAMES[::-1]])
    decided = adopt(forest, wider).decide(X.assign(sleep=0.0))
    assert np.array_equal(decided.labels, forest.predict(X))
    assert not decided.acquired[:, 0].any()


def test_names_may_be_given_to_a_model_that_knows_none(forest):
    bare = RandomForestClassifier(15, max_depth=3, random_state=0)
    bare.fit(X[:300].to_numpy(), Y[:300])
    got = adopt(bare, PRICES, feature_names=NAMES).decide(X)
    want = adopt(forest, PRICES).decide(X)
    assert np.array_equal(got.acquired, want.acquired)
    assert np.array_equal(got.labels, want.labels)


def test_the_cheapest_order_costs_less_and_says_the_same(forest):
    given, cheapest = adopt(forest, PRICES, order="given"), adopt(forest, PRICES)
    assert np.array_equal(given.predict(X), cheapest.predict(X))
    assert cheapest.prediction_cost(X).mean() < given.prediction_cost(X).mean()
    assert given.prediction_cost(X).mean() < PRICES.total_cost


def test_it_shows_a_bill_that_says_why_it_stopped(forest):
    adopted = adopt(forest, PRICES, order="cheapest")
    costs = adopted.prediction_cost(X)
    row = int(np.argmin(costs))
    bill = itemised(policy_from(adopted), X.iloc[row].to_dict())
    assert sum(line.cost for line in bill.lines) == costs[row]
    assert bill.why == "No test that is left can change the answer."
    given = policy_from(adopt(forest, PRICES, order="given"))
    why = [itemised(given, one).why for one in X[:50].to_dict("records")]
    assert any("cannot change the answer" in reason for reason in why)


def test_it_stands_on_a_path_as_it_is(forest):
    (model,) = clone(adopt(forest, PRICES)).path(X[300:], Y[300:])
    assert np.array_equal(model.predict(X), forest.predict(X))
    with pytest.raises(DataError, match="knows nothing"):
        adopt(forest, PRICES).fit(X, np.where(X["age"] > 3, "other", "ill"))


@each("order", ["given", "cheapest"])
def test_a_threshold_is_exported_for_either_class(forest, order):
    for label in ("ill", "well"):
        cut = FixedThresholdClassifier(
            adopt(forest, PRICES, order=order),
            threshold=0.0,
            pos_label=label,
            response_method="decision_function",
        ).fit(X[:50], Y[:50])
        file = {"__name__": "policy"}
        exec(to_python(cut), file)
        samples = X[:200].to_dict("records")
        assert [file["decide"](one).label for one in samples] == cut.predict(
            X[:200]
        ).tolist()


def test_what_disagrees_is_refused_in_a_sentence(forest):
    with pytest.raises(DataError, match="There are 2 features"):
        adopt(forest, FeatureHypergraph.independent([1.0, 1.0]))
    with pytest.raises(DataError, match="has no 'scan'"):
        adopt(forest, PRICES, feature_names=["age", "scam", "blood", "gait"])
    with pytest.raises(DataError, match="3 names, and the model knows 4"):
        adopt(forest, feature_names=NAMES[:3])
    adopted = adopt(LogisticRegression().fit(X, Y), PRICES)
    with pytest.raises(DataError, match="contains NaN"):
        adopted.predict(X.replace(3.0, np.nan))


def test_gaps_are_refused_by_no_tree(forest):
    holes = X.replace(3.0, np.nan)
    assert np.array_equal(adopt(forest, PRICES).predict(holes), forest.predict(holes))
