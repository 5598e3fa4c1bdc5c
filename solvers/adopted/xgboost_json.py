"""Boosters of XGBoost, read from the JSON in which it saves them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import DeployError, InterchangeError, ThriftscopeError, shown
from ..numerics.arrays import Floats
from ..numerics.tree_ensemble import of_doubles
from .fitted import (
    Asked,
    FittedModel,
    GrownNode,
    beginning,
    in_class,
    in_set,
    joined,
    refuse_sizes,
    tree_of,
)

_BINARY = ("binary:logistic", "reg:logistic", "binary:hinge")
_DAMAGES = (
    *(LookupError, TypeError, ValueError, ArithmeticError),
    *(AttributeError, RecursionError),
)
_MANY = ("multi:softmax", "multi:softprob")


def read_xgboost(model: Any) -> FittedModel | None:
    """Return a fitted XGBoost model; None of what is none."""
    if not type(model).__module__.startswith("xgboost."):
        return None
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    if not hasattr(booster, "save_raw"):
        return None
    text = bytes(booster.save_raw(raw_format="json")).decode()
    return read_json(text, getattr(model, "classes_", None))


def read_json(text: str, classes: Sequence[Any] | None = None) -> FittedModel:
    """Return the model that XGBoost wrote as JSON.

    `classes`: the labels, in the order of its codes; 0, 1, ... by default.
    """
    try:
        learner = json.loads(text)["learner"]
        return _model(learner, classes)
    except ThriftscopeError:
        raise
    except _DAMAGES as error:
        raise InterchangeError(
            f"The JSON is no whole XGBoost model ({shown(str(error))}); save it again "
            "by save_model."
        ) from None


def _model(learner: Mapping[str, Any], classes: Sequence[Any] | None) -> FittedModel:
    objective, params = learner["objective"]["name"], learner["learner_model_param"]
    if objective not in (*_BINARY, *_MANY):
        raise DeployError(
            f"The objective of the XGBoost model is {shown(objective)}; adopt a "
            "classifier, such as binary:logistic or multi:softprob."
        )
    n_outputs = max(1, int(params["num_class"]))
    n_features = int(params["num_feature"])
    refuse_sizes(n_features, n_outputs)
    booster = learner["gradient_booster"]
    drops = booster.get("weight_drop")
    model = booster.get("gbtree", booster).get("model", {})
    if "trees" not in model:
        raise DeployError(
            f"The booster of the XGBoost model is {shown(booster.get('name'))}; adopt "
            "one of trees, gbtree or dart."
        )
    trees, of_class = model["trees"], model["tree_info"]
    weights = [1.0] * len(trees) if drops is None else drops
    grown = [beginning(_begin(params, objective, n_outputs))]
    for tree, k, weight in zip(trees, of_class, weights, strict=True):
        nodes = list(_nodes(tree, n_features))
        steps = float(np.float32(weight)) * np.array([value for value, *_ in nodes])
        if not np.isfinite(steps).all():
            raise ValueError(f"a weight of a tree is {weight}")
        values = in_class(steps, int(k), n_outputs)
        grown.append(
            tree_of(
                [
                    GrownNode(share, value, *asked)
                    for (_, share, *asked), value in zip(nodes, values, strict=True)
                ]
            )
        )
    names = tuple(map(str, learner.get("feature_names") or ()))
    n_classes = max(2, n_outputs)
    return FittedModel(
        "XGBoost model",
        tuple(range(n_classes) if classes is None else np.asarray(classes).tolist()),
        n_features,
        names if len(names) == n_features else None,
        joined(grown, takes_gaps=True),
    )


def _begin(params: Mapping[str, Any], objective: str, n_outputs: int) -> Floats:
    """Return the score where it begins; what is saved is a probability of two."""
    said = str(params["base_score"]).strip("[]").split(",")
    scores = np.array(said, dtype=np.float32).astype(float)
    if not np.isfinite(scores).all():
        raise ValueError(f"base_score {said}")
    if n_outputs > 1:
        if len(set(scores.tolist())) > 1:
            raise DeployError(
                "The classes of the XGBoost model begin at different scores, which is "
                "not adopted yet; train it with base_score=0.5."
            )
        return np.full(n_outputs, scores[0])
    score = float(scores[0])
    if objective != "binary:hinge":
        if not 0.0 < score < 1.0:
            raise ValueError(f"base_score {score}")
        score = float(np.float32(-math.log(1.0 / score - 1.0)))
    return np.array([score])


def _nodes(tree: Mapping[str, Any], n_features: int) -> Iterator[tuple[Any, ...]]:
    """Yield of each node what it says, its share of the rows, and what it asks."""
    left, right = tree["left_children"], tree["right_children"]
    bounds = np.array(tree["split_conditions"], dtype=np.float32)
    sizes = np.array(tree["sum_hessian"], dtype=float)
    n = len(left)
    columns = (right, bounds, sizes, tree["split_indices"], tree["default_left"])
    if any(len(column) != n for column in columns) or not n:
        raise ValueError("a tree whose lists have different lengths")
    if not np.isfinite(bounds).all() or not (sizes >= 0.0).all():
        raise ValueError("a tree with numbers that are not finite")
    sets = _sets(tree)
    kinds, whole = tree.get("split_type") or [0] * n, float(sizes[0])
    # A value goes left if it is below a bound, once it is a single.
    below = of_doubles(np.nextafter(bounds, np.float32(-np.inf)).astype(float))
    for k in range(n):
        share = float(sizes[k] / whole) if 0.0 < whole < math.inf else 1.0
        if left[k] < 0:
            yield float(bounds[k]), share
            continue
        feature = int(tree["split_indices"][k])
        if not (0 <= feature < n_features and left[k] < n and 0 <= right[k] < n):
            raise ValueError(f"node {k}")
        goes_left = bool(tree["default_left"][k])
        if kinds[k]:
            gap = left[k] if goes_left else right[k]
            asked = in_set(sets[k], right[k], left[k], gap)
        else:
            ways = ("child", left[k]), ("child", right[k])
            asked = (Asked(float(below[k]), *ways, gaps_below=goes_left),)
        yield 0.0, share, feature, asked


def _sets(tree: Mapping[str, Any]) -> dict[int, list[int]]:
    """Return the categories that go right, of each node that has some."""
    begins, sizes = (
        tree.get("categories_segments", ()),
        tree.get("categories_sizes", ()),
    )
    return {
        node: tree["categories"][begin : begin + size]
        for node, begin, size in zip(
            tree.get("categories_nodes", ()), begins, sizes, strict=True
        )
    }
