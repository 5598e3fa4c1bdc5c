"""Bounds of naive Bayes from grids that are refined only where it matters.

Most bounds of a search are far from the best score: a coarse grid settles them. What
it leaves open is asked of finer ones, and at last of halves, which are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from .branching import SearchStep, branch_and_bound
from .criteria import AchievableAgreement
from .cuts import TOLERANCE
from .frames import Frame, Frames
from .grids import LogOddsGrid, Spectrum
from .halves import HalvesDecisions
from .pricing import SharedCosts

__all__ = ["BracketedFrames", "bracketed_search"]

LEVELS = (2**11, 2**13, 2**16)
# Up to here halves answer in milliseconds, and what is within `NEAR` of the best is
# asked of them; above, nobody is told apart who is.
EXACT_STATES = 2**36
NEAR = 9e-5

Set = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BracketedFrame(Frame):
    """A set of features without a table, between two numbers."""

    gone: Set = ()  # All other features, in the order in which they went
    low: float = 0.0  # The set scores at least this
    level: int = 0  # How many grids were asked


@dataclass
class BracketedFrames(Frames):
    """Makes frames of naive Bayes with brackets; ``criterion`` decides by halves."""

    order: Set = ()
    _grids: dict[int, LogOddsGrid] = field(default_factory=dict, init=False, repr=False)

    def of(self, chosen: Iterable[int], near: Iterable[int] = ()) -> Frame:
        chosen = tuple(chosen)
        everything = range(len(self.criterion.masses.features))
        gone = tuple(j for j in everything if j not in set(chosen))
        return self._refined(BracketedFrame(chosen, None, 1.0, gone))

    def without(self, frame: Frame, dropped: Iterable[int]) -> Frame:
        lost = tuple(dropped)
        left = tuple(j for j in frame.chosen if j not in lost)
        gone = (*cast("BracketedFrame", frame).gone, *lost)
        return self._refined(BracketedFrame(left, None, frame.bound, gone))

    def settled(self, frame: Frame, above: float) -> Frame:
        frame = cast("BracketedFrame", frame)
        while frame.low <= above < frame.bound and frame.level < len(LEVELS):
            frame = self._refined(frame)
        if frame.low <= above < frame.bound and not self.tolerance:
            exact = self._exactly(frame.chosen)
            return replace(frame, low=exact, bound=exact)
        return frame

    def attained(self, frame: Frame, above: float) -> float | None:
        return None if frame.bound <= above else self._exactly(frame.chosen)

    def may_reach(self, chosen: Set, score: float) -> bool:
        return self.settled(self.of(chosen), score).bound >= score

    def estimate(self, chosen: Set) -> float:
        """Return about what a set scores."""
        frame = cast("BracketedFrame", self.of(chosen))
        return (frame.low + frame.bound) / 2

    def score_of(self, chosen: Iterable[int]) -> float:
        return self._exactly(tuple(chosen))

    def _exactly(self, chosen: Set) -> float:
        self.evaluations += 1
        return self.criterion.bound_of(chosen)

    def _refined(self, frame: BracketedFrame) -> BracketedFrame:
        """Return the frame as the next finer grid sees it."""
        self.evaluations += 1
        grid = self._grid(LEVELS[frame.level])
        own = self._product(grid, frame.chosen)
        # Every grid's bracket holds: the narrowest is what they have in common.
        low, high = grid.bracket(own, grid.product(frame.gone))
        return replace(
            frame,
            low=max(low, frame.low),
            bound=min(high, frame.bound),
            level=frame.level + 1,
        )

    def _product(self, grid: LogOddsGrid, chosen: Set) -> Spectrum:
        """Return the product of spectra; what ends as the order does is shared."""
        split = len(chosen)
        for mine, last in zip(reversed(chosen), reversed(self.order), strict=False):
            if mine != last:
                break
            split -= 1
        return grid.product(chosen[:split]) * grid.product(chosen[split:][::-1])

    def _grid(self, n_cells: int) -> LogOddsGrid:
        if n_cells not in self._grids:
            criterion = cast("AchievableAgreement", self.criterion)
            decisions = cast("HalvesDecisions", criterion.decisions)
            self._grids[n_cells] = LogOddsGrid(decisions.masses, decisions.cut, n_cells)
        return self._grids[n_cells]


def bracketed_search(
    decisions: HalvesDecisions,
    prices: SharedCosts,
    order: Sequence[int] | None = None,
) -> Iterator[SearchStep]:
    """Search naive Bayes of many features, from a set that a climb finds.

    As of `branch_and_bound`; beyond 2 ** 36 joint states ``upper`` may end up to 1e-4
    above the best score.
    """
    masses = decisions.masses
    frames = BracketedFrames(AchievableAgreement(masses, decisions))
    if masses.n_states > EXACT_STATES:
        frames.tolerance = NEAR
    best = _climbed(frames, prices)
    frames.order = tuple(order) if order is not None else _ranked(frames, prices, best)
    yield from branch_and_bound(frames, prices, frames.order, best)


def _climbed(frames: BracketedFrames, prices: SharedCosts) -> Set:
    """Return a set that gains nothing by one more feature, or another one."""
    best: Set = ()
    score = frames.estimate(best)
    while True:
        tried = [*prices.grown(best)]
        tried = tried or [one for j in best for one in prices.exchanged(best, j)]
        found = max(tried, key=frames.estimate, default=best)
        gained = frames.estimate(found)
        if gained <= score + TOLERANCE:
            return best
        best, score = found, gained


def _ranked(frames: BracketedFrames, prices: SharedCosts, best: Set) -> Set:
    """Return features by what the best set loses without them, for their cost."""
    score = frames.estimate(best)
    worth = [
        score - frames.estimate(tuple(i for i in best if i != j))
        if j in best
        else frames.estimate(tuple(sorted((*best, j)))) - score
        for j in range(len(prices.needs))
    ]
    each = np.maximum(prices.alone(), np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        ranked = np.argsort(-np.array(worth) / each, kind="stable")
    return tuple(int(j) for j in ranked)
