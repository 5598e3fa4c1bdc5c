"""Good selections within a budget: greedy, rounded, and improved by exchanges."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from ..costs.budgets import room_of
from ..numerics.arrays import Floats, Mask
from .oracle import Cut, Oracle
from .pool import CutPool
from .problem import SelectionProblem

_MOST_KNOWN = 20_000
# A selection is better where its objective is lower by more than rounding.
_LEAST_BETTER = 1e-9
# Cheaper counts as this, so that a gain for its price is a number.
_LEAST_PRICE = 1e-100
# Bundles whose joint purchase is looked at; above that each stands for itself.
_MOST_JOINT = 400
# Of more bundles than this, more than one is bought between two fits.
_FITTED_APART = 200
_COST = attrgetter("cost")


@dataclass(frozen=True, eq=False)
class Selected:
    """Bundles, their price, and the objective of their best model."""

    bundles: Mask
    cost: float
    objective: float


class Incumbents:
    """The best selection known at each budget; every one evaluated is a cut too."""

    def __init__(
        self, problem: SelectionProblem, oracle: Oracle, pool: CutPool
    ) -> None:
        self.problem = problem
        self.known: dict[bytes, Selected] = {}
        # Those that no cheaper one is as good as, by rising cost.
        self._stairs: list[Selected] = []
        self._oracle = oracle
        self._pool = pool

    def best(self, budget: float) -> Selected:
        """Return the best known selection that a budget pays for."""
        place = bisect_right(self._stairs, room_of(budget), key=_COST)
        return self._stairs[place - 1]

    def undominated(self) -> list[Selected]:
        """Return the selections that no cheaper one is as good as, by rising cost."""
        return list(self._stairs)

    def evaluate(self, bundles: Mask) -> Cut:
        """Fit some bundles exactly, and keep the cut and the selection."""
        answer = self._oracle(bundles.astype(float))
        self._pool.add(answer, self.problem.ridge)
        cost = self.problem.cost(self.problem.used(bundles))
        if len(self.known) >= _MOST_KNOWN:
            self._forget()
        found = Selected(bundles.copy(), cost, answer.objective)
        self.known[bundles.tobytes()] = found
        self._climb(found)
        return answer

    def offer(self, bundles: Mask, budget: float) -> None:
        """Fit some bundles unless they are known or their cuts rule them out."""
        if bundles.tobytes() in self.known:
            return
        said = self._pool.value_at(bundles.astype(float), self.problem.ridge)
        if said < self.best(budget).objective:
            self.evaluate(bundles)

    def greedy(self, budget: float, until: float = np.inf) -> Mask:
        """Buy what brings most for its price until nothing fits; return components.

        Of many bundles some are bought before the model is fitted again.
        """
        bought = np.zeros(self.problem.n_components, dtype=bool)
        at_once = 1 + self.problem.n_bundles // _FITTED_APART
        while True:
            bundles = self.problem.available(bought)
            gains = self._oracle.promise(self.evaluate(bundles))
            before = bought.sum()
            for _ in range(at_once):
                chosen = self._next(bought, bundles, gains, budget)
                if chosen is None:
                    break
                bought |= self.problem.needs[chosen]
                bundles = self.problem.available(bought)
            if time.perf_counter() > until or bought.sum() == before:
                return bought

    def rounded(self, shares: Floats, inside: Mask, budget: float) -> None:
        """Buy bundles by their share in the relaxation, and fit what results."""
        problem = self.problem
        bought = inside.copy()
        room = room_of(budget)
        for bundle in np.argsort(-shares, kind="stable"):
            if shares[bundle] <= 0.0:
                break
            grown = bought | problem.needs[bundle]
            if problem.cost(grown) <= room:
                bought = grown
        self.offer(problem.available(bought), budget)

    def exchange(self, budget: float, until: float = np.inf) -> bool:
        """Sell each component in turn and buy again; True where that helped."""
        problem = self.problem
        best = self.best(budget)
        bought = problem.used(best.bundles)
        for sold in np.flatnonzero(bought):
            if time.perf_counter() > until:
                break
            kept = bought.copy()
            kept[sold] = False
            bundles = problem.available(kept)
            if not bundles.any() and bundles.tobytes() in self.known:
                continue
            gains = self._oracle.promise(self.evaluate(bundles))
            # What was just sold is not bought back.
            gains = np.where(problem.needs[:, sold], 0.0, gains)
            kept = problem.used(bundles)
            while True:
                open_ = problem.available(kept)
                chosen = self._next(kept, open_, gains, budget)
                if chosen is None:
                    break
                kept |= problem.needs[chosen]
            self.offer(problem.available(kept), budget)
        return self.best(budget).objective < best.objective - _LEAST_BETTER

    def _next(
        self, bought: Mask, bundles: Mask, gains: Floats, budget: float
    ) -> int | None:
        """Return the bundle whose purchase brings most for its price, with company."""
        problem = self.problem
        missing = problem.needs & ~bought
        price = missing @ problem.prices
        room = room_of(budget) - problem.cost(bought)
        fits = ~bundles & (price <= room) & (gains > 0.0)
        if not fits.any():
            return None
        brought = gains
        if problem.n_bundles <= _MOST_JOINT:
            # extra[b, c]: how many components c misses once b is bought.
            extra = missing.astype(np.float32) @ (~problem.needs).astype(np.float32).T
            brought = ((extra == 0) & ~bundles[:, None]).T @ gains
        worth = np.where(fits, brought / np.maximum(price, _LEAST_PRICE), -1.0)
        return int(np.argmax(worth))

    def _climb(self, found: Selected) -> None:
        """Take a selection among the undominated ones if it is one."""
        place = bisect_right(self._stairs, found.cost, key=_COST)
        if place and self._stairs[place - 1].objective <= found.objective:
            return
        last = first = bisect_left(self._stairs, found.cost, key=_COST)
        # Costlier ones that are no better stand on no step any more.
        while last < len(self._stairs) and (
            self._stairs[last].objective >= found.objective
        ):
            last += 1
        self._stairs[first:last] = [found]

    def _forget(self) -> None:
        """Keep the undominated ones of what is known."""
        self.known = {one.bundles.tobytes(): one for one in self._stairs}
