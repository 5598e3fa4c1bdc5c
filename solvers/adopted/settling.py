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

    `order`: in which trees answer, (n_trees,); as they are by default. Where no order
    but theirs says how sums round, they answer again in theirs.
    """
    ensemble = fitted.ensemble
    nodes, roots = ensemble_nodes(ensemble, ensemble.tree.thresholds)
    n_classes = ensemble.tree.values.shape[1]
    if len(roots) == 1 and n_classes == 2:
        return _one_tree(fitted)
    again: tuple[int, ...] = ()
    if order is not None and not np.array_equal(order, np.arange(len(roots))):
        again, roots = tuple(roots), [roots[k] for k in order]
    leads = least_leads(ensemble)
    leads = leads if order is None else leads[order]
    rests = _rests(leads, ensemble, whole=bool(again))
    if rests.size > _MOST_NUMBERS and n_classes > 2:
        rests, roots, again = rests[:0], list(again or roots), ()
    return Program(
        tuple(nodes),
        tuple(roots),
        divisor=fitted.divisor,
        rests=tuple(tuple(map(tuple, rest)) for rest in rests.tolist()),
        again=again,
        gaps=_gaps(fitted),
    )


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


def _rests(leads: Floats, ensemble: TreeEnsemble, *, whole: bool) -> Floats:
    """Return the leads that are left at least behind each tree but the last.

    `whole`: behind the last too, where what rounding can do decides.
    """
    behind = np.cumsum(leads[::-1], axis=0)[::-1]
    rests = np.concatenate([behind[1:], np.zeros((1, *leads.shape[1:]))])
    size = sum(float(np.abs(values).max()) for values in _leaves(ensemble))
    rests -= 8.0 * (len(leads) + 2) * np.finfo(float).eps * size
    return rests if whole else rests[:-1]


def cheapest_order(fitted: FittedTrees, hypergraph: FeatureHypergraph) -> Integers:
    """Return an order in which labels are settled by trees that cost little.

    Greedy: next comes the tree whose leaves differ most, for what it is expected to add
    to the bill. A component is computed for a tree with the share of rows that came to
    a node which needs it in training, and independently of other trees.
    """
    ensemble = fitted.ensemble
    asks = _asks(fitted, hypergraph)
    leads = least_leads(ensemble)
    # How much narrower bounds are once the tree has answered.
    settled = -(leads + leads.transpose(0, 2, 1)).sum(axis=(1, 2)) / 2.0
    prices = np.asarray(hypergraph.component_costs, dtype=float)
    unpaid = np.ones(hypergraph.n_components)
    left, order = np.arange(ensemble.n_trees), []
    while len(left):
        added = asks[left] @ (prices * unpaid)
        worth = np.full(len(left), np.inf)
        np.divide(settled[left], added, out=worth, where=added > 0.0)
        best = int(np.lexsort((-settled[left], -worth))[0])
        order.append(int(left[best]))
        unpaid *= 1.0 - asks[left[best]]
        left = np.delete(left, best)
    return np.array(order)


def _asks(fitted: FittedTrees, hypergraph: FeatureHypergraph) -> Floats:
    """Return which share of rows needs each component in each tree.

    Shape: (n_trees, n_components). The nodes where rows first need it are counted.
    """
    tree, shares = fitted.ensemble.tree, fitted.shares
    needs = hypergraph.incidence.toarray().astype(bool).T  # (n_features, n_components)
    found = np.zeros((fitted.ensemble.n_trees, hypergraph.n_components))
    paid = np.zeros((len(tree.features), hypergraph.n_components), dtype=bool)
    place = np.searchsorted(fitted.ensemble.roots, np.arange(len(paid)), "right") - 1
    for node in range(len(paid)):  # parents come before their children
        feature = tree.features[node]
        if feature < 0:
            continue
        found[place[node]] += shares[node] * (needs[feature] & ~paid[node])
        after = paid[node] | needs[feature]
        for child in (tree.left[node], tree.right[node]):
            paid[child] = after
    return found
