"""Columns of a frame are taken by name, in any order, by every method."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score

from solvers import FeatureHypergraph, all_methods
from solvers.deploy import policy_from
from solvers.errors import DataError
from solvers.methods.l1 import L1Classifier
from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    SelectiveRidgeRegressor,
    maximum_selectivity,
)
from tests.deploy.models import NOT_EXPORTED
from tests.each import each

METHODS = all_methods()
FEWER = {
    "hypergraph_cascade": {"model": "logistic"},
    "random_forest": {"n_estimators": 5},
}
NAMES = ("blood", "scan", "age", "pulse")
SHARED = FeatureHypergraph(
    [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]], [1.0, 9.0, 0.5], NAMES
)
SHUFFLED = ["pulse", "scan", "blood", "age"]
FRAMES = {
    "pandas": pd.DataFrame,
    "polars": lambda frame: pl.DataFrame(frame.to_dict("list")),
    "arrow": pa.Table.from_pandas,
}


@pytest.fixture(scope="module")
def rows():
    """80 rows in the hypergraph's order; the scan tells most, and blood some."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 4)) * [1.0, 2.0, 5.0, 1.0] + [0.0, 1.0, 50.0, 7.0]
    y = X[:, 1] + 0.5 * X[:, 0] + 0.3 * rng.standard_normal(80) > 1
    return pd.DataFrame(X, columns=NAMES), y


