"""Expected costs and scaled scores are the sums that their definitions write down."""

from itertools import product

import numpy as np
import pytest

from solvers.markov import misclassification_cost
from solvers.markov.expected_cost import (
    clique_losses,
    expected_costs,
    expected_scores,
    loss_scaled_scores,
    losses_against,
)
from solvers.markov.pairwise import PairwiseModel
from tests.markov.reference import all_labels, random_graph

N, L = 4, 3


@pytest.fixture
def graph():
    return random_graph(0, n=N, n_labels=L, n_extra=1)


@pytest.fixture
def scores(graph):
    rng = np.random.default_rng(1)
    tables = rng.normal(size=(graph.n_edges, L, L))
    return PairwiseModel(rng.normal(size=(N, L)), graph.edges, tables)


def test_an_expected_cost_is_the_mean_cost_over_all_labellings(graph):
    rng = np.random.default_rng(2)
    labellings = all_labels(N, L)
    chances = rng.dirichlet(np.ones(len(labellings)))
    nodes, edges = np.zeros((N, L)), np.zeros((graph.n_edges, L, L))
    for chance, labels in zip(chances, labellings, strict=True):
        nodes[np.arange(N), labels] += chance
        ends = labels[graph.edges]
        edges[np.arange(graph.n_edges), ends[:, 0], ends[:, 1]] += chance
    expected = expected_costs(graph, nodes, edges)
    for decided in labellings[::7]:
        mean = sum(
            chance * misclassification_cost(graph.with_labels(truth), decided)
            for chance, truth in zip(chances, labellings, strict=True)
        )
        assert expected.total(decided) == pytest.approx(mean)


def test_without_pairs_edges_cost_nothing(graph):
    alone = expected_costs(graph, np.full((N, L), 1 / L), None)
    assert not alone.edge_tables.any()


def test_a_floor_adds_to_every_wrong_label(graph):
    nodes, edges = clique_losses(graph, 0.25)
    for i, decided, truth in product(range(N), range(L), range(L)):
        added = nodes[i, decided, truth] - graph.node_costs[i, decided, truth]
        assert added == pytest.approx(0.25 * (decided != truth))
    for a, b, s, t in product(range(L), repeat=4):
        added = edges[0, a, b, s, t] - graph.edge_costs[0, a, b, s, t]
        assert added == pytest.approx(0.25 * ((a != s) + (b != t)))


def test_scaled_scores_are_equation_2(graph, scores):
    truth = graph.truth
    losses = losses_against(graph.node_costs, graph.edge_costs, graph.edges, truth)
    scaled = loss_scaled_scores(scores, *losses, truth)
    for i, label in product(range(N), range(L)):
        gained = scores.node_tables[i, label] - scores.node_tables[i, truth[i]]
        expected = graph.node_costs[i, label, truth[i]] * gained
        assert scaled.node_tables[i, label] == pytest.approx(expected)
    for e, (i, j) in enumerate(graph.edges):
        for a, b in product(range(L), repeat=2):
            table = scores.edge_tables[e]
            gained = table[a, b] - table[truth[i], truth[j]]
            expected = graph.edge_costs[e, a, b, truth[i], truth[j]] * gained
            assert scaled.edge_tables[e, a, b] == pytest.approx(expected)


def test_expected_scores_are_equation_8(graph, scores):
    rng = np.random.default_rng(3)
    nodes = rng.dirichlet(np.ones(L), N)
    edges = rng.dirichlet(np.ones(L * L), graph.n_edges).reshape(-1, L, L)
    found = expected_scores(scores, graph.node_costs, graph.edge_costs, nodes, edges)
    for i, t in product(range(N), range(L)):
        expected = sum(
            nodes[i, p]
            * graph.node_costs[i, p, t]
            * (scores.node_tables[i, p] - scores.node_tables[i, t])
            for p in range(L)
        )
        assert found.node_tables[i, t] == pytest.approx(expected)
    for s, t in product(range(L), repeat=2):
        table = scores.edge_tables[0]
        expected = sum(
            edges[0, a, b]
            * graph.edge_costs[0, a, b, s, t]
            * (table[a, b] - table[s, t])
            for a, b in product(range(L), repeat=2)
        )
        assert found.edge_tables[0, s, t] == pytest.approx(expected)
