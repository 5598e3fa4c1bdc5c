"""Selective ridge for two classes, and for numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from ...costs.hypergraph import FeatureHypergraph
from ...errors import DataError, KnobError
from ...numerics.arrays import Floats, Mask
from ...numerics.inner_folds import group_codes
from ...numerics.multinomial import class_corners
from ...values.fields import Described, declared
from ...values.knobs import STANDARDISE_KNOB, Choice, check_knobs
from ..base import CostAwareClassifier
from ..rows import aligned, set_classes, validated
from ..static import LinearClassifier
from .many_classes import ManyClassFit, ManyClassProblem
from .paths import Algorithm, fits, fits_along, last
from .problem import RidgeProblem, SelectiveRidgeFit
from .training import ALGORITHM, FLOATS, GAMMA, MU, TOL, TrainingRows, checked_scales

if TYPE_CHECKING:
    from sklearn.utils import Tags


# Parameters that the classifier and the regressor share.
Penalty: TypeAlias = Annotated[float, GAMMA, "Weight of the penalty, above 0."]
FeaturePrices: TypeAlias = Annotated[
    FeatureHypergraph | None,
    "Prices of the features: mu_i = mu * sqrt(cost of the feature alone). Without one "
    "every feature costs one unit.",
]
Weights: TypeAlias = Annotated[
    ArrayLike | None,
    Described(
        "array_like of float, shape (n_features,)",
        "mu_i / mu as they are, whatever the hypergraph says; a Series is matched by "
        "the names of the features, an array is in their order.",
    ),
]
Solver: TypeAlias = Annotated[
    Algorithm,
    ALGORITHM,
    '"published" runs the iteration of the paper, which need not get there; its '
    "`duality_gap_` tells by how much.",
]
Tolerance: TypeAlias = Annotated[float, TOL, "Relative duality gap at which to stop."]
Scaling: TypeAlias = Annotated[
    bool,
    STANDARDISE_KNOB,
    "Whether to measure every column in units of its spread (its standard deviation "
    "over the weighted rows). `objective_`, `duality_gap_` and `mu` are then those of "
    "the scaled problem; `coef_` is for the rows as they are. False is the problem of "
    "the paper on the columns as they come.",
]


class SelectiveRidgeEstimator:
    """Poses the problem of some rows, and takes over a fit with its certificate."""

    gamma: float
    mu: float
    hypergraph: FeatureHypergraph | None
    feature_weights: ArrayLike | None
    algorithm: Algorithm
    tol: float
    standardise: bool
    _hypergraph: Callable[[], FeatureHypergraph]

    def _problem(self, rows: TrainingRows, loss: str) -> RidgeProblem:
        """Return the problem of some rows, under prices where there are any."""
        return rows.problem(loss, self.gamma, self._scales(rows), self.standardise)

    def _scales(self, rows: TrainingRows) -> Floats | None:
        """Return mu_i / mu of every feature; None where all are the same."""
        hypergraph = None if self.hypergraph is None else self._hypergraph()
        known = None if hypergraph is None else hypergraph.features
        names = getattr(self, "feature_names_in_", known)
        n_features = rows.X.shape[1]
        return checked_scales(self.feature_weights, hypergraph, n_features, names)

    def _solve(self, problem: RidgeProblem) -> SelectiveRidgeFit:
        return last(fits(problem, self.mu, self.algorithm, self.tol))

    def _take_certificate(
        self, fit: SelectiveRidgeFit | ManyClassFit, is_used: Mask
    ) -> None:
        self.dual_coef_ = np.zeros((len(is_used), *fit.dual_coef.shape[1:]))
        self.dual_coef_[is_used] = fit.dual_coef
        self.objective_ = fit.objective
        self.duality_gap_ = fit.duality_gap
        self.feature_states_ = fit.states
        self.n_iter_ = max(fit.iterations, 1)
        if fit.relative_gap > self.tol:
            warnings.warn(_shortfall(fit, self.algorithm), ConvergenceWarning, 2)


def _shortfall(fit: SelectiveRidgeFit | ManyClassFit, algorithm: str) -> str:
    reached = f"stopped at a relative duality gap of {fit.relative_gap:.1e}"
    if algorithm == "published":
        return f'The published algorithm {reached}; use algorithm="interior_point".'
    return f"The solver {reached}; raise tol or gamma, or scale the features."


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

    Of more than two classes q is the multinomial loss, and ``|a_i|`` the size of a
    feature's weights, the root of twice the sum of their squares over all classes.

    Attributes
    ----------
    coef_ : ndarray of float, shape (1, n_features) or (n_classes, n_features)
        Weights of the features, zero where a feature is not computed; one row a class
        of more than two.
    intercept_ : ndarray of float, shape (1,) or (n_classes,)
        Added to every decision.
    dual_coef_ : ndarray of float, shape (n_samples,) or (n_samples, n_classes)
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
    classes_ : ndarray, shape (n_classes,)
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
    takes_many_classes: ClassVar[bool] = True
    title: ClassVar[str] = "Selective ridge"
    path_knob: ClassVar[str | None] = "mu"

    mu: Annotated[
        float,
        MU,
        "Selectivity, 0 or more: 0 is a support vector machine or logistic "
        "regression, `maximum_selectivity` leaves no feature.",
    ] = 0.1
    gamma: Penalty = 1.0
    loss: Annotated[
        Literal["hinge", "logistic"],
        Choice("Loss", ("hinge", "logistic")),
        "The loss q of a row; more than two classes have the multinomial one, which "
        'of two is "logistic", whatever is said here.',
    ] = "hinge"
    hypergraph: FeaturePrices = None
    feature_weights: Weights = None
    algorithm: Solver = "interior_point"
    tol: Tolerance = 1e-6
    standardise: Scaling = True

    def _prepared(self, rows: TrainingRows) -> tuple[Any, Mask]:
        """Return the problem, and which of the rows that were given it is about."""
        if rows.y.ndim == 1:
            return self._problem(rows, self.loss), rows.is_used
        if self.algorithm == "published":
            raise KnobError(
                "algorithm is 'published', which takes two classes; choose "
                "'interior_point' for more."
            )
        kept = rows.X, rows.y, rows.weights, self._scales(rows)
        problem = ManyClassProblem(*kept, self.gamma, self.standardise)
        return problem, rows.is_used

    def _take(self, posed: tuple[Any, Mask]) -> Self:
        problem, is_used = posed
        if isinstance(problem, ManyClassProblem):
            return self._take_solution(problem.fit(float(self.mu), self.tol), is_used)
        return self._take_solution(self._solve(problem), is_used)

    def _models(self, posed: tuple[Any, Mask]) -> Iterator[Self]:
        """Yield fitted models for falling selectivities, warm-started."""
        problem, is_used = posed
        found: Iterator[Any]
        if isinstance(problem, ManyClassProblem):
            found = problem.along(PATH_POINTS, PATH_SMALLEST, self.tol)
        else:
            found = fits_along(
                problem, PATH_POINTS, PATH_SMALLEST, self.algorithm, self.tol
            )
        for fit in found:
            yield self._sibling(mu=fit.mu)._take_solution(fit, is_used)

    def _take_solution(
        self, fit: SelectiveRidgeFit | ManyClassFit, is_used: Mask
    ) -> Self:
        self._take_certificate(fit, is_used)
        self._set_weights(fit.coef, fit.intercept)
        return self

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> TrainingRows:
        check_knobs(self)
        table, targets = validate_data(
            self, aligned(self, X), y, accept_sparse=("csc", "csr"), dtype=FLOATS
        )
        codes = set_classes(self, targets)
        group_codes(groups, len(targets))  # refused where it fits no row
        n_classes = len(self.classes_)
        if n_classes == 2:
            signs = np.where(codes == 1, 1.0, -1.0)
            return TrainingRows.of(table, signs, sample_weight)
        rows = TrainingRows.of(table, class_corners(n_classes)[codes], sample_weight)
        if len(np.unique(codes[rows.is_used])) < n_classes:
            raise DataError(
                "Rows of weight above 0 are not of all classes; weigh one of each."
            )
        return rows

    def _set_support(self, support: Mask) -> None:
        if self.hypergraph is not None:
            super()._set_support(support)
            return
        # Unit prices need no hypergraph, which a million features would make heavy.
        self.support_ = support
        self.cost_ = float(np.count_nonzero(support))


@declared
class SelectiveRidgeRegressor(SelectiveRidgeEstimator, RegressorMixin, BaseEstimator):
    """Linear regression that draws small weights to zero and shrinks large ones alike.

    It minimises eq. (11) of [1]_ with the squared loss (7),

        gamma * sum_i (2 mu_i |a_i| if |a_i| <= mu_i else mu_i² + a_i²)
            + sum_j weight_j (y_j - x_j'a - b)².

    Attributes
    ----------
    coef_ : ndarray of float, shape (n_features,)
        Weights of the features, zero where a feature is not computed.
    intercept_ : float
        Added to every prediction.
    dual_coef_ : ndarray of float, shape (n_samples,)
        λ of the paper; 0 for rows of weight 0. A ridge feature has weight x_i'λ.
    objective_ : float
        The value of eq. (11).
    duality_gap_ : float
        No model has an objective below ``objective_ - duality_gap_``.
    feature_states_ : ndarray of str, shape (n_features,)
        "zero", "boundary" (between 0 and mu_i) or "ridge" (from mu_i on).
    support_ : ndarray of bool, shape (n_features,)
        The selected features, in the order of the hypergraph or of the columns in
        ``fit``, as everything that is learned.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    n_iter_ : int
        Linear problems solved.

    Raises
    ------
    ThriftscopeError
        In ``fit``, if a parameter or the prices make no sense.

    References
    ----------
    .. [1] Mottl et al., "Computational complexity of dependence estimation via
       generalized linear models in multidimensional feature spaces", 2019.

    Examples
    --------
    >>> from solvers.methods.selective_ridge import SelectiveRidgeRegressor
    >>> model = SelectiveRidgeRegressor(mu=0.9).fit([[1.0], [-1.0]], [1.0, -1.0])
    >>> round(float(model.coef_[0]), 4), str(model.feature_states_[0])
    (0.55, 'boundary')
    """

    title: ClassVar[str] = "Selective ridge"

    mu: Annotated[
        float,
        MU,
        "Selectivity, 0 or more: 0 is ridge regression with ``alpha=gamma``, "
        "`maximum_selectivity` leaves no feature.",
    ] = 0.1
    gamma: Penalty = 1.0
    hypergraph: FeaturePrices = None
    feature_weights: Weights = None
    algorithm: Solver = "interior_point"
    tol: Tolerance = 1e-6
    standardise: Scaling = True

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: Any = None) -> Self:
        """Learn from rows and their numbers.

        Parameters
        ----------
        X : array_like or sparse matrix of float, shape (n_samples, n_features)
            The rows. float64 arrays and CSC matrices are read in place.
        y : array_like of float, shape (n_samples,)
            Their numbers.
        sample_weight : array_like of float, shape (n_samples,), optional
            Weights of the rows, 0 or more; a row of weight 2 counts as two rows.

        Returns
        -------
        self
        """
        check_knobs(self)
        table, targets = validate_data(
            self,
            aligned(self, X),
            y,
            accept_sparse=("csc", "csr"),
            dtype=FLOATS,
            y_numeric=True,
        )
        rows = TrainingRows.of(table, targets.astype(np.float64), sample_weight)
        fit = self._solve(self._problem(rows, "squared"))
        self._take_certificate(fit, rows.is_used)
        self.coef_, self.intercept_ = fit.coef, fit.intercept
        self.support_ = fit.support
        self.cost_ = (
            float(np.count_nonzero(fit.support))
            if self.hypergraph is None
            else self._hypergraph().cost(fit.support)
        )
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return the predicted number of each row.

        Parameters
        ----------
        X : array_like or sparse matrix of float, shape (n_samples, n_features)
            The rows. Features that are not selected are not looked at.

        Returns
        -------
        ndarray of float, shape (n_samples,)
        """
        check_is_fitted(self)
        rows = validated(
            self, aligned(self, X), accept_sparse=("csr", "csc"), dtype=FLOATS
        )
        chosen = np.flatnonzero(self.support_)
        return np.asarray(rows[:, chosen] @ self.coef_[chosen] + self.intercept_)

    # The same prices, with the same refusals.
    _hypergraph = CostAwareClassifier._hypergraph

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
