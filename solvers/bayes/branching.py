"""Branch and bound over sets of features, depth first, as a stream of steps.

Algorithm 1 of [1]_ on tables: including the first undecided feature changes neither
table nor bound; excluding it sums its axis away, which halves the table. Features come
in order of what their loss costs in the bound for each unit of cost, so that the top
of the tree, where tables are large, prunes most.

References
----------
.. [1] Choi and Van den Broeck, "On robust trimming of Bayesian network classifiers",
   IJCAI 2018, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, count
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .criteria import Criterion
from .cuts import TOLERANCE
from .frames import Frame, Frames
from .pricing import SharedCosts

Decision: TypeAlias = Literal["root", "included", "excluded"]
State: TypeAlias = Literal[
    "expanded", "improved", "bounded", "infeasible", "leaf", "finished"
]


@dataclass(frozen=True)
class Incumbent:
    """The best set found so far."""

    chosen: tuple[int, ...]  # Positions of its features, ascending
    score: float  # Its score and its cost
    cost: float
    node: int  # Where it was found


@dataclass(frozen=True)
class SearchStep:
    """Something that the search did; features are positions."""

    node: int  # Number of the node, in order of creation; the root is 0
    state: State  # What became of it
    included: tuple[int, ...]
    cost: float  # Of the included features
    score: float | None  # Of the included features, where it was computed
    bound: float  # Of all sets below the node
    best: Incumbent  # The best set so far
    upper: float  # No set within the budget scores more
    evaluations: int  # Scores and bounds computed so far
    parent: int | None = None  # Number of the node's parent
    decision: Decision = "root"  # What the node decides
    feature: int | None = None  # About which feature
    # What is in none of the three sets no longer fits in the budget
    excluded: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class _Node:
    number: int
    parent: int | None
    decision: Decision
    feature: int | None
    included: tuple[int, ...]
    excluded: tuple[int, ...]
    paid: NDArray[np.bool_]
    frame: Frame  # of the included features, then those that may still be
    pending: bool = False  # the frame is the parent's: its first free one has to go

    @property
    def free(self) -> tuple[int, ...]:
        return self.frame.chosen[len(self.included) + self.pending :]


class _TrimSearch:
    """One run: what it knows, and one method for each thing that it does."""

    def __init__(
        self, frames: Frames, prices: SharedCosts, start: Sequence[int]
    ) -> None:
        self.frames = frames
        self.prices = prices
        self.given_up = 0.0  # largest bound of what was not looked into
        self.numbers = count()  # of nodes
        self.stack: list[_Node] = []
        score, cost = self.frames.score_of(start), prices.cost(start)
        self.best = Incumbent(tuple(start), score, cost, 0)

    def run(self, order: Sequence[int] | None) -> Iterator[SearchStep]:
        self.stack.append(self._root(order))
        while self.stack:
            yield from self._visit(self.stack.pop())
        self._drop_what_is_not_missed()
        yield self._finished()

    def _root(self, order: Sequence[int] | None) -> _Node:
        frame = self.frames.of(range(len(self.prices.needs)))
        ranked = self._by_importance(frame) if order is None else tuple(order)
        table = frame.table
        if table is not None and ranked != frame.chosen:
            table = self.frames.criterion.table(ranked)
        frame = replace(frame, chosen=ranked, table=table)
        paid = self.prices.paid(())
        return _Node(next(self.numbers), None, "root", None, (), (), paid, frame)

    def _by_importance(self, frame: Frame) -> tuple[int, ...]:
        """Return features by what their loss takes from the bound per unit of cost."""
        # How much the bound (MPA) falls when a feature goes, from the full set.
        losses = [
            frame.bound - self.frames.without(frame, (j,)).bound for j in frame.chosen
        ]
        free = np.finfo(float).tiny
        with np.errstate(over="ignore"):
            worth = np.array(losses) / np.maximum(self.prices.alone(), free)
        return tuple(int(j) for j in np.argsort(-worth, kind="stable"))

    def _visit(self, node: _Node) -> Iterator[SearchStep]:
        if node.pending:
            node = self._settled(node)
            if self._is_hopeless(node):
                yield self._step(node, "bounded", None)
                return
            node = self._excluding(node)
        node, dropped = self._within_budget(node)
        node = self._settled(node)
        score = self._score(node)
        improved = score is not None and self._improves(node, score)
        if improved:
            yield self._step(node, "improved", score, node.frame.bound)
        if not node.free:
            if not improved:
                yield self._step(node, "leaf", score)
        elif self._is_hopeless(node):
            yield self._step(node, "bounded", score)
        else:
            self.stack += self._children(node)
            yield self._step(node, "expanded", score)
            for feature in dropped:
                yield self._infeasible(node, feature)

    def _enough(self) -> float:
        """Return up to where a bound is no hope."""
        return self.best.score + max(TOLERANCE, self.frames.tolerance)

    def _settled(self, node: _Node) -> _Node:
        frame = self.frames.settled(node.frame, self._enough())
        return node if frame is node.frame else replace(node, frame=frame)

    def _is_hopeless(self, node: _Node) -> bool:
        hopeless = node.frame.bound <= self._enough()
        if hopeless:
            self.given_up = max(self.given_up, node.frame.bound)
        return hopeless

    def _excluding(self, node: _Node) -> _Node:
        gone = node.frame.chosen[len(node.included)]
        frame = self.frames.without(node.frame, (gone,))
        return replace(node, frame=frame, pending=False)

    def _within_budget(self, node: _Node) -> tuple[_Node, tuple[int, ...]]:
        """Return the node without features that no longer fit, and those features."""
        # Excluding pays for nothing, so what fitted the parent still fits.
        if node.decision == "excluded" or not node.free:
            return node, ()
        fits = self.prices.affordable(node.paid, node.free)
        dropped = tuple(compress(node.free, ~fits))
        if not dropped:
            return node, ()
        return replace(node, frame=self.frames.without(node.frame, dropped)), dropped

    def _score(self, node: _Node) -> float | None:
        if self.frames.criterion.grows:
            if node.free:
                return None
            score = self.frames.attained(node.frame, self._enough())
            if score is None:
                self.given_up = max(self.given_up, node.frame.bound)
            return score
        if node.decision == "excluded":
            return None  # the parent's set again
        above = self.best.score - TOLERANCE
        return self.frames.score(node.frame, len(node.included), above)

    def _improves(self, node: _Node, score: float) -> bool:
        cost = self._cost(node)
        # Equal to rounding: the cheaper set wins.
        gain = score - self.best.score
        if gain <= TOLERANCE and (gain < -TOLERANCE or cost >= self.best.cost):
            return False
        self.best = Incumbent(tuple(sorted(node.included)), score, cost, node.number)
        return True

    def _children(self, node: _Node) -> list[_Node]:
        """Return the child that excludes the first free feature, then that with it."""
        first = node.free[0]
        including = self._including(node, first)
        excluding = replace(
            node,
            number=next(self.numbers),
            parent=node.number,
            decision="excluded",
            feature=first,
            excluded=(*node.excluded, first),
            pending=True,
        )
        return [excluding, including]

    def _infeasible(self, parent: _Node, feature: int) -> SearchStep:
        node = self._including(parent, feature)
        return replace(self._step(node, "infeasible", None), undecided=())

    def _including(self, parent: _Node, feature: int) -> _Node:
        return replace(
            parent,
            number=next(self.numbers),
            parent=parent.number,
            decision="included",
            feature=feature,
            included=(*parent.included, feature),
            paid=parent.paid | self.prices.needs[feature],
        )

    def _drop_what_is_not_missed(self) -> None:
        """Take features out of the best set, costliest first, while the score stays."""
        alone = self.prices.alone()
        for feature in sorted(self.best.chosen, key=lambda j: (-alone[j], -j)):
            rest = tuple(j for j in self.best.chosen if j != feature)
            if not self.frames.may_reach(rest, self.best.score - TOLERANCE):
                continue
            score = self.frames.score_of(rest)
            if score >= self.best.score - TOLERANCE:
                cost = self.prices.cost(rest)
                self.best = replace(self.best, chosen=rest, score=score, cost=cost)

    def _finished(self) -> SearchStep:
        best = self.best
        return SearchStep(
            best.node,
            "finished",
            best.chosen,
            best.cost,
            best.score,
            best.score,
            best,
            max(best.score, self.given_up),
            self.frames.evaluations,
        )

    def _cost(self, node: _Node) -> float:
        return float(self.prices.component_costs[node.paid].sum())

    def _step(
        self, node: _Node, state: State, score: float | None, open_bound: float = 0.0
    ) -> SearchStep:
        waiting = max((other.frame.bound for other in self.stack), default=0.0)
        return SearchStep(
            node.number,
            state,
            node.included,
            self._cost(node),
            score,
            node.frame.bound,
            self.best,
            max(self.best.score, waiting, open_bound, self.given_up),
            self.frames.evaluations,
            node.parent,
            node.decision,
            node.feature,
            node.excluded,
            node.free,
        )


def branch_and_bound(
    criterion: Criterion | Frames,
    prices: SharedCosts,
    order: Sequence[int] | None = None,
    start: Sequence[int] = (),
) -> Iterator[SearchStep]:
    """Search the affordable sets of features for the best, step by step.

    A node that improves and is not a leaf speaks twice. The last step is "finished";
    closing the generator before leaves the best so far in the last step that was seen,
    with what is proved about all others in ``upper``.
    `order`: the order in which features are decided; by importance where not given.

    Notes
    -----
    Sets whose scores differ by less than 1e-12 are alike: then the cheaper one of
    those that are looked at is taken, and features that add nothing are dropped.
    """
    frames = Frames(criterion) if isinstance(criterion, Criterion) else criterion
    yield from _TrimSearch(frames, prices, start).run(order)
