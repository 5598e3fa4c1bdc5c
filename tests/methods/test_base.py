"""The contract: one decision says what several calls say; prices have to fit."""

import pytest

from solvers import FeatureHypergraph
from solvers.errors import HypergraphError
from tests.each import each

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


def test_a_refitter_leaves_the_estimator_alone(model):
    other = model.refitter(X, Y)(hypergraph=PRICES.set_cost("c0", 9.0))
    assert (other.cost_, model.cost_) == (9.0, 2.0)


@each(
    ("prices", "sentence"),
    [
        ([1.0, 2.0, 3.0], "hypergraph is a list; give a FeatureHypergraph"),
        (FeatureHypergraph([[1, 1]], [1.0]), "X has 3 features, .* describes 2"),
    ],
)
def test_prices_that_do_not_fit_are_refused(prices, sentence):
    with pytest.raises(HypergraphError, match=sentence):
        Summed(prices).fit(X, Y)
