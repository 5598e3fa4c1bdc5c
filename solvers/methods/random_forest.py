"""Random forests, each row charged for what its trees ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble import RandomForestClassifier as SklearnForest
from sklearn.utils.validation import check_is_fitted

from ..decisions.program import Program, ensemble_nodes
from ..numerics.arrays import Floats, Mask
from ..numerics.distinct_rows import DistinctRows
from ..numerics.tree_ensemble import DecisionTree, TreeEnsemble, of_doubles
from ..values.fields import declared
from ..values.knobs import Number
from .adaptive import AdaptiveClassifier
from .base import LabelledRows, Prices

__all__ = ["RandomForestClassifier"]

# A path begins with stumps: a whole forest asks for nearly every feature.
_DEPTHS = (1, 2, 3, 5)
_SHARES_OF_TREES = (1 / 60, 1 / 30, 1 / 15, 2 / 15, 4 / 15, 1 / 2, 1.0)


@declared
class RandomForestClassifier(AdaptiveClassifier):
    """scikit-learn's random forest; a row pays for the features on its own ways.

    The forest itself does not look at prices. It is the paper's point at full cost;
    smaller and shallower forests, which `path` yields as well, cost less.

    Attributes
    ----------
    ensemble_ : TreeEnsemble
        The trees; leaves hold the share of the second of two classes, or of each.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    Notes
    -----
    Rows that repeat are one row with the weight of all, which a bootstrap draws or
    does not: so a row of weight 2 is the same as two rows, as scikit-learn asks of an
    estimator and its own forest does not promise.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, section 6.1.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    >>> forest = RandomForestClassifier(n_estimators=5).fit(X, [0, 0, 1, 1])
    >>> forest.predict(X).tolist(), forest.acquired_features(X)[0].tolist()
    ([0, 0, 1, 1], [True, False])
    """

    title: ClassVar[str] = "Random forest"
    path_knob: ClassVar[str | None] = "n_estimators"

    hypergraph: Prices = None
    n_estimators: Annotated[
        int,
        Number(
            "Trees", 1, 10_000, integer=True, shown=(1, 200), doc="Size of the forest."
        ),
        "Number of trees, 60 in [1]_.",
    ] = 60
    max_depth: Annotated[
        int | None,
        Number(
            "Depth",
            1,
            np.inf,
            integer=True,
            optional=True,
            shown=(1, 20),
            doc="How many questions a tree asks at most.",
        ),
        "Depth of the trees; no limit by default.",
    ] = None
    random_state: Annotated[int | None, "Seed of the draws of rows and features."] = 0

    def _prepared(self, training: LabelledRows) -> DistinctRows:
        return DistinctRows.of(training.X, training.labels, training.weights)

    def _take(self, rows: DistinctRows) -> Self:
        self.ensemble_ = self._grown(rows, self.max_depth)
        return self

    def _models(self, rows: DistinctRows) -> Iterator[Self]:
        """Yield the first trees of shallow and then of deeper forests.

        Fitting with the parameters of a yielded model gives the same model.
        """
        shares = np.array(_SHARES_OF_TREES) * self.n_estimators
        sizes = np.unique(np.maximum(shares.round().astype(int), 1))
        limit = np.inf if self.max_depth is None else self.max_depth
        for depth in (*(depth for depth in _DEPTHS if depth < limit), self.max_depth):
            grown = self._grown(rows, depth)
            for size in sizes:
                model = self._sibling(n_estimators=int(size), max_depth=depth)
                model.ensemble_ = grown.first(int(size))
                yield model

    def _grown(self, rows: DistinctRows, depth: int | None) -> TreeEnsemble:
        forest = SklearnForest(
            self.n_estimators, max_depth=depth, random_state=self.random_state
        )
        forest.fit(rows.X, rows.signs.astype(int), rows.weights)
        return TreeEnsemble.of([_tree(grown.tree_) for grown in forest.estimators_])

    @property
    def _is_binary(self) -> bool:
        return len(self.classes_) == 2

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the trees' mean share of the second class, less a half.

        Of more than two classes the share of each, (n_samples, n_classes).
        """
        rows = _single(self._check_rows(X))
        # Without what rows are asked: marking that takes as long again.
        return self._decisions(self.ensemble_.sums(rows))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the trees' mean share of each class."""
        decision = self.decision_function(X)
        if not self._is_binary:
            return decision
        return np.column_stack([0.5 - decision, 0.5 + decision])

    def program(self) -> Program:
        """Return the trees, whose answers are added up."""
        check_is_fitted(self)
        thresholds = of_doubles(self.ensemble_.tree.thresholds)
        nodes, roots = ensemble_nodes(self.ensemble_, thresholds)
        n_trees = float(self.ensemble_.n_trees)
        return Program(tuple(nodes), tuple(roots), divisor=n_trees, offset=self._offset)

    def acquirable_features(self) -> Mask:
        """Return the features that some tree looks at."""
        check_is_fitted(self)
        return self.ensemble_.used(self.n_features_in_)[np.newaxis]

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        sums, visited = self.ensemble_.sums_and_visited(_single(rows))
        return self._decisions(sums), visited

    def _decisions(self, sums: Floats) -> Floats:
        # Leaves hold shares of classes: their mean is the probability.
        return sums / self.ensemble_.n_trees + self._offset

    @property
    def _offset(self) -> float:
        return -0.5 if self._is_binary else 0.0


def _single(rows: Floats) -> NDArray[np.float32]:
    # scikit-learn's trees compare in single precision.
    return rows.astype(np.float32)


def _tree(grown: Any) -> DecisionTree:
    shares = grown.value[:, 0, :].astype(float)
    return DecisionTree(
        np.where(grown.children_left < 0, -1, grown.feature).astype(int),
        np.asarray(grown.threshold, dtype=float),
        np.asarray(grown.children_left, dtype=int),
        np.asarray(grown.children_right, dtype=int),
        np.ascontiguousarray(shares[:, 1] if shares.shape[1] == 2 else shares),
    )
