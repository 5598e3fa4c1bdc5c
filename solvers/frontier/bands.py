"""Mean and spread of frontiers over several seeds or folds.

A frontier is a step function of the budget: what a budget buys is chosen on validation
rows and is worth what the test rows say. Steps of several runs lie at other costs, so
they are read on one grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from ..costs.budgets import room_of
from ..errors import ThriftscopeError
from ..numerics.arrays import Floats, Mask
from ..values.rounding import rounded
from .frontier import Frontier

__all__ = [
    "Band",
    "Difference",
    "compare_bands",
    "frontier_band",
    "holm",
    "step_scores",
]

# Scores of the same counts differ in the last places.
_SAME = 1e-15


@dataclass(frozen=True, eq=False)
class Band:
    """Scores of several runs on one grid of budgets."""

    costs: Floats  # (n_costs,) The budgets, rising
    # (n_runs, n_costs) What each run buys; NaN where a budget buys nothing
    scores: Floats

    @property
    def n_runs(self) -> int:
        """Number of seeds or folds."""
        return len(self.scores)

    @property
    def mean(self) -> Floats:
        """Mean over runs, shape (n_costs,); NaN where a run buys nothing."""
        return self.scores.mean(axis=0)

    @property
    def standard_error(self) -> Floats:
        """Standard error of the mean, shape (n_costs,); NaN for a single run."""
        if self.n_runs < 2:
            return np.full(len(self.costs), np.nan)
        return self.scores.std(axis=0, ddof=1) / np.sqrt(self.n_runs)

    @property
    def lower(self) -> Floats:
        """Mean less one standard error, shape (n_costs,)."""
        return self.mean - self.standard_error

    @property
    def upper(self) -> Floats:
        """Mean and one standard error, shape (n_costs,)."""
        return self.mean + self.standard_error


@dataclass(frozen=True, eq=False)
class Difference:
    """How one band lies above another, run by run."""

    costs: Floats  # (n_costs,) The budgets, rising
    # (n_costs,) Mean of what the first run scores more than the second one
    mean: Floats
    margin: Floats  # (n_costs,) Half the width of its confidence interval
    n_runs: int  # Number of pairs
    # (n_costs,) Of the two-sided test that the mean is 0; NaN where a run buys nothing
    p_value: Floats

    @property
    def within_noise(self) -> Mask:
        """Where 0 lies in the interval, or a run buys nothing; shape (n_costs,)."""
        return ~(np.abs(self.mean) > self.margin)

    def sentence(self, cost: float, one: str, other: str, unit: str = "") -> str:
        """Return what is known at a budget, in words."""
        at = int(np.searchsorted(self.costs, room_of(cost), side="right")) - 1
        budget = f"At {rounded(cost, 4):g} {unit}".rstrip()
        if at < 0 or np.isnan(self.mean[at]):
            return f"{budget} not every run of {one} and {other} buys something."
        mean, margin = self.mean[at], self.margin[at]
        if self.within_noise[at]:
            return (
                f"{budget} {one} and {other} differ by {abs(mean):.3f}: within noise "
                f"(±{margin:.3f} over {self.n_runs} runs)."
            )
        better, worse = (one, other) if mean > 0 else (other, one)
        return (
            f"{budget} {better} is {abs(mean):.3f} above {worse} (±{margin:.3f} over "
            f"{self.n_runs} runs)."
        )


def step_scores(
    frontier: Frontier, costs: ArrayLike, *, floor: float | None = None
) -> Floats:
    """Return what each of several budgets buys on a frontier.

    Shapes: `costs` (n_costs,) -> (n_costs,).
    `floor`: the score where a budget buys nothing; by default the floor of the frontier
    on test rows, or NaN where it has none.
    """
    steps = frontier.undominated()
    starts = _starts(steps)
    if floor is None:
        floor = np.nan if frontier.floor is None else frontier.floor["test"]
    scores = [frontier.scored(point) for point in steps]
    rooms = room_of(np.asarray(costs, dtype=float))
    return np.array([floor, *scores])[np.searchsorted(starts, rooms, side="right")]


def frontier_band(
    frontiers: Sequence[Frontier],
    costs: ArrayLike | None = None,
    *,
    floor: float | None = None,
) -> Band:
    """Read several frontiers of one method on one grid of budgets.

    Shapes: `costs` (n_costs,).
    `costs`: the budgets, rising; by default every cost at which some frontier steps.
    `floor`: the score where a budget buys nothing, such as that of calling every row
    positive, which costs nothing; by default each frontier's own floor, or NaN.

    Notes
    -----
    A mean over those runs alone that can afford something would flatter small budgets:
    without a floor it is NaN as soon as one run buys nothing.
    """
    if not frontiers:
        raise ThriftscopeError("There is no frontier; give one for each run.")
    if costs is None:
        edges = [_starts(frontier.undominated()) for frontier in frontiers]
        grid = np.unique(np.concatenate(edges))
    else:
        grid = np.asarray(costs, dtype=float)
        if grid.ndim != 1 or not (np.diff(grid) > 0).all():
            raise ThriftscopeError("The budgets of the grid do not rise; sort them.")
    scores = [step_scores(frontier, grid, floor=floor) for frontier in frontiers]
    return Band(grid, np.array(scores))


def _starts(steps: Frontier) -> Floats:
    return np.array([steps.held(point) for point in steps], dtype=float)


def compare_bands(
    one: Band, other: Band, *, level: float = 0.95, overlap: float = 0.0
) -> Difference:
    """Say how far one method lies above another, and how sure that is.

    `overlap`: test rows over training rows, where runs split the same data again and
    again: their training rows overlap, and the plain interval is too narrow [1]_. 0
    where every run draws data of its own.

    References
    ----------
    .. [1] Nadeau and Bengio, "Inference for the generalization error", 2003, eq. (9):
       the variance of the mean is (1/J + n_test/n_train) times that of the differences.

    Examples
    --------
    >>> import numpy as np
    >>> one = Band(np.array([1.0, 2.0]), np.array([[0.5, 0.9], [0.7, 0.91]]))
    >>> other = Band(np.array([1.0, 2.0]), np.array([[0.6, 0.8], [0.6, 0.81]]))
    >>> compare_bands(one, other).within_noise.tolist()
    [True, False]
    """
    if one.scores.shape != other.scores.shape or not np.array_equal(
        one.costs, other.costs
    ):
        raise ThriftscopeError(
            f"The bands are of {one.n_runs} and {other.n_runs} runs on grids of "
            f"{len(one.costs)} and {len(other.costs)} budgets; compare the same runs "
            "on the same grid."
        )
    if one.n_runs < 2:
        raise ThriftscopeError(
            "There is only one run, which says nothing about noise; use two or more "
            "seeds or folds."
        )
    if not 0.0 < level < 1.0:
        raise ThriftscopeError(f"The level is {level:g}; it lies between 0 and 1.")
    differences = one.scores - other.scores
    n_runs, mean = one.n_runs, differences.mean(axis=0)
    # Nadeau and Bengio, eq. (9): runs that share training rows are not independent.
    spread = differences.std(axis=0, ddof=1) * np.sqrt(1.0 / n_runs + overlap)
    # Differences that are all the same, but for rounding, leave no doubt.
    varies = ~(spread <= _SAME)
    quantile = float(student.ppf(0.5 + level / 2.0, n_runs - 1))
    margin = np.where(varies, quantile * spread, 0.0)
    ratio = np.abs(mean) / np.where(varies, spread, 1.0)
    chance = 2.0 * student.sf(ratio, n_runs - 1)
    certain = np.where(np.abs(mean) > _SAME, 0.0, 1.0)
    return Difference(
        one.costs, mean, margin, n_runs, np.where(varies, chance, certain)
    )


def holm(p_values: ArrayLike) -> Floats:
    """Return p-values corrected for how many comparisons were made.

    Shapes: `p_values` (n,) -> (n,).
    In the same order. Those below .05 are different with at most 5 % risk that any of
    them is not.

    Notes
    -----
    Holm, "A simple sequentially rejective multiple test procedure", 1979: the kth
    smallest of n is multiplied by n - k + 1, and none falls below one before it.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).round(4).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    found = np.asarray(p_values, dtype=float)
    if found.ndim != 1 or not ((found >= 0.0) & (found <= 1.0)).all():
        raise ThriftscopeError(
            f"The p-values are {found.tolist()!r:.80}; give a list of numbers from 0 "
            "to 1."
        )
    order = np.argsort(found, kind="stable")
    # The kth smallest times n - k + 1, and never below one before it.
    stepped = found[order] * np.arange(len(found), 0, -1)
    corrected = np.empty_like(found)
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return corrected
