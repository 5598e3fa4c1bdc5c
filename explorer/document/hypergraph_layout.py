"""Where the nodes of a hypergraph are drawn: blocks on shelves, in the features' order.

Inside a block components stand above the features that need them. Nothing depends on
chance, so a hypergraph looks the same each time it is opened.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph

BLOCK_GAP = 0.8
ROW_HEIGHT = 1.0
# Between the lowest components and the highest features of a block: room for links.
LINK_HEIGHT = 1.6
SHELF_GAP = 1.2
# Of a drawing: pixels between neighbours, y downwards, and its width over its height.
STEP, ASPECT = np.array([112.0, -64.0]), 1.1
# So much wider than its shelf a drawing's block is before it has a second line, whose
# links pass behind the boxes of the first.
OVERHANG = 1.25
# A wider one is drawn taller, at most by half: its links are easier to follow.
WIDEST, TALLER = 1.7, 1.5


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


def lay_out(
    hypergraph: FeatureHypergraph, aspect: float = 1.3, overhang: float = 1.0
) -> HypergraphLayout:
    """Lay out a hypergraph block by block.

    `aspect`: width over height. `overhang`: how much wider than that a block may be.
    """
    above, below = ranked_blocks(hypergraph)
    n_blocks = 1 + max(above.max(initial=-1), below.max(initial=-1))
    rows = np.bincount(above, minlength=n_blocks)
    columns = np.bincount(below, minlength=n_blocks)
    sizes = np.maximum(rows, columns)
    shelf = _shelf_width(sizes, aspect)
    # As many on each line of a block, or one less on the last ones.
    widths = -(-sizes // np.ceil(sizes / int(overhang * shelf)).astype(int))
    # Lines of components, and of features
    lines = -(-rows // widths), -(-columns // widths)
    heights = (sum(lines) - 2) * ROW_HEIGHT + LINK_HEIGHT
    left, top = _corners(widths, heights, max(shelf, widths.max(initial=0)))
    floor = top - np.maximum(0, lines[0] - 1) * ROW_HEIGHT - LINK_HEIGHT
    mean = _mean_places(hypergraph, below)
    return HypergraphLayout(
        _places(above, mean, left, top, widths),
        _places(below, np.zeros(len(below)), left, floor, widths),
    )


def places(
    hypergraph: FeatureHypergraph,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where components and features stand in pixels, block by block.

    Shape: `components` (n_components, 2), `features` (n_features, 2).
    """
    layout = lay_out(hypergraph, ASPECT, OVERHANG)
    left, right, bottom, top = layout.bounds
    width, height = np.abs(STEP) * (right - left + 1, top - bottom + 1)
    step = STEP * (1.0, np.clip(width / height / WIDEST, 1.0, TALLER))
    return layout.components * step, layout.features * step


def ranked_blocks(
    hypergraph: FeatureHypergraph,
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the block of each component and of each feature, by its first feature."""
    components, features = hypergraph.connected_components()
    found = dict.fromkeys([*features.tolist(), *components.tolist()])
    rank = np.zeros(max(found, default=0) + 1, dtype=int)
    rank[list(found)] = np.arange(len(found))
    return rank[components], rank[features]


def _shelf_width(sizes: NDArray[np.int_], aspect: float) -> float:
    area = float(np.sum(sizes + BLOCK_GAP) * (LINK_HEIGHT + SHELF_GAP))
    return max(4.0, float(np.sqrt(area * aspect)))


def _corners(
    widths: NDArray[np.int_], heights: NDArray[np.float64], shelf: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Left and top of each block, on shelves from the top."""
    left, top = np.zeros(len(widths)), np.zeros(len(widths))
    x, y, shelf_height = 0.0, 0.0, 0.0
    for k, (width, height) in enumerate(
        zip(widths.tolist(), heights.tolist(), strict=True)
    ):
        if x > 0 and x + width > shelf:
            x, y, shelf_height = 0.0, y - shelf_height - SHELF_GAP, 0.0
        left[k], top[k] = x, y
        x += width + BLOCK_GAP
        shelf_height = max(shelf_height, height)
    return left, top


def _mean_places(
    hypergraph: FeatureHypergraph, blocks: NDArray[np.int_]
) -> NDArray[np.float64]:
    """Mean place, inside of their block, of the features of each component."""
    places = _counted(blocks, np.zeros(len(blocks))).astype(float)
    links = hypergraph.incidence.astype(float)
    return np.asarray(links @ places / np.maximum(links.sum(axis=1), 1))


def _counted(blocks: NDArray[np.int_], by: NDArray[np.float64]) -> NDArray[np.int_]:
    """Count the nodes of each block, in an order, from 0."""
    order = np.lexsort((by, blocks))
    ordered = blocks[order]
    counted = np.zeros(len(blocks), dtype=int)
    counted[order] = np.arange(len(blocks)) - np.searchsorted(ordered, ordered)
    return counted


def _places(
    blocks: NDArray[np.int_],
    by: NDArray[np.float64],
    left: NDArray[np.float64],
    top: NDArray[np.float64],
    widths: NDArray[np.int_],
) -> NDArray[np.float64]:
    """Return nodes on lines from the top of their blocks, each line centred.

    Shapes: `blocks`, `by` (n_nodes,); `left`, `top`, `widths` (n_blocks,).
    `by`: orders the nodes of a block.
    """
    width = widths[blocks]
    line, place = np.divmod(_counted(blocks, by), width)
    in_block = np.bincount(blocks, minlength=len(widths))[blocks]
    in_line = np.minimum(width, in_block - line * width)
    x = left[blocks] + (width - in_line) / 2 + place + 0.5
    return np.column_stack([x, top[blocks] - line * ROW_HEIGHT])
