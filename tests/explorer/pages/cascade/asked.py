"""The cascade page, asked and trained."""

from explorer.pages.cascade.queries import QUERIES, THRESHOLD
from explorer.pages.cascade.training import (
    HypergraphRequest,
    TrainedCascade,
    train_hypergraph,
)


def train(state):
    THRESHOLD.answer(state)
    return state


def taken(state, trained):
    """Return the state as it is once what was trained elsewhere has come."""
    way = "tefe" if isinstance(trained, TrainedCascade) else "hypergraph"
    QUERIES[way].known(state)[trained.request] = trained
    state.take(trained)
    return state


def trained_on(source="session", dataset=None, **settings):
    """Return all that training a hypergraph cascade yields, what is trained last."""
    chosen = {"order": "both", "model": "logistic", "routing": 0, **settings}
    request = HypergraphRequest(source, dataset, objective="accuracy", **chosen)
    return list(train_hypergraph(request))
