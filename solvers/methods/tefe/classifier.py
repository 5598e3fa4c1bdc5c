"""TEFE as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from ...errors import DataError
from ...numerics.arrays import Integers
from ...numerics.svm_path import PathPoint, solution_path
from ...numerics.svm_stages import (
    ColumnScale,
    StageSolution,
    StageSolver,
    class_signs,
    stage_margins,
)
from ...values.fields import declared
from ...values.knobs import COST, Choice, Number
from ..adaptive import SteppedClassifier
from ..base import Prices
from ..grouped import (
    GivenGroups,
    GroupedTraining,
    GroupOrder,
    LossWeight,
    Standardise,
)
from .cascade import Cascade
from .confidence import Confidence
from .training import StageTrained, TrainingPlan

# A machine whose decisions differ by less over all training rows says nothing, and its
# distance from the boundary is 0 / 0.
_VANISHING = 1e-6
# So many rows, evenly spaced, are enough to foresee what a threshold costs.
_ROWS_FOR_BUDGETS = 2000
# Models that `path` yields.
_PATH_POINTS = 30


@declared
class TEFEClassifier(SteppedClassifier, Cascade):
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
    standardise: Standardise = True

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
        calibration = None
        if self.confidence == "calibrated":
            calibration = yield from plan.calibrate()
        self._calibration = calibration
        self.stage_coef_, self.stage_intercept_ = stages.coef, stages.intercept
        self.stage_gap_, self.spread_ = stages.gap, stages.spread
        margins = stage_margins(training.X, stages.coef, stages.intercept)
        self.stage_blocked_ = np.ptp(margins, axis=0) < _VANISHING
        self._foresee_budgets(training, margins)

    def _foresee_budgets(self, training: GroupedTraining, margins: NDArray) -> None:
        """Keep what thresholds cost on training rows."""
        some = np.unique(
            np.linspace(0, len(margins) - 1, _ROWS_FOR_BUDGETS).astype(int)
        )
        self._training_margins = margins[some]
        self._training_labels = training.labels[some]
        self._training_weights = training.weights[some]

    def _fitted_models(self) -> Iterator[Self]:
        """Yield the cascade at rising thresholds: from the first stage to the last.

        The stages are trained once. Thresholds are spread evenly over what rows of
        the training set pay.
        """
        curve = self._training_curve()
        budgets = np.linspace(curve.cost[0], curve.cost[-1], _PATH_POINTS)
        wanted = [curve.threshold_for(budget) for budget in budgets]
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
