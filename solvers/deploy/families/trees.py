"""Trees and sums of trees: one node a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...grouped_tree import GroupedTreeClassifier
from ...methods.cegb import CEGBClassifier
from ...methods.cstc import CSTCClassifier
from ...methods.greedy_miser import GreedyMiserClassifier
from ...methods.random_forest import RandomForestClassifier
from ...numerics.tree_ensemble import TreeEnsemble
from ..lowering import linear_node, lower
from ..policy import Answered, DeployablePolicy, Fork, PolicyNode, PolicyRule, policy_of


@lower.register
def _(model: CEGBClassifier) -> DeployablePolicy:
    lazy = model.charge == "lazy"
    bought = () if lazy else np.flatnonzero(model.support_).tolist()
    first = PolicyNode(buys=tuple(bought))
    nodes, roots = _ensemble(model.ensemble_, model.ensemble_.tree.thresholds)
    return policy_of(model, *_behind(first, nodes, roots))


@lower.register
def _(model: RandomForestClassifier) -> DeployablePolicy:
    thresholds = _of_doubles(model.ensemble_.tree.thresholds)
    nodes, roots = _ensemble(model.ensemble_, thresholds)
    n_trees = float(model.ensemble_.n_trees)
    return policy_of(model, nodes, roots, divisor=n_trees, offset=-0.5)


@lower.register
def _(model: GreedyMiserClassifier) -> DeployablePolicy:
    bought: list[int] = []
    if model.charge == "ensemble":
        bought = np.flatnonzero(model.support_).tolist()
    nodes = [PolicyNode((float(model.base_),), buys=tuple(bought))]
    roots = [0]
    for tree in range(len(model.tree_values_)):
        roots.append(len(nodes))
        _fixed_depth(model, tree, 0, nodes)
    return policy_of(model, nodes, roots)


@lower.register
def _(model: GroupedTreeClassifier) -> DeployablePolicy:
    nodes: list[PolicyNode] = []
    nothing = np.zeros(model.n_features_in_, dtype=bool)
    _multiway(model, 0, nothing, nodes)
    return policy_of(model, nodes)


@lower.register
def _(model: CSTCClassifier) -> DeployablePolicy:
    nodes = []
    for place, weights in enumerate(model.node_coef_):
        bound = float(model.node_threshold_[place])
        rule = Fork(bound, 2 * place + 2, 2 * place + 1)
        nodes.append(_weighing(weights, 0.0, weights != 0, rule))
    for leaf, weights in enumerate(model.leaf_coef_):
        base, support = float(model.leaf_intercept_[leaf]), model.leaf_support_[leaf]
        nodes.append(_weighing(weights, base, support, Answered()))
    return policy_of(model, nodes)


def _weighing(
    weights: NDArray, base: float, bought: NDArray[np.bool_], rule: PolicyRule
) -> PolicyNode:
    used = np.flatnonzero(weights)
    of_used = weights[np.newaxis, used]
    return linear_node(used, of_used, np.array([base]), np.flatnonzero(bought), rule)


def _asking(feature: int, rule: Fork, buys: Sequence[int] = ()) -> PolicyNode:
    return PolicyNode((0.0,), ((feature, (1.0,)),), tuple(buys), rule)


def _behind(
    first: PolicyNode, nodes: list[PolicyNode], roots: list[int]
) -> tuple[list[PolicyNode], list[int]]:
    """Return nodes with one root more, before the others."""
    moved = [replace(node, rule=_later(node.rule)) for node in nodes]
    return [first, *moved], [0, *(root + 1 for root in roots)]


def _later(rule: PolicyRule) -> PolicyRule:
    if isinstance(rule, Fork):
        return Fork(rule.at, rule.below + 1, rule.above + 1)
    return rule


def _ensemble(
    ensemble: TreeEnsemble, thresholds: NDArray[np.float64]
) -> tuple[list[PolicyNode], list[int]]:
    tree, nodes = ensemble.tree, []
    parts = (tree.features, thresholds, tree.left, tree.right, tree.values)
    for feature, at, left, right, value in zip(
        *(part.tolist() for part in parts), strict=True
    ):
        if feature < 0:
            nodes.append(PolicyNode((value,)))
        else:
            nodes.append(_asking(feature, Fork(at, left, right)))
    return nodes, ensemble.roots.tolist()


def _of_doubles(thresholds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest doubles that are not above bounds, once they are singles.

    Halfway between two singles rounding is to the even one.
    """
    low = thresholds.astype(np.float32)
    low = np.where(low > thresholds, np.nextafter(low, np.float32(-np.inf)), low)
    high = np.nextafter(low, np.float32(np.inf))
    middle = low.astype(float) / 2 + high.astype(float) / 2
    rounds_down = middle.astype(np.float32) == low
    return np.where(rounds_down, middle, np.nextafter(middle, -np.inf))


def _fixed_depth(
    model: GreedyMiserClassifier, tree: int, place: int, nodes: list[PolicyNode]
) -> int:
    """Add a tree's node and those below it; return where it stands."""
    features = model.tree_features_[tree]
    while place < len(features) and features[place] < 0:
        place = 2 * place + 1  # what does not split sends rows left
    here = len(nodes)
    if place >= len(features):
        nodes.append(
            PolicyNode((float(model.tree_values_[tree, place - len(features)]),))
        )
        return here
    nodes.append(PolicyNode())
    below = _fixed_depth(model, tree, 2 * place + 1, nodes)
    above = _fixed_depth(model, tree, 2 * place + 2, nodes)
    at = float(model.tree_thresholds_[tree, place])
    nodes[here] = _asking(int(features[place]), Fork(at, below, above))
    return here


def _multiway(
    model: GroupedTreeClassifier,
    place: int,
    known: NDArray[np.bool_],
    nodes: list[PolicyNode],
) -> int:
    """Add a node, its bins one after the other, and all below; return where it is."""
    tree, here = model.tree_, len(nodes)
    feature = tree.feature[place]
    if feature < 0:
        nodes.append(_leaf(model, place))
        return here
    edges = model.bins_.edges[feature].tolist()
    asked = range(len(nodes), len(nodes) + len(edges))
    nodes += [PolicyNode()] * len(edges)
    acquired = tree.acquired[place]
    starts = [
        _multiway(model, tree.children[place][value], acquired, nodes)
        if value in tree.children[place]
        else _stopped(model, place, nodes)
        for value in range(len(edges) + 1)
    ]
    for k, at in zip(asked, edges, strict=True):
        value = k - asked.start
        onward = k + 1 if k + 1 < asked.stop else starts[-1]
        buys = np.flatnonzero(acquired & ~known).tolist() if value == 0 else []
        nodes[k] = _asking(feature, Fork(at, starts[value], onward), buys)
    return here


def _stopped(model: GroupedTreeClassifier, place: int, nodes: list[PolicyNode]) -> int:
    """Add the answer for a bin that no training row had, where it was asked."""
    nodes.append(_leaf(model, place))
    return len(nodes) - 1


def _leaf(model: GroupedTreeClassifier, place: int) -> PolicyNode:
    scores = model._scores(np.array([place]))[0]
    return PolicyNode(tuple(np.atleast_1d(scores).tolist()))
