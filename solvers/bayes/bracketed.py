"""Bounds of naive Bayes from grids that are refined only where it matters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, rfft

from .branching import SearchStep, branch_and_bound
from .criteria import AchievableAgreement
from .cuts import TOLERANCE
from .frames import Frame, Frames
from .halves import HalvesDecisions
from .masses import CERTAIN, NaiveMasses
from .pricing import SharedCosts

# Brackets of the potential agreement of naive Bayes, from log-odds on a grid.
#
# Every feature's log-odds are rounded to whole cells, so that sums of them are sums of
# integers, whose distribution given the class is a product of polynomials: O(grid log
# grid) for any set of features. What rounding can do is bounded twice. Decisions of the
# rounded original differ from the true ones with a probability of at most `slack`,
# which is computed once: E is the rounding error of all features, and Markov's
# inequality on exp(E) holds cell by cell. And in one cell joint states stand together
# whose posteriors differ by a factor of at most exp(W), so little agreement is lost by
# their company.


Array = NDArray[np.float64]
Spectrum = NDArray[np.complex128]

# Products of spectra that are kept; all go when there are more of them.
KEPT_BYTES = 2**27
# What fast Fourier transforms add to a sum of probabilities, with room to spare.
ROUNDING = 1e-10
# exp(E times these over its standard deviation) bounds how often E is large.
TILTS = (-4.0, -2.0, -1.0, 1.0, 2.0, 4.0)


@dataclass(frozen=True, eq=False)
class LogOddsGrid:
    """Distributions of sums of rounded log-odds of naive Bayes."""

    masses: NaiveMasses  # Features that are independent given the class
    # What the log-odds of all features must add up to for a positive decision
    cut: float
    n_cells: int  # Cells, a power of two, many more than features

    def bracket(self, kept: Spectrum, gone: Spectrum) -> tuple[float, float]:
        """Return less and more than the potential agreement of a set of features.

        Shapes: `kept, gone` (2, n_cells // 2 + 1).
        """
        positive, negative = self._signed(kept, gone)
        potential = 0.5 * (1.0 + np.abs(positive + negative).sum())
        # One cell holds states of both signs only where |u / v| is within exp(W) of 1.
        u, v = np.abs(positive), np.abs(negative)
        mixed = np.minimum(u, v) - self._company * np.maximum(u, v)
        mixed[(mixed < 0) | (positive * negative >= 0)] = 0.0
        high = potential + mixed.sum() + self.slack
        return float(potential - self.slack), min(1.0, float(high))

    def _signed(self, kept: Spectrum, gone: Spectrum) -> Array:
        """Return D of each cell of the kept features, one row a class."""
        own = irfft(kept, n=self.n_cells, axis=1)
        others = irfft(gone, n=self.n_cells, axis=1)
        tails = np.zeros((2, self.n_cells + 1))
        # D of a cell: Pr(cell, class) (2 Pr(others reach the cut | class) - 1).
        tails[:, :-1] = others[:, ::-1].cumsum(axis=1)[:, ::-1]
        return own * self.masses.priors * (2.0 * tails[:, self._needed] - 1.0)

    def product(self, chosen: Sequence[int]) -> Spectrum:
        """Return the product of spectra of some features.

        Shape: (2, n_cells // 2 + 1).
        `chosen`: positions of features; sequences that begin alike share their work.
        """
        key = tuple(chosen)
        if key in self._products:
            return self._products[key]
        if not key:
            return self._one
        found = self.product(key[:-1]) * self._spectra[key[-1]]
        if len(self._products) * found.nbytes >= KEPT_BYTES:
            self._products.clear()
        self._products[key] = found
        return found

    @cached_property
    def slack(self) -> float:
        """How often, at most, rounding changes the original's decision."""
        far = self._far
        sure = (far > self._above) | (far <= -self._below)
        masses = np.maximum(self._tilted(0.0), 0.0)
        for tilt in TILTS:
            if self._deviation <= 0:
                break
            scaled = tilt / self._deviation
            # The decision changes where E >= far > 0, or E < far <= 0.
            there = (far > 0) if tilt > 0 else (far <= 0)
            # Markov: Pr(E >= far) <= E[exp(t E)] exp(-t far), t > 0; mirrored below 0.
            bounds = self._tilted(scaled) * np.exp(np.minimum(-scaled * far, 0.0))
            masses[:, there] = np.minimum(masses, np.maximum(bounds, 0.0))[:, there]
        masses[:, sure] = 0.0
        return float((masses * self.masses.priors).sum()) + ROUNDING

    # ----------------------------------------------------------------------- rounding

    @cached_property
    def _reach(self) -> float:
        """How far log-odds add up at most, where no class excludes a state."""
        sizes = map(np.abs, self.masses.log_odds)
        return sum(float(size[size < CERTAIN].max(initial=0)) for size in sizes)

    @cached_property
    def _odds(self) -> tuple[Array, ...]:
        """Log-odds of each state; that of an excluded one outweighs all others."""
        level = abs(self.cut) if math.isfinite(self.cut) else 0.0
        most = 4 * self._reach + level + 1.0
        return tuple(np.clip(of, -most, most) for of in self.masses.log_odds)

    @cached_property
    def _offsets(self) -> tuple[Array, ...]:
        """Log-odds of each feature's states above its least."""
        return tuple(of - of.min() for of in self._odds)

    @cached_property
    def step(self) -> float:
        """Log-odds a cell."""
        reach = sum(float(of.max()) for of in self._offsets)
        return max(reach, 1e-9) / (self.n_cells - len(self._offsets) - 2)

    @cached_property
    def _cells(self) -> tuple[NDArray[np.intp], ...]:
        return tuple(np.rint(of / self.step).astype(np.intp) for of in self._offsets)

    @cached_property
    def _errors(self) -> tuple[Array, ...]:
        """What rounding takes from each state of each feature, less its mean."""
        errors = []
        for of, cells, given in zip(
            self._offsets, self._cells, self.masses.given_class, strict=True
        ):
            taken = of - cells * self.step
            errors.append(taken - float(self.masses.priors[:, 0] @ (given @ taken)))
        return tuple(errors)

    @cached_property
    def _mean(self) -> float:
        """What rounding takes from the sum of all features in the mean."""
        return sum(
            float((of - cells * self.step - error)[0])
            for of, cells, error in zip(
                self._offsets, self._cells, self._errors, strict=True
            )
        )

    @cached_property
    def _above(self) -> float:
        return sum(float(of.max()) for of in self._errors) + 1e-9

    @cached_property
    def _below(self) -> float:
        return -sum(float(of.min()) for of in self._errors) + 1e-9

    @cached_property
    def _company(self) -> float:
        """exp(-W): how unlike two posteriors of one cell may be."""
        width = self._above + self._below
        # As wide as that, excluded states may stand with others.
        return math.exp(-width) if width < self._reach else 0.0

    @cached_property
    def _deviation(self) -> float:
        squares = [
            float((given @ of**2).max())
            for of, given in zip(self._errors, self.masses.given_class, strict=True)
        ]
        return math.sqrt(sum(squares))

    # ----------------------------------------------------------------------- decisions

    @cached_property
    def _level(self) -> float:
        """What rounded log-odds must add up to, above the least that they can."""
        least = sum(float(of.min()) for of in self._odds)
        return self.cut - least - self._mean

    @cached_property
    def _first(self) -> int:
        """The first cell of all features that the rounded original calls positive."""
        return math.ceil(min(max(self._level / self.step, 0.0), self.n_cells))

    @cached_property
    def _needed(self) -> NDArray[np.intp]:
        """For each cell of some features, the cell that the others must reach."""
        return np.clip(self._first - np.arange(self.n_cells), 0, self.n_cells)

    @cached_property
    def _far(self) -> Array:
        """How far the error has to be from its mean to change each cell's decision."""
        return np.asarray(self._level - self.step * np.arange(self.n_cells))

    # ------------------------------------------------------------------------- spectra

    @cached_property
    def _spectra(self) -> tuple[Spectrum, ...]:
        return tuple(self._spectrum(j, 0.0) for j in range(len(self._offsets)))

    def _spectrum(self, feature: int, tilt: float) -> Spectrum:
        weights = self.masses.given_class[feature] * np.exp(
            tilt * self._errors[feature]
        )
        cells = np.zeros((2, self.n_cells))
        for place, weight in zip(self._cells[feature], weights.T, strict=True):
            cells[:, place] += weight
        return np.asarray(rfft(cells, axis=1))

    def _tilted(self, tilt: float) -> Array:
        """Return the sum of exp(tilt E) over the states of each cell, by class."""
        product = self._one
        for j in range(len(self._offsets)):
            product = product * self._spectrum(j, tilt)
        return np.asarray(irfft(product, n=self.n_cells, axis=1))

    @cached_property
    def _one(self) -> Spectrum:
        return np.ones((2, self.n_cells // 2 + 1), dtype=np.complex128)

    @cached_property
    def _products(self) -> dict[tuple[int, ...], Spectrum]:
        return {}


# Bounds of naive Bayes from grids that are refined only where it matters.
#
# Most bounds of a search are far from the best score: a coarse grid settles them. What
# it leaves open is asked of finer ones, and at last of halves, which are exact.


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
