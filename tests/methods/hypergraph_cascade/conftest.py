"""Cascades that several tests ask, trained once."""

from functools import cache

import pytest

from solvers import split_dataset
from solvers.datasets import make_sources
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.methods.hypergraph_cascade.variants import PRICES, VARIANTS, table


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


@cache
def trained(name):
    """Rows and a fitted cascade at a middling budget."""
    X, y = table()
    model = HypergraphCascadeClassifier(PRICES, **VARIANTS[name]).fit(X, y)
    middle = model.policies_[len(model.policies_) // 2]
    return X, y, model.at_budget(middle.cost(model.accounting))


@pytest.fixture(params=VARIANTS)
def variant(request):
    return trained(request.param)
