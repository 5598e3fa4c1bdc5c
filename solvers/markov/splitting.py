"""One graph in parts, so that a classifier can be tested where it has not learned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from ..errors import DataError
from .checks import check_count
from .graph import CostGraph


def split_graph(graph: CostGraph, n_parts: int = 3) -> list[CostGraph]:
    """Return parts of about equal size that keep neighbours together.

    Nodes are dealt out in the order of a depth-first walk, so that few links run
    between parts; those that do are lost.

    Parameters
    ----------
    graph : CostGraph
        The whole.
    n_parts : int, default=3
        How many parts.

    Returns
    -------
    list of CostGraph

    Raises
    ------
    KnobError
        If there are fewer than two parts.
    DataError
        If there are fewer nodes than parts.
    """
    check_count("n_parts", n_parts, 2)
    if graph.n_nodes < n_parts:
        raise DataError(
            f"The graph has {graph.n_nodes} nodes for {n_parts} parts; give more nodes."
        )
    return [
        induced_graph(graph, np.sort(nodes))
        for nodes in np.array_split(_walk(graph), n_parts)
    ]


def induced_graph(graph: CostGraph, nodes: NDArray[np.intp]) -> CostGraph:
    """Return some nodes of a graph, given in rising order, and the links among them."""
    place = np.full(graph.n_nodes, -1, dtype=np.intp)
    place[nodes] = np.arange(len(nodes))
    ends = place[graph.edges]
    kept = (ends >= 0).all(axis=1)
    names = graph.node_names
    return CostGraph(
        graph.attributes[nodes],
        ends[kept],
        None if graph.labels is None else graph.labels[nodes],
        graph.node_costs[nodes],
        graph.edge_costs[kept],
        node_names=names and tuple(names[node] for node in nodes),
        label_names=graph.label_names,
        positions=None if graph.positions is None else graph.positions[nodes],
    )


def _walk(graph: CostGraph) -> NDArray[np.intp]:
    """Return all nodes depth first, one connected component after the other."""
    n, ends = graph.n_nodes, graph.edges.T
    links = sparse.csr_array((np.ones(graph.n_edges), ends), shape=(n, n))
    _, component = csgraph.connected_components(links, directed=False)
    first = np.unique(component, return_index=True)[1]
    walks = [
        csgraph.depth_first_order(
            links, start, directed=False, return_predecessors=False
        )
        for start in first.tolist()
    ]
    return np.concatenate(walks).astype(np.intp)
