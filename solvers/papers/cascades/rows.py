"""What every stage of a trained cascade says of some rows, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ...costs.budgets import room_of
from ...methods.tefe import TEFEClassifier
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.exit_curve import ExitCurve
from ..verdicts import beyond_noise


@dataclass(frozen=True, eq=False)
class CascadeRows:
    """Confidence and prediction of every stage, so that a threshold is a look-up."""

    #: (n_rows, n_stages) Minus infinity where a stage may not answer
    confidences: Floats
    #: (n_rows, n_stages) Code of the class that each stage would predict
    called: Integers
    truth: Integers  #: (n_rows,) Code of the class of each row
    #: (n_stages,) Cost of a row that leaves at each stage
    stage_costs: Floats
    n_classes: int  #: How many classes there are

    @classmethod
    def of(cls, model: TEFEClassifier, X: ArrayLike, y: ArrayLike) -> CascadeRows:
        """Return what a fitted cascade says of rows.

        Parameters
        ----------
        model : TEFEClassifier
            Fitted; its threshold and its time cap are not looked at.
        X : array_like of float, shape (n_rows, n_features)
            The rows.
        y : array_like, shape (n_rows,)
            Their labels, all seen in training.

        Returns
        -------
        CascadeRows
        """
        return cls(
            model.stage_confidences(X),
            np.searchsorted(model.classes_, model.stage_predictions(X)),
            np.searchsorted(model.classes_, np.asarray(y)),
            model.stage_costs_,
            len(model.classes_),
        )

    @classmethod
    def pooled(cls, parts: Sequence[CascadeRows]) -> CascadeRows:
        """Return the rows of several parts as one: of folds, or of like problems.

        Parameters
        ----------
        parts : sequence of CascadeRows
            At least one; all of the same stage costs.

        Returns
        -------
        CascadeRows
        """
        return replace(
            parts[0],
            confidences=np.concatenate([part.confidences for part in parts]),
            called=np.concatenate([part.called for part in parts]),
            truth=np.concatenate([part.truth for part in parts]),
        )

    def capped(self, time_cap: float) -> CascadeRows:
        """Return the rows of a cascade that ends where its time does.

        Parameters
        ----------
        time_cap : float
            No row may cost more, in the hypergraph's unit. The first stage always runs.

        Returns
        -------
        CascadeRows
        """
        stages = np.searchsorted(self.stage_costs, room_of(time_cap), "right")
        kept = max(1, int(stages))
        if kept == len(self.stage_costs):
            return self
        return replace(
            self,
            confidences=self.confidences[:, :kept],
            called=self.called[:, :kept],
            stage_costs=self.stage_costs[:kept],
        )

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    @property
    def n_stages(self) -> int:
        """How many stages there are."""
        return len(self.stage_costs)

    @cached_property
    def right(self) -> Mask:
        """Whether each stage is right about each row, shape (n_rows, n_stages)."""
        return self.called == self.truth[:, np.newaxis]

    @cached_property
    def prefix_accuracy(self) -> Floats:
        """Accuracy of each stage's machine used for every row, shape (n_stages,)."""
        return self.right.mean(axis=0)

    def best_prefix(self, budget: float) -> int:
        """Return the stage whose machine is most often right of those that are paid.

        Parameters
        ----------
        budget : float
            What a row may cost, in the hypergraph's unit; at least the first stage's.

        Returns
        -------
        int
            From 0.
        """
        is_paid = self.stage_costs <= room_of(budget)
        return int(np.argmax(np.where(is_paid, self.prefix_accuracy, -1.0)))

    @cached_property
    def curve(self) -> ExitCurve:
        """Cost, accuracy and exits at all thresholds."""
        return ExitCurve.from_stages(
            self.confidences, self.called, self.truth, self.stage_costs, self.n_classes
        )

    def exits(self, threshold: float) -> Integers:
        """Return the stage at which each row leaves, from 0.

        Parameters
        ----------
        threshold : float
            A row leaves where the confidence reaches it, and at the last stage.

        Returns
        -------
        ndarray of int, shape (n_rows,)
        """
        sure = self.confidences >= threshold
        sure[:, -1] = True
        return np.argmax(sure, axis=1)


Ahead: TypeAlias = Literal["cascade", "prefix", "level"]

#: Budgets, as shares of what all features cost.
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
_AHEAD: dict[str, Ahead] = {"holds": "cascade", "does not hold": "prefix"}


@dataclass(frozen=True)
class PrefixComparison:
    """Both within one budget; each chosen on validation rows, reported on test rows."""

    share: float  #: The budget over the cost of all features
    budget: float  #: Mean cost of a row that is allowed, in the hypergraph's unit
    #: Accuracy on test rows
    cascade: float
    prefix: float
    #: Mean cost of a test row
    cascade_cost: float
    prefix_cost: float
    error: float  #: Standard error of the difference of the two accuracies, row by row

    @property
    def ahead(self) -> Ahead:
        """Which is ahead by more than two standard errors."""
        outcome = beyond_noise(self.cascade - self.prefix, 2 * self.error)
        return _AHEAD.get(outcome, "level")


def compare_with_prefix(
    validation: CascadeRows, test: CascadeRows, shares: Sequence[float] = SHARES
) -> list[PrefixComparison]:
    """Return the cascade beside the static prefix within several budgets.

    Parameters
    ----------
    validation : CascadeRows
        Where the threshold, and the length of the prefix, are chosen.
    test : CascadeRows
        Where both are reported; of the same cascade.
    shares : sequence of float, optional
        Budgets over the cost of all features.

    Returns
    -------
    list of PrefixComparison
        Without the budgets that do not pay for the first stage.
    """
    full = float(test.stage_costs[-1])
    affordable = [
        share for share in shares if room_of(share * full) >= test.stage_costs[0]
    ]
    return [_row(validation, test, share, share * full) for share in affordable]


