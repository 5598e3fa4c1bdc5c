"""LOGREG: probabilities node by node, and decisions by what mistakes cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.markov import (
    CostGraph,
    NodeLogisticClassifier,
    misclassification_cost,
)
from tests.markov.reference import all_labels, random_graph, random_weights

seeds = st.integers(0, 9_999)


def _model(seed, n_labels=2, **options):
    nodes, _ = random_weights(seed, n_labels=n_labels)
    return NodeLogisticClassifier.from_weights(nodes, **options)


def _chances(model, graph):
    scores = np.exp(graph.attributes @ model.node_weights_)
    return scores / scores.sum(axis=1, keepdims=True)


@given(seeds, st.integers(2, 3))
@settings(max_examples=20)
def test_each_node_takes_the_label_of_least_expected_cost(seed, n_labels):
    graph = random_graph(seed, 6, n_labels, 2)
    model = _model(seed, n_labels)
    expected = np.einsum("npt,nt->np", graph.node_costs, _chances(model, graph))
    assert model.decide(graph).labels.tolist() == expected.argmin(axis=1).tolist()


@given(seeds)
@settings(max_examples=8)
def test_with_edges_no_labelling_of_a_tree_has_a_lower_expected_cost(seed):
    graph = random_graph(seed, 4, 2)
    model = _model(seed, edge_aware=True)
    chances, every = _chances(model, graph), all_labels(4, 2)
    weights = np.array([chances[range(4), truth].prod() for truth in every])

    def expected(labels):
        costs = [misclassification_cost(graph.with_labels(t), labels) for t in every]
        return weights @ costs

    least = min(expected(labels) for labels in every)
    assert expected(model.decide(graph).labels) == pytest.approx(least)


@given(seeds)
@settings(max_examples=20)
def test_probabilities_of_pairs_are_those_of_their_ends(seed):
    graph = random_graph(seed, 6, 2, 3)
    model = _model(seed)
    beliefs = model.decide(graph).beliefs
    assert beliefs.node == pytest.approx(_chances(model, graph))
    assert beliefs.edge.sum(axis=2) == pytest.approx(beliefs.node[graph.edges[:, 0]])
    assert beliefs.edge.sum(axis=1) == pytest.approx(beliefs.node[graph.edges[:, 1]])


def test_links_are_not_learned_from():
    graph = random_graph(3, 30, 2, 10)
    other = random_graph(4, 30, 2, 0)
    alone = CostGraph(
        graph.attributes,
        other.edges,
        graph.truth,
        graph.node_costs,
        other.edge_costs,
    )
    one, two = (NodeLogisticClassifier().fit(g) for g in (graph, alone))
    assert one.node_weights_ == pytest.approx(two.node_weights_, abs=1e-6)
