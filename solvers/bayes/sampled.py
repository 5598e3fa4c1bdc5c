"""Agreement estimated from samples, where joint states are too many to list.

What a trimming decides on a sampled row is exact, its posterior is computed; only the
average over rows is an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..costs.selection import Selection
from .classifier import BayesianClassifier, checked_threshold
from .cuts import TOLERANCE, Achievable, all_cuts
from .masses import NaiveMasses
from .sampling import checked_count, sample

__all__ = ["DEFAULT_SAMPLES", "Estimate", "SampledDecisions", "estimate_agreement"]

DEFAULT_SAMPLES = 20_000

Rows = NDArray[np.intp]


class Estimate(NamedTuple):
    """A number estimated from samples."""

    value: float  #: The estimate
    standard_error: float  #: Its standard error


@dataclass(frozen=True, eq=False)
class SampledDecisions:
    """Rows drawn from a classifier's network, with the classifier's decisions."""

    classifier: BayesianClassifier  # The original
    # (n_samples, n_features) Rows to choose sets and thresholds by, and fresh ones to
    # judge the choice by
    rows: Rows
    decided: NDArray[np.bool_]  # (n_samples,) What the classifier says of them
    checks: Rows
    checked: NDArray[np.bool_]

    @classmethod
    def draw(
        cls, classifier: BayesianClassifier, n_samples: int, random_state: int | None
    ) -> Self:
        """Return decisions on rows that are drawn now."""
        n_rows = checked_count(n_samples)
        rows = _drawn(classifier, 2 * n_rows, random_state)
        decided = classifier.decide(rows)
        return cls(
            classifier, rows[:n_rows], decided[:n_rows], rows[n_rows:], decided[n_rows:]
        )

    def achievable(self, chosen: Sequence[int]) -> Achievable:
        """Return the best agreement on the rows, and the thresholds that attain it."""
        total = np.full(len(self.rows), 1.0 / len(self.rows))
        posteriors = self._posteriors(list(chosen))
        signed = np.where(self.decided, total, -total)
        return all_cuts(posteriors * total, total, signed).best()

    def _posteriors(self, chosen: list[int]) -> NDArray[np.float64]:
        masses = self.classifier.masses
        if not isinstance(masses, NaiveMasses) or not chosen:
            return masses.posterior(chosen, self.rows[:, chosen])
        # Independent features given the class: their log-odds add up.
        return expit(self._odds[chosen].sum(axis=0) + masses.prior_odds)

    @cached_property
    def _odds(self) -> NDArray[np.float64]:
        """Log-odds of each feature of naive Bayes on each row, (n_features, n_rows)."""
        odds = cast("NaiveMasses", self.classifier.masses).log_odds
        return np.array([of[row] for of, row in zip(odds, self.rows.T, strict=True)])

    def checked_agreement(self, chosen: Sequence[int], threshold: float) -> Estimate:
        """Return the agreement on rows that nothing was chosen by."""
        chosen = list(chosen)
        posteriors = self.classifier.masses.posterior(chosen, self.checks[:, chosen])
        same = (posteriors >= threshold - TOLERANCE) == self.checked
        return _share(same)


def estimate_agreement(
    classifier: BayesianClassifier,
    features: Selection,
    threshold: float,
    *,
    n_samples: int = DEFAULT_SAMPLES,
    random_state: int | None = 0,
) -> Estimate:
    """Return the expected agreement with a trimming, estimated from samples.

    For classifiers whose features have too many joint states for `agreement`.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    features : bool mask, integer positions or names
        What the trimming sees.
    threshold : float
        What it compares with, between 0 and 1.
    n_samples : int, default=20000
        How many rows to draw.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Estimate
        ``value`` and ``standard_error``.
    """
    cut = checked_threshold(threshold)
    chosen = classifier.positions(features)
    rows = _drawn(classifier, n_samples, random_state)
    same = classifier.decide(rows) == classifier.decide(rows, chosen, cut)
    return _share(same)


def _drawn(
    classifier: BayesianClassifier, n_rows: int, random_state: int | None
) -> Rows:
    drawn = sample(classifier.network, n_rows, random_state)
    return np.column_stack([drawn[name] for name in classifier.features])


def _share(same: NDArray[np.bool_]) -> Estimate:
    """Return a share of rows; the error never falls to 0, by one row of either kind."""
    value, n_rows = float(same.mean()), len(same)
    padded = (same.sum() + 1) / (n_rows + 2)
    return Estimate(value, float(np.sqrt(padded * (1 - padded) / n_rows)))
