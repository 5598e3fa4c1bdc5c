"""Which nodes of a search tree are drawn: large trees fold to what can be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...figures.network_layout import tree_places

# Marks of more nodes than this lie on each other.
MAX_READ = 120


@dataclass(frozen=True, eq=False)
class DrawnTree:
    """Where the nodes of a tree are drawn, and what stands for those that are not.

    Nodes come as the search met them.
    """

    stands_for: NDArray[np.intp]  # (n_nodes,) Itself, or the ancestor it is folded into
    x: NDArray[np.float64]  # (n_nodes,) NaN where it is not drawn
    depth: NDArray[np.intp]  # (n_nodes,)
    n_leaves: int  # Of what is drawn

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Whether each node is drawn itself, shape (n_nodes,)."""
        return self.stands_for == np.arange(len(self.stands_for))

    def hidden(self, n_nodes: int) -> dict[int, int]:
        """Return how many of the first nodes are folded into each that is drawn."""
        first = self.stands_for[:n_nodes]
        above, counts = np.unique(first[~self.drawn[:n_nodes]], return_counts=True)
        return dict(zip(above.tolist(), counts.tolist(), strict=True))


def draw_tree(
    parents: Sequence[int], always: Iterable[int] = (), most: int | None = MAX_READ
) -> DrawnTree:
    """Return which nodes are drawn, and where.

    `parents`: position of the parent of each node, before the node's own; -1 for a
    root.
    `always`: nodes that are drawn at any depth, with all above them.
    `most`: nodes that are drawn, but for these: as many whole levels as fit; None: all.
    """
    depth = tree_places(parents).depth
    is_drawn = np.ones(len(parents), dtype=bool)
    if most is not None and len(parents) > most:
        is_drawn = np.cumsum(np.bincount(depth))[depth] <= most
        is_drawn[list(always)] = True
    stands_for = np.arange(len(parents))
    place = np.full(len(parents), -1)
    kept: list[int] = []
    for node, parent in enumerate(parents):
        if parent >= 0 and not is_drawn[node]:
            stands_for[node] = stands_for[parent]
            continue
        place[node] = len(kept)
        kept.append(-1 if parent < 0 else int(place[parent]))
    places = tree_places(kept)
    x = np.full(len(parents), np.nan)
    x[place >= 0] = places.x
    return DrawnTree(stands_for, x, depth, places.n_leaves if kept else 0)
