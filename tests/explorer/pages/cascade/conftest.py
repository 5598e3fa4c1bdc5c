"""A trained cascade, and one on few scenes."""

import pytest

from explorer.pages.cascade.state import CascadeState
from solvers.datasets import make_scenes
from tests.explorer.pages.cascade.asked import taken, train, trained_on


@pytest.fixture(scope="module")
def trained():
    return train(CascadeState(source="breast_cancer")).cascade


@pytest.fixture
def state(trained):
    state = CascadeState(source="breast_cancer")
    taken(state, trained)
    return state


@pytest.fixture(scope="module")
def scenes():
    """A cascade on few scenes, which have a pipeline and images."""
    state = CascadeState(source="session", session_dataset=make_scenes(120))
    return train(state)


@pytest.fixture(scope="module")
def items():
    """What training a hypergraph cascade yields."""
    return trained_on("breast_cancer")
