"""csNB: naive Bayes that buys a feature while it promises more than it costs."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import log_softmax, softmax
from sklearn.utils.validation import check_is_fitted

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.program import PricedAnswers, Program, ProgramNode, Shopping
from ..errors import DataError
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.cuts import QuantileBins, columns_of, row_blocks
from ..values.fields import declared
from .adaptive import AdaptiveClassifier
from .base import Prices
from .grouped import (
    Bins,
    ErrorCost,
    GivenGroups,
    GivenMistakes,
    GroupedClassifier,
    GroupedTraining,
    usual_error_cost,
)

__all__ = ["CSNBClassifier"]

# Rows times columns: what each row buys is kept, a byte a choice.
MOST_CHOICES = 1_000_000_000
_ROWS_AT_ONCE = 256
# Share of the cost of an error; a smaller promise is rounding.
_NO_PROMISE = 1e-12


@declared
class CSNBClassifier(GroupedClassifier, AdaptiveClassifier):
    """Naive Bayes over binned features, bought for each row as long as they pay.

    With p the posterior given what a row has bought, feature A promises
    ``error_cost (sum_v max_c p_c P(v | c) - max_c p_c)``, or, where mistakes have
    prices, what the cheapest answer is expected to cost less; less what its group adds
    to the row's bill. A group is worth what its best feature is; bought, all its
    features count. The best group is bought while it is worth more than 0.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    bins_ : QuantileBins
        Where features are cut.
    class_log_prior_ : ndarray of float, shape (n_classes,)
        Logarithm of the share of each class.
    feature_log_prob_ : ndarray of float, shape (n_features, n_bins, n_classes)
        Logarithm of the share of each bin in each class, one row added to each.
    groups_ : tuple of ndarray of int
        The groups.

    Notes
    -----
    Decisions are log posteriors given what a row bought; of two classes, how far that
    of the second leads.

    O(n_features n_bins n_classes) for each purchase of each row: deciding takes time
    too, which the cost of a prediction does not hold.

    References
    ----------
    .. [1] Chai, Deng, Yang and Ling, "Test-cost sensitive naive Bayes classification",
       2004.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> from solvers.methods.csnb import CSNBClassifier
    >>> X = np.repeat([[0.0, 5.0], [1.0, 5.0]], 50, axis=0)
    >>> y = np.repeat([0, 1], 50)
    >>> prices = FeatureHypergraph.independent([1.0, 1.0])
    >>> CSNBClassifier(prices, error_cost=9.0).fit(X, y).acquired_features(X[:1])
    array([[ True, False]])
    >>> CSNBClassifier(prices, error_cost=1.0).fit(X, y).acquired_features(X[:1])
    array([[False, False]])
    """

    title: ClassVar[str] = "csNB"
    takes_prices: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True
    path_knob: ClassVar[str | None] = "error_cost"

    hypergraph: Prices = None
    groups: GivenGroups = None
    error_cost: ErrorCost = None
    n_bins: Bins = 5
    mistake_costs: GivenMistakes = None

    def _prepared(self, training: GroupedTraining) -> GroupedTraining:
        """Learn all that there is: what an error costs is looked at in deciding."""
        _refuse_too_many_choices(*training.X.shape)
        self.groups_ = training.groups
        self.bins_ = QuantileBins.fit(training.X, training.weights, self.n_bins)
        by_column = columns_of(training.X)
        classes = np.eye(len(self.classes_))[training.labels]
        weighed = classes * training.weights[:, np.newaxis]
        self.class_log_prior_ = np.log(weighed.sum(axis=0) / weighed.sum())
        self.feature_log_prob_ = np.zeros(
            (self.n_features_in_, self.bins_.n_bins, len(self.classes_))
        )
        for j, edges in enumerate(self.bins_.edges):
            binned = np.searchsorted(edges, by_column(j), side="left")
            bins = np.eye(len(edges) + 1)[binned]
            # Laplace: one row of every class in every bin.
            counts = bins.T @ weighed + 1.0
            # Bins that the feature does not have keep a logarithm of minus infinity.
            self.feature_log_prob_[j] = -np.inf
            self.feature_log_prob_[j, : len(counts)] = np.log(
                counts / counts.sum(axis=0)
            )
        return training

    def _take(self, _: object) -> Self:
        return self

    def _values(self, _: object) -> list[float]:
        return self._error_costs()

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        joint, bought = self._shopped(rows)
        acquired = np.zeros((len(bought), self.n_features_in_), dtype=bool)
        for number, group in enumerate(self.groups_):
            acquired[:, group] = bought[:, [number]]
        prices = self._priced()
        if prices is not None:  # by how much the second answer is cheaper
            expected = softmax(joint, axis=1) @ prices
            two = len(self.classes_) == 2
            return expected[:, 0] - expected[:, 1] if two else -expected, acquired
        if len(self.classes_) == 2:
            return joint[:, 1] - joint[:, 0], acquired
        return log_softmax(joint, axis=1), acquired

    def program(self) -> Program:
        """Return the shopping trip, with the shares of each bin in each class."""
        check_is_fitted(self)
        error_cost, prices = self.error_cost, self._priced()
        mistakes = () if prices is None else tuple(map(tuple, prices.tolist()))
        if prices is not None:
            error_cost = 1.0  # promises are in the unit of the prices
        if error_cost is None:
            error_cost = usual_error_cost(self._hypergraph())
        groups = tuple(tuple(group.tolist()) for group in self.groups_)
        flat = [column for group in groups for column in group]
        edges = [self.bins_.edges[j] for j in flat]
        rule = Shopping(
            float(error_cost),
            groups,
            tuple(tuple(one.tolist()) for one in edges),
            tuple(
                tuple(map(tuple, self.feature_log_prob_[j, : len(one) + 1].tolist()))
                for j, one in zip(flat, edges, strict=True)
            ),
            mistakes,
        )
        prior = tuple(self.class_log_prior_.tolist())
        nothing = (0.0,) * len(prior)
        priced = PricedAnswers(1.0, nothing, mistakes) if mistakes else None
        return Program((ProgramNode(prior, rule=rule),), priced=priced)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return posteriors given what each row bought."""
        return softmax(self._shopped(self._check_rows(X))[0], axis=1)

    def _shopped(self, rows: Floats) -> tuple[Floats, Mask]:
        """Return joint log probabilities, and the groups that each row bought."""
        parts = [
            self._shop(self.bins_.transform(block))
            for block in row_blocks(rows, _ROWS_AT_ONCE)
        ]
        joint, bought = zip(*parts, strict=True)
        return np.concatenate(joint), np.concatenate(bought)

    def _shop(self, binned: Integers) -> tuple[Floats, Mask]:
        hypergraph = self._hypergraph()
        needs = self._needs(hypergraph)
        costs = hypergraph.component_costs
        error_cost = self.error_cost
        if error_cost is None:
            error_cost = usual_error_cost(hypergraph)
        prices = self._priced()
        if prices is not None:
            error_cost = 1.0  # promises are in the unit of the prices
        joint = np.tile(self.class_log_prior_, (len(binned), 1))
        bought = np.zeros((len(binned), len(self.groups_)), dtype=bool)
        paid = np.zeros((len(binned), len(costs)), dtype=bool)
        shopping = np.arange(len(binned))
        while shopping.size:
            promised = error_cost * self._promises(joint[shopping], prices)
            added = (needs @ (~paid[shopping] * costs).T).T
            worth = np.where(bought[shopping], -np.inf, promised - added)
            most = worth.max(axis=1, keepdims=True)
            # The first of those that are worth most: rounding does not decide.
            best = np.argmax(worth >= most - _NO_PROMISE * error_cost, axis=1)
            goes_on = most[:, 0] > _NO_PROMISE * error_cost
            shopping, best = shopping[goes_on], best[goes_on]
            for number in np.unique(best):
                buyers = shopping[best == number]
                bought[buyers, number] = True
                # Paid once: groups that share them get cheaper for these rows.
                needed = slice(needs.indptr[number], needs.indptr[number + 1])
                paid[np.ix_(buyers, needs.indices[needed])] = True
                for j in self.groups_[number]:
                    joint[buyers] += self.feature_log_prob_[j, binned[buyers, j]]
        return joint, bought

    def _needs(self, hypergraph: FeatureHypergraph) -> sparse.csr_array:
        """Return 1 where a group needs a component, (n_groups, n_components)."""
        sizes = [len(group) for group in self.groups_]
        members = sparse.csr_array(
            (np.ones(sum(sizes)), np.concatenate(self.groups_), np.cumsum([0, *sizes])),
            (len(sizes), self.n_features_in_),
        )
        needs = sparse.csr_array(members @ hypergraph.incidence.T.astype(float))
        needs.data[:] = 1.0
        return needs

    def _promises(self, joint: Floats, prices: Floats | None) -> Floats:
        """Return how much rarer errors get by each group, (n_rows, n_groups).

        Of mistakes that have prices, how much cheaper.
        """
        posterior = softmax(joint, axis=1)
        likelihood = np.exp(self.feature_log_prob_)
        right = np.zeros((len(joint), self.n_features_in_))
        for value in range(likelihood.shape[1]):
            # sum_v max_c p_c P(v | c): how often the best class is right given v.
            after = posterior[:, np.newaxis] * likelihood[np.newaxis, :, value]
            right += _best(after, prices)
        gained = right - _best(posterior, prices)[:, np.newaxis]
        return np.column_stack([gained[:, group].max(axis=1) for group in self.groups_])


def _best(chances: Floats, prices: Floats | None) -> Floats:
    """Return what the best answer gets right, or minus what the cheapest costs.

    Shapes: `chances` (..., n_classes) -> (...,).
    """
    if prices is None:
        return np.asarray(chances.max(axis=-1))
    return np.asarray(-(chances @ prices).min(axis=-1))


def _refuse_too_many_choices(n_rows: int, n_columns: int) -> None:
    if n_rows * n_columns > MOST_CHOICES:
        raise DataError(
            f"csNB chooses for each row which columns to buy, of {n_rows:,} rows and "
            f"{n_columns:,} columns, and makes {MOST_CHOICES:,} such choices at most; "
            "leave rows or columns out, or use a linear method or forward selection."
        )
