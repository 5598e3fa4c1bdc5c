"""L1: sparse logistic regression that does not look at prices."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats
from ..values.fields import declared
from .linear import PricedL1Classifier

__all__ = ["L1Classifier"]


@declared
class L1Classifier(PricedL1Classifier):
    """Logistic regression with an l1 penalty: few features, whatever they cost.

    Minimises the mean logistic loss plus ``alpha sum_k |w_k|`` on features divided by
    half their training range; the intercept is not penalised. Of more than two classes
    the loss is multinomial and ``|w_k|`` the size of a feature's weights: the root of
    twice the sum of their squares over all classes. The classic yardstick: it pays by
    the hypergraph, but does not look at it.

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
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> L1Classifier(alpha=0.01).fit(X, y).cost_  # features, at unit costs
    4.0
    """

    title: ClassVar[str] = "L1"

    def _prices(self, hypergraph: FeatureHypergraph) -> Floats:
        return np.ones(hypergraph.n_features)
