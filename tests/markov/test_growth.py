"""Grown graphs have the links, labels, attributes and costs that were asked for."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import KnobError
from solvers.markov import attribute_accuracy, grow_graphs
from solvers.markov.growth import attribute_probabilities, grow_graph
from tests.each import each

seeds = st.integers(0, 10_000)


@given(seeds, st.floats(0, 1), st.floats(0, 0.9), st.sampled_from(["in", "out"]))
@settings(max_examples=30)
def test_same_seed_same_graph(seed, agreement, extra_links, attachment):
    setting = {
        "label_agreement": agreement,
        "extra_links": extra_links,
        "attachment": attachment,
    }
    one = grow_graph(40, random_state=seed, **setting)
    two = grow_graph(40, random_state=seed, **setting)
    for part in ("attributes", "edges", "labels", "node_costs", "edge_costs"):
        assert np.array_equal(getattr(one, part), getattr(two, part))


def test_graphs_of_one_call_differ():
    one, two = grow_graphs(2, 50, random_state=0)
    assert not np.array_equal(one.labels, two.labels)


@given(seeds, st.floats(0, 1))
@settings(max_examples=30)
def test_without_extra_links_there_is_no_cycle(seed, agreement):
    graph = grow_graph(
        60, label_agreement=agreement, extra_links=0.0, random_state=seed
    )
    network = nx.Graph(graph.edges.tolist())
    assert graph.n_edges <= 59
    assert not graph.n_edges or nx.is_forest(network)


@given(seeds)
@settings(max_examples=30)
def test_full_agreement_links_equal_labels_only(seed):
    graph = grow_graph(60, label_agreement=1.0, random_state=seed)
    i, j = graph.edges.T
    assert np.array_equal(graph.labels[i], graph.labels[j])


def test_agreement_is_followed():
    graph = grow_graph(20_000, label_agreement=0.85, random_state=0)
    i, j = graph.edges.T
    assert np.mean(graph.labels[i] == graph.labels[j]) == pytest.approx(0.85, abs=0.01)


@each("extra_links", [0.0, 0.25, 0.4])
def test_number_of_edges_is_about_that_of_the_paper(extra_links):
    graph = grow_graph(5000, extra_links=extra_links, random_state=0)
    assert graph.n_edges == pytest.approx(5000 / (1 - extra_links), rel=0.03)


def test_received_links_make_hubs_and_made_links_do_not():
    degrees = {}
    for attachment in ("in", "out"):
        graph = grow_graph(3000, attachment=attachment, random_state=0)
        degrees[attachment] = np.bincount(graph.edges.ravel()).max()
    assert degrees["in"] > 2 * degrees["out"]


def test_costs_are_within_what_the_paper_draws_from():
    graph = grow_graph(2000, random_state=0)
    wrong = 1 - np.eye(2)
    hamming = wrong[:, None, :, None] + wrong[None, :, None, :]
    assert graph.node_costs.max() <= 2.0
    assert (graph.edge_costs <= hamming / 2).all()
    assert graph.node_costs[:, 0, 1].mean() == pytest.approx(1.0, abs=0.05)
    assert graph.edge_costs[:, 0, 0, 1, 1].mean() == pytest.approx(0.5, abs=0.03)


def test_attributes_follow_their_label():
    graph = grow_graph(20_000, attribute_strength=0.3, random_state=0)
    for label, chances in enumerate(attribute_probabilities(0.3)):
        seen = graph.attributes[graph.labels == label, :-1].mean(axis=0)
        assert np.allclose(seen, chances, atol=0.02)
    assert (graph.attributes[:, -1] == 1).all()


@each(
    ("strength", "accuracy"), [(0.0, 0.5), (0.15, 0.694), (0.25, 0.806), (0.3, 0.853)]
)
def test_accuracy_of_attributes_alone(strength, accuracy):
    assert attribute_accuracy(strength) == pytest.approx(accuracy, abs=0.001)


@each(
    ("changed", "sentence"),
    [
        ({"n_nodes": 1}, "n_nodes is 1; it is between 2 and 200000"),
        ({"n_nodes": 3.5}, "n_nodes is 3.5; give a whole number"),
        ({"label_agreement": 1.2}, "label_agreement is 1.2; it is between 0 and 1"),
        ({"label_agreement": "x"}, "label_agreement is 'x'; give a number"),
        ({"extra_links": 1.0}, "extra_links is 1; it is between 0 and 0.95"),
        ({"attribute_strength": np.nan}, "attribute_strength is nan"),
        ({"attachment": "both"}, "attachment is 'both'; it is one of 'in', 'out'"),
        ({"random_state": -1}, "random_state is -1; give a whole number"),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(changed, sentence):
    with pytest.raises(KnobError, match=sentence):
        grow_graph(**changed)
