"""Trees and sums of trees: one node a question."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...decisions.program import (
    Answered,
    Fork,
    Node,
    Rule,
    bin_questions,
    linear_node,
    question,
)
from ...methods.cegb import CEGBClassifier
from ...methods.cstc import CSTCClassifier
from ...methods.greedy_miser import GreedyMiserClassifier
from ...methods.grouped_tree import GroupedTreeClassifier
from ...methods.random_forest import RandomForestClassifier
from ...numerics.tree_ensemble import TreeEnsemble
from ..lowering import lower
from ..policy import DeployablePolicy, policy_of


@lower.register
def _(model: CEGBClassifier) -> DeployablePolicy:
    lazy = model.charge == "lazy"
    bought = () if lazy else np.flatnonzero(model.support_).tolist()
    first, ensemble = Node(buys=tuple(bought)), model.ensemble_
    nodes, roots = _ensemble(ensemble, ensemble.tree.thresholds, begin=1)
    return policy_of(model, [first, *nodes], [0, *roots])


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
    nodes = [Node((float(model.base_),), buys=tuple(bought))]
    roots = [0]
    for tree in range(len(model.tree_values_)):
        roots.append(len(nodes))
        _fixed_depth(model, tree, 0, nodes)
    return policy_of(model, nodes, roots)


@lower.register
def _(model: GroupedTreeClassifier) -> DeployablePolicy:
    nodes: list[Node] = []
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
    weights: NDArray, base: float, bought: NDArray[np.bool_], rule: Rule
) -> Node:
    used = np.flatnonzero(weights)
    of_used = weights[np.newaxis, used]
    return linear_node(used, of_used, np.array([base]), np.flatnonzero(bought), rule)


def _ensemble(
    ensemble: TreeEnsemble, thresholds: NDArray[np.float64], begin: int = 0
) -> tuple[list[Node], list[int]]:
    """Return the nodes of all trees, from a place on, and where each tree begins."""
    tree = ensemble.tree
    ways = (tree.left + begin, tree.right + begin)
    parts = (part.tolist() for part in (tree.features, thresholds, *ways, tree.values))
    nodes = [
        Node((value,)) if feature < 0 else question(feature, at, left, right)
        for feature, at, left, right, value in zip(*parts, strict=True)
    ]
    return nodes, (ensemble.roots + begin).tolist()


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
    model: GreedyMiserClassifier, tree: int, place: int, nodes: list[Node]
) -> int:
    """Add a tree's node and those below it; return where it stands."""
    features = model.tree_features_[tree]
    while place < len(features) and features[place] < 0:
        place = 2 * place + 1  # what does not split sends rows left
    here = len(nodes)
    if place >= len(features):
        nodes.append(Node((float(model.tree_values_[tree, place - len(features)]),)))
        return here
    nodes.append(Node())
    below = _fixed_depth(model, tree, 2 * place + 1, nodes)
    above = _fixed_depth(model, tree, 2 * place + 2, nodes)
    at = float(model.tree_thresholds_[tree, place])
    nodes[here] = question(int(features[place]), at, below, above)
    return here


def _multiway(
    model: GroupedTreeClassifier,
    place: int,
    known: NDArray[np.bool_],
    nodes: list[Node],
) -> int:
    """Add a node, its bins one after the other, and all below; return where it is."""
    tree, here = model.tree_, len(nodes)
    feature = tree.feature[place]
    if feature < 0:
        return _leaf(model, place, nodes)
    edges = model.bins_.edges[feature].tolist()
    nodes += [Node()] * len(edges)
    acquired, children = tree.acquired[place], tree.children[place]
    # For a bin that no training row had, the answer where it was asked.
    ways = [
        _multiway(model, children[value], acquired, nodes)
        if value in children
        else _leaf(model, place, nodes)
        for value in range(len(edges) + 1)
    ]
    buys = np.flatnonzero(acquired & ~known).tolist()
    asked = slice(here, here + len(edges))
    nodes[asked] = bin_questions(feature, edges, ways, here, buys)
    return here


def _leaf(model: GroupedTreeClassifier, place: int, nodes: list[Node]) -> int:
    """Add the answer at a place of the tree; return where it stands."""
    scores = model._scores(np.array([place]))[0]
    nodes.append(Node(tuple(np.atleast_1d(scores).tolist())))
    return len(nodes) - 1
