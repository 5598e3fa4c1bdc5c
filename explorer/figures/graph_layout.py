"""Where the nodes of a graph are drawn, and which: fixed by the nodes alone.

Grown graphs have one disc for each true label, the oldest nodes in its middle. A place
does not depend on links or predictions, so nothing jumps when links agree more or less.
"""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from solvers.markov import CostGraph

# More nodes than this are a grey cloud, and a force-directed layout takes seconds.
MAX_DRAWN = 600
GOLDEN_ANGLE = np.pi * (3.0 - np.sqrt(5.0))
DISC_GAP = 2.15


@dataclass(frozen=True, eq=False)
class Sketch:
    """What of a graph is drawn, and where."""

    nodes: NDArray[np.intp]  # (n_drawn,) The nodes that are drawn
    places: NDArray[np.float64]  # (n_drawn, 2) Where
    # (n_drawn_edges,) The links that are drawn: those among these nodes
    edges: NDArray[np.intp]
    ends: NDArray[np.intp]  # (n_drawn_edges, 2) Their ends, as rows of `places`
    note: str  # What is left out, in one sentence; empty if nothing is


def sketch_graph(graph: CostGraph, places: NDArray[np.float64] | None = None) -> Sketch:
    """Return what is drawn of a graph.

    Shapes: `places` (n, 2).
    `graph`: the graph; the nodes of smallest number are drawn if there are too many.
    `places`: where its nodes are; on their plan, else on discs by default.
    """
    if places is None:
        places = graph.positions
    n_drawn = min(graph.n_nodes, MAX_DRAWN)
    edges = np.flatnonzero((graph.edges < n_drawn).all(axis=1))
    if places is None:
        places = disc_places(graph.truth[:n_drawn], graph.n_labels)
    note = ""
    if n_drawn < graph.n_nodes:
        note = (
            f"Drawn: the first {n_drawn} of {graph.n_nodes} nodes and the {len(edges)} "
            f"of {graph.n_edges} links among them; costs are those of all."
        )
    return Sketch(np.arange(n_drawn), places[:n_drawn], edges, graph.edges[edges], note)


def disc_places(labels: NDArray[np.intp], n_labels: int) -> NDArray[np.float64]:
    """Return places on one disc for each label, in the order of the nodes.

    Shapes: `labels` (n,) -> (n, 2).
    """
    per_row = n_labels if n_labels <= 3 else int(np.ceil(np.sqrt(n_labels)))
    counts = np.bincount(labels, minlength=n_labels)
    places = np.empty((len(labels), 2))
    for label in range(n_labels):
        rank = np.arange(counts[label])
        radius = np.sqrt((rank + 0.5) / counts.max())
        angle = rank * GOLDEN_ANGLE
        disc = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        row, column = divmod(label, per_row)
        places[labels == label] = disc + DISC_GAP * np.array([column, -row])
    return places


def force_places(graph: CostGraph) -> NDArray[np.float64] | None:
    """Return force-directed places, the same each time; None for a large graph.

    Shape: (n, 2).
    """
    if graph.n_nodes > MAX_DRAWN:
        return None
    network = nx.Graph()
    network.add_nodes_from(range(graph.n_nodes))
    network.add_edges_from(graph.edges.tolist())
    found = nx.spring_layout(network, seed=0, iterations=60)
    return np.array([found[node] for node in range(graph.n_nodes)])
