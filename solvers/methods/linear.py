"""What linear methods with a penalty share: shrinkage, refit, and a priced l1 norm."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import replace
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from ..costs.hypergraph import FeatureHypergraph
from ..numerics.group_newton import refitted
from ..numerics.multinomial import ClassLoss, class_loss
from ..numerics.prox_newton import LinearFit
from ..numerics.weighted_l1 import WeightedL1Fits
from ..values.fields import declared
from ..values.knobs import (
    ALPHA_KNOB,
    MAX_ITER_KNOB,
    N_ALPHAS_KNOB,
    REFIT_KNOB,
    TOL_KNOB,
)
from .base import LabelledRows, Prices
from .rows import signed
from .static import LinearClassifier

_PATH_RATIO = 1e-3


class PenalisedClassifier(LinearClassifier):
    """A linear method that selects by a penalty and may refit without it.

    `objective_`: the penalised objective at the penalised solution, before any refit;
    `n_iter_`: Newton steps taken.
    """

    takes_sparse: ClassVar[bool] = True
    takes_single: ClassVar[bool] = True
    refit: bool
    tol: float
    max_iter: int

    def _take_fit(self, loss: ClassLoss, fit: LinearFit, n_iter: int) -> Self:
        """Take over a fit on scaled columns, refitted where that is asked for."""
        if fit.n_iter >= self.max_iter and fit.violation > self.tol:
            warnings.warn(
                f"{type(self).__name__} stopped after {fit.n_iter} steps, "
                f"{fit.violation:.1e} from stationarity; allow more than max_iter="
                f"{self.max_iter} steps or a larger tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.objective_ = fit.objective
        self.n_iter_ = max(1, n_iter)
        if self.refit:
            fit = refitted(loss, fit.used, fit)
        self._set_weights(*loss.to_raw(fit.weights, fit.intercept))
        return self


@declared
class PricedL1Classifier(PenalisedClassifier):
    """Logistic regression with the penalty ``alpha sum_k price_k |w_k|``.

    Of more than two classes it is multinomial, and ``|w_k|`` is the size of all weights
    of a feature: it is one group, so that it is charged once, whoever uses it.
    Subclasses say what a feature's price is.
    """

    takes_many_classes: ClassVar[bool] = True

    path_knob: ClassVar[str | None] = "alpha"
    # The problem is convex: a start at a known fit changes only the time.
    late: ClassVar[tuple[str, ...]] = ("refit", "n_alphas")

    hypergraph: Prices = None
    alpha: Annotated[
        float,
        replace(ALPHA_KNOB, doc="Larger keeps fewer features."),
        "Trade-off, λ in [1]_, per unit of a feature's price; 0 or more.",
    ] = 0.01
    refit: Annotated[
        bool,
        REFIT_KNOB,
        "Whether the weights are those of the unpenalised fit on the selected "
        "features. Without it they keep the shrinkage of the penalty.",
    ] = True
    n_alphas: Annotated[int, N_ALPHAS_KNOB, "Length of `path`."] = 50
    tol: Annotated[
        float,
        TOL_KNOB,
        "Largest distance from stationarity, per unit of a scaled feature.",
    ] = 1e-6
    max_iter: Annotated[int, MAX_ITER_KNOB, "Newton steps of one descent at most."] = (
        500
    )

    @abstractmethod
    def _prices(self, hypergraph: FeatureHypergraph) -> NDArray[np.float64]:
        """Return what each unit of weight is charged, shape (n_features,)."""

    def _prepared(self, known: LabelledRows) -> WeightedL1Fits:
        training, prices = signed(known), self._prices(known.hypergraph)
        loss = class_loss(training.X, training.signs, training.weights)
        return WeightedL1Fits(loss, prices, tol=self.tol, max_iter=self.max_iter)

    def _values(self, fits: WeightedL1Fits) -> list[float]:
        return fits.alphas(self.n_alphas, _PATH_RATIO).tolist()

    def _take(self, fits: WeightedL1Fits) -> Self:
        fit = fits.fit(self.alpha)
        return self._take_fit(fits.loss, fit, fit.n_iter)