def _row(
    validation: CascadeRows, test: CascadeRows, share: float, budget: float
) -> PrefixComparison:
    curve = validation.curve
    # Both choose on validation rows: the threshold, and how many stages.
    is_paid = curve.cost <= room_of(budget)
    best = int(np.argmax(np.where(is_paid, curve.accuracy, -1.0)))
    stage = validation.best_prefix(budget)
    exits = test.exits(float(curve.thresholds[best]))
    by_cascade = test.right[np.arange(test.n_rows), exits].astype(float)
    by_prefix = test.right[:, stage].astype(float)
    # Paired: both are judged on the same rows.
    spread = np.std(by_cascade - by_prefix)
    return PrefixComparison(
        share,
        budget,
        float(by_cascade.mean()),
        float(by_prefix.mean()),
        float(test.stage_costs[exits].mean()),
        float(test.stage_costs[stage]),
        float(spread / np.sqrt(test.n_rows)),
    )


# Table 2 of the paper ends its rounds after 11, 27 and all of 28 stages: colours only,
# textures, and the images that no stage was sure of.
_PAPER_STAGES, _PAPER_FIRST = 28, 11


@dataclass(frozen=True, eq=False)
class ExitRound:
    """The rows that leave at some stages."""

    #: The stages, from 1, both included
    first: int
    last: int
    #: Indices of the rows that leave right, and of those that leave wrong
    right_rows: Integers
    wrong_rows: Integers

    @property
    def title(self) -> str:
        """What the round is called."""
        if self.first == self.last:
            return f"stage {self.first}"
        return f"stages {self.first} to {self.last}"

    @property
    def n_right(self) -> int:
        """How many rows leave right."""
        return len(self.right_rows)

    @property
    def n_rows(self) -> int:
        """How many rows leave."""
        return self.n_right + len(self.wrong_rows)


def round_ends(n_stages: int) -> tuple[int, ...]:
    """Return after which stages the rounds of Table 2 end: 11, 27 and 28 of 28."""
    # 11 : 28, and the last stage alone, where whoever is left is answered.
    first = max(1, round(n_stages * _PAPER_FIRST / _PAPER_STAGES))
    return tuple(sorted({min(first, n_stages), max(1, n_stages - 1), n_stages}))


def rounds_of(
    rows: CascadeRows, threshold: float, ends: Sequence[int] | None = None
) -> list[ExitRound]:
    """Return who leaves in which round.

    Parameters
    ----------
    rows : CascadeRows
        What the stages say.
    threshold : float
        Confidence that is enough.
    ends : sequence of int, optional
        The last stage of each round, from 1, rising; the paper's by default.

    Returns
    -------
    list of ExitRound
    """
    ends = round_ends(rows.n_stages) if ends is None else ends
    exits = rows.exits(threshold)
    is_right = rows.right[np.arange(rows.n_rows), exits]
    found = []
    for first, last in zip((0, *ends[:-1]), ends, strict=True):
        here = (exits >= first) & (exits < last)
        found.append(
            ExitRound(
                first + 1,
                last,
                np.flatnonzero(here & is_right),
                np.flatnonzero(here & ~is_right),
            )
        )
    return found


# Beyond this share of the way from the least to the full cost the curve is a long tail.
_UPPER_SHARE = 0.9


@dataclass(frozen=True, eq=False)
class Linearity:
    """The paper's straight line beside the curve that it stands for."""

    #: Cost on the line at threshold 0, and how fast it rises; through two points, as in
    #: section 4.6 of the paper
    intercept: float
    slope: float
    #: The threshold at which nine tenths of the way to the full cost are paid; up to
    #: there line and curve are compared
    top: float
    #: Share of the variation of the cost that the line explains; may be negative
    r2: float
    largest_deviation: float  #: Largest distance of line and curve, over the full cost

    def cost(self, thresholds: Floats) -> Floats:
        """Return the cost on the line.

        Parameters
        ----------
        thresholds : ndarray of float
            Finite.

        Returns
        -------
        ndarray of float, of the same shape
        """
        return self.intercept + self.slope * thresholds


def linearity(curve: ExitCurve) -> Linearity:
    """Return how well the paper's straight line foresees what a threshold costs.

    Parameters
    ----------
    curve : ExitCurve
        Of some rows.

    Returns
    -------
    Linearity
        Compared at 101 thresholds, evenly spaced from the least finite one to `top`.
    """
    intercept, slope = curve.straight_line()
    finite = np.flatnonzero(np.isfinite(curve.thresholds))
    if not finite.size:
        return Linearity(intercept, slope, 1.0, 1.0, 0.0)
    full = curve.cost[-1]
    paid = curve.cost[0] + _UPPER_SHARE * (full - curve.cost[0])
    within = finite[curve.cost[finite] <= paid]
    last = within[-1] if within.size else finite[0]
    top = float(curve.thresholds[last])
    at = np.linspace(float(curve.thresholds[finite[0]]), top, 101)
    cost = curve.cost[np.searchsorted(curve.levels, at, side="left")]
    off = cost - (intercept + slope * at)
    varied = float(np.sum((cost - cost.mean()) ** 2))
    # Against the mean, not against the best line: a bad line is below 0.
    r2 = 1.0 - float(np.sum(off**2)) / varied if varied > 0 else 1.0
    deviation = float(np.abs(off).max() / full) if full > 0 else 0.0
    return Linearity(intercept, slope, top, r2, deviation)
