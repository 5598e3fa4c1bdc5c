"""Where the nodes of a hypergraph are drawn: blocks on shelves, in the features' order.

Inside a block components stand above the features that need them. Nothing depends on
chance, so a hypergraph looks the same each time it is opened.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph

__all__ = ["HypergraphLayout", "lay_out"]

BLOCK_GAP = 0.8
ROW_HEIGHT = 1.0
# Between the lowest components and the highest features of a block: room for links.
LINK_HEIGHT = 1.6
SHELF_GAP = 1.2


@dataclass(frozen=True)
class HypergraphLayout:
    """Positions of nodes."""

    components: NDArray[np.float64]  # (n_components, 2)
    features: NDArray[np.float64]  # (n_features, 2)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of all nodes."""
        nodes = np.vstack([self.components, self.features, [[0.0, 0.0]]])
        (left, bottom), (right, top) = nodes.min(axis=0), nodes.max(axis=0)
        return float(left), float(right), float(bottom), float(top)


def lay_out(hypergraph: FeatureHypergraph, aspect: float = 1.3) -> HypergraphLayout:
    """Lay out a hypergraph block by block."""
    component_blocks, feature_blocks = hypergraph.connected_components()
    members = _members(component_blocks, feature_blocks)
    width = _shelf_width(members, aspect)
    above = _mean_places(hypergraph, members)
    components = np.zeros((hypergraph.n_components, 2))
    features = np.zeros((hypergraph.n_features, 2))
    x, top, shelf_height = 0.0, 0.0, 0.0
    for rows, columns in members:
        block_width, block_height = _block_size(rows, columns, width)
        if x > 0 and x + block_width > width:
            x, top, shelf_height = 0.0, top - shelf_height - SHELF_GAP, 0.0
        ordered = rows[np.argsort(above[rows], kind="stable")]
        below = _place(components, ordered, x, top, block_width)
        _place(features, columns, x, below - LINK_HEIGHT, block_width)
        x += block_width + BLOCK_GAP
        shelf_height = max(shelf_height, block_height)
    return HypergraphLayout(components, features)


def _members(
    component_blocks: NDArray, feature_blocks: NDArray
) -> list[tuple[NDArray, NDArray]]:
    """Components and features of each block, blocks by their first feature."""
    used = [int(k) for k in dict.fromkeys(feature_blocks.tolist())]
    unused = [int(k) for k in np.setdiff1d(component_blocks, feature_blocks)]
    n_blocks = max([*used, *unused], default=-1) + 1
    components = _by_block(component_blocks, n_blocks)
    features = _by_block(feature_blocks, n_blocks)
    return [(components[k], features[k]) for k in [*used, *unused]]


def _by_block(blocks: NDArray, n_blocks: int) -> list[NDArray]:
    """Nodes of each block, in their order."""
    order = np.argsort(blocks, kind="stable")
    return np.split(order, np.searchsorted(blocks[order], np.arange(1, n_blocks)))


def _shelf_width(members: list[tuple[NDArray, NDArray]], aspect: float) -> float:
    area = sum(
        (max(len(rows), len(columns)) + BLOCK_GAP) * (LINK_HEIGHT + SHELF_GAP)
        for rows, columns in members
    )
    return max(4.0, float(np.sqrt(area * aspect)))


def _block_size(rows: NDArray, columns: NDArray, width: float) -> tuple[float, float]:
    block_width = min(float(max(len(rows), len(columns))), np.floor(width))
    lines = sum(int(np.ceil(len(side) / block_width)) for side in (rows, columns))
    return block_width, (lines - 2) * ROW_HEIGHT + LINK_HEIGHT


def _mean_places(
    hypergraph: FeatureHypergraph, members: list[tuple[NDArray, NDArray]]
) -> NDArray:
    """Mean place, inside of their block, of the features of each component."""
    places = np.zeros(hypergraph.n_features)
    for _, columns in members:
        places[columns] = np.arange(len(columns))
    links = hypergraph.incidence.astype(float)
    return np.asarray(links @ places / np.maximum(links.sum(axis=1), 1))


def _place(
    positions: NDArray, nodes: NDArray, left: float, top: float, width: float
) -> float:
    """Put nodes on lines from the top, each line centred; return the lowest line."""
    per_line = int(width)
    for line, start in enumerate(range(0, len(nodes), per_line)):
        group = nodes[start : start + per_line]
        offset = (width - len(group)) / 2
        positions[group, 0] = left + offset + np.arange(len(group)) + 0.5
        positions[group, 1] = top - line * ROW_HEIGHT
    return top - max(0, int(np.ceil(len(nodes) / per_line)) - 1) * ROW_HEIGHT
