"""Every way to compute marginals is exact on forests and near it elsewhere."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.markov.engines import edge_appearance, make_engine
from tests.each import each
from tests.markov.reference import enumerate_beliefs, random_edges, random_model

KINDS = ["cold", "warm", "tree-reweighted", "exact"]


def _made(kind, model):
    return make_engine(kind, model.n_nodes, model.edges)


@each("kind", KINDS)
@each("seed", range(3))
def test_on_a_tree_every_engine_is_exact(kind, seed):
    model = random_model(seed, n=6, n_labels=3)
    nodes, edges, log_z = enumerate_beliefs(model)
    found = _made(kind, model)(model)
    assert found.node == pytest.approx(nodes, abs=1e-8)
    assert found.edge == pytest.approx(edges, abs=1e-8)
    assert found.log_partition == pytest.approx(log_z)


@each("seed", range(3))
def test_elimination_is_exact_on_circles_too(seed):
    model = random_model(seed, n=6, n_extra=4)
    nodes, _, log_z = enumerate_beliefs(model)
    found = _made("exact", model)(model)
    assert found.node == pytest.approx(nodes, abs=1e-8)
    assert found.log_partition == pytest.approx(log_z)


@each("seed", range(3))
def test_reweighted_messages_bound_log_z_from_above(seed):
    model = random_model(seed, n=6, n_extra=4, strength=2.0)
    found = _made("tree-reweighted", model)(model)
    assert found.log_partition >= enumerate_beliefs(model)[2] - 1e-6


def test_a_warm_engine_goes_on_from_the_messages_before():
    model = random_model(1, n=8, n_extra=5)
    cold, warm = _made("cold", model), _made("warm", model)
    first, again = warm(model), warm(model)
    assert first.node == pytest.approx(cold(model).node, abs=1e-6)
    assert again.iterations < first.iterations
    assert again.node == pytest.approx(first.node, abs=1e-6)


def test_a_loose_tolerance_ends_sooner():
    model = random_model(1, n=8, n_extra=5)
    rough = make_engine("cold", 8, model.edges, tolerance=1e-2)(model)
    fine = make_engine("cold", 8, model.edges, tolerance=1e-10)(model)
    assert rough.iterations < fine.iterations
    assert np.abs(rough.node - fine.node).max() < 0.05


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(0, 6))
def test_shares_lie_in_the_spanning_tree_polytope(seed, n, n_extra):
    edges = random_edges(np.random.default_rng(seed), n, n_extra)
    shares = edge_appearance(n, edges)
    assert shares.sum() == pytest.approx(n - 1)
    assert np.all(shares > 0)
    # Edmonds: no set of k nodes holds more than k - 1 edges of a tree.
    for k in range(2, n):
        for nodes in combinations(range(n), k):
            inside = np.isin(edges, nodes).all(axis=1)
            assert shares[inside].sum() <= k - 1 + 1e-12


def test_a_bridge_is_in_every_tree_and_a_circle_lacks_one_edge():
    edges = np.array([[0, 1], [2, 1], [3, 2], [3, 1], [4, 5]])
    shares = edge_appearance(6, edges)
    assert shares[[0, 4]].tolist() == [1.0, 1.0]
    assert shares[1:4].sum() == pytest.approx(2.0)


def test_without_edges_there_is_nothing_to_share():
    assert edge_appearance(3, np.zeros((0, 2), dtype=int)).shape == (0,)
