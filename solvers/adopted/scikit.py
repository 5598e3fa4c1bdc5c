"""Fitted classifiers of scikit-learn, read from what they have learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from sklearn.utils.validation import check_is_fitted

from ..errors import DeployError
from ..numerics.arrays import Floats
from ..numerics.tree_ensemble import DecisionTree, of_doubles
from .fitted import (
    Asked,
    FittedModel,
    FittedSum,
    FittedTrees,
    GrownNode,
    beginning,
    equal_to,
    in_class,
    joined,
    tree_of,
)

# A score of 0 is of the second class where this is taken from it.
_LEAST = 5e-324


def read_scikit(model: Any) -> FittedModel | None:
    """Return a fitted classifier of scikit-learn; None of what is not read here."""
    read = _READERS.get(type(model))
    if read is None:
        return None
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) != 1:
        raise DeployError(
            f"The {type(model).__name__} tells {model.n_outputs_} things of a row; "
            "adopt a model of one target."
        )
    names = getattr(model, "feature_names_in_", None)
    return FittedModel(
        type(model).__name__,
        tuple(model.classes_.tolist()),
        int(model.n_features_in_),
        None if names is None else tuple(map(str, names)),
        read(model),
        _words(model),
    )


def _words(model: Any) -> dict[int, tuple[str, ...]]:
    """Return the words of columns that are categories and no numbers."""
    if getattr(model, "is_categorical_", None) is None:
        return {}
    told = model._preprocessor.named_transformers_["encoder"].categories_
    columns = np.flatnonzero(model.is_categorical_).tolist()
    return {
        column: tuple(values)
        for column, values in zip(columns, map(_without_gap, told), strict=True)
        if values and isinstance(values[0], str)
    }


def _sum(model: Any) -> FittedSum:
    coef = np.atleast_2d(np.asarray(model.coef_, dtype=float))
    intercept = np.asarray(model.intercept_, dtype=float)
    return FittedSum(coef, np.broadcast_to(intercept, len(coef)))


def _forest(model: Any) -> FittedTrees:
    """Return trees whose leaves hold shares of classes; their means are compared."""
    trees = model.estimators_ if hasattr(model, "estimators_") else [model]
    grown = [_tree(one.tree_, one.tree_.value[:, 0, :].astype(float)) for one in trees]
    takes_gaps = bool(trees[0].__sklearn_tags__().input_tags.allow_nan)
    return joined(grown, float(len(grown)), takes_gaps=takes_gaps)


def _boosted(model: Any) -> FittedTrees:
    """Return a leaf for where it begins, and trees of steps in one class each."""
    if not (model.init_ == "zero" or isinstance(model.init_, DummyClassifier)):
        raise DeployError(
            f"The {type(model).__name__} begins with a {type(model.init_).__name__}, "
            "which is not adopted; train it with init=None."
        )
    begin = model._raw_predict_init(np.zeros((1, model.n_features_in_), np.float32))[0]
    # Of two classes it says the second where the sum is 0 or larger.
    first = -_LEAST if len(begin) == 1 else 0.0
    grown = [beginning(begin, first)]
    for of_round in model.estimators_:
        for k, one in enumerate(of_round):
            steps = model.learning_rate * one.tree_.value[:, 0, 0]
            grown.append(_tree(one.tree_, in_class(steps, k, len(of_round))))
    return joined(grown)


def _histogram_boosted(model: Any) -> FittedTrees:
    begin = np.asarray(model._baseline_prediction, dtype=float).ravel()
    grown = [beginning(begin)]
    columns, known = _categories(model)
    for of_round in model._predictors:
        for k, one in enumerate(of_round):
            nodes = list(_grown_nodes(one, columns, known, k, len(begin)))
            grown.append(tree_of(nodes))
    return joined(grown, takes_gaps=True)


def _categories(model: Any) -> tuple[Sequence[int], Mapping[int, Sequence[float]]]:
    """Return the place of each column that its trees know, and the categories of some.

    Categories are by column of the trees, and in the order of their codes.
    """
    is_category = model.is_categorical_
    if is_category is None:
        return range(model.n_features_in_), {}
    columns = [*np.flatnonzero(is_category), *np.flatnonzero(~is_category)]
    told = model._preprocessor.named_transformers_["encoder"].categories_
    return [int(column) for column in columns], {
        k: _codes(_without_gap(values)) for k, values in enumerate(told)
    }


def _without_gap(values: Any) -> list[Any]:
    """Return categories, in the order of their codes, without the gap at their end."""
    return [value for value in values.tolist() if value is not None and value == value]


def _codes(values: Sequence[Any]) -> list[float]:
    """Return categories as numbers, words as their places."""
    if values and isinstance(values[0], str):
        return [float(code) for code in range(len(values))]
    return [float(value) for value in values]


def _grown_nodes(
    one: Any,
    columns: Sequence[int],
    known: Mapping[int, Sequence[float]],
    k: int,
    n_outputs: int,
) -> Iterator[GrownNode]:
    """Yield the nodes of one tree, which moves the k-th output."""
    nodes = one.nodes
    values = in_class(nodes["value"].astype(float), k, n_outputs)
    for node, value in zip(nodes, values, strict=True):
        share = float(node["count"]) / float(nodes["count"][0])
        if node["is_leaf"]:
            yield GrownNode(share, value)
            continue
        left, right = int(node["left"]), int(node["right"])
        goes_left = bool(node["missing_go_to_left"])
        if node["is_categorical"]:
            bits = one.raw_left_cat_bitsets[int(node["bitset_idx"])]
            of_code = [
                left if _has(bits, code) else right
                for code in range(len(known[int(node["feature_idx"])]))
            ]
            gaps = left if goes_left else right
            asked = equal_to(known[int(node["feature_idx"])], of_code, gaps)
        else:
            ways = ("child", left), ("child", right)
            asked = (Asked(float(node["num_threshold"]), *ways, gaps_below=goes_left),)
        yield GrownNode(share, value, columns[int(node["feature_idx"])], asked)


def _has(bits: Any, code: int) -> bool:
    return bool(int(bits[code // 32]) >> code % 32 & 1)


def _tree(grown: Any, values: Floats) -> tuple[DecisionTree, Floats]:
    """Return a tree of scikit-learn, which compares in single precision."""
    rows = np.asarray(grown.weighted_n_node_samples, dtype=float)
    is_leaf = grown.children_left < 0
    gaps_left = np.asarray(grown.missing_go_to_left, dtype=bool)
    tree = DecisionTree(
        np.where(is_leaf, -1, grown.feature).astype(int),
        of_doubles(np.asarray(grown.threshold, dtype=float)),
        np.asarray(grown.children_left, dtype=int),
        np.asarray(grown.children_right, dtype=int),
        np.ascontiguousarray(values),
        gaps_left & ~is_leaf,
    )
    return tree, rows / rows[0]


_READERS: Mapping[type, Callable[[Any], FittedSum | FittedTrees]] = {
    DecisionTreeClassifier: _forest,
    ExtraTreeClassifier: _forest,
    RandomForestClassifier: _forest,
    ExtraTreesClassifier: _forest,
    GradientBoostingClassifier: _boosted,
    HistGradientBoostingClassifier: _histogram_boosted,
    **dict.fromkeys(
        (
            LinearSVC,
            LogisticRegression,
            LogisticRegressionCV,
            Perceptron,
            RidgeClassifier,
            RidgeClassifierCV,
            SGDClassifier,
        ),
        _sum,
    ),
}
