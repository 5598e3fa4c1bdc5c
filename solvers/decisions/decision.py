"""What a method decided about some rows, and what it bought for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats, Integers, Mask


@dataclass(frozen=True, eq=False)
class Decision:
    """Labels of some rows, and what was computed and paid to know them.

    Parameters
    ----------
    labels : ndarray, shape (n_samples,)
        As ``predict`` gives them.
    scores : ndarray of float, shape (n_samples,) or (n_samples, n_classes)
        As ``decision_function`` gives them.
    acquired : ndarray of bool, shape (n_samples, n_features)
        As ``acquired_features`` gives them; read only, and one row seen many times
        where a method computes the same for every row.
    hypergraph : FeatureHypergraph
        What the features cost.
    """

    labels: NDArray
    scores: Floats
    acquired: Mask
    hypergraph: FeatureHypergraph = field(repr=False)

    def __post_init__(self) -> None:
        view = self.acquired.view()
        view.flags.writeable = False
        object.__setattr__(self, "acquired", view)

    @cached_property
    def cost(self) -> Floats:
        """What each row paid, in the hypergraph's unit; reckoned when first asked."""
        return self.hypergraph.cost_rows(self.acquired)


def called(scores: Floats) -> Integers:
    """Return the code of the class that each row's score is for."""
    if scores.ndim == 1:
        return (scores > 0).astype(np.int64)
    return np.argmax(scores, axis=1)


def scores_for(label: object, classes: NDArray, scores: Floats) -> Floats:
    """Return scores that are the higher the more they speak for one of two classes.

    Shapes: `scores` (n_samples,) -> (n_samples,).
    `scores`: as ``decision_function`` gives them, for the second class.
    """
    return scores if classes[1] == label else -scores


def logistic_shares(odds: Floats) -> Floats:
    """Return the probability of each of two classes, from the log-odds of the second.

    Shapes: `odds` (n_samples,) -> (n_samples, 2).
    """
    # By tanh: no exponential overflows, and odds of other sign swap the two exactly.
    second = 0.5 * (1.0 + np.tanh(odds / 2.0))
    return np.column_stack([1.0 - second, second])
