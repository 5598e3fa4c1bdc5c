"""What a graph checks of its parts before it stores them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from .checks import numbers

__all__ = [
    "checked_attributes",
    "checked_edge_costs",
    "checked_edges",
    "checked_labels",
    "checked_names",
    "checked_node_costs",
    "checked_positions",
]


def checked_attributes(values: Any) -> NDArray[np.float64]:
    """Return the attributes of the nodes.

    Shapes: `values` (n, D) -> (n, D).
    """
    attributes = numbers("The attributes", values)
    if attributes.ndim != 2 or 0 in attributes.shape:
        raise DataError(
            f"The attributes have shape {attributes.shape}; give one row for each node "
            "and at least one column."
        )
    return attributes


def checked_node_costs(values: Any, n: int) -> NDArray[np.float64]:
    """Return what mistakes on nodes cost.

    Shapes: `values` (n, L, L) -> (n, L, L).
    """
    costs = numbers("The node costs", values)
    if costs.ndim != 3 or len(costs) != n or costs.shape[1] != costs.shape[2]:
        raise DataError(
            f"The node costs have shape {costs.shape}; give ({n}, L, L), indexed "
            "[node, predicted, true]."
        )
    if costs.shape[1] < 2:
        raise DataError("The node costs are for 1 label; give two labels or more.")
    _refuse_negative(costs, "node")
    free = np.einsum("ill->il", costs)
    if np.any(free):
        node, label = np.argwhere(free)[0]
        raise DataError(
            f"Node {node} pays {free[node, label]:g} for the right label {label}; a "
            "right label costs 0."
        )
    return costs


def checked_edges(values: Any, n: int) -> NDArray[np.intp]:
    """Return the ends of the edges.

    Shapes: `values` (E, 2) -> (E, 2).
    """
    given = np.array(values)
    if given.size == 0:
        return np.zeros((0, 2), dtype=np.intp)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iu":
        raise DataError(
            f"The edges have shape {given.shape} and type {given.dtype}; give whole "
            "numbers, one row of two ends for each edge."
        )
    edges = given.astype(np.intp)
    outside = edges[(edges < 0) | (edges >= n)]
    if outside.size:
        raise DataError(
            f"An edge ends in node {outside[0]}; nodes run from 0 to {n - 1}."
        )
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if loops.size:
        raise DataError(
            f"Edge {loops[0]} links node {edges[loops[0], 0]} with itself; leave loops "
            "out."
        )
    _refuse_twice(edges, n)
    return edges


def _refuse_twice(edges: NDArray[np.intp], n: int) -> None:
    low, high = edges.min(axis=1), edges.max(axis=1)
    keys = np.sort(low * n + high)
    again = np.flatnonzero(keys[1:] == keys[:-1])
    if again.size:
        pair = divmod(int(keys[again[0]]), n)
        raise DataError(
            f"Nodes {pair[0]} and {pair[1]} are linked twice; store each edge once, "
            "and add up its costs."
        )


def checked_labels(values: Any, n: int, n_labels: int) -> NDArray[np.intp]:
    """Return labels of the nodes.

    Shapes: `values` (n,) -> (n,).
    `values`: from 0 to n_labels - 1.
    """
    given = np.array(values)
    if given.shape != (n,):
        raise DataError(
            f"There are {n} nodes, but labels of shape {given.shape}; give one label "
            "for each node."
        )
    whole = given.dtype.kind in "iub" or (
        given.dtype.kind == "f" and np.array_equal(given, np.floor(given))
    )
    if not whole:
        raise DataError(
            f"The labels are {given.dtype}; give whole numbers from 0 to "
            f"{n_labels - 1}."
        )
    labels = given.astype(np.intp)
    outside = labels[(labels < 0) | (labels >= n_labels)]
    if outside.size:
        raise DataError(
            f"A node is labelled {outside[0]}; labels run from 0 to {n_labels - 1}."
        )
    return labels


def checked_edge_costs(
    values: Any, edges: NDArray[np.intp], n_labels: int
) -> NDArray[np.float64]:
    """Return what mistakes on edges cost.

    Shapes: `values` (E, L, L, L, L), `edges` (E, 2) -> (E, L, L, L, L).
    """
    costs = numbers("The edge costs", values)
    wanted = (len(edges), *(n_labels,) * 4)
    if not len(edges) and not costs.size:
        return np.zeros(wanted)
    if costs.shape != wanted:
        raise DataError(
            f"The edge costs have shape {costs.shape}; give {wanted}, indexed [edge, "
            "predicted i, predicted j, true i, true j]."
        )
    _refuse_negative(costs, "edge")
    free = np.einsum("eabab->eab", costs)
    if np.any(free):
        edge, a, b = np.argwhere(free)[0]
        raise DataError(
            f"Edge {edge} pays {free[edge, a, b]:g} for the right labels ({a}, {b}); "
            "right labels cost 0."
        )
    return costs


def _refuse_negative(costs: NDArray[np.float64], what: str) -> None:
    negative = np.argwhere(costs < 0)
    if len(negative):
        value = costs[tuple(negative[0])]
        raise DataError(
            f"A mistake on {what} {negative[0][0]} costs {value:g}; a cost is 0 or "
            "more."
        )


def checked_names(
    names: Sequence[str] | None, n: int, what: str
) -> tuple[str, ...] | None:
    """Return distinct names, or None where there are none."""
    if names is None:
        return None
    checked = tuple(str(name) for name in names)
    if len(checked) != n or len(set(checked)) != n:
        raise DataError(
            f"There are {len(set(checked))} different {what} names for {n} {what}s; "
            f"give every {what} a name of its own."
        )
    return checked


def checked_positions(values: Any, n: int) -> NDArray[np.float64] | None:
    """Return where the nodes lie, or None where that is not known.

    Shapes: `values` (n, 2) -> (n, 2).
    """
    if values is None:
        return None
    positions = numbers("The positions", values)
    if positions.shape != (n, 2):
        raise DataError(
            f"The positions have shape {positions.shape}; give x and y for each of the "
            f"{n} nodes."
        )
    return positions
