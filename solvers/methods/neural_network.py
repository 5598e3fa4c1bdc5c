"""A small neural network, on all features or on those that a budget buys."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.utils.validation import check_is_fitted

from ..costs.budgets import room_of
from ..decisions.decision import logistic_shares
from ..decisions.program import Program, ProgramNode, Rectified, linear_node
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.distinct_rows import DistinctRows
from ..numerics.forward import forward_order
from ..numerics.multinomial import class_loss
from ..values.fields import declared
from ..values.knobs import BUDGET_KNOB, MAX_ITER_KNOB, Number
from .base import LabelledRows, Prices
from .rows import signed
from .static import StaticClassifier

__all__ = ["NeuralNetworkClassifier"]

_PATH_POINTS = 10


@declared
class NeuralNetworkClassifier(StaticClassifier):
    """One hidden layer of scikit-learn's network, on standardised features.

    With all features it is the paper's point at full cost. With a budget it takes as
    many features as the budget pays for, in the order of forward selection (gain of a
    linear fit per marginal cost): a network does not select by itself.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The features that are computed.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    hidden_coef_ : ndarray of float, shape (n_selected, n_hidden)
        Weights of the selected features as they come.
    hidden_intercept_ : ndarray of float, shape (n_hidden,)
        Added to every hidden unit.
    coef_ : ndarray of float, shape (n_hidden,) or (n_hidden, n_classes)
        Weights of the hidden units, which are rectified; of more than two classes in
        the score of each.
    intercept_ : float or ndarray of float, shape (n_classes,)
        Added to every decision.
    n_iter_ : int
        Steps taken.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, section 6.1.

    Examples
    --------
    What no linear rule tells:

    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> NeuralNetworkClassifier().fit(X, [0, 1, 1, 0]).predict(X).tolist()
    [0, 1, 1, 0]
    """

    title: ClassVar[str] = "Neural network"
    path_knob: ClassVar[str | None] = "budget"
    takes_many_classes: ClassVar[bool] = True

    hypergraph: Prices = None
    budget: Annotated[
        float | None,
        BUDGET_KNOB,
        "What a prediction may cost, in the hypergraph's unit; all features by "
        "default.",
    ] = None
    n_hidden: Annotated[
        int,
        Number(
            "Hidden units", 1, 10_000, integer=True, shown=(1, 50), doc="In one layer."
        ),
        "Hidden units, 10 in [1]_.",
    ] = 10
    alpha: Annotated[
        float,
        Number(
            "Weight decay",
            0.0,
            scale="log",
            shown=(1e-6, 1.0),
            doc="Pulls the weights towards zero.",
        ),
        "Weight of half the squared weights against the mean loss: logistic, or "
        "multinomial of more than two classes.",
    ] = 2e-4
    max_iter: Annotated[
        int,
        MAX_ITER_KNOB,
        "Steps of L-BFGS at most. It is meant to be reached: stopping early "
        "regularises.",
    ] = 300
    random_state: Annotated[int | None, "Seed of the weights to begin with."] = 0

    def _prepared(self, known: LabelledRows) -> _Purchases:
        return _Purchases(_distinct(known))

    def _take(self, run: _Purchases) -> Self:
        if self.budget is None:
            return self._trained(run.training, np.ones(self.n_features_in_, dtype=bool))
        return self._trained(run.training, run.affordable(self.budget))

    def _models(self, run: _Purchases) -> Iterator[Self]:
        """Yield networks on more and more features, at last on all.

        Fitting with the budget of a yielded model gives the same model.
        """
        for budget in np.unique(_spendable(run.bought[1])):
            support = run.affordable(budget)
            if not support.all():
                sibling = self._sibling(budget=float(budget))
                yield sibling._trained(run.training, support)
        yield self._sibling(budget=None)._take(run)

    def _trained(self, training: LabelledRows, support: Mask) -> Self:
        self._set_support(support)
        X, weights = training.X[:, support], training.weights
        shares = weights / weights.sum()
        mean = shares @ X
        spread = np.sqrt(shares @ (X - mean) ** 2)
        spread[spread <= 1e-12 * np.abs(X).max(axis=0, initial=0.0)] = 1.0
        if not support.any():
            return self._constant(training)
        network = MLPClassifier(
            (self.n_hidden,),
            solver="lbfgs",
            # scikit-learn divides its penalty by the sum of the weights.
            alpha=self.alpha * weights.sum(),
            max_iter=self.max_iter,
            max_fun=10 * self.max_iter,
            random_state=self.random_state,
        )
        with warnings.catch_warnings():
            # Stopping early is meant.
            warnings.simplefilter("ignore", ConvergenceWarning)
            network.fit((X - mean) / spread, training.labels, weights)
        hidden, outer = network.coefs_
        # The standardisation goes into the weights: rows come as they are.
        self.hidden_coef_ = hidden / spread[:, np.newaxis]
        self.hidden_intercept_ = network.intercepts_[0] - mean @ self.hidden_coef_
        self.coef_, self.intercept_ = outer, network.intercepts_[1]
        if len(self.classes_) == 2:
            self.coef_, self.intercept_ = outer[:, 0], float(self.intercept_[0])
        self.n_iter_ = int(network.n_iter_)
        return self

    def _constant(self, training: LabelledRows) -> Self:
        shares = training.weights / training.weights.sum()
        self.hidden_coef_ = np.zeros((0, self.n_hidden))
        self.hidden_intercept_, self.coef_ = np.zeros((2, self.n_hidden))
        if len(self.classes_) == 2:
            positive = float(shares[training.labels == 1].sum())
            self.intercept_ = float(np.log(positive / (1.0 - positive)))
        else:
            self.coef_ = np.zeros((self.n_hidden, len(self.classes_)))
            self.intercept_ = np.log(np.bincount(training.labels, weights=shares))
        self.n_iter_ = 0
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log odds of the second class.

        Of more than two classes a score for each, whose softmax is its probability.
        """
        rows = self._check_rows(X)[:, self.support_]
        hidden = np.maximum(rows @ self.hidden_coef_ + self.hidden_intercept_, 0.0)
        return hidden @ self.coef_ + self.intercept_

    def program(self) -> Program:
        """Return a node for each hidden unit, rectified, whose answers are added up."""
        check_is_fitted(self)
        chosen = np.flatnonzero(self.support_)
        begin = tuple(np.atleast_1d(self.intercept_).tolist())
        nodes = [ProgramNode(begin, buys=tuple(chosen.tolist()))]
        for unit, said in enumerate(self.coef_.reshape(self.n_hidden, -1).tolist()):
            weights = self.hidden_coef_[np.newaxis, :, unit]
            base, rule = self.hidden_intercept_[[unit]], Rectified(tuple(said))
            nodes.append(linear_node(chosen, weights, base, (), rule))
        return Program(tuple(nodes), tuple(range(len(nodes))))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of each class."""
        scores = self.decision_function(X)
        return logistic_shares(scores) if scores.ndim == 1 else softmax(scores, axis=1)


def _distinct(known: LabelledRows) -> LabelledRows:
    weights = known.weights / known.weights.mean()
    rows = DistinctRows.of(known.X, known.labels, weights)
    labels = rows.signs.astype(int)
    return LabelledRows(rows.X, labels, rows.weights, known.hypergraph)


@dataclass(frozen=True)
class _Purchases:
    """One training set, and what budgets buy of it."""

    training: LabelledRows

    @cached_property
    def bought(self) -> tuple[Integers, Floats]:
        """Features in the order of forward selection, and what is spent by then."""
        rows, prices = self.training, self.training.hypergraph
        loss = class_loss(rows.X, signed(rows).signs, rows.weights)
        order = list(forward_order(loss, prices.incidence, prices.component_costs))
        bought = np.array([feature for feature, _ in order], dtype=int)
        return bought, np.cumsum([price for _, price in order], dtype=float)

    def affordable(self, budget: float) -> Mask:
        """Return which features a budget buys: what is free is taken along."""
        bought, spent = self.bought
        support = np.zeros(self.training.X.shape[1], dtype=bool)
        support[bought[spent <= room_of(budget)]] = True
        return support


def _spendable(spent: Floats) -> Floats:
    """Return about evenly spaced sums at which a feature was bought."""
    known = np.append(0.0, spent)
    wanted = np.linspace(0.0, known[-1], _PATH_POINTS)
    return known[np.searchsorted(room_of(known), wanted, side="left")]
