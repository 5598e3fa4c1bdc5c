"""What every method must beat: answers that cost nothing, all features, and chance."""

from abc import abstractmethod

import numpy as np

from solvers import LinearClassifier
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import refit_on

__all__ = ["FLOORS", "AllFeatures", "AllPositive", "RandomSelection"]

_SIZES = 12


class _Floor(LinearClassifier):
    """Logistic regression on features that were not chosen by what they tell."""

    def __init__(self, hypergraph=None, random_state=0):
        self.hypergraph = hypergraph
        self.random_state = random_state

    @abstractmethod
    def _supports(self, n_features):
        """Yield the features of one model after the other."""

    def _take(self, training):
        *_, last = self._models(training)
        vars(self).update(vars(last))
        return self

    def _models(self, training):
        loss = LogisticLoss.from_rows(training.X, training.signs, training.weights)
        fit = None
        for support in self._supports(loss.n_features):
            fit = refit_on(loss, support, fit)
            model = self._sibling()
            model._set_weights(*loss.to_raw(fit.weights, fit.intercept))
            model._set_support(support)
            yield model


class AllPositive(_Floor):
    """No feature: the tuned threshold calls every row positive."""

    title = "all positive"

    def _supports(self, n_features):
        yield np.zeros(n_features, dtype=bool)


class AllFeatures(_Floor):
    """Every feature, at full cost."""

    title = "all features"

    def _supports(self, n_features):
        yield np.ones(n_features, dtype=bool)


class RandomSelection(_Floor):
    """More and more features in an order that is drawn by lot."""

    title = "random selection"

    def _supports(self, n_features):
        order = np.random.default_rng(self.random_state).permutation(n_features)
        for size in np.unique(np.linspace(0, n_features, _SIZES).round().astype(int)):
            yield np.isin(np.arange(n_features), order[:size])


FLOORS = {
    "all positive": AllPositive(),
    "all features": AllFeatures(),
    "random selection": RandomSelection(),
}
