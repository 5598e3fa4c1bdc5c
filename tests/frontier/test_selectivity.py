"""A selective ridge on a data set is that of its training rows."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from solvers import ThriftscopeError, split_dataset
from solvers.datasets import make_breast_cancer, make_digits, make_heart
from solvers.frontier import trace_selectivity
from solvers.methods.selective_ridge import (
    maximum_selectivity,
    selective_ridge_path,
    selective_ridge_stream,
)
from tests.each import each
from tests.fuzz.refusal import is_one_sentence


@each("is_priced", [False, True])
def test_the_model_and_the_path_are_those_of_the_training_rows(is_priced):
    data = make_breast_cancer()
    found = trace_selectivity(
        data, share=0.2, gamma=2.0, is_priced=is_priced, n_points=4, smallest=0.05
    )
    split = split_dataset(data)
    train = split.X("train")
    X = (train - train.mean(axis=0)) / train.std(axis=0)
    y = np.where(split.y("train") == data.positive, 1.0, -1.0)
    asked = {"gamma": 2.0, "loss": "hinge"}
    if is_priced:
        asked["feature_weights"] = np.sqrt(split.hypergraph.marginal_costs())
    largest = maximum_selectivity(X, y, **asked)
    *_, model = selective_ridge_stream(X, y, mu=0.2 * largest, **asked)
    assert found.model.mu == pytest.approx(model.mu)
    assert found.model.objective == pytest.approx(model.objective, rel=2e-6)
    path = selective_ridge_path(X, y, n_points=4, smallest=0.05, **asked)
    objectives = [fit.objective for fit in path]
    assert [fit.objective for fit in found.path] == pytest.approx(objectives, rel=2e-6)
    said = np.where(X @ found.model.coef + found.model.intercept > 0, 1.0, -1.0)
    right = balanced_accuracy_score(y, said)
    assert found.rows.scores(found.model)["training"] == pytest.approx(right)
    assert f"balanced accuracy {right:.4f} on training" in str(found)


def test_a_feature_of_several_columns_is_counted_once():
    data = make_heart()
    found = trace_selectivity(data, n_points=1)
    counts = found.rows.counts(found.model)
    assert sum(counts.values()) == data.n_features < len(found.model.coef)


@each(
    ("data", "options", "sentence"),
    [
        (make_digits, {}, "has 10 classes; choose a data set of two"),
        (make_heart, {"share": 0.0}, "electivity"),
        (make_heart, {"gamma": -1.0}, "Ridge|gamma"),
        (make_heart, {"loss": "gone"}, "gone"),
        (make_heart, {"n_points": 0}, "n_points"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(data, options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        trace_selectivity(data(), **options)
    assert is_one_sentence(str(refused.value))
