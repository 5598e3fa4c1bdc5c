"""Where nodes are drawn: of graphs, of networks, and of search trees.

Grown graphs have one disc for each true label, the oldest nodes in its middle. A place
does not depend on links or predictions, so nothing jumps when links agree more or less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata

from solvers.bayes import BayesianNetwork
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


Places: TypeAlias = Mapping[str, tuple[float, float]]

# Beyond this many variables distances along paths take seconds.
MAX_DISTANCES = 90
# From here on names would overlap: variables move to the slots of a grid.
MIN_SLOTTED = 9


def network_places(network: BayesianNetwork, target: str) -> Places:
    """Return where the variables of a network are drawn: the same each time."""
    graph = nx.Graph(network.graph)
    if len(graph) == 1:
        return {target: (0.5, 0.5)}
    if _is_star(graph, target):
        found = _star(list(network.states), target)
    elif len(graph) <= MAX_DISTANCES:
        found = nx.kamada_kawai_layout(graph, pos=nx.circular_layout(graph))
    else:
        found = nx.spring_layout(graph, seed=0, iterations=100)
    names = list(found)
    points = np.array([found[name] for name in names])
    if len(names) >= MIN_SLOTTED and not _is_star(graph, target):
        points = _slotted(points)
    places = zip(names, _scaled(points), strict=True)
    return {name: (float(x), float(y)) for name, (x, y) in places}


def _is_star(graph: nx.Graph, target: str) -> bool:
    return graph.degree(target) == len(graph) - 1


def _star(names: list[str], target: str) -> dict[str, NDArray[np.float64]]:
    """Return the target in the middle of the others, on two rings where many."""
    around = [name for name in names if name != target]
    turns = np.linspace(0, 2 * np.pi, len(around), endpoint=False) + np.pi / 2
    radii = np.where(np.arange(len(around)) % 2, 0.66, 1.0)
    reach = radii if len(around) > 8 else np.ones(len(around))
    found = {
        name: np.array([r * np.cos(turn), r * np.sin(turn)])
        for name, turn, r in zip(around, turns, reach, strict=True)
    }
    return {target: np.zeros(2), **found}


def _slotted(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points moved to the nearest free slots, so that names stay apart.

    Every other column of slots stands half a row lower: a name may be as wide as two.
    """
    n_points = len(points)
    n_columns = max(4, round(0.8 * np.sqrt(n_points)))
    n_rows = -(-n_points // n_columns)
    row, column = np.divmod(np.arange(n_rows * n_columns), n_columns)
    slots = np.column_stack(
        [column / (n_columns - 1), (row + 0.5 * (column % 2)) / (n_rows - 0.5)]
    )
    # Ranks spread crowded points, so that none has to go far from its neighbours.
    ranks = (rankdata(points, axis=0) - 1) / (n_points - 1)
    wishes = 0.5 * ranks + 0.5 * _scaled(points)
    far = ((wishes[:, np.newaxis] - slots) ** 2).sum(axis=2)
    _, chosen = linear_sum_assignment(far)
    return slots[chosen]


def _scaled(points: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = points.min(axis=0), points.max(axis=0)
    return (points - low) / np.where(high > low, high - low, 1.0)


@dataclass(frozen=True, eq=False)
class TreePlaces:
    """Positions of the nodes of a tree."""

    # (n_nodes,) Leaves stand at 0, 1, 2, ...; other nodes above the middle of their
    # children
    x: NDArray[np.float64]
    depth: NDArray[np.intp]  # (n_nodes,) Steps from the root

    @property
    def n_leaves(self) -> int:
        """How many nodes have no children."""
        return int(self.x.max(initial=0.0)) + 1


def tree_places(parents: Sequence[int]) -> TreePlaces:
    """Return where the nodes of a tree stand, in time linear in their number.

    `parents`: position of the parent of each node, before the node's own; -1 for a
    root. Nodes come as a depth-first search meets them.
    """
    n_nodes = len(parents)
    depth = np.zeros(n_nodes, dtype=np.intp)
    n_children = np.zeros(n_nodes, dtype=np.intp)
    for node, parent in enumerate(parents):
        if parent >= 0:
            depth[node] = depth[parent] + 1
            n_children[parent] += 1
    x = np.zeros(n_nodes)
    leaves = np.flatnonzero(n_children == 0)
    x[leaves] = np.arange(len(leaves))
    first, last = np.full(n_nodes, np.inf), np.full(n_nodes, -np.inf)
    # Children come after their parents, so that going back meets all of them first.
    for node in range(n_nodes - 1, -1, -1):
        if n_children[node]:
            x[node] = (first[node] + last[node]) / 2
        parent = parents[node]
        if parent >= 0:
            first[parent] = min(first[parent], x[node])
            last[parent] = max(last[parent], x[node])
    return TreePlaces(x, depth)