def fitted(method, X, y, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return METHODS[method](hypergraph=SHARED, **settings).fit(X, y)


@each("method", METHODS)
def test_any_order_of_columns_gives_the_same_decisions_costs_and_names(method, rows):
    frame, y = rows
    shuffled, settings = frame[SHUFFLED], FEWER.get(method, {})
    by_place = fitted(method, frame.to_numpy(), y, **settings)
    by_name = fitted(method, shuffled, y, **settings)
    want = by_place.decide(frame.to_numpy())
    for model, X in [
        (by_name, shuffled),
        (by_name, frame[SHUFFLED[::-1]]),
        (by_place, shuffled),  # the hypergraph has names, though the array had none
    ]:
        said = model.decide(X)
        assert np.array_equal(said.labels, want.labels)
        assert np.array_equal(said.scores, want.scores)
        assert np.array_equal(said.acquired, want.acquired)
        assert np.array_equal(model.prediction_cost(X), want.cost)
    assert tuple(by_name.feature_names_in_) == NAMES
    if method not in NOT_EXPORTED:
        assert policy_from(by_name) == policy_from(by_place)


@each("method", ["l1", "selective_ridge", "static_prefix"])
def test_a_path_takes_columns_by_name(method, rows):
    frame, y = rows
    by_place = METHODS[method](hypergraph=SHARED).path(frame.to_numpy(), y)
    by_name = METHODS[method](hypergraph=SHARED).path(frame[SHUFFLED], y)
    for one, other in zip(by_place, by_name, strict=True):
        assert np.array_equal(one.support_, other.support_)
        assert np.array_equal(one.coef_, other.coef_)


def test_what_pays_is_what_is_named_and_what_decides():
    """Of a frame in another order the model paid 1, said blood, and used the scan."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    scan = y + 0.4 * rng.standard_normal(400)
    frame = pd.DataFrame({"scan": scan, "blood": rng.standard_normal(400)})
    prices = FeatureHypergraph.independent([1, 1000], ["blood", "scan"])
    model = L1Classifier(prices).fit(frame, y)
    assert model.acquired_features(frame)[0].tolist() == [False, True]
    assert model.prediction_cost(frame)[0] == model.cost_ == prices.cost("scan") == 1000
    assert policy_from(model).features == ("scan",)
    assert accuracy_score(y, model.predict(frame)) > 0.85
    told_by_blood = frame.assign(blood=scan, scan=frame["blood"])
    tree = METHODS["csdt"](prices, error_cost=100.0).fit(told_by_blood, y)
    assert tree.prediction_cost(told_by_blood).max() == 1.0


@each("library", FRAMES)
def test_frames_of_every_library_are_taken_by_name(library, rows):
    frame, y = rows
    make = FRAMES[library]
    want = fitted("l1", frame.to_numpy(), y, alpha=0.01)
    model = fitted("l1", make(frame[SHUFFLED]), y, alpha=0.01)
    assert np.array_equal(model.coef_, want.coef_)
    scores = model.decision_function(make(frame[SHUFFLED[::-1]]))
    assert np.array_equal(scores, want.decision_function(frame.to_numpy()))


@each(
    ("names", "sentence"),
    [
        (
            ["a", "b", "c", "d"],
            "X has no 'blood', 'scan', 'age', 'pulse', which the hy",
        ),
        ([*NAMES[:3], "puls"], "no 'pulse', which the hypergraph names, and 'puls', "),
        ([*NAMES, "weight"], "X has 'weight', which the hypergraph does not name"),
        (NAMES[:3], "X has no 'pulse', which the hypergraph names; make the names ag"),
        ([*NAMES[:3], "age"], "X has 'age' twice; give each a name of its own"),
        ([*NAMES[:3], 4], "The columns of X are named by texts and by other things"),
    ],
)
def test_names_that_disagree_are_refused_when_fitting_and_when_predicting(
    names, sentence, rows
):
    frame, y = rows
    other = frame.assign(more=0.0).iloc[:, : len(names)].set_axis(names, axis=1)
    with pytest.raises(DataError, match=sentence):
        fitted("l1", other, y)
    for X in (frame, frame.to_numpy()):
        with pytest.raises(DataError, match=sentence):
            fitted("l1", X, y).predict(other)


def test_generic_names_and_arrays_go_by_position(rows):
    frame, y = rows
    want = fitted("l1", frame.to_numpy(), y, alpha=0.01).coef_
    generic = frame.set_axis(["x0", "x1", "x2", "x3"], axis=1)
    model = fitted("l1", generic, y, alpha=0.01)
    assert np.array_equal(model.coef_, want)
    for X in (generic, frame[SHUFFLED]):  # the hypergraph has names by itself
        assert np.array_equal(model.predict(X), model.predict(generic))
    unnamed = FeatureHypergraph(SHARED.incidence, SHARED.component_costs)
    for X in (
        frame,
        frame.set_axis(range(4), axis=1),
        generic[["x3", "x1", "x0", "x2"]],
    ):
        assert np.array_equal(L1Classifier(unnamed, alpha=0.01).fit(X, y).coef_, want)


def test_an_array_after_a_frame_goes_by_position_and_scikit_learn_warns(rows):
    frame, y = rows
    model = fitted("l1", frame[SHUFFLED], y)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        scores = model.decision_function(frame.to_numpy())
    assert np.array_equal(scores, model.decision_function(frame[SHUFFLED]))


@each("names", [None, ("x0", "x1", "x2", "x3")])
def test_without_names_of_prices_scikit_learn_holds_to_the_order_of_fit(names, rows):
    frame, y = rows
    prices = names and FeatureHypergraph.independent(np.ones(4), names)
    model = L1Classifier(prices).fit(frame, y)
    with pytest.raises(
        ValueError, match="must be in the same order as they were in fi"
    ):
        model.predict(frame[SHUFFLED])


def test_a_gap_is_told_by_its_name(rows):
    frame, y = rows
    model = fitted("l1", frame, y)
    shuffled = frame[SHUFFLED].copy()
    shuffled.loc[2, "blood"] = np.nan
    with pytest.raises(DataError, match="row 2 has no value of 'blood'"):
        model.predict(shuffled)


def test_a_regression_takes_columns_and_weights_by_name(rows):
    frame, y = rows
    numbers = frame["scan"] * 2 + y
    each = pd.Series({"scan": 0.1, "age": 3.0, "pulse": 2.0, "blood": 1.0})
    for given in (None, each):
        bare = given if given is None else given[list(NAMES)].to_numpy()
        settings = {"hypergraph": SHARED, "mu": 0.01}
        want = SelectiveRidgeRegressor(feature_weights=bare, **settings)
        want.fit(frame.to_numpy(), numbers)
        model = SelectiveRidgeRegressor(feature_weights=given, **settings)
        model.fit(frame[SHUFFLED], numbers)
        assert np.array_equal(model.coef_, want.coef_)
        assert model.cost_ == want.cost_
        by_name = model.predict(frame[SHUFFLED[::-1]])
        assert np.array_equal(by_name, want.predict(frame))


def test_weights_of_features_are_matched_to_what_has_names(rows):
    frame, y = rows
    each = pd.Series({"scan": 0.1, "age": 3.0, "pulse": 2.0, "blood": 1.0})
    options = {"mu": 0.5, "feature_weights": each}
    by_frame = SelectiveRidgeClassifier(**options).fit(frame, y)
    options["feature_weights"] = each[list(NAMES)].to_numpy()
    by_place = SelectiveRidgeClassifier(**options).fit(frame.to_numpy(), y)
    assert np.array_equal(by_frame.coef_, by_place.coef_)
    least = maximum_selectivity(frame, y, feature_weights=each)
    bare = options["feature_weights"]
    assert least == maximum_selectivity(frame.to_numpy(), y, feature_weights=bare)
    with pytest.raises(DataError, match="weights has no 'pulse', which X names"):
        maximum_selectivity(frame, y, feature_weights=each.drop("pulse"))
