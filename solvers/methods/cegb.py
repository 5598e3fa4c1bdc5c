"""LightGBM with cost penalties: what a practitioner picks today."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted

from ..checks import library
from ..costs.hypergraph import FeatureHypergraph
from ..decisions.decision import logistic_shares
from ..decisions.program import Program, ProgramNode, ensemble_nodes
from ..errors import ThriftscopeError
from ..numerics.arrays import Floats, Mask
from ..numerics.distinct_rows import DistinctRows
from ..numerics.tree_ensemble import DecisionTree, TreeEnsemble
from ..values.fields import declared
from ..values.knobs import ALPHA_KNOB, Choice, Number
from .adaptive import AdaptiveClassifier
from .base import LabelledRows, Prices

__all__ = ["CEGBClassifier"]

# How many λ a path has between buying nothing and 0. They are found by short runs of so
# many trees: down by this factor from where nothing is bought to where nearly all is,
# then in the middle of the widest gap of cost.
_N_ALPHAS = 12
_PILOT_TREES = 20
_STRIDE = 4.0
_MOST_STRIDES = 24
_NEARLY_ALL = 0.98
_CLOSE = 1.02
_SHARES_OF_TREES = (0.25, 0.5, 1.0)
# LightGBM's gain of a split is twice what the loss falls by.
_GAINS_A_LOSS = 2.0


@declared
class CEGBClassifier(AdaptiveClassifier):
    """Cost-efficient gradient boosting: LightGBM's trees, priced by the hypergraph.

    A split is worth what the loss falls by, less alpha times what its feature costs:

    - "coupled": the feature's stand-alone cost, unless an earlier split of the model
      bought it. Every row pays for all features of the model.
    - "shared": the same, but after every tree prices are those of the components that
      no tree has paid for yet: what LightGBM itself cannot express.
    - "lazy": the stand-alone cost for each row at the node that has not computed the
      feature so far. A row pays for the features on its own ways.

    Attributes
    ----------
    ensemble_ : TreeEnsemble
        The trees, from which costs are read; LightGBM reports none.
    support_ : ndarray of bool, shape (n_features,)
        The features that any tree looks at.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    Raises
    ------
    ThriftscopeError
        In ``fit`` and ``path``, if LightGBM is not installed. Fitted models predict
        without it.

    Notes
    -----
    Decisions are log odds of the second class; of more than two classes a score for
    each, whose softmax is its probability: every step adds a tree a class.

    Rows that repeat are one row with the weight of all; "lazy" counts such a row once.

    References
    ----------
    .. [1] Peter, Diego, Hamprecht and Nadler, "Cost efficient gradient boosting", 2017.
    .. [2] Xu, Weinberger and Chapelle, "The greedy miser", 2012: the price of a split.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((300, 3))
    >>> y = X[:, 0] + 0.1 * X[:, 1] > 0
    >>> prices = FeatureHypergraph.independent([1.0, 5.0, 5.0])
    >>> model = CEGBClassifier(prices, alpha=0.03).fit(X, y)
    >>> model.support_.tolist()
    [True, False, False]
    """

    title: ClassVar[str] = "LightGBM with costs"
    takes_sparse: ClassVar[bool] = True
    takes_single: ClassVar[bool] = True
    path_knob: ClassVar[str | None] = "alpha"
    requires: ClassVar[tuple[str, str] | None] = ("lightgbm", "boost")

    hypergraph: Prices = None
    alpha: Annotated[
        float,
        ALPHA_KNOB,
        "Trade-off, λ, per unit of cost: what mean loss a unit of cost is worth.",
    ] = 0.001
    charge: Annotated[
        str,
        Choice("Prices", ("shared", "coupled", "lazy"), doc="How splits are priced."),
        "How splits are priced, as above.",
    ] = "shared"
    n_estimators: Annotated[
        int,
        Number(
            "Trees", 1, 10_000, integer=True, shown=(1, 300), doc="How many are added."
        ),
        "Number of trees.",
    ] = 100
    learning_rate: Annotated[
        float,
        Number(
            "Learning rate", 0.0, 1.0, open=True, shown=(0.01, 0.5), doc="Of each tree."
        ),
        "By what share of its step each tree moves the decision.",
    ] = 0.1
    n_leaves: Annotated[
        int,
        Number(
            "Leaves", 2, 10_000, integer=True, shown=(2, 64), doc="Of a tree at most."
        ),
        "Leaves of a tree at most.",
    ] = 8
    min_leaf: Annotated[
        int,
        Number("Rows in a leaf", 1, integer=True, shown=(1, 100), doc="At least."),
        "Distinct rows in a leaf at least.",
    ] = 20
    random_state: Annotated[int | None, "Seed that LightGBM is given."] = 0

    def _prepared(self, training: LabelledRows) -> _BinnedTable:
        return _BinnedTable.of(training, self._options())

    @property
    def _n_outputs(self) -> int:
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    @property
    def _most_loss(self) -> float:
        """Return a loss that none exceeds.

        Where a feature's price weighs as much, nothing is worth it.
        """
        return float(np.log(len(self.classes_)))

    def _take(self, table: _BinnedTable) -> Self:
        return self._take_trees(self._boosted(table, self.alpha))

    def _models(self, table: _BinnedTable) -> Iterator[Self]:
        """Yield, for each λ from a large one down to 0, the first trees and then all.

        Fitting with the parameters of a yielded model gives the same model.
        """
        shares = np.array(_SHARES_OF_TREES) * self.n_estimators
        sizes = np.unique(np.maximum(shares.round().astype(int), 1))
        for alpha in self._alphas(table):
            grown = self._boosted(table, alpha)
            for size in sizes:
                model = self._sibling(alpha=float(alpha), n_estimators=int(size))
                n_trees = int(size) * self._n_outputs
                yield model._take_trees(grown.first(n_trees))
                if n_trees >= grown.n_trees:  # no later tree was worth its price
                    break

    def _take_trees(self, ensemble: TreeEnsemble) -> Self:
        self.ensemble_ = ensemble
        self.support_ = ensemble.used(self.n_features_in_)
        return self

    def _options(self) -> dict[str, Any]:
        n_outputs = self._n_outputs
        kind = {"objective": "multiclass", "num_class": n_outputs}
        return {
            **({"objective": "binary"} if n_outputs == 1 else kind),
            "learning_rate": self.learning_rate,
            "num_leaves": self.n_leaves,
            "min_data_in_leaf": self.min_leaf,
            "min_data_in_bin": 1,
            "feature_pre_filter": False,
            "seed": 0 if self.random_state is None else self.random_state,
            # The same trees on every machine, and no fight for its processors.
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbosity": -1,
        }

    def _alphas(self, table: _BinnedTable) -> Iterator[float]:
        """Yield λ whose models are spread over the costs, from nothing to all."""
        prices = np.asarray(table.hypergraph.marginal_costs())
        if not (prices > 0).any():
            yield 0.0
            return
        pilot = self._sibling(n_estimators=min(_PILOT_TREES, self.n_estimators))

        def cost(alpha: float) -> float:
            grown = pilot._boosted(table, alpha)
            return table.hypergraph.cost(grown.used(self.n_features_in_))

        alpha = self._most_loss / float(prices[prices > 0].min())
        # It is told first: of a wide table the others take minutes to be found.
        yield alpha
        top, free, whole = alpha, cost(alpha), cost(0.0)
        known = {top: free}
        for _ in range(_MOST_STRIDES):
            if known[alpha] >= _NEARLY_ALL * whole:
                break
            alpha /= _STRIDE
            known[alpha] = cost(alpha)
        # Between the top and the smallest λ that buys nothing, nothing else happens.
        first = min(at for at, paid in known.items() if paid <= free)
        known = {at: paid for at, paid in known.items() if at <= first}
        _fill_gaps(known, cost)
        yield from sorted(known.keys() - {first, top}, reverse=True)
        yield 0.0

    def _boosted(self, table: _BinnedTable, alpha: float) -> TreeEnsemble:
        prices = np.asarray(table.hypergraph.marginal_costs())
        if alpha * prices.min() >= self._most_loss:
            # LightGBM takes minutes to begin on a wide table; a constant needs none.
            table, prices = table.narrowest(), prices[:1]
        paid = np.zeros(self.n_features_in_, dtype=bool)
        booster = table.booster(self._penalty(table, alpha, prices))
        for _ in range(self.n_estimators):
            if booster.update():  # no split is worth its price any more
                break
            used = booster.feature_importance("split") > 0
            if self.charge == "shared" and (used > paid).any():
                paid = used
                computed = table.hypergraph.required_components(paid)
                prices = np.asarray(table.hypergraph.marginal_costs(computed))
                booster.reset_parameter(self._penalty(table, alpha, prices))
        trees = booster.dump_model()["tree_info"]
        n_outputs = self._n_outputs
        return TreeEnsemble.of(
            [
                _tree(tree["tree_structure"], k % n_outputs, n_outputs)
                for k, tree in enumerate(trees)
            ]
        )

    def _penalty(
        self, table: _BinnedTable, alpha: float, prices: Floats
    ) -> dict[str, list[float]]:
        # In units of LightGBM's gain: a sum over all rows, or "lazy" of one row.
        worth = _GAINS_A_LOSS * alpha * prices
        if self.charge == "lazy":
            return {"cegb_penalty_feature_lazy": worth.tolist()}
        return {"cegb_penalty_feature_coupled": (table.rows.n_rows * worth).tolist()}

    def program(self) -> Program:
        """Return the trees, whose answers are added up."""
        check_is_fitted(self)
        # What everybody pays for is bought before the first question.
        bought = () if self.charge == "lazy" else np.flatnonzero(self.support_).tolist()
        thresholds = self.ensemble_.tree.thresholds
        nodes, roots = ensemble_nodes(self.ensemble_, thresholds, begin=1)
        first = ProgramNode((0.0,) * self._n_outputs, buys=tuple(bought))
        return Program((first, *nodes), (0, *roots))

    def acquirable_features(self) -> Mask:
        """Return the features that some tree looks at."""
        check_is_fitted(self)
        return self.support_[np.newaxis]

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the logistic probability of each class."""
        scores = self.decision_function(X)
        return logistic_shares(scores) if scores.ndim == 1 else softmax(scores, axis=1)

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        """Return the log odds of each row, and the features that it pays for.

        These are the model's, or with "lazy" those on a row's own ways.
        """
        looked_at = np.flatnonzero(self.support_)
        trees = self.ensemble_.narrowed(looked_at)
        few: Any = rows[:, looked_at]
        few = few.toarray() if sparse.issparse(few) else few
        if self.charge != "lazy":
            return trees.sums(few), np.broadcast_to(self.support_, rows.shape)
        sums, seen = trees.sums_and_visited(few)
        acquired = np.zeros(rows.shape, dtype=bool)
        acquired[:, looked_at] = seen
        return sums, acquired


