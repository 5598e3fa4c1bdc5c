"""Running a trained cascade: where rows leave, what they pay, what a budget allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ...costs.budgets import room_of
from ...decisions.program import Answered, ExitIf, ExitKind, Program, linear_node
from ...decisions.walker import Stop, Walker
from ...errors import DataError, shown
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.exit_curve import ExitCurve
from ...numerics.svm_stages import STEPS, stage_margins
from ...values.knobs import check_knobs
from ..adaptive import AdaptiveClassifier
from ..grouped import GroupedClassifier
from .confidence import (
    Calibration,
    Confidence,
    called_classes,
    least_gap,
    stage_confidences,
)

BudgetRule: TypeAlias = Literal["curve", "two_points"]


@dataclass(frozen=True, eq=False, kw_only=True)
class MarginStop(Stop):
    """A stop, and how sure its SVMs were."""

    margins: Floats  # (n_outputs,) Decisions of its SVMs
    confidence: float  # How sure it is; minus infinity if it may not answer


class Cascade(GroupedClassifier, AdaptiveClassifier):
    """What a cascade does once its stages are trained."""

    threshold: float
    time_cap: float | None
    confidence: Confidence
    stage_coef_: Floats
    stage_intercept_: Floats
    spread_: Floats
    stage_groups_: tuple[Integers, ...]
    stage_costs_: Floats
    stage_blocked_: Mask
    _calibration: Calibration | None
    _training_margins: Floats
    _training_labels: Integers
    _training_weights: Floats

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "stage_coef_")

    # --------------------------------------------------------------------------- stages

    def stage_margins(self, X: ArrayLike) -> Floats:
        """Return the decision of every machine of every stage.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_outputs, n_stages).
        """
        rows = self._check_rows(X)
        return stage_margins(rows, self.stage_coef_, self.stage_intercept_)

    def stage_confidences(self, X: ArrayLike) -> Floats:
        """Return how sure every stage is of every row.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_stages).
        """
        return self._confidences(self.stage_margins(X))

    def stage_predictions(self, X: ArrayLike) -> NDArray:
        """Return what every stage would predict.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_stages).
        """
        return self.classes_[called_classes(self.stage_margins(X))]

    def exit_stages(self, X: ArrayLike) -> Integers:
        """Return the stage at which each row leaves, from 0.

        Shapes: `X` (n_samples, n_features) -> (n_samples,).
        """
        return self._exits(self.stage_margins(X))

    # ----------------------------------------------------------------------- prediction

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        """Return what the stage at which each row leaves says, and has computed."""
        margins = stage_margins(rows, self.stage_coef_, self.stage_intercept_)
        exits = self._exits(margins)
        scores = margins[np.arange(len(margins)), :, exits]
        acquired = self._acquired()[exits]
        return scores[:, 0] if len(self.classes_) == 2 else scores, acquired

    def acquirable_features(self) -> Mask:
        """Return the features up to the last stage that any row may reach."""
        check_is_fitted(self)
        sure = ~np.any(self.stage_blocked_[:, : self._allowed()], axis=0)
        # A distance of several classes is minus infinity where not one claims the row.
        has_least = len(self.classes_) == 2 or self.confidence in ("gap", "calibrated")
        sure &= has_least and self.threshold <= 0.0
        # Whoever is left at the last allowed stage is answered there.
        sure[-1] = True
        return self._acquired()[[np.argmax(sure)]]

    def _acquired(self) -> Mask:
        """Return what is computed up to each stage, (n_stages, n_features)."""
        acquired = np.zeros((len(self.stage_groups_), self.n_features_in_), dtype=bool)
        for stage, group in enumerate(self.stage_groups_):
            acquired[stage:, group] = True
        return acquired

    def program(self) -> Program:
        """Return the stages, left where their machines are sure."""
        check_is_fitted(self)
        # Beyond the first stage that lets everybody go nobody comes.
        stages = 1 if self.threshold == -math.inf else self._allowed()
        columns = np.concatenate(self.stage_groups_[:stages])
        nodes, known = [], 0
        for stage, group in enumerate(self.stage_groups_[:stages]):
            known += len(group)
            rule = Answered() if stage == stages - 1 else self._exit(stage)
            weights = self.stage_coef_[:, stage, columns[:known]]
            base = self.stage_intercept_[:, stage]
            nodes.append(linear_node(columns[:known], weights, base, group, rule))
        return Program(tuple(nodes), steps=STEPS)

    def walker(self) -> Walker:
        """Return what decides about one sample after the other, in little time."""
        check_is_fitted(self)
        program, prices = self.program(), self._hypergraph()
        return Walker(program, prices, self.classes_, self._margin_stop)

    def _margin_stop(self, stop: Stop) -> MarginStop:
        at, margins = [stop.stage], np.array(stop.said)
        known = self._checked_calibration()
        confidence = stage_confidences(
            margins[np.newaxis, :, np.newaxis],
            self._norms()[:, at],
            self.stage_blocked_[:, at],
            self.confidence,
            known and [known[stop.stage]],
        )
        # Any stage may be the last of a row's way; it answers whether it may or not.
        return MarginStop(**vars(stop), margins=margins, confidence=confidence.item())

    def _exit(self, stage: int) -> ExitIf:
        """Return when a stage is sure enough: as `stage_confidences` has it."""
        kind, n_outputs = self.confidence, len(self.stage_coef_)
        units, least = np.ones(n_outputs), float(self.threshold)
        if kind == "distance":
            units = self._norms()[:, stage]
        if kind == "calibrated":
            known = self._checked_calibration()
            least = least_gap(*known[stage], least) if known is not None else least
        named: ExitKind = "claim" if kind in ("distance", "raw") else "gap"
        if n_outputs == 1:
            # The gap between f and -f is 2 |f|.
            units = np.array([0.5]) if named == "gap" else units
            named = "size"
        blocked = self.stage_blocked_[:, stage]
        return ExitIf(
            named,
            tuple(np.where(blocked, 1.0, units).tolist()),
            tuple(np.where(blocked, math.inf, least).tolist()),
            stage + 1,
        )

    # ------------------------------------------------------------------------ all rows

    def exit_curve(self, X: ArrayLike, y: ArrayLike) -> ExitCurve:
        """Return cost, accuracy, F1 and exits for all thresholds, from one sort.

        Shapes: `X` (n_samples, n_features), `y` (n_samples,).
        """
        margins = self.stage_margins(X)
        truth = np.asarray(y)
        if truth.shape != (len(margins),):
            raise DataError(
                f"There are {len(margins)} rows, but labels of shape {truth.shape}; "
                "give one label for each row."
            )
        unknown = truth[~np.isin(truth, self.classes_)]
        if unknown.size:
            raise DataError(
                f"No row of class {shown(unknown.tolist()[0])} was seen in training; "
                "leave such rows out."
            )
        return self._curve(margins, np.searchsorted(self.classes_, truth))

    def threshold_for(
        self, budget: float, X: ArrayLike | None = None, rule: BudgetRule = "curve"
    ) -> float:
        """Return a threshold whose mean cost keeps within a budget.

        Shapes: `X` (n_samples, n_features).
        Infinite if the budget pays for every row's whole way.
        `X`: rows to foresee the cost on, best not those of training, which are surer
        than new rows; training rows by default.
        `rule`: "curve": the highest threshold within the budget, exact on these rows;
        "two_points": on the straight line through two thresholds, as in [1]_.

        References
        ----------
        .. [1] Liu et al., "TEFE: a time-efficient approach to feature extraction",
           2008, section 4.6.
        """
        check_is_fitted(self)
        if rule not in ("curve", "two_points"):
            raise DataError(f'The rule is {shown(rule)}; use "curve" or "two_points".')
        if not room_of(budget) >= self.stage_costs_[0]:
            raise DataError(
                f"The budget is {budget:g}, but the first stage alone costs "
                f"{self.stage_costs_[0]:g}; allow at least that."
            )
        curve = self._training_curve() if X is None else self._cost_curve(X)
        if rule == "curve" or room_of(budget) >= curve.cost[-1]:
            return curve.threshold_for(budget)
        # The paper's foresight: cost is taken to rise evenly with the threshold.
        base, slope = curve.straight_line()
        if slope == 0.0:
            return curve.threshold_for(budget)
        return float((budget - base) / slope)

    # ------------------------------------------------------------------------- plumbing

    def _confidences(self, margins: Floats) -> Floats:
        calibration = self._checked_calibration()
        return stage_confidences(
            margins, self._norms(), self.stage_blocked_, self.confidence, calibration
        )

    def _norms(self) -> Floats:
        return np.linalg.norm(self.stage_coef_ * self.spread_, axis=2)

    def _checked_calibration(self) -> Calibration | None:
        check_knobs(self)
        if self.confidence == "calibrated" and self._calibration is None:
            raise DataError(
                "The cascade was not calibrated; fit it again with "
                'confidence="calibrated".'
            )
        return self._calibration

    def _exits(self, margins: Floats) -> Integers:
        stages = self._allowed()
        sure = self._confidences(margins)[:, :stages] >= self.threshold
        # Whoever is left at the last allowed stage is answered there.
        sure[:, -1] = True
        return np.argmax(sure, axis=1)

    def _allowed(self) -> int:
        check_knobs(self)
        return self._allowed_stages(self.stage_costs_)

    def _allowed_stages(self, costs: Floats) -> int:
        """Return how many stages the time cap pays for."""
        if self.time_cap is None:
            return len(costs)
        stages = int(np.searchsorted(costs, room_of(self.time_cap), side="right"))
        if stages == 0:
            raise DataError(
                f"time_cap is {self.time_cap:g}, but the first stage alone costs "
                f"{costs[0]:g}; allow at least that."
            )
        return stages

    def _curve(
        self, margins: NDArray, truth: Integers, weights: Floats | None = None
    ) -> ExitCurve:
        stages = self._allowed()
        return ExitCurve.from_stages(
            self._confidences(margins)[:, :stages],
            called_classes(margins)[:, :stages],
            truth,
            self.stage_costs_[:stages],
            len(self.classes_),
            weights,
        )

    def _cost_curve(self, X: ArrayLike) -> ExitCurve:
        margins = self.stage_margins(X)
        return self._curve(margins, np.zeros(len(margins), dtype=np.int64))

    def _training_curve(self) -> ExitCurve:
        return self._curve(
            self._training_margins, self._training_labels, self._training_weights
        )
