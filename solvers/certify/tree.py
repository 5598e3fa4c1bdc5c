"""Nodes of a branch and bound over components, what is proven of them, and the search.

Three relaxations, each only where the one before leaves a node open: the curved loss
around a model further up, the loss itself, and the curved loss around its model. The
search is one at a budget, resumable at any node.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg.lapack import dtrtri

from ..numerics.arrays import Floats, Mask
from .certificate import Leaf, Region
from .curved import CurvedLoss, curved_loss, polished_centre
from .incumbents import Incumbents
from .oracle import Oracle
from .pool import ROUNDING, CutPool
from .problem import SelectionProblem
from .relaxation import (
    MinimisedLoss,
    NodePart,
    RelaxationStep,
    RelaxedPoint,
    interior_steps,
    proved,
)

# What may be left of the way from a node's bound to its aim, if it cannot get there.
_LITTLE = 0.3
_WHOLE = 1e-7
# A region that brings less than this share of what a bound lacks is not worth its time,
# and not tried again before so much less is lacking.
_WORTH = 0.25
_RENEWED = 0.7

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
    def of(cls, problem: SelectionProblem, pool: CutPool | None = None) -> Tools:
        """Return fresh tools, the bundles that cost nothing evaluated.

        `pool`: of the same problem at another ridge.
        """
        oracle, pool = Oracle(problem), pool or CutPool(problem.n_bundles)
        best = Incumbents(problem, oracle, pool)
        best.evaluate(problem.available(np.zeros(problem.n_components, dtype=bool)))
        return cls(problem, oracle, pool, best)


@dataclass(eq=False)
class Node:
    """Decisions on components, and what is proven of all that keep them."""

    bound: float
    leaf: Leaf  # what proves it
    decisions: Decisions = ()
    start: RelaxedPoint | None = None  # where the node that it was split from ended
    curved: CurvedLoss | None = None  # around a model of this node or of one above
    plain_start: RelaxedPoint | None = None  # the same, of the loss itself
    renewed_at: float = np.inf  # what the bound may lack of its goal for another one

    @classmethod
    def of_all(cls, problem: SelectionProblem) -> Node:
        """Return the node of all selections: no objective is below 0."""
        return cls(0.0, Leaf((), np.zeros(len(problem.signs)), 0.0))

    def masks(self, n: int) -> tuple[Mask, Mask]:
        """Return which components are bought and which are ruled out."""
        inside, outside = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        for component, bought in self.decisions:
            (inside if bought else outside)[component] = True
        return inside, outside


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
        step = _bought(tools, node, part)
        return step if whole else None
    step = _Relaxations(tools, node, part, goal, until).best()
    tools.best.rounded(step.point.shares, inside, budget)
    return step


@dataclass(eq=False)
class _Relaxations:
    """The relaxations of one node, in turn."""

    tools: Tools
    node: Node
    part: NodePart
    goal: Callable[[], float]
    until: float

    def best(self) -> RelaxationStep:
        """Return the last step of the last relaxation that was needed."""
        node = self.node
        if node.curved is not None:
            step = self._raised(node.curved, node.curved.region)
            if self._is_over() or self._lacks() > node.renewed_at:
                return step
        step = self._raised(self.tools.oracle)
        node.plain_start = step.point
        self.tools.pool.add(step.cut, self.tools.problem.ridge)
        if self._is_over() or self._lacks() > node.renewed_at:
            return step
        before, node.curved = self.goal() - step.bound, self._around(step)
        if node.curved is not None:
            step = self._raised(node.curved, node.curved.region)
        is_worth = self.goal() - step.bound < (1.0 - _WORTH) * before
        node.renewed_at = np.inf if is_worth else _RENEWED * self._lacks()
        if not is_worth:
            node.curved = None
        return step

    def _lacks(self) -> float:
        return self.goal() - self.node.bound

    def _is_over(self) -> bool:
        return self.node.bound >= self.goal() or time.perf_counter() > self.until

    def _raised(
        self, loss: MinimisedLoss, region: Region | None = None
    ) -> RelaxationStep:
        """Take steps as long as they may yet lead to the goal."""
        node, most = self.node, np.inf if region is None else region.beat
        for step in interior_steps(
            loss, self.part, node.plain_start if region is None else node.start
        ):
            bound = min(step.bound, most)
            if bound > node.bound:
                node.bound = bound
                problem, vector = self.tools.problem, step.cut.vector
                node.leaf = _leaf(problem, node, vector, step.multiplier, region)
            aim = self.goal()
            if self._is_over():
                break
            # Below the aim, the last digits matter less than a decision.
            rest = step.above - step.bound
            if step.above < aim and rest <= _LITTLE * (aim - step.bound):
                break
        return step

    def _around(self, step: RelaxationStep) -> CurvedLoss | None:
        """Return the curved loss around the model that a step ended at."""
        problem, oracle = self.tools.problem, self.tools.oracle
        columns = self.part.columns
        weights, intercept = oracle.latest(columns)
        centre = polished_centre(problem, columns, weights, intercept)
        if centre is None:
            return None
        # What its residuals prove: other models have goal - floor of room.
        floor = proved(centre.cut, self.part, step.charges)
        decisions = _named(problem, self.node)
        return curved_loss(
            problem, centre, decisions, floor, self.goal(), self.node.curved
        )


def _bought(tools: Tools, node: Node, part: NodePart) -> RelaxationStep:
    """Everything left is affordable together: buying all of it is best."""
    answer = tools.best.evaluate(part.live)
    # The cut at the selection itself: Fenchel duality without a gap.
    exact = answer.entropy - float(answer.gains[part.live].sum()) - ROUNDING
    if exact > node.bound:
        node.bound = exact
        node.leaf = _leaf(tools.problem, node, answer.vector, 0.0)
    bought = (tools.problem.used(part.live) | part.inside).astype(float)
    point = RelaxedPoint(part.live.astype(float), bought)
    nothing = np.zeros(0)
    return RelaxationStep(part, answer, point, exact, 0.0, answer.objective, nothing)


def _leaf(
    problem: SelectionProblem,
    node: Node,
    vector: Floats,
    multiplier: float,
    region: Region | None = None,
) -> Leaf:
    return Leaf(_named(problem, node), vector, multiplier / problem.unit, region)


def _named(problem: SelectionProblem, node: Node) -> Decisions:
    return tuple((int(problem.members[c][0]), bought) for c, bought in node.decisions)


def children(node: Node, found: RelaxationStep) -> list[Node]:
    """Split on the component whose decision is about to raise both bounds most."""
    component = int(found.part.components[np.argmax(_undecided(found))])
    return [
        replace(
            node,
            decisions=(*node.decisions, (component, bought)),
            start=found.point,
        )
        for bought in (True, False)
    ]


def _undecided(found: RelaxationStep) -> Floats:
    """Return how undecided components are, and how stiff: (n_open_components,).

    With s on the diagonal of the last system's inverse, the relaxation rises by about
    u^2 / (2 s) where a component is ruled out and by (1 - u)^2 / (2 s) where it is
    bought, all else following.
    """
    part = found.part
    u = found.point.bought[part.components]
    open_ = np.maximum(u * (1.0 - u), _WHOLE) ** 2
    if found.factor is None:
        return open_ * part.prices
    # Components come last: their block of the inverse is that of their block alone.
    n = len(part.bundles)
    half = dtrtri(found.factor[n:, n:], lower=1)[0]
    return np.asarray(open_ / np.einsum("ij,ij->j", half, half))


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
