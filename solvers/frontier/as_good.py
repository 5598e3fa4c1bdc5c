"""How much accuracy a cheaper model loses, and the cheapest that loses little."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import beta

from ..checks import at_least_zero
from ..datasets.splits import Split
from ..errors import DataError, ThriftscopeError
from .evaluation import labels_of
from .frontier import FrontierPoint

# Of the chance to err, what is spent on how often the two differ at all.
_ON_DIFFERING = 0.2


@dataclass(frozen=True)
class AccuracyLoss:
    """What a model loses against another on the same rows, neither of which saw them.

    Parameters
    ----------
    n_rows : int
        Rows, drawn alike and apart from one another.
    n_lost, n_gained : int
        Those that only the other is right about, and those that only this one is.
    confidence : float, default=0.95
        How often the bound holds at least, from 0.5 to below 1.

    Raises
    ------
    ThriftscopeError
        If the confidence is none.

    Notes
    -----
    Of rows that only one is right about the other is right about a share q, of all rows
    these are a share d, and the loss is d (2q - 1). Given how many they are the first
    count is binomial, so that the bounds of Clopper and Pearson [1]_ on q and on d hold
    for any n; together they miss no more often than one minus the confidence, of which
    a fifth is spent on d, as Berger and Boos [2]_ do with what is not asked for.

    References
    ----------
    .. [1] Clopper and Pearson, "The use of confidence or fiducial limits illustrated in
       the case of the binomial", 1934.
    .. [2] Berger and Boos, "P values maximized over a confidence set for the nuisance
       parameter", 1994.

    Examples
    --------
    >>> found = AccuracyLoss(n_rows=1000, n_lost=9, n_gained=7)
    >>> round(found.loss, 4), round(found.bound, 4)
    (0.002, 0.0158)
    """

    n_rows: int
    n_lost: int
    n_gained: int
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0.5 <= self.confidence < 1.0:
            raise ThriftscopeError(
                f"The confidence is {self.confidence:g}; give at least 0.5 and less "
                "than 1."
            )

    @property
    def loss(self) -> float:
        """The accuracy that is lost on these rows; below 0 where some is gained."""
        return (self.n_lost - self.n_gained) / self.n_rows

    @property
    def bound(self) -> float:
        """What is lost at most on all rows, with the confidence; 0 at least."""
        risk, n_differ = 1.0 - self.confidence, self.n_lost + self.n_gained
        share = _most(self.n_lost, n_differ, (1.0 - _ON_DIFFERING) * risk)
        differing = _most(n_differ, self.n_rows, _ON_DIFFERING * risk)
        return differing * max(0.0, 2.0 * share - 1.0)


def _most(n_found: int, n: int, risk: float) -> float:
    """Return what a probability is at most, by Clopper and Pearson."""
    return 1.0 if n_found >= n else float(beta.isf(risk, n_found + 1, n - n_found))


def accuracy_loss(
    labels: ArrayLike, reference: ArrayLike, other: ArrayLike, confidence: float = 0.95
) -> AccuracyLoss:
    """Return what a model loses against a reference, from what both say of rows.

    Parameters
    ----------
    labels : array_like, shape (n_rows,)
        What is true of rows that neither model was trained, tuned or chosen on.
    reference, other : array_like, shape (n_rows,)
        What the two models say of them.
    confidence : float, default=0.95
        How often the bound holds at least.

    Returns
    -------
    AccuracyLoss

    Raises
    ------
    DataError
        If there is no row, or not as many answers as rows.
    """
    truth, first, second = map(np.asarray, (labels, reference, other))
    if not len(truth) or first.shape != truth.shape or second.shape != truth.shape:
        raise DataError(
            f"There are {len(truth)} labels, and {len(first)} and {len(second)} "
            "answers; give both answers of each row, and one row at least."
        )
    is_right, other_is = first == truth, second == truth
    n_lost, n_gained = (
        int((is_right & ~other_is).sum()),
        int((~is_right & other_is).sum()),
    )
    return AccuracyLoss(len(truth), n_lost, n_gained, confidence)


@dataclass(frozen=True)
class AsGood:
    """A model that is as good as a reference, and cheaper."""

    point: FrontierPoint  # The model
    reference: FrontierPoint  # What it is compared with
    lost: AccuracyLoss  # On test rows
    most: float  # What it was allowed to lose
    unit: str  # Of costs

    @property
    def sentence(self) -> str:
        """What was found, as people say it."""
        lost = self.lost
        before, cost = self.reference.cost["mean"], self.point.cost["mean"]
        return (
            f"{self.reference.method} costs {before:.4g} {self.unit} a row; "
            f"{self.point.method} costs {cost:.4g} and loses at most "
            f"{100.0 * lost.bound:.2g} points of accuracy, with confidence "
            f"{lost.confidence:g}: of {lost.n_rows} rows that neither has seen it "
            f"loses {lost.n_lost} and gains {lost.n_gained}."
        )


def cheapest_as_good(
    points: Iterable[FrontierPoint],
    reference: FrontierPoint,
    split: Split,
    *,
    most: float = 0.01,
    confidence: float = 0.95,
) -> AsGood | None:
    """Return the cheapest point that provably loses little accuracy.

    Validation rows alone say which points are looked at: those that cost less than the
    reference, stay within `most` there, and lose less than every cheaper one. They are
    tried on test rows from the costliest down, until one may lose more; the last before
    it is returned. As the order is none of the test rows' doing, the chance that any is
    passed wrongly is at most one minus the confidence, however many are tried [1]_.

    Parameters
    ----------
    points : iterable of FrontierPoint
        Such as a ``Frontier``, of models that were trained on the split's training
        rows.
    reference : FrontierPoint
        Such as ``evaluate(adopt(model), split, name=...)``, of a model that has seen
        neither validation nor test rows.
    split : Split
        The rows.
    most : float, default=0.01
        What may be lost of the accuracy, as a part of one.
    confidence : float, default=0.95
        How sure that is to be.

    Returns
    -------
    AsGood or None
        None where no cheaper point is known to be as good: none is, or there are too
        few test rows to tell.

    Raises
    ------
    DataError
        If rows have weights or belong together: then no count is binomial.

    References
    ----------
    .. [1] Maurer, Hothorn and Lehmacher, "Multiple comparisons in drug clinical trials
       and preclinical assays: a-priori ordered hypotheses", 1995.
    """
    at_least_zero(most, "What may be lost")
    if split.weight("test") is not None or split.groups("test") is not None:
        raise DataError(
            "Rows have weights, or belong together, so that what is lost cannot be "
            "counted row by row; give a split of rows that stand for themselves."
        )

    def against(point: FrontierPoint, part: str) -> AccuracyLoss:
        ours, theirs = (labels_of(one, split, part) for one in (reference, point))
        return accuracy_loss(split.y(part), ours, theirs, confidence)

    def paid(point: FrontierPoint) -> float:
        return point.charged("mean", "validation")

    promising: list[FrontierPoint] = []
    least = np.nextafter(most, np.inf)
    for point in sorted(points, key=paid):
        bound = against(point, "validation").bound
        if paid(point) < paid(reference) and bound < least:
            promising.append(point)
            least = bound
    found = None
    for point in reversed(promising):
        lost = against(point, "test")
        if lost.bound > most:
            break
        unit = split.dataset.hypergraph.unit
        found = AsGood(point, reference, lost, most, unit)
    return found
