"""Shares of edges lie in the spanning-tree polytope, which is enumerated."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.markov.spanning_trees import edge_appearance
from tests.markov.reference import random_edges


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(0, 6))
def test_shares_lie_in_the_spanning_tree_polytope(seed, n, n_extra):
    edges = random_edges(np.random.default_rng(seed), n, n_extra)
    shares = edge_appearance(n, edges, random_state=seed)
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
