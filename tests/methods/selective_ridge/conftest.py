"""Tables that several tests fit."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from solvers import FeatureHypergraph
from solvers.datasets.makers.evoked import make_evoked


@pytest.fixture(scope="module")
def evoked():
    return make_evoked(n_samples=80, n_channels=20, n_times=50)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 6))
    y = np.where(X @ [2, 1.5, 0, 0, 1, 0] + rng.standard_normal(80) > 0, 1, 0)
    prices = FeatureHypergraph(
        [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1], [1, 0, 0, 1, 0, 0]], [3.0, 2.0, 0.5]
    )
    return X, y, prices


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[::4], np.where(y[::4] > 0, 1.0, -1.0)
