"""What every stage of a trained cascade says of some rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...costs.budgets import room_of
from ...methods.tefe import TEFEClassifier
from ...numerics.exit_curve import ExitCurve


@dataclass(frozen=True, eq=False)
class CascadeRows:
    """Confidence and prediction of every stage, so that a threshold is a look-up."""

    #: (n_rows, n_stages) Minus infinity where a stage may not answer
    confidences: NDArray[np.float64]
    #: (n_rows, n_stages) Code of the class that each stage would predict
    called: NDArray[np.int_]
    truth: NDArray[np.int_]  #: (n_rows,) Code of the class of each row
    #: (n_stages,) Cost of a row that leaves at each stage
    stage_costs: NDArray[np.float64]
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
    def right(self) -> NDArray[np.bool_]:
        """Whether each stage is right about each row, shape (n_rows, n_stages)."""
        return self.called == self.truth[:, np.newaxis]

    @cached_property
    def prefix_accuracy(self) -> NDArray[np.float64]:
        """Accuracy of each stage's machine used for every row, shape (n_stages,)."""
        return self.right.mean(axis=0)

    @cached_property
    def curve(self) -> ExitCurve:
        """Cost, accuracy and exits at all thresholds."""
        return ExitCurve.from_stages(
            self.confidences, self.called, self.truth, self.stage_costs, self.n_classes
        )

    def exits(self, threshold: float) -> NDArray[np.int_]:
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
