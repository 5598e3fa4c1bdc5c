"""Forests of any size are solved exactly: see enumeration and Viterbi's recursion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from solvers.markov import (
    CostGraph,
    CostSensitiveMarkovNetwork,
    PairwiseModel,
    exact_marginals,
    exact_maximum,
    max_product,
    minimise_energy,
)
from solvers.markov.engines import make_engine
from solvers.markov.forests import is_forest
from tests.each import each
from tests.markov.reference import all_totals, enumerate_beliefs, random_model

seeds = st.integers(0, 10_000)


def chain(n, n_labels, strength, seed=0):
    """A chain whose nodes and edges stand in a random order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    edges = np.stack([order[:-1], order[1:]], axis=1)
    turned = rng.random(n - 1) < 0.5
    edges[turned] = edges[turned, ::-1]
    edges = edges[rng.permutation(n - 1)]
    model = PairwiseModel(
        rng.normal(size=(n, n_labels)),
        edges,
        strength * rng.normal(size=(n - 1, n_labels, n_labels)),
    )
    return order, model


def along(order, model):
    """Tables of a chain from one end to the other, [left label, right label]."""
    found = {}
    for (i, j), table in zip(model.edges.tolist(), model.edge_tables, strict=True):
        found[i, j], found[j, i] = table, table.T
    steps = zip(order[:-1].tolist(), order[1:].tolist(), strict=True)
    return model.node_tables[order], [found[step] for step in steps]


def recursion(order, model, reduce):
    nodes, tables = along(order, model)
    total = nodes[0]
    for node, table in zip(nodes[1:], tables, strict=True):
        total = node + reduce(total[:, None] + table, axis=0)
    return reduce(total, axis=0)


def without_some_edges(model, seed):
    kept = np.random.default_rng(seed).random(len(model.edges)) < 0.7
    return PairwiseModel(model.node_tables, model.edges[kept], model.edge_tables[kept])


@given(seeds, st.integers(1, 7), st.integers(2, 3), st.booleans())
@settings(max_examples=30)
def test_two_passes_are_enumeration_on_forests(seed, n, n_labels, cut):
    model = random_model(seed, n, n_labels, strength=2.0)
    model = without_some_edges(model, seed) if cut else model
    nodes, edges, log_z = enumerate_beliefs(model)
    beliefs = exact_marginals(model)
    assert np.allclose(beliefs.node, nodes, atol=1e-10)
    assert np.allclose(beliefs.edge, edges, atol=1e-10)
    assert beliefs.log_partition == pytest.approx(log_z)
    highest = all_totals(model)[1].max()
    assert model.total(exact_maximum(model)) == pytest.approx(highest)


@each("n", [2, 61, 1500])
@each("strength", [0.5, 2.0, 15.0])
def test_long_chains_are_decoded_as_viterbi_does(n, strength):
    order, model = chain(n, 3, strength)
    best = recursion(order, model, np.max)
    lowest = minimise_energy(model.negated())
    assert model.total(lowest) == pytest.approx(best, rel=1e-12)
    labels, converged = max_product(model)
    assert converged
    assert model.total(labels) == pytest.approx(best, rel=1e-12)


@each("kind", ["cold", "warm", "tree-reweighted", "exact"])
@each("strength", [2.0, 15.0])
def test_every_engine_is_exact_on_a_long_chain(kind, strength):
    order, model = chain(1200, 2, strength)
    beliefs = make_engine(kind, model.n_nodes, model.edges)(model)
    wanted = recursion(order, model, logsumexp)
    assert beliefs.converged
    assert beliefs.log_partition == pytest.approx(wanted, rel=1e-12)
    left, right = model.edges.T
    assert np.allclose(beliefs.edge.sum(axis=2), beliefs.node[left], atol=1e-10)
    assert np.allclose(beliefs.edge.sum(axis=1), beliefs.node[right], atol=1e-10)


def test_ties_on_a_forest_are_broken_together():
    """Each end alone may take either label, but not each its own."""
    agree = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    model = PairwiseModel(np.zeros((2, 2)), np.array([[0, 1]]), agree)
    labels, _ = max_product(model)
    assert model.total(labels) == 1.0


@each(
    ("edges", "expected"),
    [
        ([], True),
        ([[0, 1], [2, 1]], True),
        ([[0, 1], [1, 2], [2, 0]], False),
        ([[0, 1], [1, 2], [2, 0], [3, 4]], False),
        ([[0, 1], [1, 0]], False),
        ([[2, 2]], False),
    ],
)
def test_a_graph_with_a_cycle_is_no_forest(edges, expected):
    assert is_forest(5, np.array(edges, dtype=int).reshape(-1, 2)) is expected


@each("strength", [2.0, 5.0, 15.0])
def test_what_is_certified_on_a_long_chain_is_the_best(strength):
    """The chain is decoded, and scored, without belief propagation's patience."""
    n, rng = 1500, np.random.default_rng(0)
    wrong = 1.0 - np.eye(2)
    hamming = (wrong[:, None, :, None] + wrong[None, :, None, :]) / 2
    graph = CostGraph(
        rng.normal(size=(n, 1)),
        np.stack([np.arange(n - 1), np.arange(1, n)], axis=1),
        rng.integers(0, 2, n),
        np.tile(wrong, (n, 1, 1)),
        np.tile(hamming, (n - 1, 1, 1, 1, 1)),
    )
    model = CostSensitiveMarkovNetwork.from_weights(
        [[-1.0, 1.0]], [[strength, 0.0], [0.0, strength]], average=True, max_steps=4
    )
    trace = model.trace(graph)
    assert trace.exact
    assert all(step.beliefs.converged for step in trace.steps)
    assert model.objective(graph, trace.labels) == pytest.approx(trace.objective)
    # Labels of one kind, and what any step saw, are at or above the bound.
    rivals = [np.zeros(n, int), np.ones(n, int), graph.labels]
    rivals += [step.proposal for step in trace.steps]
    for rival in rivals:
        assert model.objective(graph, rival) >= trace.lower_bound - 1e-6
        if trace.certificate == "exact":
            assert model.objective(graph, rival) >= trace.objective - 1e-6
