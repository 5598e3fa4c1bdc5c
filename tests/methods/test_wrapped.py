"""A method inside of scikit-learn's wrappers, and the columns that reach it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from solvers import FeatureHypergraph, prediction_cost
from solvers.deploy import policy_from
from solvers.errors import DataError
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.wrapped import innermost, order_on_arrival
from tests.each import each

PRICES = FeatureHypergraph.independent([1.0, 9.0, 2.0], ["blood", "scan", "age"])
SHUFFLED = ["age", "blood", "scan"]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((90, 3)) + 5, columns=PRICES.features)
    return frame, frame["scan"] > 5


def scaled(keeps_names=True):
    output = "pandas" if keeps_names else "default"
    scaler = StandardScaler().set_output(transform=output)
    return make_pipeline(scaler, CSDTClassifier(PRICES))


def test_a_search_and_a_threshold_take_columns_by_name(rows):
    frame, y = rows
    want = CSDTClassifier(PRICES).fit(frame.to_numpy(), y)
    search = GridSearchCV(scaled(), {"csdtclassifier__error_cost": [None]}, cv=2)
    for wrapped in (search, TunedThresholdClassifierCV(CSDTClassifier(PRICES), cv=2)):
        wrapped.fit(frame[SHUFFLED], y)
        assert isinstance(innermost(wrapped), CSDTClassifier)
        cost = prediction_cost(wrapped, frame[SHUFFLED])
        assert np.array_equal(cost, want.prediction_cost(frame))
        assert cost.min() >= 9.0, "the scan tells"


def test_names_that_were_lost_in_another_order_are_refused(rows):
    """The method has learned from other columns than its prices are for."""
    frame, y = rows
    lost = scaled(keeps_names=False).fit(frame[SHUFFLED], y)
    for ask in (lambda: prediction_cost(lost, frame), lambda: policy_from(lost)):
        with pytest.raises(
            DataError, match="given 'age', 'blood', 'scan' without their"
        ):
            ask()


@each("first", [StandardScaler(), FunctionTransformer()])
def test_names_that_were_lost_in_the_same_order_or_are_not_known_are_none(first, rows):
    frame, y = rows
    model = make_pipeline(first, CSDTClassifier(PRICES)).fit(frame.to_numpy(), y)
    assert order_on_arrival(model) is None
    same = make_pipeline(StandardScaler(), CSDTClassifier(PRICES)).fit(frame, y)
    assert order_on_arrival(same) is None
    by_name = scaled().fit(frame[SHUFFLED], y)
    cost = prediction_cost(by_name, frame[SHUFFLED])
    assert np.array_equal(prediction_cost(same, frame), cost)


def test_an_exported_pipeline_scales_the_columns_that_it_names(rows):
    frame, y = rows
    by_name = policy_from(scaled().fit(frame[SHUFFLED], y))
    by_place = policy_from(scaled(keeps_names=False).fit(frame, y))
    assert by_name.features == by_place.features
    assert [SHUFFLED[j] for j in by_name.places] == list(by_name.features)
    assert [PRICES.features[j] for j in by_place.places] == list(by_name.features)
    assert by_name.nodes == by_place.nodes
    assert by_name.costs == by_place.costs
