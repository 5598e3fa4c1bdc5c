"""Greedy Miser as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax
from sklearn.utils.validation import check_is_fitted

from ...costs.hypergraph import FeatureHypergraph
from ...decisions.decision import Decision
from ...decisions.program import Program, ProgramNode, question
from ...numerics.arrays import Floats, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.multinomial import class_corners
from ...values.fields import declared
from ...values.knobs import Choice, Number, Switch
from ..base import LabelledRows, Prices
from ..rows import signed
from ..static import StaticClassifier
from .trees import (
    BinnedTable,
    CostUpdate,
    FallingCosts,
    FixedDepthTree,
    grow_tree,
    sum_of_gains,
)

Loss: TypeAlias = Literal["squared", "logistic"]
Charge: TypeAlias = Literal["ensemble", "ways"]
# A tree, and what its leaves add.
_Grown: TypeAlias = tuple[FixedDepthTree, Floats]

_PATH_WEIGHTS = 9
_PATH_RATIO = 1e-3
# Models of a path along one λ.
_PREFIXES = 8
# Rows that walk through all trees at once.
_CHUNK = 2048


@declared
class GreedyMiserClassifier(StaticClassifier):
    """Boosted regression trees; a split on a new feature must be worth its price.

    Tree after tree fits what is left of the labels, -1 and +1. A split's gain is by how
    much it lowers the mean squared error, less λ times the cost of the components that
    its feature adds to those of all splits before. Every row pays for the features of
    all trees, or only for those that it is asked. Of more than two classes the labels
    are the corners of a simplex, and each leaf of a tree has a number for every class.

    Attributes
    ----------
    tree_features_ : ndarray of int, shape (n_trees, 2 ** levels - 1)
        The feature that each node asks, level by level; -1 where it does not split.
    tree_thresholds_ : ndarray of float, shape (n_trees, 2 ** levels - 1)
        A row whose value is above goes right.
    tree_values_ : ndarray of float, shape (n_trees, 2 ** levels)
        What each leaf adds, the learning rate included; of more than two classes
        (n_trees, 2 ** levels, n_classes).
    base_ : float or ndarray of float, shape (n_classes,)
        The decision before the first tree.
    support_ : ndarray of bool, shape (n_features,)
        The features that some split asks.
    cost_ : float
        What the features of all trees cost, in the hypergraph's unit.
    n_iter_ : int
        Number of trees, at least 1.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    Notes
    -----
    A tree costs O(n_samples n_features levels).

    References
    ----------
    .. [1] Xu, Weinberger and Chapelle, "The greedy miser: learning under test-time
       budgets", 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> X = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]], 10, axis=0)
    >>> y = np.repeat([0, 0, 1, 1], 10)  # the first feature says all, the second much
    >>> prices = FeatureHypergraph.independent([5.0, 1.0])
    >>> GreedyMiserClassifier(prices, cost_weight=0.5).fit(X, y).support_.tolist()
    [True, False]
    >>> GreedyMiserClassifier(prices, cost_weight=1.1).fit(X, y).support_.tolist()
    [False, True]
    """

    title: ClassVar[str] = "Greedy Miser"
    path_knob: ClassVar[str | None] = "cost_weight"
    takes_many_classes: ClassVar[bool] = True

    hypergraph: Prices = None
    cost_weight: Annotated[
        float,
        Number(
            "Cost weight",
            0.0,
            shown=(0.0, 10.0),
            doc="What a split must save in squared error to buy all features.",
        ),
        "Trade-off, λ in [1]_ times the cost of all features: the mean squared "
        "error that a split must save to buy everything. Another unit changes "
        "nothing.",
    ] = 0.1
    n_estimators: Annotated[
        int,
        Number("Trees", 1, integer=True, shown=(10, 500)),
        "Trees at most; fewer where no split is worth its price any more.",
    ] = 200
    learning_rate: Annotated[
        float, Number("Learning rate", 0.0, 1.0), "What share of a tree is added."
    ] = 0.1
    levels: Annotated[
        int,
        Number("Levels of a tree", 1, 8, integer=True, shown=(1, 5)),
        "Levels of splits of a tree.",
    ] = 3
    loss: Annotated[
        Loss,
        Choice("Loss", ("squared", "logistic"), doc="What trees descend."),
        'What trees descend; "squared" as published.',
    ] = "squared"
    share: Annotated[
        bool,
        Switch("Shared prices", doc="Paid components make features cheaper."),
        "Whether a paid component makes its other features cheaper. Without it "
        "a feature costs all of its components until it is bought itself, as "
        "published.",
    ] = True
    cost_update: Annotated[
        CostUpdate,
        Choice("Prices fall", ("split", "tree"), doc="After each split or each tree."),
        "When prices fall: after each split, or after each tree as published.",
    ] = "split"
    charge: Annotated[
        Charge,
        Choice(
            "Rows pay for", ("ensemble", "ways"), doc="All trees, or their own ways."
        ),
        "What a row pays for: the features of all trees, as published, or those "
        "that it is asked on its own ways. It may be changed after training.",
    ] = "ensemble"
    min_leaf: Annotated[
        float,
        Number("Smallest leaf", 0.0, 0.5, open=True, shown=(0.001, 0.1)),
        "Least share of the weight of all rows at a leaf.",
    ] = 0.005
    n_bins: Annotated[
        int,
        Number("Bins", 2, 1024, integer=True, shown=(4, 64)),
        "Each feature is cut into at most so many bins of equal weight.",
    ] = 32

    def _models(self, run: _BinnedRows) -> Iterator[Self]:
        """Yield models from the largest λ down to 0, eight as trees are added at each.

        Where trees end early, fewer.
        """
        step = max(1, -(-int(self.n_estimators) // _PREFIXES))
        for weight in run.cost_weights(float(self.min_leaf)):
            grown: list[_Grown] = []
            for tree in self._trees(run, weight):
                grown.append(tree)
                if len(grown) % step == 0:
                    yield self._prefix(run, grown, weight)
            if len(grown) % step or not grown:
                yield self._prefix(run, grown, weight)

    def _prefix(self, run: _BinnedRows, grown: list[_Grown], weight: float) -> Self:
        told = {"cost_weight": weight, "n_estimators": max(1, len(grown))}
        return self._sibling(**told)._take_trees(run, grown)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the sum of what the trees say of each row, or of each class."""
        return self._walk(self._check_rows(X), None)

    def acquired_features(self, X: ArrayLike) -> Mask:
        """Return the features of all trees, or those on each row's own ways."""
        if self.charge == "ensemble":
            return super().acquired_features(X)
        return self.decide(X).acquired.copy()

    def decide(self, X: ArrayLike) -> Decision:
        """Return labels, scores, what was computed and what it cost, from one walk."""
        if self.charge == "ensemble":
            return super().decide(X)
        rows = self._check_rows(X)
        acquired = np.zeros((len(rows), self.n_features_in_ + 1), dtype=bool)
        decisions = self._walk(rows, acquired)
        return self._decision(decisions, acquired[:, :-1])

    def program(self) -> Program:
        """Return the trees, whose answers are added up."""
        check_is_fitted(self)
        bought: list[int] = []
        if self.charge == "ensemble":
            bought = np.flatnonzero(self.support_).tolist()
        nodes, roots = [ProgramNode(_numbers(self.base_), buys=tuple(bought))], [0]
        for tree in range(len(self.tree_values_)):
            roots.append(len(nodes))
            self._grow(tree, 0, nodes)
        return Program(tuple(nodes), tuple(roots))

    def _grow(self, tree: int, place: int, nodes: list[ProgramNode]) -> int:
        """Add a tree's node and those below it; return where it stands."""
        features = self.tree_features_[tree]
        while place < len(features) and features[place] < 0:
            place = 2 * place + 1  # what does not split sends rows left
        here = len(nodes)
        if place >= len(features):
            said = self.tree_values_[tree, place - len(features)]
            nodes.append(ProgramNode(_numbers(said)))
            return here
        nodes.append(ProgramNode())
        below = self._grow(tree, 2 * place + 1, nodes)
        above = self._grow(tree, 2 * place + 2, nodes)
        at = float(self.tree_thresholds_[tree, place])
        nodes[here] = question(int(features[place]), at, below, above)
        return here

    def _walk(self, rows: Floats, acquired: Mask | None) -> Floats:
        """Return the decisions; mark what each row is asked, -1 in a last column."""
        decisions = np.tile(self.base_, (len(rows), *[1] * np.ndim(self.base_)))
        for start in range(0, len(rows) if len(self.tree_values_) else 0, _CHUNK):
            part = slice(start, start + _CHUNK)
            levels = list(self._levels(rows[part]))
            if acquired is not None:
                for asked, _ in levels:
                    np.put_along_axis(acquired[part], asked, True, axis=1)
            _, leaf = levels[-1]
            said = self.tree_values_[np.arange(leaf.shape[1]), leaf]
            decisions[part] += said.sum(axis=1)
        return decisions

    def _levels(self, rows: NDArray) -> Iterator[tuple[NDArray, NDArray]]:
        """Yield what rows are asked by each tree, and their places a level below.

        After the last level these are the leaves.
        """
        trees = np.arange(len(self.tree_values_))
        line = np.arange(len(rows))[:, np.newaxis]
        place = np.zeros((len(rows), len(trees)), dtype=np.int64)
        for level in range(int(self.levels)):
            node = place + (2**level - 1)
            asked = self.tree_features_[trees, node]
            right = rows[line, asked] > self.tree_thresholds_[trees, node]
            place = 2 * place + right
            yield asked, place

    def _prepared(self, known: LabelledRows) -> _BinnedRows:
        training, n_classes = signed(known), len(self.classes_)
        marks = training.signs if n_classes == 2 else known.labels
        rows = DistinctRows.of(training.X, marks, training.weights)
        corners = class_corners(n_classes)
        targets = rows.signs if n_classes == 2 else corners[rows.signs.astype(int)]
        table = BinnedTable(rows.X, rows.shares, int(self.n_bins))
        return _BinnedRows(rows, targets, corners, table, training.hypergraph)

    def _trees(self, run: _BinnedRows, cost_weight: float) -> Iterator[_Grown]:
        """Yield trees for as long as they split."""
        alpha = cost_weight / (run.hypergraph.total_cost or 1.0)
        prices = FallingCosts(run.hypergraph, bool(self.share), self.cost_update)
        decisions = np.zeros_like(run.targets) + run.base(self.loss)
        for _ in range(int(self.n_estimators)):
            residuals, curvature = run.residuals(decisions, self.loss)
            tree = grow_tree(
                run.table, residuals, prices, alpha, int(self.levels), self.min_leaf
            )
            if (tree.features < 0).all():
                return
            size = 2 ** int(self.levels)
            total = _by_leaf(tree.leaf, run.rows.shares, residuals, size)
            weight = _by_leaf(tree.leaf, run.rows.shares, curvature, size)
            # One Newton step of each leaf: sum of residuals over sum of curvatures.
            means = total / np.where(weight > 0, weight, 1.0)
            values = self.learning_rate * means
            decisions += values[tree.leaf]
            yield tree, values

    def _take(self, run: _BinnedRows) -> Self:
        """Add trees until no split is worth its price, or there are enough."""
        return self._take_trees(run, list(self._trees(run, float(self.cost_weight))))

    def _take_trees(self, run: _BinnedRows, grown: list[_Grown]) -> Self:
        n_inner = 2 ** int(self.levels) - 1
        features = [tree.features for tree, _ in grown]
        self.tree_features_ = np.array(features, dtype=int).reshape(-1, n_inner)
        thresholds = [tree.thresholds for tree, _ in grown]
        self.tree_thresholds_ = np.array(thresholds, dtype=float).reshape(-1, n_inner)
        said = [run.said(values) for _, values in grown]
        self.base_ = run.said(run.base(self.loss))
        shape = (-1, n_inner + 1, *np.shape(self.base_))
        self.tree_values_ = np.array(said, dtype=float).reshape(shape)
        self.n_iter_ = max(1, len(grown))
        support = np.zeros(self.n_features_in_, dtype=bool)
        support[self.tree_features_[self.tree_features_ >= 0]] = True
        self._set_support(support)
        return self


