"""Boosters of LightGBM, read from the text in which it saves them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import DeployError, InterchangeError, ThriftscopeError, shown
from ..numerics.arrays import Floats
from .fitted import (
    Asked,
    FittedModel,
    FittedTrees,
    GrownNode,
    beginning,
    choice,
    equal_to,
    in_class,
    in_set,
    joined,
    refuse_sizes,
    tree_of,
)

_OBJECTIVES = {"binary": 1, "cross_entropy": 1, "multiclass": 0, "multiclassova": 0}
# What LightGBM takes as zero where zeros are gaps.
_ZERO = float(np.float32(1e-35))
_CATEGORY, _DEFAULT_LEFT = 1, 2
_ZEROS, _NANS = 1, 2  # Which values are gaps


def read_lightgbm(model: Any) -> FittedModel | None:
    """Return a fitted LightGBM model; None of what is none."""
    if not type(model).__module__.startswith("lightgbm."):
        return None
    booster = getattr(model, "booster_", model)
    if not hasattr(booster, "model_to_string"):
        return None
    classes = getattr(model, "classes_", None)
    return read_text(booster.model_to_string(), None if classes is None else classes)


def read_text(text: str, classes: Sequence[Any] | None = None) -> FittedModel:
    """Return the model that LightGBM wrote as text.

    `classes`: the labels, in the order of its codes; 0, 1, ... by default.
    """
    try:
        return _model(text, classes)
    except ThriftscopeError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise _damaged(shown(str(error))) from None


def _model(text: str, classes: Sequence[Any] | None) -> FittedModel:
    head, *parts = re.split(r"^Tree=\d+$", text, flags=re.MULTILINE)
    told = _fields(head)
    objective = told.get("objective", "").split(" ")
    if objective[0] not in _OBJECTIVES or not parts:
        raise DeployError(
            f"The objective of the LightGBM model is {shown(objective[0])}, and it has "
            f"{len(parts)} trees; adopt a classifier with objective binary or "
            "multiclass."
        )
    n_outputs = _whole(told, "num_tree_per_iteration")
    n_features = _whole(told, "max_feature_idx") + 1
    refuse_sizes(n_features, n_outputs)
    categories = _categories(text, told)
    first = _even(objective) if n_outputs == 1 else 0.0
    grown = [beginning(np.zeros(n_outputs), first)]
    for number, part in enumerate(parts):
        fields = _fields(part.split("end of trees")[0])
        nodes = _nodes(fields, number, n_features, categories)
        values = in_class(
            np.array([v for v, _ in nodes]), number % n_outputs, n_outputs
        )
        grown.append(
            tree_of(
                [
                    GrownNode(share, value, *asked)
                    for (_, (share, *asked)), value in zip(nodes, values, strict=True)
                ]
            )
        )
    n_rounds = len(parts) // n_outputs
    # Random forests of LightGBM are means.
    divisor = float(n_rounds) if "\naverage_output" in head else 1.0
    trees: FittedTrees = joined(grown, divisor, takes_gaps=True)
    names = tuple(told.get("feature_names", "").split(" "))
    are_own = names != tuple(f"Column_{j}" for j in range(n_features))
    n_classes = max(2, n_outputs)
    return FittedModel(
        "LightGBM model",
        tuple(range(n_classes) if classes is None else np.asarray(classes).tolist()),
        n_features,
        names if are_own and len(names) == n_features else None,
        trees,
        {
            column: tuple(values)
            for column, values in categories.items()
            if values and isinstance(values[0], str)
        },
    )


def _fields(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name: value for name, _, value in pairs}


def _whole(told: Mapping[str, str], name: str) -> int:
    try:
        return int(told[name])
    except (KeyError, ValueError):
        raise _damaged(f"{name} is {shown(told.get(name))}") from None


def _damaged(what: str) -> InterchangeError:
    return InterchangeError(
        f"The text is no whole LightGBM model: {what}; save it again by save_model."
    )


def _categories(text: str, told: Mapping[str, str]) -> dict[int, list[Any]]:
    """Return the values of the columns that were categories of a pandas table.

    Places in these lists are the codes that trees ask for.
    """
    said = text.rpartition("\npandas_categorical:")[2].strip() or "null"
    try:
        lists = json.loads(said) if "\npandas_categorical:" in text else None
    except ValueError:
        raise _damaged("pandas_categorical is no list") from None
    infos = told.get("feature_infos", "").split(" ")
    columns = [j for j, info in enumerate(infos) if info != "none" and info[:1] != "["]
    lists = lists or []
    if lists and len(lists) != len(columns):
        raise DeployError(
            f"The LightGBM model takes {len(lists)} columns of categories, and tells "
            f"of {len(columns)}; train it without those that are constant."
        )
    return dict(zip(columns, lists, strict=False)) if lists else {}


def _even(objective: Sequence[str]) -> float:
    """Return the largest raw score that LightGBM calls the first class.

    It compares probabilities, which are even a little above a score of 0.
    """
    factor = 1.0
    for word in objective[1:]:
        name, _, value = word.partition(":")
        factor = float(value) if name == "sigmoid" else factor

    def is_first(score: float) -> bool:
        second = 1.0 / (1.0 + math.exp(-factor * score))
        return not second > 1.0 - second

    if not 0.0 < factor < math.inf:
        raise ValueError(f"a sigmoid above 0; it is {factor}")
    low, high = 0.0, 1.0 / factor
    while low < (middle := low + (high - low) / 2.0) < high:
        low, high = (middle, high) if is_first(middle) else (low, middle)
    return low


def _nodes(
    told: Mapping[str, str],
    number: int,
    n_features: int,
    categories: Mapping[int, Sequence[Any]],
) -> list[tuple[float, tuple[Any, ...]]]:
    """Return of each node what it says, its share, and what it asks of what.

    Inner nodes first, as LightGBM counts them, and then leaves.
    """
    if told.get("is_linear", "0") != "0":
        raise DeployError(
            "The LightGBM model has linear leaves, which are not adopted; train it "
            "without linear_tree."
        )
    try:
        return list(_read_nodes(told, n_features, categories))
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise _damaged(f"tree {number} lacks {shown(str(error))}") from None


def _read_nodes(
    told: Mapping[str, str], n_features: int, categories: Mapping[int, Sequence[Any]]
) -> Iterator[tuple[float, tuple[Any, ...]]]:
    n_leaves = int(told["num_leaves"])
    leaves = _numbers(told, "leaf_value", n_leaves)
    if n_leaves == 1:
        yield float(leaves[0]), (1.0,)
        return
    n = n_leaves - 1
    features, kinds, left, right, rows = (
        _numbers(told, name, n).astype(int).tolist()
        for name in (
            *("split_feature", "decision_type", "left_child", "right_child"),
            "internal_count",
        )
    )
    thresholds = _numbers(told, "threshold", n).tolist()
    sets = _sets(told) if int(told.get("num_cat", "0")) else []
    for k in range(n):
        if not 0 <= features[k] < n_features:
            raise ValueError(f"feature {features[k]}")
        ways = tuple(way if way >= 0 else n + ~way for way in (left[k], right[k]))
        if kinds[k] & _CATEGORY:
            asked = _in_set(
                sets[int(thresholds[k])], categories.get(features[k]), *ways
            )
        else:
            asked = _bound(thresholds[k], kinds[k], *ways)
        yield 0.0, (rows[k] / max(rows[0], 1), features[k], asked)
    counts = _numbers(told, "leaf_count", n_leaves)
    for value, count in zip(leaves.tolist(), counts.tolist(), strict=True):
        yield value, (count / max(rows[0], 1),)


def _numbers(told: Mapping[str, str], name: str, n: int) -> Floats:
    numbers = np.array(told[name].split(), dtype=float)
    if len(numbers) != n or not np.isfinite(numbers).all():
        raise ValueError(f"{n} finite numbers of {name}")
    return numbers


def _sets(told: Mapping[str, str]) -> list[list[int]]:
    """Return the codes of each set of categories, which are bits of words."""
    bounds = [int(word) for word in told["cat_boundaries"].split()]
    words = [int(word) for word in told["cat_threshold"].split()]
    return [
        [
            32 * k + bit
            for k, word in enumerate(words[begin:end])
            for bit in range(32)
            if word >> bit & 1
        ]
        for begin, end in pairwise(bounds)
    ]


def _in_set(
    codes: Sequence[int], values: Sequence[Any] | None, inside: int, outside: int
) -> tuple[Asked, ...]:
    """Return whether a value is one of a set of codes, which may stand for numbers."""
    if not values or isinstance(values[0], str):
        return in_set(codes, inside, outside)
    leads = sorted(
        (float(value), inside if code in codes else outside)
        for code, value in enumerate(values)
    )
    return equal_to([v for v, _ in leads], [way for _, way in leads], outside)


def _bound(at: float, kind: int, left: int, right: int) -> tuple[Asked, ...]:
    """Return whether a number is above a bound, with gaps as LightGBM has them."""
    default = left if kind & _DEFAULT_LEFT else right
    missing = kind >> 2 & 3
    if missing == _ZEROS:  # and so is NaN
        cuts = sorted({math.nextafter(-_ZERO, -math.inf), _ZERO, at})
        ways = [
            default if -_ZERO <= cut <= _ZERO else left if cut <= at else right
            for cut in cuts
        ]
        return choice(cuts, [*ways, right], default)
    # Where NaN is none, it counts as 0.
    gap = default if missing == _NANS else left if at >= 0.0 else right
    return (Asked(at, ("child", left), ("child", right), gaps_below=gap == left),)
