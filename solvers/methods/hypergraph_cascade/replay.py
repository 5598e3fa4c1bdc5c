"""What all stages say of labelled rows: then any policy's outcome is a look-up."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.arrays import Integers, Mask
from .members import Sheet
from .policies import Policy
from .prediction import CascadePrediction

__all__ = ["Replay"]


class Replay:
    """What all stages of a trained cascade say of labelled rows.

    Parameters
    ----------
    model : HypergraphCascadeClassifier
        Fitted.
    X : array_like of float, shape (n_rows, n_features)
        The rows, all features known.
    y : array_like, shape (n_rows,)
        Their labels.
    """

    def __init__(self, model: CascadePrediction, X: ArrayLike, y: ArrayLike) -> None:
        rows = model._check_rows(X)
        self.is_binary = len(model.classes_) == 2
        self.truth = np.searchsorted(model.classes_, np.asarray(y))
        self.sheets = tuple(
            Sheet.of(member, rows, self.is_binary) for member in model.members_
        )

    def exits(self, policy: Policy) -> Integers:
        """Return the stage at which each row leaves under a policy.

        Parameters
        ----------
        policy : Policy
            Of the cascade.

        Returns
        -------
        ndarray of int, shape (n_rows,)
            As ``exit_stages`` of the cascade at that policy.
        """
        sheet = self.sheets[policy.member]
        stages = np.zeros(len(self.truth), dtype=np.int64)
        for leaf, (low, high) in enumerate(zip(policy.low, policy.high, strict=True)):
            here = np.flatnonzero(sheet.leaf_of == leaf)
            u = sheet.scores[here, : len(low)]
            # The first stage at which a row does not go on; the last has no interval.
            stages[here] = np.argmin((low < u) & (u < high), axis=1)
        return stages

    def right(self, policy: Policy) -> Mask:
        """Return whether each stage would be right about each row under a policy.

        Parameters
        ----------
        policy : Policy
            Of the cascade; its cut decides between two classes.

        Returns
        -------
        ndarray of bool, shape (n_rows, n_stages)
        """
        beliefs = self.sheets[policy.member].beliefs
        called = beliefs > policy.cut if self.is_binary else beliefs
        return np.asarray(called == self.truth[:, np.newaxis])

    def outcome(self, policy: Policy) -> tuple[float, float]:
        """Return mean cost and accuracy of a policy.

        Parameters
        ----------
        policy : Policy
            Of the cascade.

        Returns
        -------
        cost : float
            In the hypergraph's unit.
        accuracy : float
        """
        exits, sheet = self.exits(policy), self.sheets[policy.member]
        is_right = self.right(policy)[np.arange(len(exits)), exits]
        cost = sheet.costs[sheet.leaf_of, exits].mean()
        return float(cost), float(is_right.mean())
