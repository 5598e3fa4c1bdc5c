"""What a row that leaves costs in errors, and what a whole policy is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from .stopping import Ranking

__all__ = ["HeldOut", "Judge", "Objective"]

Objective: TypeAlias = Literal["f1", "accuracy"]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the stages of one cascade say of rows that they were not trained on.

    Parameters
    ----------
    u : ndarray of float, shape (n_stages, n_rows)
        Scores that rows are told apart by.
    belief : ndarray of float, shape (n_stages, n_rows)
        Calibrated log-odds of the second of two classes; of more than two, how often
        the best class is right.
    called : ndarray of int, shape (n_stages, n_rows)
        The best class.
    labels : ndarray of int, shape (n_rows,)
        Codes of the classes.
    weights : ndarray of float, shape (n_rows,)
        Weights of the rows.
    costs : ndarray of float, shape (n_stages,)
        What a row has paid that leaves at each stage.
    """

    u: NDArray[np.float64]
    belief: NDArray[np.float64]
    called: NDArray[np.int_]
    labels: NDArray[np.int_]
    weights: NDArray[np.float64]
    costs: NDArray[np.float64]

    @property
    def n_stages(self) -> int:
        """How many stages there are."""
        return len(self.costs)

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        """The scores of each stage, sorted."""
        return tuple(Ranking(scores) for scores in self.u)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """Probabilities of the second of two classes, shape (n_stages, n_rows)."""
        return expit(self.belief)


@dataclass(frozen=True)
class Judge:
    """What counts as good.

    Parameters
    ----------
    objective : {"f1", "accuracy"}
        F1 is of the second of two classes; of more it is the mean over classes, and
        rows stop as for accuracy.
    n_classes : int
        How many classes there are.
    """

    objective: Objective
    n_classes: int

    @property
    def is_f1(self) -> bool:
        """Whether the two errors weigh differently, by the F1 that is reached."""
        return self.objective == "f1" and self.n_classes == 2

    def losses(self, held_out: HeldOut, f1: float) -> NDArray[np.float64]:
        """Return the expected loss of leaving at each stage, times the weight.

        Parameters
        ----------
        held_out : HeldOut
            The rows.
        f1 : float
            The F1 that the policy reaches; only F1 depends on it.

        Returns
        -------
        ndarray of float, shape (n_stages, n_rows)
            For F1, Dinkelbach's: a false positive costs F, a false negative 2 - F.
            Expected rather than realised: 25 intervals fitted to errors that happened
            follow their noise.
        """
        if self.n_classes > 2:
            return (1.0 - held_out.belief) * held_out.weights
        p = held_out.chances
        if not self.is_f1:
            return np.minimum(p, 1.0 - p) * held_out.weights
        return np.minimum(f1 * (1.0 - p), (2.0 - f1) * p) * held_out.weights

    def expected_f1(
        self, chances: NDArray[np.float64], weights: NDArray[np.float64], f1: float
    ) -> float:
        """Return the F1 that probabilities promise, above the threshold F / 2.

        Parameters
        ----------
        chances : ndarray of float, shape (n_rows,)
            Probabilities of the second class where rows leave.
        weights : ndarray of float, shape (n_rows,)
            Weights of the rows.
        f1 : float
            The F1 that sets the threshold.

        Returns
        -------
        float
        """
        called = chances > f1 / 2.0
        hits = 2.0 * float(weights[called] @ chances[called])
        return hits / max(float(weights[called].sum() + weights @ chances), 1e-12)

    def score(
        self,
        belief: NDArray[np.float64],
        called: NDArray[np.int_],
        labels: NDArray[np.int_],
        weights: NDArray[np.float64],
    ) -> tuple[float, float]:
        """Return what answers are worth, and the log-odds from which a row is positive.

        Parameters
        ----------
        belief : ndarray of float, shape (n_rows,)
            Of the stage where each row leaves.
        called : ndarray of int, shape (n_rows,)
            The best class there.
        labels : ndarray of int, shape (n_rows,)
            Codes of the classes.
        weights : ndarray of float, shape (n_rows,)
            Weights of the rows.

        Returns
        -------
        score : float
            Rounded, so that rounding of sums breaks no ties.
        cut : float
            0 where there is no threshold to choose.
        """
        if self.is_f1:
            score, cut = _best_threshold(belief, labels == 1, weights)
            return round(score, 10), cut
        if self.n_classes == 2:
            called = (belief > 0).astype(np.int64)
        if self.objective == "accuracy":
            right = float(weights[called == labels].sum() / weights.sum())
            return round(right, 10), 0.0
        return round(_macro_f1(called, labels, weights, self.n_classes), 10), 0.0


def _best_threshold(
    odds: NDArray, positive: NDArray[np.bool_], weights: NDArray
) -> tuple[float, float]:
    order = np.argsort(-odds, kind="stable")
    ranked = odds[order]
    hits = np.cumsum(np.where(positive[order], weights[order], 0.0))
    f1 = 2.0 * hits / (np.cumsum(weights[order]) + hits[-1])
    # A threshold cannot part rows of the same score.
    f1[:-1][ranked[:-1] == ranked[1:]] = -1.0
    last = int(np.argmax(np.round(f1, 12)))
    if last == len(ranked) - 1:
        return float(f1[last]), float(ranked[last] - 1.0)
    return float(f1[last]), float((ranked[last] + ranked[last + 1]) / 2.0)


def _macro_f1(called: NDArray, labels: NDArray, weights: NDArray, n: int) -> float:
    hits = np.bincount(labels[called == labels], weights[called == labels], n)
    either = np.bincount(called, weights, n) + np.bincount(labels, weights, n)
    return float(np.mean(2.0 * hits / np.maximum(either, 1e-12)))
