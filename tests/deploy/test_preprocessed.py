"""Exports say of raw rows what the saved estimator says of encoded or scaled ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from solvers import all_methods
from solvers.deploy import to_python
from solvers.deploy.preprocessed import _exact_bound
from solvers.errors import DeployError
from tests.each import each

from . import models


@each("positive", [0, 1])
@each("threshold", [-1.0, 0.0, 1.0])
def test_a_row_at_the_threshold_is_called_as_the_estimator_calls_it(
    positive, threshold
):
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = all_methods()["csdt"]().fit(X, [0, 0, 1, 1])
    assert set(model.decision_function(X)) == {-1.0, 1.0}
    fixed = FixedThresholdClassifier(
        FrozenEstimator(model),
        threshold=threshold,
        pos_label=positive,
        response_method="decision_function",
    ).fit(X, [0, 0, 1, 1])
    space = {"__name__": "policy"}
    exec(to_python(fixed), space)
    got = [space["decide"]({"x0": x}).label for (x,) in X.tolist()]
    assert got == fixed.predict(X).tolist()


@each("name", [n for n in models.NAMES if n not in models.MANY])
def test_scores_and_threshold_are_the_higher_the_more_positive(name):
    """Of every method: here the first class is the positive one."""
    model, X, said = models.fitted(name)
    fixed = FixedThresholdClassifier(
        FrozenEstimator(model),
        threshold=float(np.median(-said.scores)),
        pos_label=model.classes_[0],
        response_method="decision_function",
    ).fit(X, model.classes_[np.arange(len(X)) % 2])
    own, turned = {"__name__": "own"}, {"__name__": "turned"}
    exec(to_python(model), own)
    exec(to_python(fixed), turned)
    assert (turned["CUT"], turned["CLASSES"][1]) == (fixed.threshold, model.classes_[0])
    for row in X[:40]:
        sample = dict(zip(model.hypergraph.features, row.tolist(), strict=True))
        mine, found = own["decide"](sample), turned["decide"](sample)
        # Costs of mistakes, turned round, are summed in another order.
        assert found.score == pytest.approx(-mine.score, rel=1e-12)
        for line, other in zip(found.bill, mine.bill, strict=True):
            assert (line.score is None) == (other.score is None)
            if other.score is not None:
                assert line.score == pytest.approx(-other.score, rel=1e-12)
        is_first = found.score >= fixed.threshold
        assert found.label == model.classes_[0 if is_first else 1]


@each("place", [None, 0, 1])
@each("threshold", ["auto", 0.7])
def test_a_threshold_that_scikit_learn_reads_by_default_is_read_so(place, threshold):
    X, y, _ = models.table()
    model, _, _ = models.fitted("l1")
    positive = None if place is None else model.classes_[place].item()
    response = "auto" if threshold == "auto" else "decision_function"
    fixed = FixedThresholdClassifier(
        FrozenEstimator(model),
        threshold=threshold,
        pos_label=positive,
        response_method=response,
    ).fit(X, y)
    space = {"__name__": "policy"}
    exec(to_python(fixed), space)
    names = model.hypergraph.features
    got = [space["decide"](dict(zip(names, row, strict=True))).label for row in X]
    assert got == fixed.predict(X).tolist()


def test_a_threshold_of_probabilities_is_refused():
    X, y, _ = models.table()
    model, _, _ = models.fitted("l1")
    fixed = FixedThresholdClassifier(FrozenEstimator(model), threshold=0.3).fit(X, y)
    with pytest.raises(DeployError, match="response_method='decision_function'"):
        to_python(fixed)


@each(
    ("method", "settings"),
    [("tefe", {"threshold": 0.8}), ("csdt", {}), ("static_prefix", {"n_groups": 2})],
)
def test_scaled_columns_are_taken_as_they_come(method, settings):
    X, y, hypergraph = models.table()
    scaler = StandardScaler().fit(X[::2])
    model = all_methods()[method](hypergraph, **settings)
    model.fit(scaler.transform(X[::2]), y[::2])
    space = {"__name__": "policy"}
    exec(to_python(Pipeline([("scale", scaler), ("model", model)])), space)
    said = model.decide(scaler.transform(X))
    for i, row in enumerate(X.tolist()):
        got = space["decide"](dict(zip(hypergraph.features, row, strict=True)))
        assert got.label == said.labels[i]
        assert got.score == pytest.approx(said.scores[i], rel=1e-9, abs=1e-9)
        assert got.cost == pytest.approx(said.cost[i])


def test_what_else_stands_before_a_method_is_told():
    X = np.random.default_rng(0).standard_normal((60, 2))
    model = Pipeline([("scale", MinMaxScaler()), ("l1", all_methods()["l1"]())])
    with pytest.raises(DeployError, match="only a TableEncoder or a StandardScaler"):
        to_python(model.fit(X, X[:, 0] > 0))


numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers, st.floats(1e-3, 1e3))
def test_a_bound_is_the_last_number_that_is_not_above_it_once_scaled(at, centre, width):
    bound = _exact_bound(at, centre, width)
    assert (bound - centre) / width <= at
    above = math.nextafter(bound, math.inf)
    assert (above - centre) / width > at


@each("seed", range(5))
def test_values_that_occur_stay_on_their_side_of_a_cut_at_one_of_them(seed):
    rng = np.random.default_rng(seed)
    column = np.round(rng.normal(50, 20, 200), 1)
    centre, width = float(column.mean()), float(column.std())
    scaled = (column - centre) / width
    for at in scaled[:20]:
        bound = _exact_bound(float(at), centre, width)
        assert ((column <= bound) == (scaled <= at)).all()


@each("value", [0.0, 1.0, -3.0])
def test_a_cut_at_a_count_is_found_around_0_too(value):
    centre, width = 1.0, 0.5
    at = (value - centre) / width
    bound = _exact_bound(at, centre, width)
    assert value <= bound < value + 1e-9
    assert (math.nextafter(bound, math.inf) - centre) / width > at


@each(
    ("at", "centre", "width"),
    [(math.inf, 1.0, 2.0), (1e308, 0.0, 1e3), (1.0, 1.5e308, 1.5e308)],
)
def test_a_cut_that_nothing_is_above_stays_one(at, centre, width):
    assert _exact_bound(at, centre, width) == math.inf
    assert _exact_bound(-at, -centre, width) == -math.inf


def test_a_column_whose_mean_is_beyond_all_numbers_ends_the_search():
    assert math.isnan(_exact_bound(0.5, math.inf, math.nan))
