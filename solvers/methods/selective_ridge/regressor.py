"""Selective ridge for numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats
from ...values.fields import Described, declared
from ...values.knobs import STANDARDISE_KNOB, check_knobs
from ..base import CostAwareClassifier
from .estimation import SelectiveRidgeEstimator
from .paths import Algorithm
from .training import ALGORITHM, FLOATS, GAMMA, MU, TOL, TrainingRows

if TYPE_CHECKING:
    from sklearn.utils import Tags


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
    gamma: Annotated[float, GAMMA, "Weight of the penalty, above 0."] = 1.0
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
            self._aligned(X),
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
        rows = self._validated(
            self._aligned(X), accept_sparse=("csr", "csc"), dtype=FLOATS
        )
        chosen = np.flatnonzero(self.support_)
        return np.asarray(rows[:, chosen] @ self.coef_[chosen] + self.intercept_)

    # The same prices and names, with the same refusals.
    _hypergraph = CostAwareClassifier._hypergraph
    _aligned = CostAwareClassifier._aligned
    _validated = CostAwareClassifier._validated

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
