"""Boosted trees that answer at a stage, as parts whose answers are added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from ..lowering import refusal
from ..policy import Fork, PolicyNode

__all__ = ["BoostedParts", "boosted_parts"]


@dataclass(frozen=True)
class BoostedParts:
    """Trees, and where each begins."""

    base: tuple[float, ...]  # Where the sum begins, one a value
    roots: tuple[int, ...]
    nodes: list[PolicyNode]


def boosted_parts(
    estimator: HistGradientBoostingClassifier, columns: Sequence[Any], begin: int
) -> BoostedParts:
    """Return the trees of a fitted estimator, as nodes from a place on.

    `columns`: what the estimator's columns are in the policy.
    """
    base = tuple(np.ravel(estimator._baseline_prediction).tolist())
    nodes: list[PolicyNode] = []
    roots = []
    for round_ in estimator._predictors:
        for output, tree in enumerate(round_):
            roots.append(begin + len(nodes))
            nodes += _tree(tree.nodes, columns, roots[-1], output, len(base))
    return BoostedParts(base, tuple(roots), nodes)


def _tree(
    rows: Any, columns: Sequence[Any], begin: int, output: int, n_outputs: int
) -> list[PolicyNode]:
    if rows["is_categorical"].any():
        raise refusal(None, "boosted trees that cut sets of categories")
    found = []
    for row in rows:
        if row["is_leaf"]:
            said = [0.0] * n_outputs
            said[output] = float(row["value"])
            found.append(PolicyNode(tuple(said)))
            continue
        ways = (begin + int(row["left"]), begin + int(row["right"]))
        term = ((columns[row["feature_idx"]], (1.0,)),)
        fork = Fork(float(row["num_threshold"]), *ways)
        found.append(PolicyNode((0.0,), term, (), fork))
    return found
