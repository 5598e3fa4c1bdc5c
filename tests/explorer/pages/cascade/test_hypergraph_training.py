"""Training tells how far it is; what was trained is taken at once."""

import numpy as np
import pytest

from explorer.pages.cascade.hypergraph_training import (
    HypergraphRequest,
    train_hypergraph,
)
from explorer.pages.cascade.queries import HYPERGRAPH
from explorer.pages.cascade.state import CascadeState
from tests.explorer.pages.cascade.asked import taken


def trained_on(source="session", dataset=None, **settings):
    chosen = {"order": "both", "model": "logistic", "routing": 0, **settings}
    request = HypergraphRequest(source, dataset, objective="accuracy", **chosen)
    return list(train_hypergraph(request))


@pytest.fixture(scope="module")
def items():
    return trained_on("breast_cancer")


@pytest.fixture
def state(items):
    state = CascadeState(source="breast_cancer", way="hypergraph")
    taken(state, items[-1])
    return state


def test_training_tells_how_far_it_is_and_then_gives_the_cascade(items):
    shares = items[:-1]
    assert shares == sorted(shares)
    assert 0.0 < shares[0] < 0.1
    assert shares[-1] < 1.0


def test_what_was_trained_before_is_taken_at_once(state, items):
    assert not HYPERGRAPH.missing(state)
    state.buying = "block"
    assert HYPERGRAPH.asks(state).order == "block"
    state.buying = "both"
    assert not HYPERGRAPH.missing(state)
    assert state.hyper is items[-1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("buying", "forward"), ("model", "expanded"), ("routing", 1), ("objective", "f1")],
)
def test_every_knob_trains_again(state, name, value):
    state.param.update(**{name: value})
    assert HYPERGRAPH.missing(state)


def test_a_budget_trains_nothing(state, items):
    for share in np.linspace(0.0, 1.0, 21):
        state.budget = share
    assert not HYPERGRAPH.missing(state)
    assert state.hyper is items[-1]
