"""What training minimises has the gradient it says, and the shape it should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.markov import (
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    PairwiseModel,
)
from solvers.markov.graph import disjoint_union
from solvers.markov.training import WeightLayout
from tests.each import each
from tests.markov.reference import (
    all_labels,
    enumerate_beliefs,
    random_graph,
    random_weights,
)

seeds = st.integers(0, 10_000)

FAMILY = [
    (NodeLogisticClassifier, {}),
    (MarkovNetworkClassifier, {"training": "exact"}),
    (MarkovNetworkClassifier, {"training": "cold"}),
    (MarkovNetworkClassifier, {"training": "tree-reweighted"}),
    (MarkovNetworkClassifier, {"training": "pseudo-likelihood"}),
    (CostSensitiveMarkovNetwork, {"inference": "exact"}),
    (CostSensitiveMarkovNetwork, {"inference": "cold"}),
    (CostSensitiveMarkovNetwork, {"loss_floor": 0.3}),
]


def objective_at(kind, parameters, graph, nodes, edges):
    return kind.from_weights(nodes, edges, **parameters).objective(graph)


@each(("kind", "parameters"), FAMILY)
@each("n_labels", [2, 3])
@each("seed", range(3))
def test_gradient_is_that_of_finite_differences(kind, parameters, n_labels, seed):
    graph = random_graph(seed, 7, n_labels, n_extra=3)
    nodes, edges = random_weights(seed, n_labels=n_labels, scale=0.4)
    by_nodes, by_edges = kind.from_weights(nodes, edges, **parameters).gradient(graph)
    step = 1e-5
    for weights, gradient in ((nodes, by_nodes), (edges, by_edges)):
        for place in np.ndindex(weights.shape):
            kept = weights[place]
            weights[place] = kept + step
            up = objective_at(kind, parameters, graph, nodes, edges)
            weights[place] = kept - step
            down = objective_at(kind, parameters, graph, nodes, edges)
            weights[place] = kept
            assert (up - down) / (2 * step) == pytest.approx(gradient[place], abs=1e-6)


@given(seeds, st.integers(2, 3))
def test_objective_at_zero_weights_is_the_entropy_of_guessing(seed, n_labels):
    graph = random_graph(seed, 6, n_labels, n_extra=3)
    model = CostSensitiveMarkovNetwork.from_weights(np.zeros((3, n_labels)))
    assert model.objective(graph) == pytest.approx(6 * np.log(n_labels))


@given(seeds, st.integers(2, 3))
def test_objective_is_the_sum_of_equation_2(seed, n_labels):
    graph = random_graph(seed, 4, n_labels, n_extra=2)
    nodes, edges = random_weights(seed, n_labels=n_labels)
    model = CostSensitiveMarkovNetwork.from_weights(nodes, edges, inference="exact")
    true = graph.labels
    exponents = []
    for y in all_labels(4, n_labels):
        total = 0.0
        for i in range(4):
            rise = graph.attributes[i] @ (nodes[:, y[i]] - nodes[:, true[i]])
            total += graph.node_costs[i, y[i], true[i]] * rise
        for e, (i, j) in enumerate(graph.edges):
            rise = edges[y[i], y[j]] - edges[true[i], true[j]]
            total += graph.edge_costs[e, y[i], y[j], true[i], true[j]] * rise
        exponents.append(total)
    expected = np.log(np.sum(np.exp(exponents)))
    assert model.objective(graph) == pytest.approx(expected)


@given(seeds)
def test_objective_is_never_negative(seed):
    graph = random_graph(seed, 6, 2, n_extra=3)
    weights = random_weights(seed, scale=3.0)
    model = CostSensitiveMarkovNetwork.from_weights(*weights, inference="exact")
    assert model.objective(graph) >= 0.0


@given(seeds, st.floats(0.0, 1.0))
def test_objective_is_convex_in_the_weights(seed, share):
    graph = random_graph(seed, 6, 2, n_extra=3)

    def value(weights):
        made = CostSensitiveMarkovNetwork.from_weights(*weights, inference="exact")
        return made.objective(graph)

    one, other = random_weights(seed, scale=2.0), random_weights(seed + 1, scale=2.0)
    between = [share * a + (1 - share) * b for a, b in zip(one, other, strict=True)]
    chord = share * value(one) + (1 - share) * value(other)
    assert value(between) <= chord + 1e-9


@each(("kind", "parameters"), FAMILY)
def test_objectives_of_a_union_add_up(kind, parameters):
    graphs = [random_graph(k, 6, 2, n_extra=1) for k in range(3)]
    model = kind.from_weights(*random_weights(0, scale=0.5), **parameters)
    alone = sum(model.objective(graph) for graph in graphs)
    together = model.objective(disjoint_union(graphs))
    # Tree weights of a union are drawn anew, so its bound may differ a little.
    slack = 1e-3 if parameters == {"training": "tree-reweighted"} else 1e-9
    assert together == pytest.approx(alone, rel=slack)


@given(seeds)
def test_network_objective_is_minus_the_log_likelihood(seed):
    graph = random_graph(seed, 5, 2, n_extra=2)
    nodes, edges = random_weights(seed)
    scores = PairwiseModel(
        graph.attributes @ nodes, graph.edges, np.tile(edges, (graph.n_edges, 1, 1))
    )
    wanted = enumerate_beliefs(scores)[2] - scores.total(graph.labels)
    model = MarkovNetworkClassifier.from_weights(nodes, edges, training="exact")
    assert model.objective(graph) == pytest.approx(wanted)


@each("symmetric", [True, False])
def test_free_weights_make_both_tables(symmetric):
    layout = WeightLayout(3, 4, symmetric)
    vector = np.arange(layout.size, dtype=float)
    nodes, edges = layout.unpack(vector)
    assert nodes.shape == (3, 4)
    assert np.array_equal(edges, edges.T) == symmetric
    free = layout.pack_gradient(nodes, np.ones((4, 4)))[12:]
    assert free.sum() == 16
