"""The contract: what is charged, what is looked at, and what is refused in `fit`."""

import numpy as np
import pytest
from scipy import sparse

from solvers import FeatureHypergraph
from solvers.errors import DataError, HypergraphError

from .test_static import PRICES, Summed, X, Y


@pytest.fixture
def model():
    return Summed(PRICES).fit(X, Y)


def test_one_decision_says_what_four_calls_say(model):
    found = model.decide(X)
    assert (found.labels == model.predict(X)).all()
    assert (found.scores == model.decision_function(X)).all()
    assert (found.acquired == model.acquired_features(X)).all()
    assert (found.cost == model.prediction_cost(X)).all()


def test_a_row_of_weight_nothing_is_a_row_that_is_not_there():
    weights = np.where(np.arange(20) < 5, 0.0, 3.0)
    seen = Summed(PRICES).fit(X, Y, weights).seen_
    assert (seen.X == X[5:]).all()
    assert seen.weights.tolist() == [1.0] * 15


def test_a_refitter_leaves_the_estimator_alone(model):
    other = model.refitter(X, Y)(hypergraph=PRICES.set_cost("c0", 9.0))
    assert (other.cost_, model.cost_) == (9.0, 2.0)


@pytest.mark.parametrize(
    ("X", "y", "weights", "sentence"),
    [
        (X, np.arange(20) % 3, None, "with 3 classes; keep two"),
        (X, np.repeat("no", 20), None, "'no': a classifier can't train with one"),
        (X, Y, -np.ones(20), "sample weight is -1; weights are 0 or more"),
        (X, Y, (Y == "no") * 1.0, "Every row of class 'yes' has weight 0"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(X, y, weights, sentence):
    with pytest.raises(DataError, match=sentence):
        Summed(PRICES).fit(X, y, weights)


@pytest.mark.parametrize(
    ("prices", "sentence"),
    [
        ([1.0, 2.0, 3.0], "hypergraph is a list; give a FeatureHypergraph"),
        (FeatureHypergraph([[1, 1]], [1.0]), "X has 3 features, .* describes 2"),
    ],
)
def test_prices_that_do_not_fit_are_refused(prices, sentence):
    with pytest.raises(HypergraphError, match=sentence):
        Summed(prices).fit(X, Y)


def test_sparse_rows_are_refused_by_who_takes_none():
    class Dense(Summed):
        title, takes_sparse = "Dense", False

    with pytest.raises(DataError, match="Dense takes no sparse rows"):
        Dense(PRICES).fit(sparse.csr_array(X), Y)
