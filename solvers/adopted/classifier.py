"""A fitted model of somebody else, as a classifier that knows what a row pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ..costs.alignment import generic_names, order_by_name
from ..costs.hypergraph import FeatureHypergraph
from ..decisions.program import Program
from ..decisions.running import run, summed
from ..errors import DataError, shown
from ..methods.adaptive import AdaptiveClassifier
from ..methods.base import LabelledRows, Prices
from ..methods.rows import aligned
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.tree_ensemble import TreeEnsemble
from ..values.fields import declared
from ..values.knobs import Choice
from .fitted import FittedModel, FittedSum, FittedTrees
from .reading import read_model
from .settling import cheapest_order, program_of_sum, program_of_trees


def adopt(
    model: Any,
    hypergraph: FeatureHypergraph | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    order: str = "cheapest",
) -> AdoptedClassifier:
    """Return a fitted model as one that pays for each row only what that row needs.

    Labels are those of the model. Trees are asked one after the other, and what a row
    comes by is bought when it is asked for, what features share once; an ensemble stops
    where no leaf of the trees to come can change the label.

    Parameters
    ----------
    model : object
        A fitted tree, forest, extra trees, gradient boosting (both kinds) or linear
        classifier of scikit-learn; a model of LightGBM or XGBoost; or where one of
        these two was saved, as LightGBM's text or XGBoost's JSON.
    hypergraph : FeatureHypergraph, optional
        What its features cost; one unit a feature, and nothing shared, by default.
        Where both name the features they may stand in different orders, and it may
        have more of them, which no row then pays for.
    feature_names : sequence of str, optional
        The names of the model's columns, where it was trained on a bare array.
    classes : sequence, optional
        The labels in the order of the model's codes, which is all that a file knows.
    order : {"given", "cheapest"}, default="cheapest"
        "given": one tree answers after the other; "cheapest": all trees wait for one
        feature after the other, first for those that settle most for their price.

    Returns
    -------
    AdoptedClassifier
        Fitted; its columns are in the order of the hypergraph.

    Raises
    ------
    DeployError
        If it is no such model.
    InterchangeError
        If a file is damaged, or no such file; pickles are not opened.
    DataError
        If the names of features disagree, or there are not as many names as features or
        classes.

    Notes
    -----
    What the model was trained on is not known here: rows on which it is compared have
    to be such as it has not seen.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(30, max_depth=3, random_state=0)
    >>> adopted = adopt(forest.fit(X[:400], y[:400]))
    >>> bool((adopted.predict(X[400:]) == forest.predict(X[400:])).all())
    True
    >>> adopted.prediction_cost(X[400:]).mean() < 20
    np.True_
    """
    fitted = read_model(model, feature_names, classes)
    if hypergraph is None:
        names = fitted.feature_names or generic_names(fitted.n_features)
        prices = np.ones(fitted.n_features)
        hypergraph = FeatureHypergraph.independent(prices, names, unit="features")
    adopted = AdoptedClassifier(hypergraph, source=fitted, order=order)
    return adopted._take(None)


@declared
class AdoptedClassifier(AdaptiveClassifier):
    """A fitted model that somebody has; `adopt` makes one.

    ``fit`` learns nothing: it checks the rows and goes on with what the model knows, so
    that the model stands on a frontier as it is.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        The labels, in the order of the model.

    Notes
    -----
    The score of a row that stops early is a bound on what all trees would say: the
    least by which its label leads. For a cut elsewhere than at 0 it is no more than
    that.
    """

    title: ClassVar[str] = "Adopted model"

    hypergraph: Prices = None
    source: Annotated[FittedModel | None, "What was read of the model."] = None
    order: Annotated[
        str,
        Choice("Order", ("given", "cheapest"), doc="In which features are asked for."),
        "Whether trees answer one after the other, or wait for cheap features.",
    ] = "cheapest"

    def _take(self, prepared: LabelledRows | None) -> Self:
        """Go on with what the model knows; rows are only checked."""
        source = self.source
        if not isinstance(source, FittedModel):
            raise DataError(
                f"source is {shown(source)}; use adopt(model), which reads it."
            )
        classes = np.array(source.classes)
        unknown = sorted(set(getattr(self, "classes_", classes)) - set(classes))
        if unknown:
            raise DataError(
                f"A row is of class {shown(unknown[0])}, of which the adopted "
                f"{source.name} knows nothing; leave such rows out."
            )
        self.classes_ = classes
        if self.hypergraph is not None:
            self.n_features_in_ = self.hypergraph.n_features
        self.n_features_in_ = getattr(self, "n_features_in_", source.n_features)
        places = self._places(source)
        self._ensemble: TreeEnsemble | None = None
        self.words = {int(places[j]): words for j, words in source.words.items()}
        if isinstance(source.decides, FittedSum):
            moved = _moved_sum(source.decides, places, self.n_features_in_)
            self._program = program_of_sum(moved)
        else:
            fitted, order = _moved(source.decides, places), None
            if self.order == "cheapest":
                order = cheapest_order(fitted, self._hypergraph())
            self._program = program_of_trees(fitted, order)
            self._ensemble = fitted.ensemble
        self.takes_gaps = bool(self._program.gaps)
        return self

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> Any:
        return super()._checked(self._coded(X), y, sample_weight, groups)

    def _check_rows(self, X: ArrayLike) -> Floats:
        """Return rows as numbers, words as their places; refuse gaps that it cannot."""
        rows = super()._check_rows(self._coded(X))
        if self.takes_gaps:
            needed = self.acquirable_features()[0]
            needed[list(self._program.gaps)] = False
            holes = np.isnan(rows[:, needed])
            if holes.any():
                row, k = np.argwhere(holes)[0]
                name = self._hypergraph().features[np.flatnonzero(needed)[k]]
                raise DataError(
                    f"Row {row} has no value of {shown(name)}, and the model does not "
                    "know what to do without; give a finite number."
                )
        return rows

    def _coded(self, X: Any) -> Any:
        """Return a table with words as their places in the lists that are known."""
        source = self.source
        if not isinstance(source, FittedModel) or not source.words:
            return X
        if not hasattr(X, "columns") and np.asarray(X).dtype.kind == "f":
            return X  # coded already
        check_is_fitted(self)
        table = np.array(aligned(self, X), dtype=object)
        return np.column_stack(
            [_numbers(column, self.words.get(j)) for j, column in enumerate(table.T)]
        )

    def _places(self, source: FittedModel) -> Integers:
        """Return where each column of the model stands in the hypergraph."""
        known = self._hypergraph().features
        if source.feature_names and set(source.feature_names) < set(known):
            return np.array([known.index(name) for name in source.feature_names])
        given = source.feature_names or generic_names(source.n_features)
        order = order_by_name(given, known, f"The {source.name}")
        if len(known) != source.n_features:
            raise DataError(
                f"There are {len(known)} features, and the adopted {source.name} takes "
                f"{source.n_features}; give those that it was trained on, or tell "
                "their names by feature_names."
            )
        return np.arange(len(known)) if order is None else np.argsort(order)

    def program(self) -> Program:
        """Return the trees, until no other can change the label, or the sum."""
        check_is_fitted(self)
        return self._program

    def acquirable_features(self) -> Mask:
        """Return the features that some node looks at."""
        looked_at = np.zeros((1, self.n_features_in_), dtype=bool)
        looked_at[0, [j for node in self.program().nodes for j in node.features]] = True
        return looked_at

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        program, trees = self.program(), self._ensemble
        n_classes = len(self.classes_)
        if trees is None or not program.rests:
            found = run(program, rows, 1 if n_classes == 2 else n_classes)
            return found.scores, found.acquired
        acquired = np.zeros(rows.shape, dtype=bool)

        def answer(root: int, here: Integers) -> Floats:
            seen = np.zeros((len(here), rows.shape[1]), dtype=bool)
            leaves = trees.leaves(rows[here], root, seen)
            acquired[here] |= seen
            return trees.tree.values[leaves]

        scores = summed(program, len(rows), n_classes, answer)
        return (scores if n_classes > 2 else scores[:, 1] - scores[:, 0]), acquired


def _numbers(column: NDArray, words: Sequence[str] | None) -> Floats:
    """Return a column as numbers: words by their places, NaN for what is missing."""
    is_gap = np.array([one is None or one != one for one in column], dtype=bool)
    found = np.full(len(column), np.nan)
    if words is None:
        found[~is_gap] = column[~is_gap].astype(float)
        return found
    place = {word: float(k) for k, word in enumerate(words)}
    found[~is_gap] = [place.get(str(one), len(words)) for one in column[~is_gap]]
    return found


def _moved_sum(fitted: FittedSum, places: Integers, n_features: int) -> FittedSum:
    """Return sums of the columns of the hypergraph."""
    coef = np.zeros((len(fitted.coef), n_features))
    coef[:, places] = fitted.coef
    parts = []
    for part in fitted.parts:
        column, tree = int(places[part.column]), part.tree
        if tree is not None:
            features = np.where(tree.features < 0, -1, column)
            tree = replace(tree, features=features)
        parts.append(replace(part, column=column, tree=tree))
    return FittedSum(coef, fitted.intercept, tuple(parts))


def _moved(fitted: FittedTrees, places: Integers) -> FittedTrees:
    """Return trees that look at the columns of the hypergraph."""
    tree = fitted.ensemble.tree
    features = np.where(tree.features < 0, -1, places[tree.features])
    moved = TreeEnsemble(replace(tree, features=features), fitted.ensemble.roots)
    gapless = frozenset(int(places[j]) for j in fitted.gapless)
    return replace(fitted, ensemble=moved, gapless=gapless)
