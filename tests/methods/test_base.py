"""The contract: what is charged, what is looked at, and what is refused in `fit`."""

import numpy as np
import pytest
from scipy import sparse

from solvers import FeatureHypergraph
from solvers.errors import DataError, HypergraphError
from solvers.methods.static import LinearClassifier

X = np.random.default_rng(0).normal(size=(20, 3))
Y = np.where(np.arange(20) % 2, "yes", "no")
PRICES = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [2.0, 5.0])


class Summed(LinearClassifier):
    """Weighs the first two features, whatever the labels."""

    title, knobs, path_knob = "Summed", {}, None
    takes_sparse = True

    def __init__(self, hypergraph=None):
        self.hypergraph = hypergraph

    def _take(self, training):
        self.seen_ = training
        self._set_weights(np.array([1.0, -2.0, 0.0]), 0.5)
        return self


@pytest.fixture
def model():
    return Summed(PRICES).fit(X, Y)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_row_is_the_weighted_sum_of_what_is_selected_and_of_nothing_else(model, form):
    expected = X[:, 0] - 2 * X[:, 1] + 0.5
    hidden = X * [1, 1, 0]
    assert model.decision_function(form(hidden)) == pytest.approx(expected)
    assert (
        model.predict(form(X)).tolist() == np.where(expected > 0, "yes", "no").tolist()
    )
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-expected)))


def test_a_shared_component_is_charged_once(model):
    assert model.cost_ == 2.0
    assert model.prediction_cost(X).tolist() == [2.0] * 20
    assert Summed().fit(X, Y).prediction_cost(X).tolist() == [2.0] * 20  # one each


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
