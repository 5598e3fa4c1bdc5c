"""Deciding on one row in little time is deciding what the batch decides."""

import copy
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import make_classification

from solvers.decisions import walker
from solvers.errors import DataError
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.each import each
from tests.methods.hypergraph_cascade.variants import PRICES

CASES = {
    "binary": (2, {}),
    "multiclass": (4, {}),
    "expanded": (2, {"model": "expanded"}),
    "boosted": (3, {"model": "boosted"}),
    "routed": (2, {"routing": 1}),
}
NOT_NUMBERS = {"nan": np.nan, "infinite": -np.inf, "none": None, "text": "many"}


def table(n_classes):
    X, y = make_classification(
        240, 6, n_informative=5, n_redundant=0, n_classes=n_classes, random_state=4
    )
    X[:, 0] = np.where(np.arange(len(X)) % 2, 1.0, -1.0) * (1.0 + abs(X[:, 0]))
    if n_classes == 2:  # which features count depends on the sign of the first
        y = np.where(X[:, 0] > 0, X[:, 2] > 0, X[:, 3] > 0).astype(int)
    return X, y


@cache
def trained(name):
    n_classes, params = CASES[name]
    X, y = table(n_classes)
    settings = {"objective": "accuracy", "stages": 3, "order": "forward", **params}
    return X, HypergraphCascadeClassifier(PRICES, **settings).fit(X, y)


every_cascade = each("name", CASES)


@pytest.fixture(params=[0, 6], ids=["at once", "one by one"], autouse=True)
def written(request, monkeypatch):
    """Write the values of every halt one way, then the other."""
    monkeypatch.setattr(walker, "_FEW", request.param)


def reader(row):
    return {f"x{j}": value for j, value in enumerate(row.tolist())}.__getitem__


@every_cascade
def test_the_decider_says_what_the_batch_says(name):
    X, model = trained(name)
    for policy in model.policies_[::4]:
        at_policy = model.at_budget(policy.mean)
        decide = at_policy.decider()
        assert [decide(reader(row)) for row in X[:40]] == list(
            at_policy.predict(X[:40])
        )


@every_cascade
def test_stops_say_what_was_computed_and_its_values(name):
    X, model = trained(name)
    for row in X[:20]:
        journey = model.predict_one(reader(row))
        told = {
            name: value
            for stop in journey.stops
            for name, value in zip(stop.features, stop.values, strict=True)
        }
        assert told == {name: reader(row)(name) for name in told}


@every_cascade
def test_features_are_asked_for_by_the_names_of_now(name):
    X, model = trained(name)
    before = model.predict_one(reader(X[0]))
    called = {name: f"column {name}" for name in PRICES.features}
    renamed = copy.copy(model).set_params(hypergraph=PRICES.rename(features=called))
    row = dict(zip(called.values(), X[0].tolist(), strict=True)).__getitem__
    journey = renamed.predict_one(row)
    assert journey.label == renamed.decider()(row) == before.label
    assert journey.features == tuple(called[name] for name in before.features)


@every_cascade
def test_a_decider_keeps_its_budget(name):
    X, model = trained(name)
    cheap = model.at_budget(0.0)
    decide = cheap.decider()
    before = [decide(reader(row)) for row in X[:20]]
    cheap.budget = None
    assert [decide(reader(row)) for row in X[:20]] == before


@every_cascade
@each("answer", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
def test_what_is_no_finite_number_is_refused_by_name(name, answer):
    X, model = trained(name)
    values = reader(X[0])
    for policy in model.policies_[-1:]:
        at_policy = model.at_budget(policy.mean)
        for bought in at_policy.predict_one(values).features:
            with pytest.raises(DataError, match=f"for feature '{bought}'"):
                at_policy.decider()(
                    lambda name, odd=bought: answer if name == odd else values(name)
                )


@every_cascade
@each("kind", [int, np.float32, str])
def test_numbers_of_any_kind_are_read(name, kind):
    X, model = trained(name)
    whole, decide = np.round(X[:20]), model.decider()
    said = [decide(lambda name, r=row: kind(reader(r)(name))) for row in whole]
    assert said == list(model.predict(whole))


@every_cascade
def test_an_extractor_that_fails_is_asked_once(name):
    _, model = trained(name)
    asked = []

    def fails(name):
        asked.append(name)
        raise ValueError("the camera is off")

    with pytest.raises(ValueError, match="camera"):
        model.at_budget(None).decider()(fails)
    assert len(asked) == 1
