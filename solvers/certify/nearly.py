"""All selections of components that are nearly as good as the best."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import KnobError
from ..hypergraph import FeatureHypergraph
from ..selection import Selection
from .frontier import LEAST_GAP
from .problem import SelectionProblem, checked_number, make_problem
from .tree import Node, SearchTree, Tools, bounded, children

__all__ = ["NearOptimal", "near_optimal", "near_optimal_stream"]

# Objectives are exact to this; a selection at the tolerance itself is within it.
_EXACT = 1e-8
_SLICE = 0.2  # seconds of search from one snapshot to the next


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

    selections: NDArray[np.bool_]
    objectives: NDArray[np.float64]
    costs: NDArray[np.float64]
    best: float
    threshold: float
    complete: bool
    nodes: int
    seconds: float

    @property
    def count(self) -> int:
        """How many are listed: all where ``complete``, else at least so many."""
        return len(self.selections)

    @property
    def in_all(self) -> NDArray[np.bool_]:
        """Components that every listed selection buys, (n_components,)."""
        return np.asarray(self.selections.all(axis=0))

    @property
    def in_none(self) -> NDArray[np.bool_]:
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
        The table.
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
    *_, last = near_optimal_stream(
        X,
        y,
        hypergraph,
        ridge=ridge,
        budget=budget,
        within=within,
        seconds=seconds,
        limit=limit,
        without=without,
        sample_weight=sample_weight,
    )
    return last


def near_optimal_stream(
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
) -> Iterator[NearOptimal]:
    """Return the search of `near_optimal` step by step, to be watched or stopped.

    Parameters
    ----------
    X, y, hypergraph, ridge, budget, within, seconds, limit, without, sample_weight
        As of `near_optimal`.

    Returns
    -------
    iterator of NearOptimal
        What is found so far, now and then; the last is what `near_optimal` returns.

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense.
    """
    problem = make_problem(X, y, hypergraph, ridge, without, sample_weight)
    checked_number(budget, "budget", least=0.0)
    checked_number(within, "within", least=0.0)
    checked_number(seconds, "seconds", least=0.0)
    if limit < 1:
        raise KnobError(f"limit is {limit}; give a number from 1 up.")
    return _Listing(problem, budget / problem.unit, within, limit, seconds).stream()


@dataclass(eq=False)
class _Listing:
    """A depth-first walk that drops what is proven to lie above the threshold."""

    problem: SelectionProblem
    budget: float
    within: float
    limit: int
    seconds: float
    nodes: int = 0
    complete: bool = False
    found: dict[bytes, tuple[NDArray[np.bool_], float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.began = time.perf_counter()
        self.until = self.began + self.seconds
        self.tools = Tools.of(self.problem)
        top = self._best()
        everything = np.ones(self.problem.n_bundles, dtype=bool)
        bottom = self.tools.best.evaluate(everything).objective
        self.room = self.within * max(top - bottom, LEAST_GAP) + _EXACT

    def stream(self) -> Iterator[NearOptimal]:
        """Yield what is found every so often, and at the end."""
        told = time.perf_counter()
        for _ in self._walk():
            if time.perf_counter() - told > _SLICE:
                yield self.result()
                told = time.perf_counter()
        yield self.result()

    def _walk(self) -> Iterator[None]:
        """Find the best first: a low threshold keeps the walk short."""
        nothing = np.zeros(self.problem.n_components, dtype=bool)
        self.tools.best.greedy(nothing, self.budget)
        self.tools.best.exchange(self.budget)
        tree = SearchTree(self.tools, self.budget)
        while not tree.done and not tree.full and time.perf_counter() < self.until:
            tree.step(max(self.room / 2, _EXACT), self.until)
            yield
        waiting = [Node(0.0)]
        while waiting:
            if time.perf_counter() > self.until or len(self.found) >= self.limit:
                return
            waiting.extend(self._expand(waiting.pop()))
            yield
        self.complete = True

    def result(self) -> NearOptimal:
        """Return what was found, best first."""
        threshold = self._threshold()
        kept = sorted(
            (one for one in self.found.values() if one[1] <= threshold),
            key=lambda one: one[1],
        )
        hypergraph = self.problem.hypergraph
        table = np.zeros((len(kept), hypergraph.n_components), dtype=bool)
        for row, (bought, _) in zip(table, kept, strict=True):
            for component in np.flatnonzero(bought):
                row[self.problem.members[component]] = True
        return NearOptimal(
            selections=table,
            objectives=np.array([value for _, value in kept]),
            costs=table @ hypergraph.component_costs,
            best=self._best(),
            threshold=threshold,
            complete=self.complete,
            nodes=self.nodes,
            seconds=time.perf_counter() - self.began,
        )

    def _best(self) -> float:
        return self.tools.best.best(self.budget).objective

    def _threshold(self) -> float:
        return self._best() + self.room

    def _expand(self, node: Node) -> Iterator[Node]:
        problem = self.problem
        inside, outside = node.masks(problem.n_components)
        live = problem.live(inside, outside, self.budget)
        used = problem.used(live)
        # A component that is bought for nothing makes no selection of its own.
        if not problem.allows(inside, self.budget) or (inside & ~used).any():
            return
        self.nodes += 1
        undecided = used & ~inside
        if not undecided.any():
            self._keep(inside, live)
            return
        found = bounded(
            self.tools, node, self.budget, self._threshold, self.until, whole=True
        )
        if found is None or node.bound > self._threshold():
            return
        yield from children(problem, node, found, self.budget)

    def _keep(self, inside: NDArray[np.bool_], live: NDArray[np.bool_]) -> None:
        known = self.tools.best.known.get(live.tobytes())
        if known is None:
            self.tools.best.evaluate(live)
            known = self.tools.best.known[live.tobytes()]
        if known.objective <= self._threshold():
            self.found[inside.tobytes()] = inside, known.objective
