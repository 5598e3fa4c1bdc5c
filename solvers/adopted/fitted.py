"""What is read of a fitted model: the only things that its answers depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from ..numerics.arrays import Floats, Integers
from ..numerics.tree_ensemble import DecisionTree, TreeEnsemble

_LEAF = -1


@dataclass(frozen=True, eq=False)
class FittedSum:
    """Weighted sums of all features: one for two classes, else one a class."""

    coef: Floats  # (n_outputs, n_features)
    intercept: Floats  # (n_outputs,)


@dataclass(frozen=True, eq=False)
class FittedTrees:
    """Trees whose leaves are added up in this order, in double precision.

    The largest sum is the answer, and of equal ones the first.
    """

    ensemble: TreeEnsemble  # Leaves hold a value a class
    # (n_nodes,) Which share of the training rows came to each node
    shares: Floats
    divisor: float = 1.0  # By which sums are divided before they are compared
    takes_gaps: bool = False


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted model of somebody else."""

    name: str  # Of its class
    classes: Sequence[object]  # In the order of the sums
    n_features: int
    feature_names: tuple[str, ...] | None  # None where it knows none
    decides: FittedSum | FittedTrees


#: Where a question leads: a child of the node, or a later question of the same node.
Way: TypeAlias = "tuple[str, int]"


@dataclass(frozen=True)
class Asked:
    """A question of a node: a value above `at`, or none, goes `above`."""

    at: float
    below: Way
    above: Way
    gaps_below: bool = False


@dataclass(frozen=True)
class GrownNode:
    """A node of somebody's tree: it asks questions of one feature, or answers."""

    share: float  # Of the training rows
    value: Sequence[float]  # Of a leaf
    feature: int = _LEAF
    asked: tuple[Asked, ...] = ()  # Each leads to a child, or to a later one


def choice(cuts: Sequence[float], ways: Sequence[int]) -> tuple[Asked, ...]:
    """Return questions that lead the values up to each cut their way.

    The last way is of what is above all cuts, and of gaps. Cuts are halved, so that few
    questions are asked. `ways`: children, one more than there are cuts.
    """
    kept = [k for k, (a, b) in enumerate(pairwise(ways)) if a != b]
    cuts, ways = [cuts[k] for k in kept], [*(ways[k] for k in kept), ways[-1]]
    if not cuts:  # all go one way; the feature is looked at all the same
        return (Asked(0.0, ("child", ways[0]), ("child", ways[0])),)
    found: list[Asked] = []

    def ask(low: int, high: int) -> Way:
        """Ask about the cuts from one to before another; return where that begins."""
        if low == high:
            return "child", ways[low]
        place, middle = len(found), (low + high) // 2
        found.append(Asked(cuts[middle], ("asked", 0), ("asked", 0)))
        below, above = ask(low, middle), ask(middle + 1, high)
        found[place] = Asked(cuts[middle], below, above)
        return "asked", place

    ask(0, len(cuts))
    return tuple(found)


def tree_of(nodes: Sequence[GrownNode]) -> tuple[DecisionTree, Floats]:
    """Return a tree whose nodes lead to later ones, and the share of rows at each.

    `nodes`: the first is the root; a child is named by its place among them.
    """
    order = [0]
    for k in order:  # grows as it goes
        ways = [way for one in nodes[k].asked for way in (one.below, one.above)]
        order += dict.fromkeys(place for kind, place in ways if kind == "child")
    sizes = [max(1, len(nodes[k].asked)) for k in order]
    begins = dict(zip(order, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))
    n_nodes = sum(sizes)
    features: Integers = np.full(n_nodes, _LEAF)
    thresholds, shares = np.zeros(n_nodes), np.zeros(n_nodes)
    left, right = np.zeros(n_nodes, dtype=int), np.zeros(n_nodes, dtype=int)
    values = np.zeros((n_nodes, len(nodes[order[-1]].value)))
    gaps_left = np.zeros(n_nodes, dtype=bool)
    for k in order:
        begin, node = begins[k], nodes[k]
        values[begin], shares[begin] = node.value, node.share
        for place, one in enumerate(node.asked, begin):
            features[place], thresholds[place] = node.feature, one.at
            shares[place], gaps_left[place] = node.share, one.gaps_below
            left[place], right[place] = (
                begins[at] if kind == "child" else begin + at
                for kind, at in (one.below, one.above)
            )
    return DecisionTree(features, thresholds, left, right, values, gaps_left), shares
