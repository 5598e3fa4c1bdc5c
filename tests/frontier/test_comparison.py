"""Methods are compared as a frontier and its bands have it, and samples answered."""

import dataclasses

import numpy as np
import pytest

from explorer.export import estimator_skops, load_estimator
from solvers import (
    Frontier,
    ThriftscopeError,
    answer_samples,
    compare_methods,
    free_scores,
    split_dataset,
    trace_frontier,
)
from solvers.datasets import make_breast_cancer, make_heart, make_published
from solvers.errors import DataError
from solvers.frontier.bands import frontier_band
from solvers.frontier.comparison import lead_sentence, method_bands
from tests.each import each
from tests.explorer.cheapest import make_dataset
from tests.fuzz.refusal import is_one_sentence

METHODS = {"l1": {"n_alphas": 6}, "static_prefix": {}}


@pytest.fixture(scope="module")
def data():
    return make_breast_cancer()


@pytest.fixture(scope="module")
def found(data):
    return compare_methods(data, METHODS, budget=12.0, n_splits=3, confidence=0.8)


def test_the_best_point_is_that_of_the_frontier_of_all(data, found):
    points = [
        point
        for method, params in METHODS.items()
        for point in compare_methods(data, {method: params}).frontier
    ]
    best = Frontier(points, unit=data.unit, confidence=0.8).best_within(12.0)
    assert (found.best.method, dict(found.best.params)) == (
        best.method,
        dict(best.params),
    )
    assert found.best.scores == best.scores
    assert found.point is found.best


def test_bands_are_over_the_splits_and_start_from_the_free_answer(data, found):
    floor = free_scores(split_dataset(data, 0))["test"]
    band = frontier_band(found.frontiers["l1"], [0.0, 12.0], floor=floor)
    held = found.bands["l1"]
    at = np.searchsorted(held.costs, 12.0, side="right") - 1
    assert held.mean[at] == band.mean[1]
    assert held.mean[0] == pytest.approx(band.mean[0])
    said = f"l1 on 3 splits: f1 {band.mean[1]:.3f} +- {band.standard_error[1]:.3f} wit"
    assert said in str(found)
    assert str(found).endswith(lead_sentence(found.bands, 12.0, data.unit, 0.5))


def test_one_split_says_nothing_of_noise(data):
    one = compare_methods(data, METHODS, budget=12.0)
    assert one.bands == {}
    assert "splits" not in str(one)
    assert method_bands({}, 0.0) == {}
    assert lead_sentence({}, 1.0, "us", 0.5) == ""


def test_a_point_s_parameters_train_it_again():
    data = make_heart()
    asked = {"refit": True}
    picked = list(trace_frontier("l1", data))[10]
    again = compare_methods(data, {"l1": asked}, chosen=("l1", picked.params)).point
    assert (again.scores, again.cost) == (picked.scores, picked.cost)
    assert again.threshold == picked.threshold


@each(
    ("options", "sentence"),
    [
        ({"methods": {}}, "no method to compare; name one"),
        ({"methods": {"gone": {}}}, "no method 'gone'; choose from acafh"),
        ({"methods": {"l1": {"gone": 1}}}, "l1 takes no 'gone'; choose from hyperg"),
        ({"chosen": ("gone", {})}, "no method 'gone'"),
        ({"accounting": "median"}, "'median'; use"),
        ({"threshold": "best"}, "'best'; use"),
        ({"score": "gini"}, "'gini'; choose from f1"),
        ({"limits": {"energy": -1.0}}, "limit on 'energy'"),
        ({"n_splits": 3, "random_state": None}, "Several splits need a seed"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        compare_methods(make_dataset(), **{"methods": {"l1": {}}, **options})
    assert is_one_sentence(str(refused.value))


@each(("rule", "place"), [("tuned", 0), ("default", 1)])
def test_raw_samples_are_answered_as_the_model_decides(rule, place):
    made = make_published()
    turned = dataclasses.replace(made, positive=np.unique(made.y)[place])
    methods = {"l1": {"alpha": 0.003}}
    found = compare_methods(turned, methods, threshold=rule, budget=20.0)
    model = found.point.model
    if rule == "tuned":
        model = load_estimator(estimator_skops(found.point, turned))
    table = turned.pipeline.extract(turned.samples)
    answers = answer_samples(found).answers
    assert np.array_equal(answers, model.predict(table))
    assert len(set(answers)) == 2


def test_samples_of_nothing_and_of_no_functions():
    broke = compare_methods(make_published(), {"static_prefix": {}}, budget=-1.0)
    assert str(answer_samples(broke)) == "No sample is answered."
    with pytest.raises(DataError, match="without feature functions"):
        answer_samples(compare_methods(make_heart(), {"static_prefix": {}}))
