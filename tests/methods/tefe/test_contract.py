"""The cascade and its rivals keep scikit-learn's contract and ours."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.utils.estimator_checks import check_estimator

from solvers import Dataset, FeatureHypergraph, all_methods, trace_frontier
from solvers.errors import DataError, HypergraphError, KnobError
from tests.each import each

NAMES = ("csdt", "csnb", "jit", "relief_svm", "static_prefix", "tefe")
METHODS = [all_methods()[name] for name in NAMES]
VARIANT = all_methods()["tefe"](confidence="gap", solver="path", order="value")

# Six features of three groups; the components of the first two share "base".
PRICES = FeatureHypergraph(
    [[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]],
    [4.0, 1.0, 2.0, 6.0],
    component_names=("base", "a", "b", "c"),
)


# Methods as they are by themselves: in `tests.methods.test_contract`.
def test_scikit_learn_contract():
    check_estimator(VARIANT, on_skip=None)


def table(n_classes, n_samples=120):
    return make_classification(
        n_samples,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        class_sep=2.0,
        random_state=1,
    )


every_method = each("method", METHODS, ids=NAMES)


# Of two classes these are asked of every method: in `tests.methods.test_contract`.
@every_method
def test_of_three_classes_a_row_pays_once_for_what_it_acquired_and_for_no_more(method):
    X, y = table(3)
    model = method(PRICES).fit(X, y)
    acquired, paid = model.acquired_features(X), model.prediction_cost(X)
    assert paid == pytest.approx([PRICES.cost(row) for row in acquired])
    hidden = np.where(acquired, X, 1e6)
    assert model.predict(hidden).tolist() == model.predict(X).tolist()
    assert model.prediction_cost(hidden) == pytest.approx(paid)


@every_method
def test_features_of_a_group_are_acquired_together(method):
    X, y = table(3)
    acquired = method(PRICES).fit(X, y).acquired_features(X)
    for first in (0, 2, 4):
        assert np.array_equal(acquired[:, first], acquired[:, first + 1])


@every_method
@each("n_classes", [2, 3])
def test_the_path_is_made_of_fitted_models_with_their_knob_set(method, n_classes):
    X, y = table(n_classes)
    models = list(method(PRICES).path(X, y))
    values = [getattr(model, method.path_knob) for model in models]
    assert len(set(values)) == len(models) > 2
    costs = [model.prediction_cost(X).mean() for model in models]
    assert costs[-1] > costs[0]


@every_method
def test_a_model_of_the_path_is_the_model_that_its_parameters_train(method):
    X, y = table(3)
    models = list(method(PRICES).path(X, y))
    for model in (models[0], models[len(models) // 2], models[-1]):
        afresh = clone(model).fit(X, y)
        assert np.allclose(afresh.decision_function(X), model.decision_function(X))


@every_method
def test_every_method_is_on_the_frontier_of_three_classes(method):
    X, y = table(3)
    dataset = Dataset("six", X, y, PRICES)
    points = list(trace_frontier(method, dataset))
    assert max(point.scores["test"]["f1"] for point in points) > 0.5
    assert all(point.cost["max"] <= PRICES.total_cost for point in points)


@every_method
@each(
    ("groups", "message"),
    [
        ([[0, 1], [2, 3]], "'x4' is in no group"),
        ([[0, 1, 2], [2, 3, 4, 5]], "'x2' is in more than one group"),
        ([[0, 1, 2, 3, 4, 5], []], "Group 1 is empty"),
        ([["x0", "y"], [2]], "There is no feature 'y'"),
    ],
)
def test_groups_that_do_not_part_the_features_are_refused(method, groups, message):
    X, y = table(2)
    with pytest.raises(HypergraphError, match=message):
        method(PRICES, groups=groups).fit(X, y)


@every_method
def test_groups_may_be_given_by_name(method):
    X, y = table(2)
    groups = [["x5", "x0"], ["x1", "x2", "x3", "x4"]]
    acquired = method(PRICES, groups=groups).fit(X, y).acquired_features(X)
    assert np.array_equal(acquired[:, 0], acquired[:, 5])


@every_method
def test_a_class_without_weight_is_refused(method):
    X, y = table(3)
    with pytest.raises(DataError, match="Every row of class 2 has weight 0"):
        method(PRICES).fit(X, y, sample_weight=(y != 2).astype(float))
    with pytest.raises(DataError, match="weights are 0 or more"):
        method(PRICES).fit(X, y, sample_weight=np.where(y == 2, -1.0, 1.0))


@every_method
def test_parameters_out_of_range_are_refused(method):
    X, y = table(2)
    wrong = {"C": 0.0, "error_cost": -1.0, "cost_weight": 2.0}
    name = next(key for key in wrong if key in method().get_params())
    with pytest.raises(KnobError, match=name):
        method(PRICES).set_params(**{name: wrong[name]}).fit(X, y)
