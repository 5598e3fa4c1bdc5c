"""Branch and bound over components at one budget, resumable at any node."""

from __future__ import annotations

import heapq
import itertools
import time
from dataclasses import dataclass, field

import numpy as np

from .bounding import Node, Tools, bounded, children
from .certificate import Leaf

# Memory: of all nodes that wait, of the leaves of one tree's proof, of all leaves.
_MOST_OPEN_BYTES = 1 << 28
_MOST_LEAF_BYTES = 1 << 25
_MOST_KEPT_BYTES = 1 << 27


@dataclass(eq=False)
class SearchTree:
    """A search at one budget; `lower` holds at every moment."""

    tools: Tools
    budget: float
    nodes: int = 0
    root: Leaf = field(init=False)
    root_bound: float = 0.0
    asked: float = 0.0  # the budget in the hypergraph's unit
    full: bool = False  # memory is used up: the search stops with the gap it has
    _open: list[tuple[float, int, Node]] = field(default_factory=list)
    _closed: float = np.inf  # the least bound of what was put aside
    _leaves: list[Leaf] | None = field(default_factory=list)
    _ticket: itertools.count = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        node = Node.of_all(self.tools.problem)
        self.root = node.leaf
        self._push(node)

    @property
    def upper(self) -> float:
        """Objective of the best selection known."""
        return self.tools.best.best(self.budget).objective

    @property
    def lower(self) -> float:
        """What no selection within the budget can be below."""
        least = self._open[0][0] if self._open else np.inf
        return min(least, self._closed, self.upper)

    @property
    def done(self) -> bool:
        """Whether nothing is left to search."""
        return not self._open

    @property
    def keeps_proof(self) -> bool:
        """Whether the leaves at hand prove `lower`, and not the root's bound only."""
        return self._leaves is not None

    def step(self, slack: float, until: float) -> None:
        """Work on the node of the least bound; those within `slack` are put aside."""
        _, _, node = heapq.heappop(self._open)
        self.tools.n_waiting -= 1
        if self.nodes and node.bound >= self.upper - slack:
            self._put_aside(node)
            return
        self.nodes += 1
        found = bounded(
            self.tools, node, self.budget, lambda: self.upper - slack, until
        )
        if self.nodes == 1:
            self.root, self.root_bound = node.leaf, node.bound
        if found is None or node.bound >= self.upper - slack:
            self._put_aside(node)
        elif time.perf_counter() > until or self._is_full(node):
            self.full = self._is_full(node)
            self._push(node)
        else:
            for child in children(node, found):
                self._push(child)

    def certificate_leaves(self) -> tuple[Leaf, ...]:
        """Return leaves that cover all selections: the tree's, or the root alone."""
        if self._leaves is None:
            return (self.root,)
        return (*self._leaves, *(one[2].leaf for one in self._open))

    def _is_full(self, node: Node) -> bool:
        problem = self.tools.problem
        numbers = len(problem.signs) + problem.n_bundles + problem.n_components
        if node.curved is not None:
            numbers += node.curved.size // 2  # two children share it
        return 8 * numbers * self.tools.n_waiting >= _MOST_OPEN_BYTES

    def _push(self, node: Node) -> None:
        self.tools.n_waiting += 1
        heapq.heappush(self._open, (node.bound, next(self._ticket), node))

    def _put_aside(self, node: Node) -> None:
        self._closed = min(self._closed, node.bound)
        if self._leaves is None:
            return
        self._leaves.append(node.leaf)
        self.tools.n_kept += 1
        size = node.leaf.nbytes
        own = size * (len(self._leaves) + len(self._open))
        if own > _MOST_LEAF_BYTES or size * self.tools.n_kept > _MOST_KEPT_BYTES:
            self.tools.n_kept -= len(self._leaves)
            self._leaves = None