def _numbers(said: Any) -> tuple[float, ...]:
    return tuple(np.atleast_1d(said).tolist())


def _by_leaf(leaf: NDArray, shares: Floats, values: Floats, size: int) -> Floats:
    """Return the weighted sums of the values of rows at each leaf."""
    if values.ndim == 1:
        return np.bincount(leaf, shares * values, size).astype(float, copy=False)
    sums = [np.bincount(leaf, shares * one, size) for one in values.T]
    return np.stack(sums, axis=1)


@dataclass(frozen=True, eq=False)
class _BinnedRows:
    """One training set, binned."""

    rows: DistinctRows
    targets: Floats  # (n_rows,) Signs; of many classes (n_rows, n_outputs) corners
    corners: Floats  # (n_classes, n_outputs)
    table: BinnedTable
    hypergraph: FeatureHypergraph

    def said(self, decisions: Any) -> Any:
        """Return decisions as they are of two classes, else a score of each class."""
        if self.targets.ndim == 1:
            return decisions
        return decisions @ (self.corners.T / 2.0)

    def base(self, loss: Loss) -> Any:
        """Return the best constant decision, or one of each output."""
        mean = self.rows.shares @ self.targets
        if loss == "squared":
            return mean if self.targets.ndim > 1 else float(mean)
        if self.targets.ndim > 1:
            of_class = np.bincount(self.rows.signs.astype(int), self.rows.shares)
            return np.log(of_class) @ self.corners
        # Half the log-odds is arctanh of the mean sign.
        return float(2.0 * np.arctanh(float(mean)))

    def residuals(self, decisions: NDArray, loss: Loss) -> tuple[NDArray, NDArray]:
        """Return the negative gradient of the loss, and its curvature."""
        if loss == "squared":
            return self.targets - decisions, np.ones_like(self.targets)
        if self.targets.ndim > 1:
            halves = self.corners / 2.0
            beliefs = softmax(self.said(decisions), axis=1)
            means = beliefs @ halves
            return self.targets / 2.0 - means, beliefs @ halves**2 - means**2
        positive = expit(decisions)
        return 0.5 * (self.targets + 1.0) - positive, positive * (1.0 - positive)

    def cost_weights(self, min_leaf: float) -> list[float]:
        """Return weights of the cost: from where one feature is bought, down to 0."""
        nowhere = np.zeros(self.rows.n_rows, dtype=np.int64)
        residuals = self.targets - self.base("squared")
        outputs = residuals.reshape(len(residuals), -1).T
        weight = self.table.sums(self.rows.shares, nowhere, 1)
        gains = sum_of_gains(self.table, outputs, weight, nowhere, min_leaf)
        gains = gains[0].max(axis=1)
        prices = self.hypergraph.marginal_costs()
        priced = (prices > 0) & (gains > 0)
        if not priced.any():
            return [0.0]
        worth = self.hypergraph.total_cost * gains[priced] / prices[priced]
        # Above the best gain per share of the cost no first split pays.
        top = 0.95 * float(worth.max())
        return [*np.geomspace(top, top * _PATH_RATIO, _PATH_WEIGHTS).tolist(), 0.0]
