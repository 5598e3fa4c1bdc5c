"""A document whose records are wrong is refused with a sentence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import ComponentPrices, FeatureHypergraph
from solvers.costs.interchange import from_hif
from solvers.costs.interchange.hif_records import (
    edge_prices,
    read_charged,
    read_prices,
    stated_prices,
)
from solvers.errors import HypergraphError, InterchangeError
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.hif_cases import hif

BAD_HIF = [
    ({"network-type": 3}, "network-type is 3"),
    ({"metadata": []}, r"metadata are \[\]"),
    ({"metadata": {"unit": 3}}, "unit is 3"),
    ({"metadata": {"feature_order": "ab"}}, "feature_order of the metadata is 'ab'"),
    ({"metadata": {"component_order": [1]}}, r"component_order .* is \[1\]"),
    ({"nodes": {}}, '"nodes" is {}; write a list'),
    ({"nodes": ["a"]}, "\"nodes\" holds 'a'; write an object"),
    ({"nodes": [{}]}, '"node" of a record is missing'),
    ({"nodes": [{"node": None}]}, '"node" of a record is None'),
    ({"nodes": [{"node": True}]}, '"node" of a record is True'),
    ({"nodes": [{"node": 0.5}]}, '"node" of a record is 0.5'),
    ({"nodes": [{"node": ["a"]}]}, r"\"node\" of a record is \['a'\]"),
    ({"nodes": [{"node": 1}, {"node": "1"}]}, "both name the feature '1'"),
    ({"nodes": [{"node": "a"}, {"node": "a"}]}, "the feature 'a' twice"),
    ({"nodes": [{"node": "n" * 1001}]}, "a name of 1,001 characters"),
    ({"nodes": [{"node": "\ud800"}]}, r"holds '\\ud800', which is no character"),
    ({"edges": [{"edge": "e"}] * 2}, "the component 'e' twice"),
    ({"edges": [{"edge": "e", "attrs": 3}]}, "attrs of component 'e' are 3"),
    ({"edges": [{"edge": "e", "attrs": {"cost": "3"}}]}, "'e' is '3'; write a fini"),
    ({"edges": [{"edge": "e", "attrs": {"cost": True}}]}, "'e' is True; write a fin"),
    ({"edges": [{"edge": "e", "attrs": {"cost": -1}}]}, "'e' costs -1; a cost is"),
    ({"edges": [{"edge": "e", "attrs": {"cost": 10**400}}]}, "'e' costs inf; a cost"),
    ({"incidences": None}, '"incidences" is None'),
    ({"incidences": [[1, 2]]}, r'"incidences" holds \[1, 2\]'),
    ({"incidences": [{"edge": "e"}]}, '"node" of a record is missing'),
    ({"incidences": [{"edge": "e", "node": "a"}] * 2}, "'e' and feature 'a' stands tw"),
    ({"incidences": [{"edge": " ", "node": "a"}]}, "component has an empty name"),
]


@each(("changes", "sentence"), BAD_HIF)
def test_bad_documents_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises((InterchangeError, HypergraphError), match=sentence):
        from_hif(hif(**changes), missing_cost=1.0, free_features=True)


def test_a_huge_name_is_not_repeated_in_the_message():
    with pytest.raises(InterchangeError) as refusal:
        from_hif(hif(nodes=[{"node": "<b>" * 100_000}]))
    assert len(str(refusal.value)) < 300


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["edge", "node", "attrs", "cost", "kind", "unit", "feature_order"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=50)
@given(
    st.fixed_dictionaries(
        {"incidences": JSON},
        optional={key: JSON for key in ("network-type", "metadata", "nodes", "edges")},
    )
)
def test_any_document_is_read_or_refused(document):
    sentence = refusal(lambda: from_hif(document))
    assert sentence is None or is_one_sentence(sentence)


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


@each(
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
