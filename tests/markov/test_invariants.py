"""What must not change when a problem is only written down differently."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.markov import (
    CostGraph,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    misclassification_cost,
)
from tests.each import each
from tests.markov.reference import random_graph, random_weights

seeds = st.integers(0, 10_000)
label_counts = st.integers(2, 3)

EXACT = [
    (NodeLogisticClassifier, {"edge_aware": True}),
    (MarkovNetworkClassifier, {"training": "exact"}),
    (CostSensitiveMarkovNetwork, {"inference": "exact"}),
    (
        CostSensitiveMarkovNetwork,
        {"inference": "exact", "cost_sensitive_inference": False},
    ),
]
each = each(("kind", "parameters"), EXACT)


def relabelled_nodes(graph, order):
    """The same graph with node order[k] in place k."""
    place = np.argsort(order)
    return CostGraph(
        graph.attributes[order],
        place[graph.edges],
        graph.labels[order],
        graph.node_costs[order],
        graph.edge_costs,
    )


def renamed_labels(graph, order):
    """The same graph with label order[k] called k."""
    place = np.argsort(order)
    whole = np.ix_(range(graph.n_edges), order, order, order, order)
    return CostGraph(
        graph.attributes,
        graph.edges,
        place[graph.labels],
        graph.node_costs[:, order][:, :, order],
        graph.edge_costs[whole],
    )


def turned_edges(graph, turned):
    """The same graph with some edges stored the other way round."""
    edges, costs = graph.edges.copy(), graph.edge_costs.copy()
    edges[turned] = edges[turned, ::-1]
    costs[turned] = costs[turned].transpose(0, 2, 1, 4, 3)
    return CostGraph(graph.attributes, edges, graph.labels, graph.node_costs, costs)


@each
@given(seed=seeds, n_labels=label_counts)
def test_order_of_nodes_does_not_matter(kind, parameters, seed, n_labels):
    graph = random_graph(seed, 6, n_labels, n_extra=3)
    order = np.random.default_rng(seed).permutation(6)
    other = relabelled_nodes(graph, order)
    model = kind.from_weights(*random_weights(seed, n_labels=n_labels), **parameters)
    assert model.objective(other) == pytest.approx(model.objective(graph))
    assert np.array_equal(model.predict(other), model.predict(graph)[order])


@each
@given(seed=seeds, n_labels=label_counts)
def test_names_of_labels_do_not_matter(kind, parameters, seed, n_labels):
    graph = random_graph(seed, 6, n_labels, n_extra=3)
    order = np.random.default_rng(seed).permutation(n_labels)
    other = renamed_labels(graph, order)
    nodes, edges = random_weights(seed, n_labels=n_labels)
    model = kind.from_weights(nodes, edges, **parameters)
    renamed = kind.from_weights(nodes[:, order], edges[order][:, order], **parameters)
    assert renamed.objective(other) == pytest.approx(model.objective(graph))
    assert np.array_equal(order[renamed.predict(other)], model.predict(graph))


@each
@given(seed=seeds, n_labels=label_counts)
def test_direction_of_edges_does_not_matter(kind, parameters, seed, n_labels):
    graph = random_graph(seed, 6, n_labels, n_extra=3)
    turned = np.random.default_rng(seed).random(graph.n_edges) < 0.5
    other = turned_edges(graph, turned)
    model = kind.from_weights(*random_weights(seed, n_labels=n_labels), **parameters)
    called = model.predict(graph)
    assert model.objective(other) == pytest.approx(model.objective(graph))
    assert np.array_equal(model.predict(other), called)
    cost = misclassification_cost(other, called)
    assert cost == pytest.approx(misclassification_cost(graph, called))


@given(seeds)
def test_directed_weights_turn_with_the_edges(seed):
    graph = random_graph(seed, 6, 2, n_extra=3)
    nodes, _ = random_weights(seed)
    edges = np.random.default_rng(seed).normal(size=(2, 2))
    other = turned_edges(graph, np.ones(graph.n_edges, bool))
    one = CostSensitiveMarkovNetwork.from_weights(nodes, edges)
    two = CostSensitiveMarkovNetwork.from_weights(nodes, edges.T)
    assert one.objective(graph) == pytest.approx(two.objective(other))


@given(seeds)
def test_free_edges_are_not_heard(seed):
    graph = random_graph(seed, 6, 2, n_extra=3)
    costs = graph.node_costs + 0.1 * (1 - np.eye(2))
    free = graph.with_costs(costs, np.zeros_like(graph.edge_costs))
    nodes, edges = random_weights(seed, scale=2.0)
    model = CostSensitiveMarkovNetwork.from_weights(nodes, edges)
    assert np.array_equal(model.predict(free), (graph.attributes @ nodes).argmax(1))


@given(seeds, st.floats(0.1, 10.0))
def test_costs_and_weights_share_a_scale(seed, factor):
    graph = random_graph(seed, 6, 3, n_extra=3)
    dear = graph.with_costs(factor * graph.node_costs, factor * graph.edge_costs)
    nodes, edges = random_weights(seed, n_labels=3)
    model = CostSensitiveMarkovNetwork.from_weights(nodes, edges)
    other = CostSensitiveMarkovNetwork.from_weights(nodes / factor, edges / factor)
    assert other.objective(dear) == pytest.approx(model.objective(graph))


@given(seeds, st.floats(0.1, 10.0))
def test_dearer_mistakes_all_alike_change_no_least_cost_decision(seed, factor):
    graph = random_graph(seed, 6, 2, n_extra=3)
    dear = graph.with_costs(factor * graph.node_costs, factor * graph.edge_costs)
    model = MarkovNetworkClassifier.from_weights(*random_weights(seed))
    assert np.array_equal(model.predict(dear), model.predict(graph))


@given(seeds)
def test_a_floor_under_the_losses_keeps_free_edges_heard(seed):
    graph = random_graph(seed, 6, 2, n_extra=3)
    free = graph.with_costs(graph.node_costs, np.zeros_like(graph.edge_costs))
    weights = random_weights(seed)
    deaf = CostSensitiveMarkovNetwork.from_weights(*weights)
    hearing = CostSensitiveMarkovNetwork.from_weights(*weights, loss_floor=0.5)
    assert np.allclose(deaf.gradient(free)[1], 0.0)
    assert np.abs(hearing.gradient(free)[1]).max() > 1e-6
