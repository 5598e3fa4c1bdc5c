"""What is called held out was seen by no step of training, the order included."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from solvers import Dataset, FeatureHypergraph, all_methods, trace_frontier
from solvers.datasets.splits import split_dataset
from solvers.methods.tefe import TEFEClassifier
from tests.each import each
from tests.methods.test_contract import small

METHODS = sorted(all_methods())


def made(seed=0, n_rows=240):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 5))
    y = (X[:, 0] + X[:, 1] + rng.standard_normal(n_rows) > 0).astype(int)
    graph = FeatureHypergraph.independent(np.arange(1.0, 6.0))
    return Dataset(name="made", X=X, y=y, hypergraph=graph)


def garbled(dataset, split):
    """The data set with rows and labels of validation and test made up."""
    X, y = dataset.X.copy(), dataset.y.copy()
    rng = np.random.default_rng(1)
    for part in ("validation", "test"):
        rows = split.rows[part]
        X[rows] = rng.standard_normal((len(rows), X.shape[1])) * 50 + 20
        y[rows] = 1 - y[rows]
    return replace(dataset, X=X, y=y)


@each("name", METHODS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_training_sees_neither_validation_nor_test_rows(name):
    method = small(all_methods()[name])
    dataset = made()
    split = split_dataset(dataset, 0)
    other = replace(split, dataset=garbled(dataset, split))
    rows = split.X("train")
    points, others = (
        islice(trace_frontier(method, dataset, split=one), 3) for one in (split, other)
    )
    for point, same in zip(points, others, strict=True):
        assert point.params == same.params
        assert np.array_equal(
            point.model.acquired_features(rows), same.model.acquired_features(rows)
        )
        assert np.array_equal(point.model.predict(rows), same.model.predict(rows))


@each(("n_rows", "n_features", "most"), [(120, 120, 0.1), (500, 40, 0.05)])
def test_calibrated_confidence_promises_nothing_of_noise(n_rows, n_features, most):
    over = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n_rows + 2000, n_features))
        y = rng.integers(0, 2, n_rows + 2000)
        model = TEFEClassifier(confidence="calibrated").fit(X[:n_rows], y[:n_rows])
        sure = model.stage_confidences(X[n_rows:])
        right = model.stage_predictions(X[n_rows:]) == y[n_rows:, np.newaxis]
        answers = np.isfinite(sure)
        over.append(sure[answers].mean() - right[answers].mean())
    assert np.mean(over) <= most
