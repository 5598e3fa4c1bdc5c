"""Cascades that several tests ask, trained once."""

import pytest

from solvers import split_dataset
from solvers.datasets import make_sources
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier


@pytest.fixture(scope="session")
def sources():
    """Rows of 8 sources with 4 features each, half to learn from."""
    data = make_sources(8, 4, n_samples=2000)
    return data, split_dataset(data)


@pytest.fixture(scope="session")
def fitted(sources):
    data, split = sources
    model = HypergraphCascadeClassifier(data.hypergraph, model="logistic")
    return model.fit(split.X("train"), split.y("train"))
