"""Floor and best known selection at every budget, improving while one waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_number, eager
from ..costs.budgets import ROUNDING, room_of
from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from ..numerics.arrays import Mask
from ..numerics.threads import in_one_thread, one_thread
from .certificate import Certificate
from .problem import checked_budget, checked_known, make_problem
from .tree import SearchTree, Tools

# Floor and best known selection at every budget, improving while one waits.


_BUDGETS = 12
_SLICE = 0.2  # seconds of search at one budget before the next has its turn
_EXCHANGES = 3
_WAIT = 0.05  # seconds until one asks again whether another stream has ended
_SOUGHT = 0.2  # of the time, for good selections before the search
# Below this a gap is rounding.
LEAST_GAP = 1e-8


@dataclass(frozen=True, eq=False)
class CertifiedBudget:
    """What is proven of one budget so far.

    Parameters
    ----------
    budget : float
        What a selection may cost, in the unit of the hypergraph.
    lower : float
        No selection within the budget has a lower objective.
    upper : float
        Objective of the best selection known.
    features : ndarray of bool, shape (n_features,)
        That selection.
    gap : float
        ``upper - lower`` as a share of what all features bring over none.
    full_gain : float
        How far all allowed features lower the objective below what costs nothing;
        gaps are shares of it.
    proven : bool
        Whether the gap is within the tolerance.
    nodes : int
        Nodes of the search so far.
    seconds : float
        Since the search began.
    certificate : Certificate
        Proof of ``lower``; of less where the search is too large to keep, as its own
        ``lower`` says.
    """

    budget: float
    lower: float
    upper: float
    features: Mask
    gap: float
    full_gain: float
    proven: bool
    nodes: int
    seconds: float
    certificate: Certificate


def certified_frontier(
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    *,
    ridge: float,
    budgets: Iterable[float] | None = None,
    tol: float = 0.01,
    seconds: float = 60.0,
    known: Iterable[Selection] = (),
    without: Selection | None = None,
    sample_weight: ArrayLike | None = None,
) -> Iterator[CertifiedBudget]:
    """Bound from both sides the best objective of any linear model at each budget.

    The objective is the mean logistic loss plus ``ridge / 2`` times the squared norm of
    the weights of standardised columns; the intercept is free.

    Parameters
    ----------
    X : array_like of float, shape (n_rows, n_features)
        The table; the columns of a frame are taken by name.
    y : array_like, shape (n_rows,)
        Labels of two classes.
    hypergraph : FeatureHypergraph
        What features need and what that costs.
    ridge : float
        Weight of the ridge, above 0.
    budgets : iterable of float, optional
        What selections may cost; a dozen up to the cost of everything by default.
    tol : float, default=0.01
        Gap at which a budget counts as proven, as a share of what all features bring.
    seconds : float, default=60
        When to stop, proven or not.
    known : iterable of selections, optional
        Selections of features to begin with, such as those that methods chose.
    without : selection of components, optional
        Components that must not be bought.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts in the mean loss and in the columns' units, from 0 up;
        a row of weight two is a row written twice.

    Returns
    -------
    iterator of CertifiedBudget
        One budget at a time, every one at least twice unless time runs out; the last
        of each holds what is proven at the end.

    Raises
    ------
    ThriftscopeError
        If table, labels, ridge, budgets, tolerance or names make no sense.
    """
    search = CertifiedSearch(
        X,
        y,
        hypergraph,
        ridge=ridge,
        tol=tol,
        without=without,
        sample_weight=sample_weight,
    )
    return search.stream(budgets, seconds=seconds, known=known)


class CertifiedSearch:
    """A search for floors that goes on where it stopped, and takes further budgets.

    Trees, cuts and selections are kept from one stream to the next and serve all
    budgets. One stream at a time: another one waits, and says what is known meanwhile.

    Parameters
    ----------
    X, y, hypergraph, ridge, tol, without, sample_weight
        As of `certified_frontier`.

    Raises
    ------
    ThriftscopeError
        If table, labels, ridge, tolerance, names or weights make no sense.
    """

    @one_thread()
    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        hypergraph: FeatureHypergraph,
        *,
        ridge: float,
        tol: float = 0.01,
        without: Selection | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        problem = make_problem(X, y, hypergraph, ridge, without, sample_weight)
        check_number("tol", tol, 1e-6)
        self._run = _FrontierRun(Tools.of(problem), tol)
        self._busy = threading.Lock()

    @one_thread()
    def at_ridge(self, ridge: float) -> CertifiedSearch:
        """Return the search at another ridge, which begins with what this one found.

        Its best selections are weighed anew; all cuts hold there, with other gains.

        Parameters
        ----------
        ridge : float
            As of `certified_frontier`.

        Returns
        -------
        CertifiedSearch

        Raises
        ------
        ThriftscopeError
            If the ridge makes no sense.
        """
        check_number("ridge", ridge, 1e-9)
        tools = self._run.tools
        problem = replace(tools.problem, ridge=float(ridge))
        other = Tools.of(problem, tools.pool)
        for one in tools.best.undominated():
            other.best.evaluate(one.bundles)
        search = copy(self)
        search._run, search._busy = _FrontierRun(other, self._run.tol), threading.Lock()
        return search

    @eager
    @in_one_thread
    def stream(
        self,
        budgets: Iterable[float] | None = None,
        *,
        seconds: float = 60.0,
        known: Iterable[Selection] = (),
    ) -> Iterator[CertifiedBudget | None]:
        """Return what is proven of some budgets, improving for so many seconds more.

        Parameters
        ----------
        budgets, known
            As of `certified_frontier`.
        seconds : float, default=60
            How much longer to search.

        Returns
        -------
        iterator of CertifiedBudget
            As of `certified_frontier`; nodes and seconds count from the first stream.

        Raises
        ------
        ThriftscopeError
            If budgets, seconds or selections make no sense.
        """
        run, problem = self._run, self._run.tools.problem
        check_number("seconds", seconds, 0.0)
        if budgets is None:
            shares = np.arange(1, _BUDGETS + 1) / _BUDGETS
            budgets = (shares * problem.unit).tolist()
        asked = checked_budget(budgets)
        masks = checked_known(known, problem.hypergraph)
        yield None  # checked
        while not self._busy.acquire(timeout=_WAIT):
            if run.told is not None:
                yield run.told
        try:
            trees = run.take(asked)
            until = time.perf_counter() + seconds
            for mask in masks:
                best = run.tools.best
                best.evaluate(run.tools.problem.bundles_within(mask))
            yield from run.certified(trees, until)
        finally:
            run.pause()
            self._busy.release()


class _FrontierRun:
    """All budgets of one search: their trees, what they share and what they report."""

    def __init__(self, tools: Tools, tol: float) -> None:
        self.tools, problem = tools, tools.problem
        top = self.tools.best.best(0.0).objective
        everything = np.ones(problem.n_bundles, dtype=bool)
        bottom = self.tools.best.evaluate(everything).objective
        self.range = max(top - bottom, LEAST_GAP)
        self.tol = tol
        # A little less than the tolerance, so that rounding leaves the gap within it.
        self.slack = 0.9 * tol * self.range
        self.trees: list[SearchTree] = []  # by rising budget
        # The last report: while a node is worked on, its tree proves nothing whole.
        self.told: CertifiedBudget | None = None
        self._spent = 0.0
        self._resumed: float | None = None

    def take(self, budgets: list[float]) -> list[SearchTree]:
        """Return the trees of some budgets, and let the clock run."""
        self._resumed = time.perf_counter()
        there = {one.asked: one for one in self.trees}
        for one in budgets:
            if one not in there:
                share = one / self.tools.problem.unit
                there[one] = SearchTree(self.tools, share, asked=one)
        self.trees = sorted(there.values(), key=lambda one: one.asked)
        return [there[one] for one in budgets]

    def pause(self) -> None:
        """Stop the clock."""
        self._spent = self.seconds
        self._resumed = None

    @property
    def seconds(self) -> float:
        """How long was searched, pauses excluded."""
        if self._resumed is None:
            return self._spent
        return self._spent + time.perf_counter() - self._resumed

    def certified(
        self, trees: list[SearchTree], until: float
    ) -> Iterator[CertifiedBudget]:
        """Yield what is proven of some trees as they are searched."""
        fresh = [one for one in trees if not one.nodes]
        for tree in fresh:  # every budget has a floor before any is searched
            if time.perf_counter() <= until:
                self.tools.best.greedy(tree.budget, _share_of(until, len(fresh)))
            tree.step(self.slack, until)
            yield self.report(tree)
        for tree in fresh:
            self.improve(tree, _share_of(until, len(fresh)))
            yield self.report(tree)
        while time.perf_counter() < until:
            waiting = [one for one in trees if self.has_work(one)]
            if not waiting:
                break
            tree = max(waiting, key=lambda one: one.upper - self.lower(one))
            self.search(tree, until)
            yield self.report(tree)
        for tree in trees:
            yield self.report(tree)

    def lower(self, tree: SearchTree) -> float:
        """Return the best floor of this budget or of any larger one."""
        return self._strongest(tree).lower

    def is_proven(self, tree: SearchTree) -> bool:
        """Return whether the gap is within the tolerance."""
        return self._gap(tree) <= self.tol

    def has_work(self, tree: SearchTree) -> bool:
        """Return whether searching on could close the gap."""
        return not (tree.done or tree.full or self.is_proven(tree))

    def improve(self, tree: SearchTree, until: float) -> None:
        """Exchange components of the best selection while that helps."""
        for _ in range(_EXCHANGES):
            if time.perf_counter() > until or self.is_proven(tree):
                return
            if not self.tools.best.exchange(tree.budget, until):
                return

    def search(self, tree: SearchTree, until: float) -> None:
        """Search one budget for a moment."""
        pause = min(time.perf_counter() + _SLICE, until)
        while self.has_work(tree):
            tree.step(self.slack, until)
            if time.perf_counter() > pause:
                return

    def report(self, tree: SearchTree) -> CertifiedBudget:
        """Return what is proven of a budget now."""
        problem, best = self.tools.problem, self.tools.best.best(tree.budget)
        strongest = self._strongest(tree)
        lower = min(strongest.lower, best.objective)
        leaves = strongest.certificate_leaves()
        claimed = lower if strongest.keeps_proof else min(lower, strongest.root_bound)
        self.told = CertifiedBudget(
            budget=tree.asked,
            lower=lower,
            upper=best.objective,
            features=problem.features(best.bundles),
            gap=self._gap(tree),
            full_gain=self.range,
            proven=self.is_proven(tree),
            nodes=tree.nodes,
            seconds=self.seconds,
            certificate=Certificate(
                strongest.asked, problem.ridge, claimed, problem.without, leaves
            ),
        )
        return self.told

    def _strongest(self, tree: SearchTree) -> SearchTree:
        larger = self.trees[self.trees.index(tree) :]
        return max(larger, key=lambda one: one.lower)

    def _gap(self, tree: SearchTree) -> float:
        gap = tree.upper - min(self.lower(tree), tree.upper)
        return 0.0 if gap <= LEAST_GAP else gap / self.range


def _share_of(until: float, n_budgets: int) -> float:
    """Return until when one budget's selections may be sought before its search."""
    now = time.perf_counter()
    return now + _SOUGHT * max(until - now, 0.0) / n_budgets


