"""Methods that compute the same features for every row; among them weighted sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted

from ..decisions.decision import Decision, logistic_shares
from ..decisions.program import Program, refusal, weighed_sum
from .base import CostAwareClassifier

# Rows that are decided about at a time.
_BLOCK = 65_536


class StaticClassifier(CostAwareClassifier):
    """A method that computes the same features for every row.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The selected features, in the order of the hypergraph.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    """

    def acquired_features(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Return the selected features, once for each row.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_features)
            To be read: they are written once, and seen from every row.
        """
        rows = self._check_rows(X)
        return np.broadcast_to(self.support_, rows.shape)

    def acquirable_features(self) -> NDArray[np.bool_]:
        """Return the selected features alone."""
        check_is_fitted(self)
        return self.support_[np.newaxis]

    def decide(self, X: ArrayLike) -> Decision:
        """Return labels, scores, what was computed and what it cost, from one call.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        Decision
            The selected features are written once, and seen from every row.
        """
        scores = self.decision_function(X)
        shape = (len(scores), self.n_features_in_)
        return self._decision(scores, np.broadcast_to(self.support_, shape))

    def _set_support(self, support: NDArray[np.bool_]) -> None:
        self.support_ = support
        self.cost_ = self._hypergraph().cost(support)


class LinearClassifier(StaticClassifier):
    """A static method whose decision is a weighted sum of the features.

    Attributes
    ----------
    coef_ : ndarray of float, shape (1, n_features) or (n_classes, n_features)
        Weights of the features as they come, zero where a feature is not computed; in
        the order of the hypergraph. One row a class where there are more than two.
    intercept_ : ndarray of float, shape (1,) or (n_classes,)
        Added to every decision.
    """

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the weighted sum of the selected features of each row, or one a class.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows. Features that are not selected are not looked at.

        Returns
        -------
        ndarray of float, shape (n_samples,) or (n_samples, n_classes)
        """
        rows = self._check_rows(X)
        chosen = np.flatnonzero(self.support_)
        weights, intercept = self.coef_[:, chosen].T, self.intercept_
        if len(self.coef_) == 1:
            weights, intercept = self.coef_[0, chosen], self.intercept_[0]
        if sparse.issparse(rows):
            return rows[:, chosen] @ weights + intercept
        starts = range(0, len(rows), _BLOCK)  # no copy of all rows is made
        sums = [rows[k : k + _BLOCK][:, chosen] @ weights for k in starts]
        return np.concatenate(sums) + intercept

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the logistic probability of each class, or softmax of more than two.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of float, shape (n_samples, n_classes)
        """
        scores = self.decision_function(X)
        return logistic_shares(scores) if scores.ndim == 1 else softmax(scores, axis=1)

    def program(self) -> Program:
        """Return the one node, the weighted sums of what is selected."""
        check_is_fitted(self)
        if type(self).decision_function is not LinearClassifier.decision_function:
            raise refusal(self, "it decides in a way of its own")
        return weighed_sum(self.support_, self.coef_, self.intercept_)

    def _set_weights(
        self, coef: NDArray[np.float64], intercept: float | NDArray[np.float64]
    ) -> None:
        self.coef_ = np.atleast_2d(np.asarray(coef, dtype=float))
        self.intercept_ = np.atleast_1d(np.asarray(intercept, dtype=float))
        self._set_support((self.coef_ != 0).any(axis=0))
