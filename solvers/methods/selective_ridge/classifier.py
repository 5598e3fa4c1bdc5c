"""Selective ridge for two classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Mask
from ...numerics.inner_folds import group_codes
from ...values.fields import Described, declared
from ...values.knobs import STANDARDISE_KNOB, Choice, check_knobs
from ..static import LinearClassifier
from .estimation import SelectiveRidgeEstimator
from .paths import Algorithm, fits_along
from .problem import RidgeProblem, SelectiveRidgeFit
from .training import ALGORITHM, FLOATS, GAMMA, MU, TOL, TrainingRows

# The path that a frontier is traced along.
PATH_POINTS = 24
PATH_SMALLEST = 1e-4


@declared
class SelectiveRidgeClassifier(SelectiveRidgeEstimator, LinearClassifier):
    """Linear classifier that draws small weights to zero and shrinks large ones alike.

    It minimises eq. (11) of [1]_, ::

        gamma * sum_i (2 mu_i |a_i| if |a_i| <= mu_i else mu_i² + a_i²)
            + sum_j weight_j q(y_j, x_j'a + b),

    the best convex bound of a ridge penalty plus a price gamma * mu_i² for each feature
    in use. A feature that costs c_i is therefore given mu_i = mu * sqrt(c_i).

    Attributes
    ----------
    coef_ : ndarray of float, shape (1, n_features)
        Weights of the features, zero where a feature is not computed.
    intercept_ : ndarray of float, shape (1,)
        Added to every decision.
    dual_coef_ : ndarray of float, shape (n_samples,)
        λ of the paper; 0 for rows of weight 0. A ridge feature has weight x_i'λ.
    objective_ : float
        The value of eq. (11).
    duality_gap_ : float
        No model has an objective below ``objective_ - duality_gap_``.
    feature_states_ : ndarray of str, shape (n_features,)
        "zero", "boundary" (between 0 and mu_i) or "ridge" (from mu_i on).
    support_ : ndarray of bool, shape (n_features,)
        The selected features.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    classes_ : ndarray, shape (2,)
        The classes, sorted.
    n_iter_ : int
        Linear problems solved.

    Raises
    ------
    ThriftscopeError
        In ``fit``, if a parameter, the labels or the prices make no sense.

    Notes
    -----
    The dual has one variable a row, so that time grows linearly with the number of
    features. The paper's rule for the coefficients, eq. (20), sets every feature on the
    boundary ``|x_i'λ| = mu_i`` to zero; here they are recovered too.

    References
    ----------
    .. [1] Mottl, Tatarchuk, Sulimova, Krasotkina, Morozov and Pugach, "Computational
       complexity of dependence estimation via generalized linear models in
       multidimensional feature spaces", 2019.

    Examples
    --------
    >>> from solvers.methods.selective_ridge import SelectiveRidgeClassifier
    >>> X = [[1.0, 0.1], [2.0, -0.1], [-1.0, 0.1], [-2.0, -0.2]]
    >>> model = SelectiveRidgeClassifier(mu=0.5).fit(X, [1, 1, 0, 0])
    >>> model.feature_states_.tolist(), model.cost_
    (['ridge', 'zero'], 1.0)
    """

    takes_sparse: ClassVar[bool] = True
    takes_single: ClassVar[bool] = True
    title: ClassVar[str] = "Selective ridge"
    path_knob: ClassVar[str | None] = "mu"

    mu: Annotated[
        float,
        MU,
        "Selectivity, 0 or more: 0 is a support vector machine or logistic "
        "regression, `maximum_selectivity` leaves no feature.",
    ] = 0.1
    gamma: Annotated[float, GAMMA, "Weight of the penalty, above 0."] = 1.0
    loss: Annotated[
        Literal["hinge", "logistic"],
        Choice("Loss", ("hinge", "logistic")),
        "The loss q of a row.",
    ] = "hinge"
    hypergraph: Annotated[
        FeatureHypergraph | None,
        "Prices of the features: mu_i = mu * sqrt(cost of the feature alone). "
        "Without one every feature costs one unit.",
    ] = None
    feature_weights: Annotated[
        ArrayLike | None,
        Described(
            "array_like of float, shape (n_features,)",
            "mu_i / mu as they are, whatever the hypergraph says; a Series is "
            "matched by the names of the features, an array is in their order.",
        ),
    ] = None
    algorithm: Annotated[
        Algorithm,
        ALGORITHM,
        '"published" runs the iteration of the paper, which need not get there; '
        "its `duality_gap_` tells by how much.",
    ] = "interior_point"
    tol: Annotated[float, TOL, "Relative duality gap at which to stop."] = 1e-6
    standardise: Annotated[
        bool,
        STANDARDISE_KNOB,
        "Whether to measure every column in units of its spread (its standard "
        "deviation over the weighted rows). `objective_`, `duality_gap_` and "
        "`mu` are then those of the scaled problem; `coef_` is for the rows as "
        "they are. False is the problem of the paper on the columns as they "
        "come.",
    ] = True

    def _prepared(self, rows: TrainingRows) -> tuple[RidgeProblem, Mask]:
        """Return the problem, and which of the rows that were given it is about."""
        return self._problem(rows, self.loss), rows.is_used

    def _take(self, posed: tuple[RidgeProblem, Mask]) -> Self:
        problem, is_used = posed
        return self._take_solution(self._solve(problem), is_used)

    def _models(self, posed: tuple[RidgeProblem, Mask]) -> Iterator[Self]:
        """Yield fitted models for falling selectivities, warm-started."""
        problem, is_used = posed
        found = fits_along(
            problem, PATH_POINTS, PATH_SMALLEST, self.algorithm, self.tol
        )
        for fit in found:
            yield self._sibling(mu=fit.mu)._take_solution(fit, is_used)

    def _take_solution(self, fit: SelectiveRidgeFit, is_used: Mask) -> Self:
        self._take_certificate(fit, is_used)
        self._set_weights(fit.coef, fit.intercept)
        return self

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> TrainingRows:
        check_knobs(self)
        table, targets = validate_data(
            self, self._aligned(X), y, accept_sparse=("csc", "csr"), dtype=FLOATS
        )
        check_classification_targets(targets)
        self.classes_, codes = np.unique(targets, return_inverse=True)
        self._refuse_other_than_two_classes(targets)
        group_codes(groups, len(targets))  # refused where it fits no row
        return TrainingRows.of(table, np.where(codes == 1, 1.0, -1.0), sample_weight)

    def _set_support(self, support: Mask) -> None:
        if self.hypergraph is not None:
            super()._set_support(support)
            return
        # Unit prices need no hypergraph, which a million features would make heavy.
        self.support_ = support
        self.cost_ = float(np.count_nonzero(support))
