"""What several tests of graphs start from."""

import numpy as np
import pytest

from solvers.markov import CostGraph, grow_graphs, simulate_lab, take_snapshots


@pytest.fixture(scope="module")
def lab():
    readings = simulate_lab(4, random_state=0)
    return readings, take_snapshots(readings)


@pytest.fixture
def golden():
    """Two linked nodes whose every number is known."""
    p, q, s, t = np.indices((2, 2, 2, 2))
    edge = ((p != s) + 1.0 * (q != t)) / 2 * (0.3 + 0.1 * p + 0.2 * q + 0.3 * s)
    return CostGraph(
        attributes=[[1, 1], [0, 1]],
        edges=[[0, 1]],
        labels=[1, 0],
        node_costs=[[[0, 1.5], [0.5, 0]], [[0, 0.4], [2, 0]]],
        edge_costs=edge[None],
    )


@pytest.fixture(scope="module")
def grown():
    return grow_graphs(3, 120, random_state=0)
