"""Branch and bound over components at one budget, resumable at any node."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .certificate import Leaf
from .incumbents import Incumbents
from .interior import RelaxationStep, interior_steps
from .node_part import NodePart, RelaxedPoint
from .oracle import Oracle
from .pool import ROUNDING, CutPool
from .problem import SelectionProblem

__all__ = ["Node", "SearchTree", "Tools"]

# What may be left of the way from a node's bound to its aim, if it cannot get there.
_LITTLE = 0.3
# Memory: of all nodes that wait, of the leaves of one tree's proof, of all leaves.
_MOST_OPEN_BYTES = 1 << 28
_MOST_LEAF_BYTES = 1 << 25
_MOST_KEPT_BYTES = 1 << 27
_WHOLE = 1e-7

Decisions = tuple[tuple[int, bool], ...]


@dataclass(eq=False)
class Tools:
    """What trees at all budgets share: one problem, one pool, one list of the best."""

    problem: SelectionProblem
    oracle: Oracle
    pool: CutPool
    best: Incumbents
    n_waiting: int = 0  # nodes of all trees that wait
    n_kept: int = 0  # leaves of all trees

    @classmethod
    def of(cls, problem: SelectionProblem) -> Tools:
        """Return fresh tools, the bundles that cost nothing evaluated."""
        oracle, pool = Oracle(problem), CutPool(problem)
        best = Incumbents(problem, oracle, pool)
        best.evaluate(problem.available(np.zeros(problem.n_components, dtype=bool)))
        return cls(problem, oracle, pool, best)


@dataclass(eq=False)
class Node:
    """Decisions on components, and what is proven of all that keep them."""

    bound: float
    decisions: Decisions = ()
    leaf: Leaf | None = None
    start: RelaxedPoint | None = None  # where the node that it was split from ended

    def masks(self, n: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which components are bought and which are ruled out."""
        inside, outside = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        for component, bought in self.decisions:
            (inside if bought else outside)[component] = True
        return inside, outside


@dataclass(eq=False)
class SearchTree:
    """A search at one budget; `lower` holds at every moment."""

    tools: Tools
    budget: float
    nodes: int = 0
    root: Leaf | None = None
    root_bound: float = 0.0
    asked: float = 0.0  # the budget in the hypergraph's unit
    full: bool = False  # memory is used up: the search stops with the gap it has
    _open: list[tuple[float, int, Node]] = field(default_factory=list)
    _closed: float = np.inf  # the least bound of what was put aside
    _leaves: list[Leaf] | None = field(default_factory=list)
    _ticket: itertools.count = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self._push(Node(0.0))

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
        if node.leaf is not None and node.bound >= self.upper - slack:
            self._put_aside(node)
            return
        self.nodes += 1
        target = self._goal(slack)
        found = bounded(self.tools, node, self.budget, target, until)
        if self.root is None:
            self.root, self.root_bound = node.leaf, node.bound
        if found is None or node.bound >= self.upper - slack:
            self._put_aside(node)
        elif time.perf_counter() > until or self._is_full(found.point):
            self.full = self._is_full(found.point)
            self._push(node)
        else:
            for child in children(self.tools.problem, node, found, self.budget):
                self._push(child)

    def certificate_leaves(self) -> tuple[Leaf, ...]:
        """Return leaves that cover all selections: the tree's, or the root alone."""
        if self._leaves is None:
            return () if self.root is None else (self.root,)
        leaves = [*self._leaves, *(one[2].leaf for one in self._open)]
        return tuple(leaf for leaf in leaves if leaf is not None)

    def _goal(self, slack: float) -> Callable[[], float]:
        return lambda: self.upper - slack

    def _is_full(self, point: RelaxedPoint) -> bool:
        numbers = len(self.tools.problem.signs) + len(point.shares) + len(point.bought)
        return 8 * numbers * self.tools.n_waiting >= _MOST_OPEN_BYTES

    def _push(self, node: Node) -> None:
        self.tools.n_waiting += 1
        heapq.heappush(self._open, (node.bound, next(self._ticket), node))

    def _put_aside(self, node: Node) -> None:
        self._closed = min(self._closed, node.bound)
        if self._leaves is None or node.leaf is None:
            return
        self._leaves.append(node.leaf)
        self.tools.n_kept += 1
        size = node.leaf.vector.nbytes
        own = size * (len(self._leaves) + len(self._open))
        if own > _MOST_LEAF_BYTES or size * self.tools.n_kept > _MOST_KEPT_BYTES:
            self.tools.n_kept -= len(self._leaves)
            self._leaves = None


def bounded(
    tools: Tools,
    node: Node,
    budget: float,
    goal: Callable[[], float],
    until: float,
    *,
    whole: bool = False,
) -> RelaxationStep | None:
    """Raise a node's bound up to the goal; None where it holds nothing open.

    `whole`: every selection of the node is wanted, not the best one only.
    """
    problem = tools.problem
    inside, outside = node.masks(problem.n_components)
    live = problem.live(inside, outside, budget)
    if not problem.allows(inside, budget):
        node.bound = np.inf
        node.leaf = _leaf(problem, node, np.zeros(len(problem.signs)), 0.0)
        return None
    part = NodePart(problem, inside, live, budget)
    if part.is_all_affordable:
        step = _bought(tools, node, inside, live)
        return step if whole else None
    for step in interior_steps(tools.oracle, part, node.start):
        if step.bound > node.bound or node.leaf is None:
            node.bound = max(step.bound, node.bound)
            node.leaf = _leaf(problem, node, step.cut.vector, step.multiplier)
        aim = goal()
        if node.bound >= aim or time.perf_counter() > until:
            break
        # The relaxation is below the aim: its last digits matter less than a decision.
        rest = step.above - step.bound
        if step.above < aim and rest <= _LITTLE * (aim - step.bound):
            break
    tools.pool.add(step.cut)
    tools.best.rounded(step.point.shares, inside, budget)
    return step


def _bought(
    tools: Tools, node: Node, inside: NDArray[np.bool_], live: NDArray[np.bool_]
) -> RelaxationStep:
    """Everything left is affordable together: buying all of it is best."""
    answer = tools.best.evaluate(live)
    exact = answer.entropy - float(answer.gains[live].sum()) - ROUNDING
    node.bound = max(node.bound, exact)
    node.leaf = _leaf(tools.problem, node, answer.vector, 0.0)
    bought = (tools.problem.used(live) | inside).astype(float)
    point = RelaxedPoint(live.astype(float), bought)
    return RelaxationStep(answer, point, exact, 0.0, answer.objective)


def _leaf(
    problem: SelectionProblem,
    node: Node,
    vector: NDArray[np.float64],
    multiplier: float,
) -> Leaf:
    named = [(int(problem.members[c][0]), bought) for c, bought in node.decisions]
    return Leaf(tuple(named), vector, multiplier / problem.unit)


def children(
    problem: SelectionProblem, node: Node, found: RelaxationStep, budget: float
) -> tuple[Node, Node]:
    """Split on the component that is most undecided for its price and its use."""
    inside, outside = node.masks(problem.n_components)
    live = problem.live(inside, outside, budget)
    free = problem.used(live) & ~inside
    part = np.minimum(found.point.bought, 1.0 - found.point.bought)
    use = problem.needs[live].sum(axis=0)
    worth = np.sqrt(problem.prices * use)
    score = np.where(part > _WHOLE, part, _WHOLE * 1e-3) * worth
    component = int(np.argmax(np.where(free, score, -1.0)))
    made = [
        Node(node.bound, (*node.decisions, (component, bought)), node.leaf, found.point)
        for bought in (True, False)
    ]
    return made[0], made[1]
