"""CSTC as a scikit-learn classifier."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...decisions.program import Answered, Fork, Program, ProgramNode, Rule, linear_node
from ...numerics.arrays import Floats, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.ridge_classes import ClassScores, fit_classes
from ...numerics.ridge_logistic import LogisticModel, fit_logistic
from ...values.fields import declared
from ...values.knobs import Number
from ..adaptive import AdaptiveClassifier
from ..base import LabelledRows, Prices
from ..rows import signed
from .training import TreeSettings, TreeShape, TreeTraining

# Leaves of fewer distinct rows answer with what is frequent among them.
_FEWEST_ROWS = 10
# Log-odds of a leaf whose rows are all of one class: about 99 %.
_SURE = 4.6
# Close together where supports shrink quickly: all of them can be lost between two λ.
_PATH = (
    *(1.1, 1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.56, 0.52),
    *(0.48, 0.45, 0.42, 0.39, 0.36, 0.33, 0.3, 0.26, 0.22, 0.18),
    *(0.12, 0.05, 0.02, 0.01, 0.005, 0.001),
)


@declared
class CSTCClassifier(AdaptiveClassifier):
    """A tree of linear classifiers; a row pays for the nodes on its way.

    Each inner node sends a row up or down by a linear score; each leaf decides. Trained
    on the relaxed expected cost of a prediction, in which a component is paid once on a
    way, however many of its nodes need it.

    Attributes
    ----------
    node_coef_ : ndarray of float, shape (n_internal, n_features)
        What inner nodes part rows by: weights of features as they come.
    node_threshold_ : ndarray of float, shape (n_internal,)
        A row whose score is above goes up.
    leaf_coef_ : ndarray of float, shape (n_leaves, n_features)
        Weights of the leaves; of more than two classes (n_leaves, n_classes,
        n_features).
    leaf_intercept_ : ndarray of float, shape (n_leaves,)
        Added to the decisions of the leaves; of more than two classes (n_leaves,
        n_classes).
    leaf_support_ : ndarray of bool, shape (n_leaves, n_features)
        What a row that ends at each leaf has computed.
    leaf_share_ : ndarray of float, shape (n_leaves,)
        Share of the training rows that ends at each leaf.
    alpha_max_ : float
        The λ from which a single classifier buys nothing.
    objective_ : float
        The relaxed objective, before the leaves are fitted again.
    n_iter_ : int
        Steps of the best descent.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    Notes
    -----
    Decisions are the log odds that a row's leaf gives the second class; of more than
    two classes scores whose softmax are the probabilities.

    Of more than two classes each node weighs every feature for each of the K - 1
    numbers that stand for a class, the corners of a simplex, by least squares. A
    feature's weights over all of them are one group, in place of the absolute value,
    and under the roots of the components: it is paid once on a way, whichever classes
    and nodes use it. A gate needs one number: it is the product of its node's scores
    and a direction, learned with the weights, in which classes lie apart. Of two
    classes there is one direction, and the problem is [1]_'s.

    The objective is [1]_'s. Where inner nodes must predict well (``internal_weight=1``)
    the root buys what predicts best, and all leaves share it; 0.1 lets them route.

    References
    ----------
    .. [1] Xu, Kusner, Weinberger and Chen, "Cost-sensitive tree of classifiers", 2013.

    Examples
    --------
    >>> from solvers.datasets.makers.regions import make_regions
    >>> data = make_regions(n_samples=2000)
    >>> model = CSTCClassifier(data.hypergraph).fit(data.X, data.y)
    >>> bool(model.score(data.X, data.y) > 0.9)
    True
    >>> float(model.prediction_cost(data.X).mean() / data.hypergraph.total_cost) < 0.5
    True
    """

    title: ClassVar[str] = "CSTC"
    path_knob: ClassVar[str | None] = "cost_weight"

    hypergraph: Prices = None
    cost_weight: Annotated[
        float,
        Number(
            "Cost weight",
            0.0,
            shown=(0.0, 1.1),
            doc="λ as a share of the λ from which nothing is bought.",
        ),
        "Trade-off, λ in [1]_, as a share of the λ from which a tree without "
        "routing buys nothing; 0 or more. Another unit of the costs changes "
        "nothing.",
    ] = 0.6
    depth: Annotated[
        int,
        Number(
            "Levels of the tree", 1, 8, integer=True, shown=(1, 4), doc="One: no tree."
        ),
        "Number of levels; 1 is a single classifier for all rows.",
    ] = 3
    internal_weight: Annotated[
        float,
        Number(
            "Weight of inner nodes",
            0.0,
            1.0,
            doc="How much inner nodes must predict well; 1 as published.",
        ),
    ] = 0.1
    rho: Annotated[
        float,
        Number("Weight of absolute values", 0.0, shown=(0.0, 0.1)),
        "Weight of the sum of absolute weights.",
    ] = 1e-3
    slope: Annotated[
        float,
        Number("Slope of gates", 0.0, open=True, shown=(1.0, 20.0)),
        "How sharply rows part while training; predictions part them sharply.",
    ] = 4.0
    n_restarts: Annotated[
        int,
        Number("Restarts", 0, integer=True, shown=(0, 10)),
        "How many disturbed starts are tried beside the plain one.",
    ] = 3
    max_iter: Annotated[
        int,
        Number("Steps", 1, integer=True, shown=(50, 1000)),
        "Steps of one descent at most; it need not have converged by then.",
    ] = 250
    random_state: Annotated[int | None, "Seed of the disturbed starts."] = 0

    def acquirable_features(self) -> Mask:
        """Return what is computed on the way to each leaf."""
        check_is_fitted(self)
        return self.leaf_support_

    def program(self) -> Program:
        """Return the tree: each gate and each leaf is a weighted sum."""
        check_is_fitted(self)
        gates = [
            _weighing(w, 0.0, w != 0, Fork(float(t), 2 * i + 2, 2 * i + 1))
            for i, (w, t) in enumerate(
                zip(self.node_coef_, self.node_threshold_, strict=True)
            )
        ]
        leaves = zip(
            self.leaf_coef_, self.leaf_intercept_, self.leaf_support_, strict=True
        )
        answers = (_weighing(w, b, s, Answered()) for w, b, s in leaves)
        return Program((*gates, *answers))

    def _values(self, _: object) -> tuple[float, ...]:
        """From the largest λ, where nothing is bought, to the smallest."""
        return _PATH

    def _prepared(self, known: LabelledRows) -> TreeTraining:
        plan = TreeSettings(
            int(self.depth),
            float(self.rho),
            float(self.slope),
            float(self.internal_weight),
            int(self.n_restarts),
            int(self.max_iter),
            self.random_state,
        )
        n_classes, training = len(self.classes_), signed(known)
        told = training.signs if n_classes == 2 else known.labels
        rows = DistinctRows.of(training.X, told, training.weights, n_classes=n_classes)
        return TreeTraining(rows, training.hypergraph, plan)

    def _take(self, training: TreeTraining) -> Self:
        """Train the tree, and fit its leaves again without penalty."""
        tree, rows = training.solve(float(self.cost_weight)), training.rows
        shape = TreeShape(int(self.depth))
        self.node_coef_ = tree.gates
        self.node_threshold_ = tree.thresholds
        self.alpha_max_ = training.alpha_max
        self.objective_, self.n_iter_ = tree.objective, max(1, tree.n_iter)
        supports = [tree.used[way].any(axis=0) for way in shape.paths]
        fits = [
            _fit_leaf(rows, tree.leaf == leaf, support)
            for leaf, support in enumerate(supports)
        ]
        self.leaf_coef_ = np.array([fit.weights for fit in fits])
        self.leaf_intercept_ = np.array([fit.intercept for fit in fits])
        self.leaf_share_ = np.bincount(tree.leaf, rows.shares, len(fits))
        # Of the leaf itself what its own fit kept, of the gates before it everything.
        gates = shape.paths[:, : shape.n_internal]
        on_the_way = [(self.node_coef_[way] != 0).any(axis=0) for way in gates]
        kept = self.leaf_coef_ != 0
        kept = kept if rows.n_classes == 2 else kept.any(axis=1)
        self.leaf_support_ = np.array(on_the_way) | kept
        return self


def _fit_leaf(
    rows: DistinctRows, here: Mask, support: Mask
) -> LogisticModel | ClassScores:
    """Return the leaf's log-odds or scores, on the columns of its way."""
    if rows.n_classes > 2:
        return _fit_class_leaf(rows, here, support)
    weights = np.zeros(len(support))
    if here.sum() < _FEWEST_ROWS:
        known = here if here.any() else np.ones_like(here)
        mean = float(rows.shares[known] @ rows.signs[known] / rows.shares[known].sum())
        # log((1 + m) / (1 - m)) = 2 artanh m, m the mean sign.
        odds = 2.0 * float(np.arctanh(np.clip(mean, -1 + 1e-12, 1 - 1e-12)))
        return LogisticModel(weights, float(np.clip(odds, -_SURE, _SURE)))
    part = rows.part(here)
    fit = fit_logistic(part.X[:, support], part.signs, part.shares)
    weights[support] = fit.weights
    return LogisticModel(weights, fit.intercept)


def _fit_class_leaf(rows: DistinctRows, here: Mask, support: Mask) -> ClassScores:
    weights = np.zeros((rows.n_classes, len(support)))
    if here.sum() < _FEWEST_ROWS:
        known = here if here.any() else np.ones_like(here)
        shares = np.bincount(rows.codes[known], rows.shares[known], rows.n_classes)
        logs = np.log(np.maximum(shares / shares.sum(), np.exp(-_SURE)))
        return ClassScores(weights, logs)
    part = rows.part(here)
    fit = fit_classes(part.X[:, support], part.codes, rows.n_classes, part.shares)
    weights[:, support] = fit.weights
    return ClassScores(weights, fit.intercept)


def _weighing(weights: Floats, base: Any, bought: Mask, rule: Rule) -> ProgramNode:
    """Return a node of one value, or of one a class."""
    rows, begins = np.atleast_2d(weights), np.atleast_1d(base)
    used = np.flatnonzero(rows.any(axis=0))
    return linear_node(used, rows[:, used], begins, np.flatnonzero(bought), rule)
