"""How often edges appear in spanning trees: what tree-reweighting weighs them by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree

from .checks import RandomState, as_generator

__all__ = ["edge_appearance"]

MIN_TREES = 10


def edge_appearance(
    n_nodes: int, edges: NDArray[np.intp], *, random_state: RandomState = 0
) -> NDArray[np.float64]:
    """Return in which share of a set of spanning trees each edge is.

    Trees are drawn until every edge is in one, each tree preferring the edges that
    were used least. So the shares lie in the spanning-tree polytope, inside it for
    every edge, and are 1 for bridges.

    Shapes: `edges` (E, 2) -> (E,).
    """
    rng = as_generator(random_state)
    uses = np.zeros(len(edges))
    trees = 0
    while len(edges) and (trees < MIN_TREES or not uses.all()):
        # Averages of trees' indicators make up the spanning-tree polytope.
        uses[_least_used_tree(n_nodes, edges, uses + rng.random(len(edges)))] += 1
        trees += 1
    return uses / max(trees, 1)


def _least_used_tree(
    n_nodes: int, edges: NDArray[np.intp], preference: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return the edges of the spanning forest of smallest total preference."""
    low, high = edges.min(axis=1), edges.max(axis=1)
    # A stored zero would be no edge at all.
    shape = (n_nodes, n_nodes)
    weights = sparse.csr_array((1.0 + preference, (low, high)), shape=shape)
    tree = minimum_spanning_tree(weights).tocoo()
    order = np.argsort(low * n_nodes + high)
    # An edge by one number: the tree comes back as pairs of nodes, in scipy's order.
    keys = (low * n_nodes + high)[order]
    return order[np.searchsorted(keys, tree.coords[0] * n_nodes + tree.coords[1])]
