"""A Bayesian-network classifier, and what its features cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bayes import BayesianClassifier
from ..bayes.pricing import Costs, as_prices
from ..costs.hypergraph import FeatureHypergraph

__all__ = ["PricedNetwork"]


@dataclass(frozen=True, eq=False)
class PricedNetwork:
    """A Bayesian-network classifier, trimmed or not, and what its features cost.

    Parameters
    ----------
    classifier : BayesianClassifier
        What decides, such as ``original.trimmed(best.features, best.threshold)``.
    costs : array_like of float, mapping of str to float or FeatureHypergraph, optional
        A cost for each feature, in order or by name, or a hypergraph that has features
        of these names; one each by default.
    unit : str, default=""
        Of the costs; that of the hypergraph where there is one.
    """

    classifier: BayesianClassifier
    costs: Costs = None
    unit: str = ""

    @property
    def hypergraph(self) -> FeatureHypergraph:
        """What the features need, in the classifier's order."""
        names = self.classifier.features
        shared = self.costs
        if isinstance(shared, FeatureHypergraph):
            return shared.restrict(list(names))
        # Without components that are shared, each feature has one of its own.
        each = as_prices(names, shared, np.inf).alone()
        return FeatureHypergraph.independent(each, names, unit=self.unit or "units")
