"""The nodes that a search for a trimming met, as a tree, and where they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.bayes import SearchEvent

from .layout import tree_places

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


class TrimmingSearch:
    """The nodes that a search met, in that order, by its events."""

    def __init__(self) -> None:
        self.events: list[SearchEvent] = []
        self.first_events: list[SearchEvent] = []  # Of each node
        self.parents: list[int] = []
        self._upto: list[int] = []  # nodes met by the end of each event
        self._rows: dict[int, int] = {}
        self._trees: dict[bool, DrawnTree] = {}
        self.parts: dict[tuple[bool, str], Any] = {}

    def add(self, events: Iterable[SearchEvent]) -> None:
        """Take events that follow those that came before."""
        for event in events:
            self.events.append(event)
            is_drawn = event.parent is None or event.parent in self._rows
            if event.state != "finished" and event.node not in self._rows and is_drawn:
                self._rows[event.node] = len(self.first_events)
                parent = -1 if event.parent is None else event.parent
                self.parents.append(self._rows.get(parent, -1))
                self.first_events.append(event)
            self._upto.append(len(self.first_events))
        self._trees.clear()
        self.parts.clear()

    def tree(self, *, is_folded: bool = False) -> DrawnTree:
        """Return where the nodes that were met are drawn.

        `is_folded`: whether a large tree is cut down to what can be read; the ways to
        all that were best are not.
        """
        if is_folded not in self._trees:
            best = {
                row
                for event in self.events
                if event.state == "improved"
                and (found := self.row(event.node)) is not None
                for row in self.way_to(found)
            }
            most = MAX_READ if is_folded else None
            self._trees[is_folded] = draw_tree(self.parents, best, most)
        return self._trees[is_folded]

    def features_by_depth(self) -> dict[int, str]:
        """Return the feature that is decided at each depth, where it is the same.

        What no longer fits in the budget is passed over on the way: it stands apart.
        """
        found: dict[int, set[str]] = {}
        for event in self.first_events:
            if event.feature is not None and event.state != "infeasible":
                found.setdefault(event.depth, set()).add(event.feature)
        return {depth: one.pop() for depth, one in found.items() if len(one) == 1}

    def nodes_upto(self, n_events: int) -> int:
        """Return how many nodes the first events have met."""
        return self._upto[n_events - 1] if n_events else 0

    def row(self, node: int) -> int | None:
        """Return the place of a node in the order of meeting; None where not drawn."""
        return self._rows.get(node)

    def way_to(self, row: int) -> list[int]:
        """Return the nodes from one to the root."""
        way = []
        while row >= 0:
            way.append(row)
            row = self.parents[row]
        return way

    def best_way(self, n_events: int) -> list[int]:
        """Return the nodes from the best of the first events to the root."""
        improved = [e for e in self.events[:n_events] if e.state == "improved"]
        found = self.row(improved[-1].node) if improved else None
        if found is None:
            found = 0 if self.first_events else -1
        return self.way_to(found)