@dataclass(frozen=True, eq=False)
class _BinnedTable:
    """Training rows as LightGBM holds them: binned once for all λ."""

    lightgbm: Any
    rows: DistinctRows
    hypergraph: FeatureHypergraph
    options: dict[str, Any]

    @classmethod
    def of(cls, training: LabelledRows, options: dict[str, Any]) -> _BinnedTable:
        rows = DistinctRows.of(training.X, training.labels, training.weights)
        return cls(_lightgbm(), rows, training.hypergraph, options)

    def narrowest(self) -> _BinnedTable:
        """Return one column alone: LightGBM takes no table without any."""
        return replace(self, rows=replace(self.rows, X=self.rows.X[:, :1]))

    @cached_property
    def _dataset(self) -> Any:
        X: Any = self.rows.X
        return self.lightgbm.Dataset(
            sparse.csr_matrix(X) if sparse.issparse(X) else X,
            self.rows.signs,
            weight=self.rows.weights,
            params=self.options,
        )

    def booster(self, penalty: Mapping[str, Any]) -> Any:
        return self.lightgbm.Booster({**self.options, **penalty}, self._dataset)


def _fill_gaps(known: dict[float, float], cost: Callable[[float], float]) -> None:
    """Add λ between those whose costs lie furthest apart."""
    while len(known) < _N_ALPHAS + 1:
        pairs = list(pairwise(sorted(known)))
        gaps = [
            abs(known[high] - known[low]) if high > _CLOSE * low else 0.0
            for low, high in pairs
        ]
        if not max(gaps, default=0.0) > 0:
            return
        low, high = pairs[int(np.argmax(gaps))]
        # λ acts in ratio: the middle of a gap is the geometric one.
        middle = float(np.sqrt(low * high))
        known[middle] = cost(middle)


def _lightgbm() -> Any:
    return library("lightgbm", "boost", "CEGBClassifier", ThriftscopeError)


def _tree(root: dict[str, Any], output: int, n_outputs: int) -> DecisionTree:
    """Return a tree as LightGBM describes it, level by level.

    `output`: of `n_outputs` the one that it moves.
    """
    nodes, left = [root], []
    for node in nodes:  # grows as it goes
        left.append(len(nodes))
        if "leaf_value" not in node:
            nodes += [node["left_child"], node["right_child"]]
    said = np.array([node.get("leaf_value", 0.0) for node in nodes], dtype=float)
    values = np.zeros((len(nodes), n_outputs))
    values[:, output] = said
    return DecisionTree(
        np.array([node.get("split_feature", -1) for node in nodes]),
        np.array([node.get("threshold", 0.0) for node in nodes], dtype=float),
        np.array(left),
        np.array(left) + 1,
        said if n_outputs == 1 else values,
    )
