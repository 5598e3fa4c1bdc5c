"""Further prices of a document: kinds in the metadata, values at the edges."""

import numpy as np
import pytest

from solvers import ComponentPrices, FeatureHypergraph
from solvers.costs.interchange.hif_prices import (
    edge_prices,
    read_charged,
    read_prices,
    stated_prices,
)
from solvers.errors import InterchangeError

DELAY = {"name": "delay", "unit": "days", "rule": "maximum"}


def test_what_is_stated_is_read_back():
    price = ComponentPrices("delay", np.array([0.0, 2.0]), "days", "maximum")
    graph = FeatureHypergraph([[1, 0], [0, 1]], [1.0, 2.0], prices=(price,))
    assert stated_prices(graph) == {"prices": [DELAY]}
    attributes = dict(zip(graph.components, edge_prices(graph), strict=True))
    (read,) = read_prices(stated_prices(graph), attributes, graph.components)
    assert (read.name, read.unit, read.rule) == ("delay", "days", "maximum")
    assert read.values.tolist() == [0.0, 2.0]


def test_where_there_is_one_price_nothing_is_stated():
    graph = FeatureHypergraph([[1]], [1.0])
    assert stated_prices(graph) == {}
    assert list(edge_prices(graph)) == [{}]
    assert read_charged({}) == "cost"


def test_an_edge_that_states_none_costs_nothing():
    (read,) = read_prices({"prices": [DELAY]}, {"a": {"prices": {"delay": 3}}}, "ab")
    assert read.values.tolist() == [3.0, 0.0]


@pytest.mark.parametrize(
    ("metadata", "at_edge", "sentence"),
    [
        ({"prices": 3}, {}, "prices of the metadata are 3; write a list"),
        ({"prices": [DELAY] * 21}, {}, "a list of at most 20"),
        ({"prices": [{"name": "x"}]}, {}, "write an object with name, unit"),
        ({"prices": [DELAY]}, {"delay": "2"}, "'delay' of component 'a' is '2'"),
        ({"prices": [DELAY]}, {"delay": True}, "'delay' of component 'a' is True"),
    ],
)
def test_prices_that_say_something_else_are_refused(metadata, at_edge, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read_prices(metadata, {"a": {"prices": at_edge}}, ["a"])


def test_what_is_charged_has_a_name():
    with pytest.raises(InterchangeError, match="charged is called 3; write a name"):
        read_charged({"charged": 3})
