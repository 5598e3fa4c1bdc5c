"""The cascade page, asked and trained."""

from explorer.pages.cascade.queries import QUERIES, THRESHOLD
from explorer.pages.cascade.training import TrainedCascade


def train(state):
    THRESHOLD.answer(state)
    return state


def taken(state, trained):
    """Return the state as it is once what was trained elsewhere has come."""
    way = "tefe" if isinstance(trained, TrainedCascade) else "hypergraph"
    QUERIES[way].known(state)[trained.request] = trained
    state.take(trained)
    return state
