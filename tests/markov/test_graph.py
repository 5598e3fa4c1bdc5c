"""A graph of costs refuses what makes no sense, and adds up what mistakes cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import DataError, ThriftscopeError
from solvers.markov import (
    CostGraph,
    disjoint_union,
    misclassification_cost,
    paid_costs,
)
from tests.markov.reference import random_graph

seeds = st.integers(0, 10_000)


def parts(**changed):
    """What a pair of linked nodes is made of."""
    kept = {
        "attributes": [[1.0, 1.0], [0.0, 1.0]],
        "edges": [[0, 1]],
        "labels": [1, 0],
        "node_costs": [[[0, 1.5], [0.5, 0]], [[0, 0.4], [2, 0]]],
        "edge_costs": np.zeros((1, 2, 2, 2, 2)),
    }
    return {**kept, **changed}


def priced(edge, value):
    costs = np.zeros((1, 2, 2, 2, 2))
    costs[edge] = value
    return costs


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


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"attributes": [1.0, 2.0]}, r"attributes have shape \(2,\); give one row"),
        ({"attributes": [["a"], ["b"]]}, "The attributes are not numbers"),
        ({"attributes": [[1.0], [np.nan]]}, r"The attributes hold nan at \[1, 0\]"),
        ({"edges": [[0, 2]]}, "An edge ends in node 2; nodes run from 0 to 1"),
        ({"edges": [[0, -1]]}, "An edge ends in node -1"),
        ({"edges": [[1, 1]]}, "Edge 0 links node 1 with itself"),
        ({"edges": [[0, 1], [1, 0]]}, "Nodes 0 and 1 are linked twice"),
        ({"edges": [[0.5, 1]]}, "give whole numbers, one row of two ends"),
        ({"edges": [0, 1]}, r"The edges have shape \(2,\)"),
        ({"labels": [0, 2]}, "A node is labelled 2; labels run from 0 to 1"),
        ({"labels": [0]}, r"2 nodes, but labels of shape \(1,\)"),
        ({"labels": [0.5, 1]}, "give whole numbers from 0 to 1"),
        ({"node_costs": np.zeros((3, 2, 2))}, r"give \(2, L, L\), indexed"),
        ({"node_costs": np.zeros((2, 1, 1))}, "for 1 label; give two labels or more"),
        ({"node_costs": np.ones((2, 2, 2))}, "Node 0 pays 1 for the right label 0"),
        (
            {"node_costs": [[[0, -1], [1, 0]]] * 2},
            "A mistake on node 0 costs -1; a cost is 0 or more",
        ),
        (
            {"node_costs": [[[0, np.inf], [1, 0]]] * 2},
            r"The node costs hold inf at \[0, 0, 1\]",
        ),
        ({"edge_costs": np.zeros((1, 2, 2))}, r"give \(1, 2, 2, 2, 2\), indexed"),
        (
            {"edge_costs": priced((0, 1, 0, 1, 0), 1.0)},
            r"Edge 0 pays 1 for the right labels \(1, 0\)",
        ),
        (
            {"edge_costs": priced((0, 1, 0, 0, 0), -2.0)},
            "A mistake on edge 0 costs -2",
        ),
        ({"node_names": ("a", "a")}, "1 different node names for 2 nodes"),
        ({"label_names": ("a",)}, "1 different label names for 2 labels"),
        ({"positions": [[0.0, 1.0]]}, r"The positions have shape \(1, 2\)"),
    ],
)
def test_bad_parts_are_refused_with_a_sentence(changed, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        CostGraph(**parts(**changed))
    assert isinstance(caught.value, ThriftscopeError)


def test_graphs_of_two_kinds_have_no_union():
    graphs = [random_graph(0), random_graph(0, n_attributes=4)]
    with pytest.raises(DataError, match=r"\(3, 2\), \(4, 2\); give graphs of one kind"):
        disjoint_union(graphs)
    with pytest.raises(DataError, match="There is no graph"):
        disjoint_union([])
