"""A graph of costs refuses what makes no sense, and adds up what mistakes cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import MistakeCosts
from solvers.errors import DataError
from solvers.markov import CostGraph, misclassification_cost, paid_costs
from solvers.markov.expected_cost import expected_costs
from solvers.markov.graph import disjoint_union
from tests.markov.graph_parts import parts, priced
from tests.markov.reference import random_graph

seeds = st.integers(0, 10_000)


def test_cost_is_indexed_predicted_then_true():
    graph = CostGraph(**parts(edge_costs=priced((0, 0, 1, 1, 0), 7.0)))
    assert misclassification_cost(graph, [0, 0]) == 1.5
    assert misclassification_cost(graph, [1, 1]) == 2.0
    assert misclassification_cost(graph, [0, 1]) == 1.5 + 2.0 + 7.0


@given(seeds)
def test_truth_costs_nothing_and_nothing_costs_less(seed):
    graph = random_graph(seed, n_labels=3, n_extra=2)
    labels = np.random.default_rng(seed).integers(0, 3, graph.n_nodes)
    assert misclassification_cost(graph, graph.labels) == 0.0
    assert misclassification_cost(graph, labels) >= 0.0


@given(seeds)
def test_costs_of_a_union_add_up(seed):
    graphs = [random_graph(seed + k, n=4 + k) for k in range(3)]
    labels = [np.random.default_rng(k).integers(0, 2, 4 + k) for k in range(3)]
    alone = sum(map(misclassification_cost, graphs, labels))
    together = misclassification_cost(disjoint_union(graphs), np.concatenate(labels))
    assert together == pytest.approx(alone)


@given(seeds)
def test_what_is_paid_on_nodes_and_edges_adds_up(seed):
    graph = random_graph(seed, n_extra=3)
    nodes, edges = paid_costs(graph, 1 - graph.labels)
    total = misclassification_cost(graph, 1 - graph.labels)
    assert nodes.sum() + edges.sum() == pytest.approx(total)
    assert nodes.shape == (graph.n_nodes,)
    assert edges.shape == (graph.n_edges,)


def test_parts_are_copies_that_cannot_be_written():
    attributes = np.ones((2, 1))
    graph = CostGraph(**parts(attributes=attributes))
    attributes[:] = 7.0
    assert graph.attributes[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        graph.labels[0] = 0


def test_no_edges_need_no_shape():
    graph = CostGraph(**parts(edges=[], edge_costs=[]))
    assert graph.edge_costs.shape == (0, 2, 2, 2, 2)
    assert misclassification_cost(graph, [0, 1]) == 3.5


def test_labels_may_be_unknown():
    graph = CostGraph(**parts(labels=None))
    with pytest.raises(DataError, match="has no labels; give the true label"):
        misclassification_cost(graph, [0, 0])
    assert graph.with_labels([1, 0]).truth.tolist() == [1, 0]


def test_graphs_of_two_kinds_have_no_union():
    graphs = [random_graph(0), random_graph(0, n_attributes=4)]
    with pytest.raises(DataError, match=r"\(3, 2\), \(4, 2\); give graphs of one kind"):
        disjoint_union(graphs)
    with pytest.raises(DataError, match="There is no graph"):
        disjoint_union([])


def test_mistakes_on_nodes_are_priced_as_those_on_rows_of_a_table():
    rng = np.random.default_rng(0)
    truth, said = rng.integers(0, 3, (2, 40))
    mistakes = MistakeCosts([[0, 2, 9], [4, 0, 3], [30, 8, 0]])
    plain = CostGraph(np.ones((40, 1)), [], truth, np.ones((40, 3, 3)) - np.eye(3), [])
    graph = plain.with_costs(mistakes, [])
    paid = misclassification_cost(graph, said)
    assert paid == pytest.approx(40 * mistakes.cost(truth, said))
    chances = rng.dirichlet(np.ones(3), 40)
    energies = expected_costs(graph, chances, None).node_tables
    np.testing.assert_allclose(energies, mistakes.expected(chances))
    with pytest.raises(DataError, match="pays 2 for the right label 0"):
        plain.with_costs(MistakeCosts([[2, 3, 9], [4, 0, 3], [9, 8, 0]]), [])
