"""Cost-benefit forward selection: the honest yardstick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from ..numerics.arrays import Floats, Integers
from ..numerics.forward import forward_order, least_squares
from ..numerics.group_newton import refitted
from ..numerics.multinomial import class_loss
from ..numerics.prox_newton import LinearFit
from ..values.fields import declared
from ..values.knobs import BUDGET_KNOB, Switch
from .base import LabelledRows, Prices
from .rows import signed
from .static import LinearClassifier

__all__ = ["ForwardSelectionClassifier"]


@declared
class ForwardSelectionClassifier(LinearClassifier):
    """Buys features one by one: most explained per marginal cost first.

    The next feature is the one whose least-squares gain, over what the selected ones
    explain already, is largest for the cost of the components that are not paid for
    yet. Features that cost nothing more come first. A logistic regression is then
    fitted on what was bought. Of more than two classes a feature's gain is that over
    all of them, and the regression is multinomial.

    Attributes
    ----------
    coef_ : ndarray of float, shape (1, n_features) or (n_classes, n_features)
        Weights of the features as they come; one row a class of more than two.
    intercept_ : ndarray of float, shape (1,) or (n_classes,)
        Added to every decision.
    support_ : ndarray of bool, shape (n_features,)
        The selected features.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    order_ : ndarray of int, shape (n_selected,)
        The selected features in the order in which they were bought.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    Notes
    -----
    One pass over the table for each feature bought: O(n_samples n_features n_selected).

    Examples
    --------
    >>> from solvers import FeatureHypergraph
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ForwardSelectionClassifier(budget=3).fit(X, y)
    >>> model.cost_, model.order_.tolist()
    (3.0, [27, 20, 21])
    """

    title: ClassVar[str] = "Forward selection"
    takes_sparse: ClassVar[bool] = True
    takes_single: ClassVar[bool] = True
    takes_many_classes: ClassVar[bool] = True
    path_knob: ClassVar[str] = "budget"

    hypergraph: Prices = None
    budget: Annotated[
        float | None,
        BUDGET_KNOB,
        "What a prediction may cost, in the hypergraph's unit; no limit by "
        "default. Features that do not fit any more are passed over.",
    ] = None
    refit: Annotated[
        bool,
        Switch("Refit", doc="Weigh the selected features by the logistic loss."),
        "Whether the weights are those of a logistic regression. Without it "
        "they are the least-squares weights that the selection was made with, "
        "and the probabilities are not calibrated.",
    ] = True

    def _prepared(self, known: LabelledRows) -> _PrefixFits:
        return _PrefixFits(known)

    def _take(self, run: _PrefixFits) -> Self:
        """Buy features for as long as the budget lasts, and fit them."""
        return self._take_prefix(
            run, [feature for feature, _ in run.order(self.budget)]
        )

    def _models(self, run: _PrefixFits) -> Iterator[Self]:
        """Yield nested selections, one for each sum that a next feature adds to.

        Fitting with the budget of a yielded model gives the same selection.
        """
        order: list[int] = []
        spent = 0.0
        for feature, price in run.order(self.budget):
            # A free feature joins the prefix before it: no budget parts the two.
            if price > 0:
                yield self._sibling(budget=spent)._take_prefix(run, order)
            order.append(feature)
            spent += price
        yield self._sibling(budget=spent)._take_prefix(run, order)

    def _take_prefix(self, run: _PrefixFits, order: list[int]) -> Self:
        self.order_ = np.array(order, dtype=int)
        weights, intercept = (
            run.logistic(self.order_)
            if self.refit
            else least_squares(run.loss, self.order_)
        )
        self._set_weights(*run.loss.to_raw(weights, intercept))
        return self


class _PrefixFits:
    """One training set: its order of features, and fits of prefixes."""

    def __init__(self, known: LabelledRows) -> None:
        training = signed(known)
        self.loss = class_loss(training.X, training.signs, training.weights)
        self._hypergraph = known.hypergraph
        self._last: LinearFit | None = None

    def order(self, budget: float | None) -> Iterator[tuple[int, float]]:
        prices = self._hypergraph
        limit = np.inf if budget is None else float(budget)
        return forward_order(self.loss, prices.incidence, prices.component_costs, limit)

    def logistic(self, order: Integers) -> tuple[Floats, Any]:
        support = np.zeros(self.loss.n_features, dtype=bool)
        support[order] = True
        self._last = refitted(self.loss, support, self._last)
        return self._last.weights, self._last.intercept
