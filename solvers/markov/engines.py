"""How marginals are computed: the choices that training and prediction share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree

from .belief_propagation import TOLERANCE, sum_product
from .elimination import exact_marginals
from .forests import peel
from .pairwise import Beliefs, PairwiseModel

__all__ = ["Engine", "EngineKind", "edge_appearance", "make_engine"]

PATIENT_ITERATIONS = 2000
MIN_TREES = 10

Engine: TypeAlias = Callable[[PairwiseModel], Beliefs]
EngineKind: TypeAlias = Literal["cold", "warm", "tree-reweighted", "exact"]


def make_engine(
    kind: EngineKind,
    n_nodes: int,
    edges: NDArray[np.intp],
    tolerance: float = TOLERANCE,
) -> Engine:
    """Return what turns scores on one graph into marginals; exactly, on forests.

    Shapes: `edges` (E, 2).
    `kind`: "cold": belief propagation from uniform messages; "warm": going on from the
    messages of the call before, as in 2006; "tree-reweighted": with edges weighed by
    their share of spanning trees; "exact": elimination, for graphs of small width.
    """
    forest = peel(n_nodes, edges)
    if forest is not None:
        return forest.marginals
    if kind == "exact":
        return exact_marginals
    if kind == "warm":
        return _with_carried_messages(tolerance)
    if kind == "tree-reweighted":
        shares = edge_appearance(n_nodes, edges)
        # Its one fixed point is always reached, but late where links are strong.
        return partial(
            sum_product,
            appearance=shares,
            tolerance=tolerance,
            max_iterations=PATIENT_ITERATIONS,
        )
    return partial(sum_product, tolerance=tolerance)


def _with_carried_messages(tolerance: float) -> Engine:
    """Return belief propagation that goes on from where its last call ended."""
    messages: NDArray[np.float64] | None = None

    def engine(model: PairwiseModel) -> Beliefs:
        nonlocal messages
        beliefs = sum_product(model, start=messages, tolerance=tolerance)
        messages = beliefs.messages
        return beliefs

    return engine


def edge_appearance(n_nodes: int, edges: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return in which share of a set of spanning trees each edge is.

    Trees are drawn until every edge is in one, each tree preferring the edges that
    were used least. So the shares lie in the spanning-tree polytope, inside it for
    every edge, and are 1 for bridges.

    Shapes: `edges` (E, 2) -> (E,).
    """
    rng = np.random.default_rng(0)
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
