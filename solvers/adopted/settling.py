"""When trees to come cannot change a label, and which order settles it cheaply.

Bounds are exact on what leaves hold, and a hair wider than what rounding can add up to.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.program import (
    Answered,
    Program,
    ProgramNode,
    Turns,
    ensemble_nodes,
    linear_node,
    question,
    weighed_sum,
)
from ..numerics.arrays import Floats, Integers
from ..numerics.tree_ensemble import TreeEnsemble
from .fitted import FittedSum, FittedTrees

# Of more numbers than these no row stops early: the tables would outweigh the trees.
_MOST_NUMBERS = 400_000
_END = Answered()


def program_of_trees(fitted: FittedTrees, order: Integers | None = None) -> Program:
    """Return the trees as a program that stops where the label is settled.

    `order`: in which features are asked for, (n_asked,). Trees wait for them then, and
    rows that bounds do not settle are added up as the model does it. By default one
    tree answers after the other, whatever it asks for.
    """
    ensemble = fitted.ensemble
    if order is None and ensemble.n_trees == 1 and ensemble.tree.values.shape[1] == 2:
        return _one_tree(fitted)
    nodes, roots = ensemble_nodes(ensemble, ensemble.tree.thresholds)
    whole = Program(
        tuple(nodes), tuple(roots), divisor=fitted.divisor, gaps=_gaps(fitted)
    )
    if order is not None and len(order):
        return replace(whole, turns=_turns(fitted, order))
    rests = _rests(least_leads(ensemble), ensemble)
    if rests.size > _MOST_NUMBERS and rests.shape[1] > 2:
        return whole
    told = tuple(tuple(map(tuple, rest)) for rest in rests.tolist())
    return replace(whole, rests=told)


def _one_tree(fitted: FittedTrees) -> Program:
    """Return one tree of two classes, whose leaves say the difference."""
    ensemble, values = fitted.ensemble, fitted.ensemble.tree.values
    tree = replace(ensemble.tree, values=values[:, 1] - values[:, 0])
    nodes, roots = ensemble_nodes(TreeEnsemble(tree, ensemble.roots), tree.thresholds)
    return Program(tuple(nodes), tuple(roots), gaps=_gaps(fitted))


def _gaps(fitted: FittedTrees) -> frozenset[int]:
    """Return the features that trees look at and whose gaps they take."""
    looked_at = np.unique(fitted.ensemble.tree.features).tolist()
    found = frozenset(looked_at) - {-1} - fitted.gapless
    return found if fitted.takes_gaps else frozenset()


def program_of_sum(fitted: FittedSum) -> Program:
    """Return one node that weighs columns, and adds up what others add by parts."""
    looked_at = (fitted.coef != 0.0).any(axis=0)
    whole = weighed_sum(looked_at, fitted.coef, fitted.intercept)
    nodes, roots = [whole.nodes[0]], []
    for part in fitted.parts:
        begin = len(nodes)
        roots.append(begin)
        if part.tree is not None:
            ensemble = TreeEnsemble.of([part.tree])
            nodes += ensemble_nodes(ensemble, part.tree.thresholds, begin)[0]
            continue
        assert part.slope is not None
        assert part.begin is not None
        assert part.gap is not None
        # Only NaN is above what is infinite.
        line = linear_node(
            [part.column], part.slope[:, np.newaxis], part.begin, [], _END
        )
        gap = ProgramNode(tuple(part.gap.tolist()))
        nodes += [question(part.column, math.inf, begin + 1, begin + 2), line, gap]
    nodes[0] = replace(nodes[0], parts=tuple(roots))
    gaps = frozenset(part.column for part in fitted.parts if part.takes_gaps)
    gaps -= frozenset(np.flatnonzero(looked_at).tolist())
    return Program(tuple(nodes), gaps=gaps)


def least_leads(ensemble: TreeEnsemble) -> Floats:
    """Return by how much each class leads each other at least, in any leaf of a tree.

    Shape: (n_trees, n_classes, n_classes).
    """
    found = []
    for values in _leaves(ensemble):
        found.append((values[:, :, np.newaxis] - values[:, np.newaxis, :]).min(axis=0))
    return np.array(found)


def _leaves(ensemble: TreeEnsemble) -> list[Floats]:
    """Return what the leaves of each tree hold, (n_leaves, n_classes)."""
    tree = ensemble.tree
    parts = np.split(np.arange(len(tree.features)), ensemble.roots[1:])
    return [tree.values[part[tree.features[part] < 0]] for part in parts]


def _rests(leads: Floats, ensemble: TreeEnsemble) -> Floats:
    """Return the leads that are left at least behind each tree but the last."""
    behind = np.cumsum(leads[::-1], axis=0)[::-1]
    return behind[1:] - _slack(ensemble, len(leads))


def _slack(ensemble: TreeEnsemble, n_sums: int) -> float:
    """Return more than rounding can make of so many sums of leaves."""
    size = sum(float(np.abs(values).max()) for values in _leaves(ensemble))
    return 8.0 * (n_sums + 2) * float(np.finfo(float).eps) * size


def _turns(fitted: FittedTrees, order: Integers) -> Turns:
    """Return trees that wait for features in an order."""
    ensemble = fitted.ensemble
    features, n = ensemble.tree.features, len(order)
    turn_of = {feature: turn for turn, feature in enumerate(order.tolist())}
    least, most = spans(ensemble)
    return Turns(
        n,
        tuple(turn_of.get(j, n) for j in features.tolist()),
        tuple(map(tuple, least.tolist())),
        tuple(map(tuple, most.tolist())),
        _slack(ensemble, (n + 2) * ensemble.n_trees),
    )


def spans(ensemble: TreeEnsemble) -> tuple[Floats, Floats]:
    """Return between which numbers lies what trees say behind each node.

    Of two classes by how much the second leads. Shapes: (n_nodes, 1 or n_classes).
    """
    tree = ensemble.tree
    said = tree.values
    if said.shape[1] == 2:
        said = said[:, 1:] - said[:, :1]
    least, most = said.copy(), said.copy()
    inner = np.flatnonzero(tree.features >= 0)
    # Children come after their parents.
    for node in inner[::-1].tolist():
        ways = [tree.left[node], tree.right[node]]
        least[node], most[node] = least[ways].min(axis=0), most[ways].max(axis=0)
    return least, most


def cheapest_order(fitted: FittedTrees, hypergraph: FeatureHypergraph) -> Integers:
    """Return an order of the features in which labels are settled for little.

    Greedy: next comes the feature that parts most for what it adds to the bill: by
    which the leaves' values vary, over the training rows that came to each node which
    asks for it.
    """
    tree = fitted.ensemble.tree
    asked = np.flatnonzero(tree.features >= 0)
    worth = np.bincount(tree.features[asked], _parted(fitted), hypergraph.n_features)
    left = np.unique(tree.features[asked])
    paid, order = hypergraph.required_components([]), list[int]()
    while len(left):
        prices = hypergraph.marginal_costs(paid)[left]
        ratio = np.full(len(left), np.inf)
        np.divide(worth[left], prices, out=ratio, where=prices > 0.0)
        best = int(np.lexsort((-worth[left], -ratio))[0])
        order.append(int(left[best]))
        paid = paid | hypergraph.required_components(order[-1:])
        left = np.delete(left, best)
    return np.array(order, dtype=int)


def _parted(fitted: FittedTrees) -> Floats:
    """Return of each question how far the means on its ways differ, over training rows.

    Shape: (n_asked,). That is by how much the variance of what leaves say falls.
    """
    tree, shares = fitted.ensemble.tree, fitted.shares
    sums = tree.values * shares[:, np.newaxis]
    asked = np.flatnonzero(tree.features >= 0)
    for node in asked[::-1].tolist():  # children come after their parents
        sums[node] = sums[tree.left[node]] + sums[tree.right[node]]
    squares = (sums**2).sum(axis=1) / np.maximum(shares, np.finfo(float).tiny)
    found = squares[tree.left[asked]] + squares[tree.right[asked]] - squares[asked]
    return np.maximum(found, 0.0)
