"""TEFE as a scikit-learn classifier."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from ...checks import refuse_uneven_labels
from ...costs.budgets import room_of
from ...decisions.program import Answered, ExitIf, ExitKind, Program, linear_node
from ...decisions.walker import Stop, Walker
from ...errors import DataError, shown
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.exit_curve import ExitCurve
from ...numerics.svm_path import PathPoint, solution_path
from ...numerics.svm_stages import (
    STEPS,
    ColumnScale,
    StageSolution,
    StageSolver,
    class_signs,
    stage_margins,
)
from ...values.fields import declared
from ...values.knobs import COST, Choice, Number, check_knobs
from ..adaptive import AdaptiveClassifier, SteppedClassifier
from ..base import Prices
from ..grouped import (
    GivenGroups,
    GivenMistakes,
    GroupedClassifier,
    GroupedTraining,
    GroupOrder,
    LossWeight,
    Standardise,
)
from .stages import (
    Calibration,
    Confidence,
    StageTrained,
    TrainingPlan,
    called_classes,
    least_gap,
    stage_confidences,
)

BudgetRule: TypeAlias = Literal["curve", "two_points"]

# A machine whose decisions differ by less over all training rows says nothing, and its
# distance from the boundary is 0 / 0.
_VANISHING = 1e-6
# So many rows, evenly spaced, are enough to foresee what a threshold costs.
_ROWS_FOR_BUDGETS = 2000
# Models that `path` yields.
_PATH_POINTS = 30


@dataclass(frozen=True, eq=False, kw_only=True)
class MarginStop(Stop):
    """A stop, and how sure its SVMs were."""

    margins: Floats  # (n_outputs,) Decisions of its SVMs
    confidence: float  # How sure it is; minus infinity if it may not answer


@declared
class TEFEClassifier(SteppedClassifier, GroupedClassifier, AdaptiveClassifier):
    """A cascade of support vector machines, each on one group of features more.

    A row's features are computed group by group until a machine is confident enough.
    Stage j minimises ``1/2 |w|^2 + C sum_i hinge(y_i (w . x_i + b))`` over the first j
    groups of columns in units of their spread, one class against the rest where there
    are more than two.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    stage_coef_ : ndarray of float, shape (n_outputs, n_stages, n_features)
        Weights, zero where a stage has not acquired a feature; one output for two
        classes, one a class for more.
        They are for the rows as they are.
    stage_intercept_ : ndarray of float, shape (n_outputs, n_stages)
        Intercepts; the middle one where the best is not unique.
    spread_ : ndarray of float, shape (n_features,)
        Units of the columns; the distance of Eq. (12) is measured in them.
    stage_gap_ : ndarray of float, shape (n_outputs, n_stages)
        Relative duality gaps: how far each stage can be from its optimum.
    stage_groups_ : tuple of ndarray of int
        The features that each stage adds.
    stage_costs_ : ndarray of float, shape (n_stages,)
        Cost of a row that leaves at each stage; shared components once.
    stage_blocked_ : ndarray of bool, shape (n_outputs, n_stages)
        Machines whose weights vanish; no row leaves by them.

    Notes
    -----
    Decisions are those of the stage at which a row leaves.

    References
    ----------
    .. [1] Liu et al., "TEFE: a time-efficient approach to feature extraction", 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> from solvers.methods.tefe import TEFEClassifier
    >>> X = np.array([[-2.0, -1.0], [-1.0, -1.0], [1.0, 1.0], [2.0, 1.0]])
    >>> prices = FeatureHypergraph.independent([5.0, 2.0])
    >>> model = TEFEClassifier(prices, threshold=2.0).fit(X, [0, 0, 1, 1])
    >>> model.stage_costs_.tolist()
    [2.0, 7.0]
    >>> model.set_params(threshold=0.5).prediction_cost(X).tolist()
    [2.0, 2.0, 2.0, 2.0]
    """

    title: ClassVar[str] = "TEFE"
    path_knob: ClassVar[str | None] = "threshold"

    hypergraph: Prices = None
    groups: GivenGroups = None
    C: LossWeight = 1.0
    order: GroupOrder = "alone"
    solver: Annotated[
        StageSolver,
        Choice(
            "Solver",
            ("interior_point", "path"),
            doc="How the stages are trained; the result is the same.",
        ),
        'How stages are trained; "path" is the paper\'s, and gives the same stages.',
    ] = "interior_point"
    confidence: Annotated[
        Confidence,
        Choice(
            "Confidence",
            ("distance", "raw", "gap", "calibrated"),
            doc="What makes a stage sure: the paper's distance, or what works better.",
        ),
        'When a stage is sure. "distance", Eq. (12), is the paper\'s; "gap" '
        "works better.",
    ] = "distance"
    threshold: Annotated[
        float,
        Number(
            "Exit threshold",
            shown=(0.0, 4.0),
            doc="A row leaves at the first stage whose confidence reaches this.",
        ),
        "A row leaves where the confidence reaches it. It may be changed after "
        'training, as may `time_cap` and, but for "calibrated", `confidence`.',
    ] = 1.0
    time_cap: Annotated[
        float | None,
        Number(
            "Time cap",
            0.0,
            unit=COST,
            optional=True,
            doc="No row may cost more than this, in the unit of the costs.",
        ),
    ] = None
    random_state: Annotated[int | None, 'Seed of the folds of "calibrated".'] = 0
    mistake_costs: GivenMistakes = None
    standardise: Standardise = True

    # ------------------------------------------------------------------------- training

    def _prepared(self, training: GroupedTraining) -> TrainingPlan:
        plan = TrainingPlan(
            training,
            training.ordered(self.order),
            len(self.classes_),
            self.C,
            self.solver,
            self.random_state,
            self.standardise,
        )
        self._allowed_stages(plan.costs)
        return plan

    def _training_steps(self, plan: TrainingPlan) -> Iterator[StageTrained]:
        is_calibrated = self.confidence == "calibrated"
        total = len(plan.groups) * (1 + len(plan.folds) if is_calibrated else 1)
        for done, stage in enumerate(self._solved(plan), start=1):
            yield StageTrained(done, total, float(stage.gap.max()))
        self.stage_groups_, self.stage_costs_ = plan.groups, plan.costs

    def _solved(self, plan: TrainingPlan) -> Iterator[StageSolution]:
        """Train, yield every stage, and take over what was learned."""
        training = plan.training
        stages = yield from plan.train(np.arange(len(training.X)))
        calibration: Calibration | None = None
        if self.confidence == "calibrated":
            calibration = yield from plan.calibrate()
        self._calibration = calibration
        self.stage_coef_, self.stage_intercept_ = stages.coef, stages.intercept
        self.stage_gap_, self.spread_ = stages.gap, stages.spread
        margins = stage_margins(training.X, stages.coef, stages.intercept)
        self.stage_blocked_ = np.ptp(margins, axis=0) < _VANISHING
        some = np.unique(
            np.linspace(0, len(margins) - 1, _ROWS_FOR_BUDGETS).astype(int)
        )
        self._training_margins = margins[some]
        self._training_labels = training.labels[some]
        self._training_weights = training.weights[some]

    def _fitted_models(self) -> Iterator[Self]:
        """Yield the cascade at rising thresholds: from the first stage to the last.

        The stages are trained once. Thresholds are spread evenly over what rows of
        the training set pay; where mistakes are priced the paying one is among them.
        """
        curve = self._training_curve()
        budgets = np.linspace(curve.cost[0], curve.cost[-1], _PATH_POINTS)
        wanted = [curve.threshold_for(budget) for budget in budgets]
        if self.mistake_costs is not None:
            wanted = sorted([*wanted, self.paying_threshold()])
        finite = curve.thresholds[np.isfinite(curve.thresholds)]
        # Beyond all confidences, yet a number that can be written to a file.
        beyond = 2.0 * float(finite.max(initial=0.5))
        for threshold in dict.fromkeys(np.clip(wanted, -beyond, beyond)):
            yield self._sibling(threshold=float(threshold))

    def acquisition_groups(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any = None
    ) -> tuple[Integers, ...]:
        """Return the groups in the order in which stages would add them.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.
        y : array_like, shape (n_samples,)
            Their labels.
        sample_weight : array_like of float, shape (n_samples,), optional
            Weights of the rows, 0 or more.

        Returns
        -------
        tuple of ndarray of int
            What ``stage_groups_`` would be; nothing is trained.
        """
        training = clone(self)._checked(X, y, sample_weight, None)
        return training.ordered(self.order)

    def solution_path(
        self, X: ArrayLike, y: ArrayLike, output: int = 0, sample_weight: Any = None
    ) -> Iterator[PathPoint]:
        """Yield the breakpoints of the published path, for the paper's Fig. 3.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.
        y : array_like, shape (n_samples,)
            Their labels.
        output : int, default=0
            Which class against the rest, where there are more than two.
        sample_weight : array_like of float, shape (n_samples,), optional
            Weights of the rows, 0 or more.

        Yields
        ------
        PathPoint
            Its features are in the order of acquisition: those of
            ``np.concatenate(stage_groups_)``. Its weights are of columns in units of
            their spread, so that they compare.
        """
        model = clone(self)
        training = model._checked(X, y, sample_weight, None)
        signs = class_signs(training.labels, len(model.classes_))
        if not 0 <= output < len(signs):
            raise DataError(
                f"There is no output {output}; outputs run from 0 to {len(signs) - 1}."
            )
        columns = np.concatenate(training.ordered(self.order))
        caps, rows = self.C * training.weights, training.X
        if self.standardise:
            rows = ColumnScale.of(rows, caps).standardised(rows)
        return solution_path(rows[:, columns], signs[output], caps, self.random_state)

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
        refuse_uneven_labels(truth, len(margins))
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
            raise _less_than_a_stage("The budget", budget, self.stage_costs_[0])
        if X is None:
            curve = self._training_curve()
        else:  # what rows are, does not change what they cost
            margins = self.stage_margins(X)
            curve = self._curve(margins, np.zeros(len(margins), dtype=np.int64))
        if rule == "curve" or room_of(budget) >= curve.cost[-1]:
            return curve.threshold_for(budget)
        # The paper's foresight: cost is taken to rise evenly with the threshold.
        base, slope = curve.straight_line()
        if slope == 0.0:
            return curve.threshold_for(budget)
        return float((budget - base) / slope)

    def paying_threshold(
        self, X: ArrayLike | None = None, y: ArrayLike | None = None
    ) -> float:
        """Return the threshold of least tests plus mistakes, by `mistake_costs`.

        Above it rows buy tests that save less than they cost.

        Shapes: `X` (n_samples, n_features), `y` (n_samples,).
        `X`, `y`: rows to foresee both on; training rows by default.
        """
        check_is_fitted(self)
        mistakes = self._mistakes()
        if mistakes is None:
            raise DataError(
                "What mistakes cost is not known; give mistake_costs="
                "MistakeCosts.binary(miss=..., false_alarm=...)."
            )
        curve = self._training_curve()
        if X is not None and y is not None:
            curve = self.exit_curve(X, y)
        total = curve.cost + curve.mistaken(mistakes.costs)
        return float(curve.thresholds[np.argmin(total)])

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
            raise _less_than_a_stage("time_cap", self.time_cap, costs[0])
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

    def _training_curve(self) -> ExitCurve:
        return self._curve(
            self._training_margins, self._training_labels, self._training_weights
        )


def _less_than_a_stage(name: str, limit: float, cost: float) -> DataError:
    return DataError(
        f"{name} is {limit:g}, but the first stage alone costs {cost:g}; allow at "
        "least that."
    )
