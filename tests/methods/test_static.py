"""Methods that compute the same for every row: weighed sums, and what they charge."""

import numpy as np
import pytest
from scipy import sparse

from solvers import FeatureHypergraph
from solvers.methods.static import LinearClassifier
from tests.each import each

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


@each("form", [np.asarray, sparse.csr_array])
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