# What floors at a few budgets say of every budget between them.


# Budgets are one that are closer than this share of themselves: between a cost and a
# budget just too small for it there is nothing else to buy.
_SAME = 10 * ROUNDING


@dataclass(frozen=True)
class FloorStep:
    """What is known of the least objective at all budgets of an interval.

    Parameters
    ----------
    start, end : float
        Budgets from the one, which is part of it, to just below the other.
    lower : float
        No selection within any of these budgets has a lower objective.
    upper : float
        A selection that the least of these budgets pays for has this objective.
    closed : bool
        Whether the two are within the tolerance of each other.
    """

    start: float
    end: float
    lower: float
    upper: float
    closed: bool


def floor_steps(
    certified: Iterable[CertifiedBudget],
    hypergraph: FeatureHypergraph,
    *,
    tol: float = 0.01,
    known: Iterable[tuple[float, float]] = (),
    floors: Iterable[tuple[float, float]] = (),
) -> tuple[FloorStep, ...]:
    """Return the proven floor as a staircase over all budgets.

    A floor holds at every smaller budget too; a selection can be bought at every larger
    one. Between two budgets that are closed the least objective may still be unknown:
    such a step is open.

    Parameters
    ----------
    certified : iterable of CertifiedBudget
        Of one table, hypergraph, ridge and exclusion; the last of each budget counts.
    hypergraph : FeatureHypergraph
        What selections cost.
    tol : float, default=0.01
        Gap at which a step is closed, as a share of what all features bring.
    known : iterable of (cost, objective), optional
        Further selections, such as those that methods chose.
    floors : iterable of (budget, lower), optional
        Further floors of the same, such as those that another search proved.

    Returns
    -------
    tuple of FloorStep
        From the least budget to the largest; nothing without a budget.
    """
    last = {one.budget: one for one in certified}
    if not last:
        return ()
    proven = [*((one.budget, one.lower) for one in last.values()), *floors]
    budgets, bounds = np.array(sorted(proven), dtype=float).T
    bought = [(hypergraph.cost(one.features), one.upper) for one in last.values()]
    costs, objectives = np.array([*bought, *known], dtype=float).T
    room = tol * next(iter(last.values())).full_gain
    ends = np.unique(np.clip([*budgets, *costs], budgets[0], budgets[-1]))
    # Of those that are one, the last: what has this cost can be bought from there on.
    ends = ends[np.append(np.diff(ends) > _SAME * ends[1:], True)]
    steps: list[FloorStep] = []
    for start, end in pairwise(ends.tolist()):
        lower = float(bounds[budgets >= end * (1.0 - _SAME)].max())
        paid = costs <= room_of(start)
        upper = max(float(objectives[paid].min(initial=np.inf)), lower)
        steps.append(FloorStep(start, end, lower, upper, upper - lower <= room))
    return tuple(_joined(steps))


def _joined(steps: list[FloorStep]) -> Iterator[FloorStep]:
    """Yield steps of which no two neighbours say the same."""
    for _, alike in groupby(steps, key=lambda step: (step.lower, step.upper)):
        first, *others = alike
        yield replace(first, end=others[-1].end) if others else first
