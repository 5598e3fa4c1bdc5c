"""Graphs written down in another order, or twice, are the same problem."""

import numpy as np
import pytest

from solvers.markov import (
    CostGraph,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    grow_graphs,
)
from solvers.markov.graph import disjoint_union
from tests.each import each

pytestmark = pytest.mark.kernels

ALPHA, TOLERANCE = 0.05, 1e-6
# A gradient of this tolerance leaves g^2 / (4 alpha) of a strongly convex objective.
SAME = 1e-9
MODELS = {
    "LOGREG": lambda alpha: NodeLogisticClassifier(alpha=alpha, tolerance=TOLERANCE),
    "MN, exact": lambda alpha: MarkovNetworkClassifier(
        "exact", alpha=alpha, tolerance=TOLERANCE
    ),
    "MN, pseudo-likelihood": lambda alpha: MarkovNetworkClassifier(
        "pseudo-likelihood", alpha=alpha, tolerance=TOLERANCE
    ),
    "MN, cold": lambda alpha: MarkovNetworkClassifier(
        "cold", alpha=alpha, tolerance=TOLERANCE
    ),
}


@pytest.fixture(scope="module")
def forest():
    return disjoint_union(grow_graphs(2, 60, extra_links=0.0, random_state=1))


def rewritten(how, graph, rng):
    """Return the same graph in other words."""
    attributes, edges, labels = graph.attributes, graph.edges, graph.labels
    nodes, links = graph.node_costs, graph.edge_costs
    if how == "nodes":
        order = rng.permutation(len(labels))
        places = np.argsort(order)
        return CostGraph(
            attributes[order], places[edges], labels[order], nodes[order], links
        )
    if how == "edges":
        order = rng.permutation(len(edges))
        return CostGraph(attributes, edges[order], labels, nodes, links[order])
    if how == "ends":
        turned = links.transpose(0, 2, 1, 4, 3)
        return CostGraph(attributes, edges[:, ::-1], labels, nodes, turned)
    if how == "attributes":
        order = rng.permutation(attributes.shape[1])
        return CostGraph(attributes[:, order], edges, labels, nodes, links)
    turned = links[:, ::-1, ::-1, ::-1, ::-1]
    return CostGraph(attributes, edges, 1 - labels, nodes[:, ::-1, ::-1], turned)


def optimum(model, graph):
    model.fit(graph)
    assert model.training_.converged
    return model.training_.objective


@each("how", ["nodes", "edges", "ends", "attributes", "labels"])
@each("name", MODELS)
def test_the_objective_is_the_same(forest, name, how):
    other = rewritten(how, forest, np.random.default_rng(0))
    here, there = (
        optimum(MODELS[name](ALPHA), forest),
        optimum(MODELS[name](ALPHA), other),
    )
    assert there == pytest.approx(here, rel=SAME)


@each("name", MODELS)
def test_a_graph_twice_at_twice_the_prior_has_twice_the_objective(forest, name):
    here = optimum(MODELS[name](ALPHA), forest)
    twice = optimum(MODELS[name](2 * ALPHA), disjoint_union([forest, forest]))
    assert twice == pytest.approx(2 * here, rel=SAME)


@each("power", [-3, 3])
def test_attributes_times_a_power_of_two_ask_for_a_prior_times_its_square(
    forest, power
):
    factor = 2.0**power
    scaled = CostGraph(
        forest.attributes * factor,
        forest.edges,
        forest.labels,
        forest.node_costs,
        forest.edge_costs,
    )
    here = optimum(MODELS["LOGREG"](ALPHA), forest)
    there = optimum(MODELS["LOGREG"](ALPHA * factor**2), scaled)
    assert there == pytest.approx(here, rel=SAME)
