"""The linear relaxation: all cuts so far, shares of components, one budget."""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from .oracle import Cut
from .problem import SLACK, SelectionProblem

__all__ = ["Relaxation", "Relaxed"]

_MOST_BYTES = 1 << 27
_MOST_CUTS = 1500
# What rounding in sums of a few thousand numbers of order one can hide.
ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class Relaxed:
    """A point of the relaxation, and a bound that its multipliers prove."""

    shares: NDArray[np.float64]  # (n_bundles,)
    bought: NDArray[np.float64]  # (n_components,)
    bound: float  # holds for all selections of the node
    weights: NDArray[np.float64]  # of the cuts, adding up to 1 at most
    multiplier: float  # of the budget, at least 0


class Relaxation:
    """A warm linear program over the pool of cuts, shared by nodes and budgets.

    minimise eta over eta >= 0 and shares z, u in [0, 1]:
    eta >= E_k - q_k z for each cut k, z_b <= u_i where bundle b needs component i,
    prices u <= budget.
    """

    def __init__(self, problem: SelectionProblem) -> None:
        self.problem = problem
        rows = _MOST_BYTES // (8 * (len(problem.signs) + problem.n_bundles))
        self._most = int(np.clip(rows, 20, _MOST_CUTS))
        self._cuts: list[Cut] = []
        self._age: list[int] = []
        self._links = np.argwhere(problem.needs)
        self._build()

    def add(self, answer: Cut) -> None:
        """Take a cut into the pool; the half that lay idle longest makes room."""
        if len(self._cuts) >= self._most:
            keep = np.sort(np.argsort(self._age, kind="stable")[: self._most // 2])
            self._cuts = [self._cuts[k] for k in keep]
            self._age = [self._age[k] for k in keep]
            self._cuts.append(answer)
            self._age.append(0)
            self._build()
            return
        self._cuts.append(answer)
        self._age.append(0)
        self._add_row(answer)
        self._stack()

    def vector(self, relaxed: Relaxed) -> NDArray[np.float64]:
        """Return the averaged cut's vector: with it, one minimum cut proves the bound.

        What the weights lack of 1 goes to a = 0, which is a cut too.
        """
        active = np.flatnonzero(relaxed.weights)
        total = np.zeros(len(self.problem.signs))
        for k in active:
            total += relaxed.weights[k] * self._cuts[k].vector
        return total

    def value_at(self, shares: NDArray[np.float64]) -> float:
        """Return what the cuts so far say of some bundles: never above the truth."""
        return float(np.max(self._entropies - self._gains @ shares, initial=0.0))

    def solve(
        self, inside: NDArray[np.bool_], live: NDArray[np.bool_], budget: float
    ) -> Relaxed:
        """Solve with some components bought and only some bundles open."""
        problem, n = self.problem, self.problem.n_bundles
        budget = budget + SLACK
        open_ = problem.used(live) | inside
        top = np.concatenate([live, open_]).astype(float)
        low = np.concatenate([np.zeros(n), inside]).astype(float)
        solver, size = self._solver, len(top)
        solver.changeColsBounds(size, np.arange(1, size + 1), low, top)
        solver.changeRowBounds(0, -highspy.kHighsInf, budget)
        solver.run()
        solution = solver.getSolution()
        point = np.array(solution.col_value, dtype=float)
        duals = np.array(solution.row_dual, dtype=float)
        if not solution.dual_valid or not np.isfinite(duals).all():
            solver.clearSolver()
            duals = np.zeros(1 + len(self._links) + len(self._cuts))
        return self._proved(np.clip(point[1:], low, top), duals, (low, top), budget)

    def _proved(
        self,
        point: NDArray,
        duals: NDArray,
        box: tuple[NDArray, NDArray],
        budget: float,
    ) -> Relaxed:
        """Return the bound of weak duality: it holds for any multipliers >= 0."""
        problem, n = self.problem, self.problem.n_bundles
        low, top = box
        multiplier = max(-float(duals[0]), 0.0)
        links = np.maximum(-duals[1 : 1 + len(self._links)], 0.0)
        weights = np.maximum(duals[1 + len(self._links) :], 0.0)
        weights[weights < 1e-12] = 0.0
        weights /= max(float(weights.sum()), 1.0)
        self._age = [
            0 if weight else age + 1
            for weight, age in zip(weights, self._age, strict=True)
        ]
        bundle, component = self._links.T
        of_shares = np.bincount(bundle, links, minlength=n) - weights @ self._gains
        of_bought = multiplier * problem.prices - np.bincount(
            component, links, minlength=problem.n_components
        )
        slopes = np.concatenate([of_shares, of_bought])
        bound = float(weights @ self._entropies) - multiplier * budget
        bound += float(np.minimum(slopes * low, slopes * top).sum())
        return Relaxed(point[:n], point[n:], bound - ROUNDING, weights, multiplier)

    def _build(self) -> None:
        problem, n = self.problem, self.problem.n_bundles
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("solver", "simplex")
        solver.addVar(0.0, highspy.kHighsInf)
        solver.changeColCost(0, 1.0)
        for _ in range(n + problem.n_components):
            solver.addVar(0.0, 1.0)
        components = np.arange(problem.n_components) + 1 + n
        free = -highspy.kHighsInf
        solver.addRow(free, 0.0, len(components), components, problem.prices)
        for bundle, component in self._links:
            pair = np.array([1 + bundle, 1 + n + component])
            solver.addRow(free, 0.0, 2, pair, np.array([1.0, -1.0]))
        self._solver = solver
        for cut in self._cuts:
            self._add_row(cut)
        self._stack()

    def _add_row(self, cut: Cut) -> None:
        used = np.flatnonzero(cut.gains)
        index = np.concatenate([[0], 1 + used])
        values = np.concatenate([[1.0], cut.gains[used]])
        self._solver.addRow(cut.entropy, highspy.kHighsInf, len(index), index, values)

    def _stack(self) -> None:
        shape = (len(self._cuts), self.problem.n_bundles)
        self._gains = np.array([cut.gains for cut in self._cuts]).reshape(shape)
        self._entropies = np.array([cut.entropy for cut in self._cuts], dtype=float)
