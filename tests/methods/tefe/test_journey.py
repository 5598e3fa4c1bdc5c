"""One sample goes the way of its row, and asks for no more than it needs."""

import numpy as np
import pytest

from solvers.errors import DataError
from solvers.methods.tefe import TEFEClassifier
from tests.each import each
from tests.methods.tefe.trained import PRICES, fitted, table


@each("n_classes", [2, 3])
@each("confidence", ["distance", "raw", "gap", "calibrated"])
def test_single_rows_leave_where_the_batch_does_on_binary_columns(
    confidence, n_classes
):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 6)).astype(float)
    y = (X.sum(axis=1) + rng.normal(size=400)).round().astype(int) % n_classes
    model = TEFEClassifier(PRICES, confidence=confidence).fit(X, y)
    for budget in (2.5, 6.0, 11.0, 17.0):
        model.set_params(threshold=model.threshold_for(budget, X))
        stages, labels = model.exit_stages(X), model.predict(X)
        some = range(0, 400, 13)
        for i in some:
            row = X[[i]]
            assert model.exit_stages(row)[0] == stages[i]
            assert model.predict(row)[0] == labels[i]
            journey = model.predict_one(lambda name, row=row: row[0, int(name[1:])])
            assert (journey.stage, journey.label) == (stages[i], labels[i])


@each("n_classes", [2, 4])
@each("confidence", ["distance", "gap", "calibrated"])
def test_one_sample_goes_the_way_of_its_row(n_classes, confidence):
    X, y = table(n_classes, seed=2)
    model = TEFEClassifier(PRICES, threshold=0.6, confidence=confidence).fit(X, y)
    for row, stage, label, cost in zip(
        X[:40],
        model.exit_stages(X),
        model.predict(X),
        model.prediction_cost(X),
        strict=False,
    ):
        journey = model.predict_one(lambda name, row=row: row[int(name[1:])])
        assert (journey.stage, journey.label, journey.cost) == (stage, label, cost)


def test_one_sample_is_asked_for_no_more_than_it_needs():
    X, _ = table()
    model = fitted(threshold=0.0)
    asked = []

    def extractor(name):
        asked.append(name)
        return X[0, int(name[1:])]

    journey = model.predict_one(extractor)
    assert asked == ["x1"] == list(journey.features)
    assert [stop.leaves for stop in journey.stops] == [True]


def test_one_sample_respects_the_time_cap():
    X, _ = table()
    model = fitted(threshold=np.inf, time_cap=6.0)
    journey = model.predict_one(lambda name: X[0, int(name[1:])])
    assert journey.cost == 6.0
    assert journey.seconds >= journey.stops[0].seconds > 0


def test_an_object_that_computes_features_lazily_will_do():
    class Sample:
        def feature(self, name):
            return float(name == "x1")

    assert fitted(threshold=0.0).predict_one(Sample()).features == ("x1",)


@each(("answer", "shown"), [(np.nan, "nan"), ("big", "'big'")])
def test_an_extractor_that_gives_no_number_is_named(answer, shown):
    with pytest.raises(DataError, match=f"gave {shown} for feature 'x1'"):
        fitted().predict_one(lambda name: answer)
