"""Everybody is split, tuned, scored and charged alike."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from solvers import (
    Dataset,
    FeatureHypergraph,
    Frontier,
    ThriftscopeError,
    evaluate,
    prediction_cost,
    split_dataset,
    time_decisions,
    trace_frontier,
)
from solvers.datasets import make_breast_cancer
from solvers.decisions.scores import best_threshold
from solvers.errors import DataError
from solvers.frontier import evaluation
from solvers.methods.l1 import L1Classifier
from solvers.methods.tefe import TEFEClassifier
from tests.each import each


@pytest.fixture(scope="module")
def data():
    return make_breast_cancer()


@pytest.fixture(scope="module")
def split(data):
    return split_dataset(data)


def test_parts_are_apart_and_hold_every_row(data, split):
    rows = np.concatenate(
        [split.rows[part] for part in ("train", "validation", "test")]
    )
    assert sorted(rows) == list(range(data.n_samples))


def test_the_same_seed_splits_alike(data):
    first, second = split_dataset(data, 3), split_dataset(data, 3)
    assert np.array_equal(first.rows["test"], second.rows["test"])


# As far apart as whole numbers, or one after the other as close as numbers can be.
@each("one", [0.0, 5e-324, 0.1, 1.0, -1e300])
@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=12
    ).filter(lambda rows: any(label for _, label in rows))
)
def test_the_tuned_threshold_is_the_best_there_is(one, rows):
    steps = np.array([step for step, _ in rows])
    scores = one + steps * (np.spacing(abs(one)) if one else 1.0)
    positive = np.array([label for _, label in rows])
    cut = best_threshold(scores, positive)
    candidates = [*np.unique(scores), scores.max() + 1]
    best = max(f1_score(positive, scores >= c, zero_division=0) for c in candidates)
    assert f1_score(positive, scores >= cut, zero_division=0) == pytest.approx(best)


def test_scores_are_those_of_scikit_learn(data, split):
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    point = evaluate(model, split)
    sign = 1 if model.classes_[1] == data.positive else -1
    called = sign * model.decision_function(split.X("test")) >= point.threshold
    expected = f1_score(split.y("test") == data.positive, called)
    assert point.scores["test"]["f1"] == pytest.approx(expected)


def test_what_is_charged_is_the_union_of_components(data, split):
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    point = evaluate(model, split)
    assert point.cost["mean"] == pytest.approx(data.hypergraph.cost(point.features))
    assert point.cost["p95"] == pytest.approx(point.cost["mean"])
    assert point.cost["max"] >= point.cost["mean"]


def test_the_other_class_may_be_the_positive_one(data):
    other = next(label for label in data.classes if label != data.positive)
    flipped = Dataset(data.name, data.X, data.y, data.hypergraph, positive=str(other))
    best = Frontier(trace_frontier("l1", flipped)).best_within(np.inf)
    assert best.scores["test"]["f1"] > 0.8


def test_a_method_is_named_given_or_made(data):
    named = next(trace_frontier("l1", data))
    given_ = next(trace_frontier(L1Classifier(), data))
    made = next(trace_frontier(L1Classifier, data))
    assert named.method == given_.method == made.method == "l1"
    assert named.params == given_.params == made.params


def test_prediction_cost_is_found_inside_of_wrappers(data, split):
    X, y = split.X("train"), split.y("train")
    model = L1Classifier(data.hypergraph)
    plain = prediction_cost(model.fit(X, y), X[:5])
    search = GridSearchCV(
        make_pipeline(StandardScaler(), model), {"l1classifier__alpha": [0.01]}, cv=2
    ).fit(X, y)
    fixed = FixedThresholdClassifier(L1Classifier(data.hypergraph)).fit(X, y)
    assert prediction_cost(search, X[:5]).shape == (5,)
    assert np.array_equal(prediction_cost(fixed, X[:5]), plain)


def test_prediction_cost_refuses_what_knows_no_cost(split):
    model = LogisticRegression().fit(split.X("train")[:, :2], split.y("train"))
    with pytest.raises(ThriftscopeError, match="does not know what a prediction costs"):
        prediction_cost(model, split.X("train")[:, :2])


@each(
    ("options", "sentence"),
    [
        ({"accounting": "median"}, '"mean", "p95" or "max"'),
        ({"threshold": "best"}, '"tuned" or "default"'),
    ],
)
def test_unknown_options_are_refused_before_the_first_point(data, options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        trace_frontier("l1", data, **options)


def test_an_unknown_method_is_refused_with_the_known_ones(data):
    with pytest.raises(ThriftscopeError, match="no method 'l7'; choose from acafh"):
        trace_frontier("l7", data)


def test_too_few_rows_are_refused(data):
    few = Dataset("few", data.X[:6], np.array([0, 1] * 3), data.hypergraph)
    with pytest.raises(ThriftscopeError, match="The smallest class has 3 rows"):
        split_dataset(few)


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    return Dataset("iris", X, names, FeatureHypergraph.independent(np.ones(4)))


@each("threshold", ["tuned", "default"])
def test_three_classes_with_a_positive_one_are_scored_by_label(iris, threshold):
    data = replace(iris, positive="virginica")
    split = split_dataset(data)
    model = TEFEClassifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    point = evaluate(model, split, threshold=threshold)
    called, truth = model.predict(split.X("test")), split.y("test")
    f1 = f1_score(truth == "virginica", called == "virginica")
    assert point.scores["test"]["f1"] == pytest.approx(f1)
    assert point.scores["test"]["accuracy"] == pytest.approx(np.mean(called == truth))
    assert point.threshold == 0.0


def test_three_classes_without_a_positive_one_are_averaged(iris):
    split = split_dataset(iris)
    model = TEFEClassifier(iris.hypergraph).fit(split.X("train"), split.y("train"))
    called, truth = model.predict(split.X("test")), split.y("test")
    f1 = f1_score(truth, called, average="macro")
    assert evaluate(model, split).scores["test"]["f1"] == pytest.approx(f1)


def test_each_part_is_walked_once_and_to_time_it_few_rows_alone(iris, monkeypatch):
    split = split_dataset(iris)
    model = TEFEClassifier(iris.hypergraph).fit(split.X("train"), split.y("train"))
    walked, walk = [], TEFEClassifier._walk
    monkeypatch.setattr(
        TEFEClassifier,
        "_walk",
        lambda self, rows: walked.append(len(rows)) or walk(self, rows),
    )
    point = evaluate(model, split)
    n_test = len(split.rows["test"])
    assert walked == [len(split.rows["validation"]), n_test]
    time_decisions(point, split)
    alone = [n_rows for n_rows in walked[2:] if n_rows == 1]
    assert walked[2:] == [*alone, n_test, n_test]
    assert len(alone) == 1  # as of all tests


def test_deciding_time_is_shown_beside_training_time(data, split):
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    evaluated = evaluate(model, split, seconds=3.0)
    assert evaluated.decision_seconds is None
    point = time_decisions(evaluated, split)
    assert point.decision_seconds.keys() == {"one_row", "batch_row"}
    assert min(point.decision_seconds.values()) > 0
    row = point.row()
    assert row["seconds"] == 3.0
    assert row["decision_seconds_one_row"] == point.decision_seconds["one_row"]
    assert row["decision_seconds_batch_row"] == point.decision_seconds["batch_row"]


def test_what_is_timed_on_one_row_is_what_is_exported(data, split, monkeypatch):
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    predicted, predict = [], FixedThresholdClassifier.predict

    def watched(self, X):
        predicted.append((len(X), self.threshold))
        return predict(self, X)

    monkeypatch.setattr(FixedThresholdClassifier, "predict", watched)
    point = time_decisions(evaluate(model, split), split)
    assert set(predicted) == {(1, point.threshold)}


@each("interrupted", range(5))
def test_one_interruption_does_not_show_in_the_time_of_deciding(
    data, split, monkeypatch, interrupted
):
    monkeypatch.setattr(evaluation, "_SINGLE_ROWS", 3)
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    lasting = iter([40.0 if call == interrupted else 0.001 for call in range(5)])
    point = evaluate(model, split)
    clock = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now)

    def lengthened(method):
        def call(self, X):
            clock.now += next(lasting)
            return method(self, X)

        return call

    for owner, name in (
        (L1Classifier, "decide"),
        (FixedThresholdClassifier, "predict"),
    ):
        monkeypatch.setattr(owner, name, lengthened(getattr(owner, name)))
    monkeypatch.setattr(evaluation, "time", clock)
    taken = time_decisions(point, split).decision_seconds
    assert taken["one_row"] == pytest.approx(0.001)
    assert taken["batch_row"] <= 0.001 / 50


def test_scores_that_no_threshold_changes_are_those_of_scikit_learn(data, split):
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    point = evaluate(model, split)
    truth = split.y("test") == data.positive
    expected = roc_auc_score(truth, model.decision_function(split.X("test")))
    assert point.scores["test"]["roc_auc"] == pytest.approx(expected)


def test_a_row_of_the_table_has_the_cost_that_budgets_are_held_against(data, split):
    model = L1Classifier(data.hypergraph).fit(split.X("train"), split.y("train"))
    point = evaluate(model, split)
    assert point.row()["validation_cost_mean"] == point.validation_cost["mean"]


def test_a_model_of_other_features_or_another_order_is_refused():
    split = split_dataset(make_breast_cancer())
    prices = split.hypergraph
    turned = prices.restrict(np.arange(prices.n_features)[::-1])
    model = L1Classifier(turned, alpha=0.1).fit(split.X("train"), split.y("train"))
    with pytest.raises(DataError, match=r"give the method split\.hypergraph"):
        evaluate(model, split)
    first = prices.features[0]
    model.set_params(hypergraph=prices.rename(features={first: "other"}))
    with pytest.raises(DataError, match=f"hypergraph has no {first!r}, which the spl"):
        evaluate(model, split)
