"""Reweighted L1: each feature is penalised by what it would cost alone."""

from __future__ import annotations

from typing import ClassVar

from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats
from ..values.fields import declared
from .linear import PricedL1Classifier

__all__ = ["ReweightedL1Classifier"]


@declared
class ReweightedL1Classifier(PricedL1Classifier):
    """Logistic regression whose l1 penalty weighs each feature by its own cost.

    Minimises the mean logistic loss plus ``alpha sum_k (H'D)_k |w_k|`` on features
    divided by half their training range; the intercept is not penalised. Of more than
    two classes ``|w_k|`` is the size of a feature's weights, as of `L1Classifier`.
    ``(H'D)_k`` is the cost of all components that feature k needs, so what features
    share is counted for each of them: ACAFH with p = 1.

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
    objective_ : float
        The penalised objective at its minimiser, before any refit.
    n_iter_ : int
        Newton steps of the last descent.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, section 6.1.

    Examples
    --------
    >>> from solvers import FeatureHypergraph
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.8, 1.0]], [0, 1, 0, 1]
    >>> prices = FeatureHypergraph([[1, 0], [0, 1]], [5.0, 1.0], ("costly", "cheap"))
    >>> ReweightedL1Classifier(prices, alpha=0.05).fit(X, y).support_.tolist()
    [False, True]
    """

    title: ClassVar[str] = "Reweighted L1"

    def _prices(self, hypergraph: FeatureHypergraph) -> Floats:
        return hypergraph.marginal_costs()
