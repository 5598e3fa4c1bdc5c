"""All selections that are nearly as good: the walk, the list, what they share."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_count, check_number, eager
from ..costs.budgets import room_of
from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from ..numerics.arrays import Floats, Mask
from ..numerics.threads import in_one_thread, one_thread
from .frontier import LEAST_GAP
from .problem import SelectionProblem, checked_known, make_problem
from .tree import Node, SearchTree, Tools, bounded, children

# What is nearly as good as the best: the list, and what its selections share.


@dataclass(frozen=True, eq=False)
class NearOptimal:
    """Selections of components whose objective is within a tolerance of the best.

    A selection is a set of components of which each is needed by a feature that the
    set pays for, together with all features that it pays for. Components that cost
    nothing are bought by none of them; components that the same features need are
    bought together.

    Parameters
    ----------
    selections : ndarray of bool, shape (n_selections, n_components)
        Best first.
    objectives : ndarray of float, shape (n_selections,)
        Objective of the best model of each.
    costs : ndarray of float, shape (n_selections,)
        What each costs, in the unit of the hypergraph.
    best : float
        The least objective found within the budget; the least there is where
        ``complete``.
    lower : float
        No selection within the budget has a lower objective; ``best`` where
        ``complete``.
    threshold : float
        Selections up to this objective are listed.
    complete : bool
        Whether these are all; otherwise there are at least so many below the
        threshold, which may lie too high for the best that there is.
    nodes : int
        Nodes of the search.
    seconds : float
        How long it took.
    """

    selections: Mask
    objectives: Floats
    costs: Floats
    best: float
    lower: float
    threshold: float
    complete: bool
    nodes: int
    seconds: float

    @property
    def count(self) -> int:
        """How many are listed: all where ``complete``, else at least so many."""
        return len(self.selections)

    @property
    def count_sure(self) -> int:
        """How many are within the tolerance of the best there is, found or not."""
        sure = self.threshold - (self.best - self.lower)
        return int((self.objectives <= sure).sum())

    @property
    def in_all(self) -> Mask:
        """Components that every listed selection buys, (n_components,)."""
        return np.asarray(self.selections.all(axis=0))

    @property
    def in_none(self) -> Mask:
        """Components that no listed selection buys, (n_components,)."""
        return np.asarray(~self.selections.any(axis=0))

    def exchanges(self) -> dict[tuple[tuple[int, ...], tuple[int, ...]], int]:
        """Return what stands for what: components given up for others, and how often.

        Returns
        -------
        dict
            From (given up, taken instead) to the number of pairs of selections that
            differ by just that, for one component or one bundle of them on each side;
            the lower components are the first of the two.
        """
        kinds, which = np.unique(self.selections, axis=1, return_inverse=True)
        which = which.ravel()
        groups = [
            tuple(np.flatnonzero(which == k).tolist()) for k in range(kinds.shape[1])
        ]
        rows = {kinds[i].tobytes(): i for i in range(len(kinds))}
        found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
        for row in kinds:
            for given in np.flatnonzero(row):
                for taken in np.flatnonzero(~row):
                    other = row.copy()
                    other[[given, taken]] = False, True
                    if groups[given] < groups[taken] and other.tobytes() in rows:
                        found[groups[given], groups[taken]] += 1
        return dict(found.most_common())


# All selections that are nearly as good: a walk, resumable between two nodes.


# Objectives are exact to this; a selection at the tolerance itself is within it.
_EXACT = 1e-8
_ABOVE = 1e-10
_SLICE = 0.2  # seconds of search from one snapshot to the next
_WAIT = 0.05  # seconds until one asks again whether another stream has ended
# Of the time, for the best selection before the others: it sets the threshold.
_FOR_THE_BEST = 0.5


def near_optimal(
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    *,
    ridge: float,
    budget: float,
    within: float = 0.01,
    seconds: float = 60.0,
    limit: int = 10_000,
    without: Selection | None = None,
    sample_weight: ArrayLike | None = None,
) -> NearOptimal:
    """List every selection of components that is nearly as good as the best.

    Parameters
    ----------
    X : array_like of float, shape (n_rows, n_features)
        The table; the columns of a frame are taken by name.
    y : array_like, shape (n_rows,)
        Labels of two classes.
    hypergraph : FeatureHypergraph
        What features need and what that costs.
    ridge : float
        Weight of the ridge, as in `certified_frontier`.
    budget : float
        What a selection may cost.
    within : float, default=0.01
        How far above the best objective, as a share of what all features bring.
    seconds : float, default=60
        When to stop, complete or not.
    limit : int, default=10000
        How many to list at most.
    without : selection of components, optional
        Components that must not be bought.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts, as in `certified_frontier`.

    Returns
    -------
    NearOptimal

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense.
    """
    search = NearOptimalSearch(
        X,
        y,
        hypergraph,
        ridge=ridge,
        budget=budget,
        within=within,
        without=without,
        sample_weight=sample_weight,
    )
    *_, last = search.stream(seconds=seconds, limit=limit)
    return last


class NearOptimalSearch:
    """A list of what is nearly as good that grows on where it stopped.

    One stream at a time: another one waits, and says what is known meanwhile.

    Parameters
    ----------
    X, y, hypergraph, ridge, budget, within, without, sample_weight
        As of `near_optimal`.

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense.
    """

    @one_thread()
    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        hypergraph: FeatureHypergraph,
        *,
        ridge: float,
        budget: float,
        within: float = 0.01,
        without: Selection | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        problem = make_problem(X, y, hypergraph, ridge, without, sample_weight)
        check_number("budget", budget, 0.0)
        check_number("within", within, 0.0)
        self._walk = _Walk(problem, budget / problem.unit, within)
        self._busy = threading.Lock()
        self._told: NearOptimal | None = None

    @eager
    @in_one_thread
    def stream(
        self,
        *,
        seconds: float = 60.0,
        limit: int = 10_000,
        known: Iterable[Selection] = (),
    ) -> Iterator[NearOptimal | None]:
        """Return what is found so far, now and then, for so many seconds more.

        Parameters
        ----------
        seconds : float, default=60
            How much longer to search.
        limit : int, default=10000
            How many to list at most, those of former streams included.
        known : iterable of selections, optional
            Selections of features to begin with.

        Returns
        -------
        iterator of NearOptimal
            Nodes and seconds count from the first stream.

        Raises
        ------
        ThriftscopeError
            If seconds, limit or selections make no sense.
        """
        check_number("seconds", seconds, 0.0)
        check_count("limit", limit, 1)
        masks = checked_known(known, self._walk.problem.hypergraph)
        yield None  # checked
        while not self._busy.acquire(timeout=_WAIT):
            if self._told is not None:
                yield self._told
        walk, began = self._walk, time.perf_counter()
        spent = walk.seconds
        try:
            for mask in masks:
                walk.take(mask)
            told = began
            for now in walk.steps(began + seconds, limit):
                walk.seconds = spent + now - began
                if now - told > _SLICE:
                    self._told = walk.result(limit)
                    yield self._told
                    told = now
            walk.seconds = spent + time.perf_counter() - began
            self._told = walk.result(limit)
            yield self._told
        finally:
            self._busy.release()


class _Walk:
    """Depth first; what is proven to lie above the threshold is dropped.

    The threshold only falls, so what was dropped before it fell stays dropped.
    """

    def __init__(self, problem: SelectionProblem, budget: float, within: float) -> None:
        self.problem, self.budget = problem, budget
        self.nodes, self.seconds = 0, 0.0
        self._found: dict[bytes, tuple[Mask, float]] = {}
        self._tools = Tools.of(problem)
        top = self._best
        everything = np.ones(problem.n_bundles, dtype=bool)
        bottom = self._tools.best.evaluate(everything).objective
        self._room = within * max(top - bottom, LEAST_GAP) + _EXACT
        self._tree: SearchTree | None = None
        self._waiting = [Node.of_all(problem)]

    def take(self, features: Mask) -> None:
        """Weigh a selection that somebody else found."""
        self._tools.best.evaluate(self.problem.bundles_within(features))

    def steps(self, until: float, limit: int) -> Iterator[float]:
        """Search on, and yield the time after each node.

        The best comes first: a low threshold keeps the walk short. Where it takes too
        long the walk begins with the best that is known.
        """
        began = time.perf_counter()
        half = began + _FOR_THE_BEST * (until - began)
        if self._tree is None:
            self._tools.best.greedy(self.budget, half)
            self._tools.best.exchange(self.budget, half)
            self._tree = SearchTree(self._tools, self.budget)
        tree, slack = self._tree, max(self._room / 2, _EXACT)
        while not tree.done and not tree.full and time.perf_counter() < half:
            tree.step(slack, half)
            yield time.perf_counter()
        while self._waiting and time.perf_counter() < until:
            if len(self._found) >= limit:
                return
            self._waiting.extend(self._expand(self._waiting.pop(), until))
            yield time.perf_counter()

    def result(self, limit: int) -> NearOptimal:
        """Return what was found, best first."""
        self._gather()
        kept = sorted(self._found.values(), key=lambda one: one[1])[:limit]
        hypergraph = self.problem.hypergraph
        table = np.zeros((len(kept), hypergraph.n_components), dtype=bool)
        for row, (bought, _) in zip(table, kept, strict=True):
            for component in np.flatnonzero(bought):
                row[self.problem.members[component]] = True
        complete = not self._waiting and len(self._found) <= limit
        lower = self._best if not self._waiting else self._proven()
        return NearOptimal(
            selections=table,
            objectives=np.array([value for _, value in kept]),
            costs=table @ hypergraph.component_costs,
            best=self._best,
            lower=lower,
            threshold=self._threshold(),
            complete=complete,
            nodes=self.nodes,
            seconds=self.seconds,
        )

    @property
    def _best(self) -> float:
        return self._tools.best.best(self.budget).objective

    def _proven(self) -> float:
        return 0.0 if self._tree is None else min(self._tree.lower, self._best)

    def _threshold(self) -> float:
        return self._best + self._room

    def _goal(self) -> float:
        """Return a bound that is above the threshold."""
        return self._threshold() + _ABOVE

    def _gather(self) -> None:
        """Take what the search for the best met, and leave what is above by now."""
        threshold, room = self._threshold(), room_of(self.budget)
        for one in self._tools.best.known.values():
            if one.objective <= threshold and one.cost <= room:
                self._keep(self.problem.used(one.bundles), one.objective)
        found = self._found.items()
        self._found = {key: one for key, one in found if one[1] <= threshold}

    def _keep(self, bought: Mask, objective: float) -> None:
        self._found[bought.tobytes()] = bought, objective

    def _expand(self, node: Node, until: float) -> Iterator[Node]:
        problem = self.problem
        inside, outside = node.masks(problem.n_components)
        live = problem.live(inside, outside, self.budget)
        used = problem.used(live)
        # A component that is bought for nothing makes no selection of its own.
        if not problem.allows(inside, self.budget) or (inside & ~used).any():
            return
        self.nodes += 1
        if not (used & ~inside).any():
            known = self._tools.best.known.get(live.tobytes())
            objective = (known or self._tools.best.evaluate(live)).objective
            self._keep(inside, objective)
            return
        found = bounded(self._tools, node, self.budget, self._goal, until, whole=True)
        if found is None or node.bound > self._threshold():
            return
        yield from children(node, found)
