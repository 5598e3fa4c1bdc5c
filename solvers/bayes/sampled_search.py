"""A search for sets of features by samples: add the best, then drop and exchange.

Nothing is proved about sets that it does not look at.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .branching import Incumbent, SearchStep, State
from .cuts import TOLERANCE
from .pricing import SharedCosts
from .sampled import SampledDecisions

__all__ = ["sampled_search"]

Set = tuple[int, ...]


def sampled_search(
    samples: SampledDecisions, prices: SharedCosts
) -> Iterator[SearchStep]:
    """Search for a good affordable set of features by samples, step by step.

    One for each better set, and a last one that is "finished". The bound is 1: nothing
    is proved.
    """
    return _Climb(samples, prices).run()


class _Climb:
    """One run: the best set so far, and the score of every set that was looked at."""

    def __init__(self, samples: SampledDecisions, prices: SharedCosts) -> None:
        self.samples = samples
        self.prices = prices
        self.scores: dict[Set, float] = {}
        self.best = Incumbent((), self._score(()), prices.cost(()), 0)

    def run(self) -> Iterator[SearchStep]:
        yield self._step("expanded")
        while (better := self._better()) is not None:
            before = self.best
            cost = self.prices.cost(better)
            self.best = Incumbent(better, self._score(better), cost, before.node + 1)
            yield self._step("improved", before)
        yield self._step("finished")

    def _better(self) -> Set | None:
        added = self._addition()
        return self._exchange() if added is None else added

    def _addition(self) -> Set | None:
        """Return the set with the feature of most gain for each unit of cost."""
        grown = [*self.prices.grown(self.best.chosen)]
        gains = np.array([self._score(chosen) - self.best.score for chosen in grown])
        if not grown or gains.max() <= TOLERANCE:
            return None
        # By marginal cost: what it shares with the set is paid already.
        costlier = [self.prices.cost(chosen) - self.best.cost for chosen in grown]
        free = np.sqrt(np.finfo(float).tiny)
        return grown[int(np.argmax(np.maximum(gains, 0) / np.maximum(costlier, free)))]

    def _exchange(self) -> Set | None:
        """Return a better set with one feature less or replaced, if there is one."""
        for gone in self.best.chosen:
            rest = tuple(j for j in self.best.chosen if j != gone)
            # A feature that no longer helps, now that others are there, is given back.
            if self._score(rest) >= self.best.score - TOLERANCE:
                return rest
            changed = self.prices.exchanged(self.best.chosen, gone)
            better = max(changed, key=self._score, default=rest)
            if self._score(better) > self.best.score + TOLERANCE:
                return better
        return None

    def _score(self, chosen: Set) -> float:
        if chosen not in self.scores:
            self.scores[chosen] = self.samples.achievable(chosen)[0]
        return self.scores[chosen]

    def _step(self, state: State, before: Incumbent | None = None) -> SearchStep:
        best = self.best
        came = sorted(set(best.chosen) - set(before.chosen)) if before else []
        gone = sorted(set(before.chosen) - set(best.chosen)) if before else []
        return SearchStep(
            node=best.node,
            parent=before.node if before else None,
            decision="included" if came else "excluded" if gone else "root",
            feature=next(iter((*came, *gone)), None),
            state=state,
            included=best.chosen,
            cost=best.cost,
            score=best.score,
            bound=1.0,
            best=best,
            upper=1.0,
            evaluations=len(self.scores),
        )
