"""A row stops where, and only where, no leaf that may follow changes its label."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.adopted.fitted import FittedTrees, GrownNode, tree_of
from solvers.adopted.settling import (
    cheapest_order,
    least_leads,
    program_of_trees,
    spans,
)
from solvers.decisions.running import run
from solvers.numerics.tree_ensemble import DecisionTree, TreeEnsemble
from tests.each import each


def stump(feature, below, above):
    """A tree of one question, whether a feature is above a half."""
    values = np.array([below, below, above], dtype=float)
    which = np.array([feature, -1, -1])
    ways = np.array([1, 0, 0]), np.array([2, 0, 0])
    return DecisionTree(which, np.full(3, 0.5), *ways, values)


def forest(leaves):
    """Stumps, each of a feature of its own; shares are even."""
    ensemble = TreeEnsemble.of([stump(j, *two) for j, two in enumerate(leaves)])
    return FittedTrees(ensemble, np.tile([1.0, 0.5, 0.5], len(leaves)))


LEAVES = st.integers(2, 3).flatmap(
    lambda n_classes: st.lists(
        st.tuples(
            *[st.lists(st.integers(-4, 4), min_size=n_classes, max_size=n_classes)] * 2
        ),
        min_size=2,
        max_size=5,
    )
)


@settings(max_examples=30, deadline=None)
@given(LEAVES)
def test_it_stops_as_soon_as_brute_force_does(leaves):
    n_classes, n_trees = len(leaves[0][0]), len(leaves)
    rows = np.array(list(itertools.product([0.0, 1.0], repeat=n_trees)))
    n_outputs = 1 if n_classes == 2 else n_classes
    got = run(program_of_trees(forest(leaves)), rows, n_outputs)
    # (n_rows, n_trees, n_classes)
    answers = np.array(leaves)[np.arange(n_trees), rows.astype(int)]
    labels = np.argmax(got.answers, axis=1) if n_classes > 2 else got.scores > 0
    assert np.array_equal(labels, np.argmax(answers.sum(axis=1), axis=1))
    for i, row in enumerate(answers):
        known = row.cumsum(axis=0)
        for n_asked in range(1, n_trees + 1):
            left = map(np.array, leaves[n_asked:])
            ends = [known[n_asked - 1] + sum(e) for e in itertools.product(*left)]
            # The leader, and whoever may follow, by the worst of all that may follow.
            lead = int(np.argmax(known[n_asked - 1]))
            if all((np.delete(end, lead) < end[lead]).all() for end in ends):
                break
        assert got.acquired[i].sum() == n_asked, "no later, and no earlier"


def bounds(tree, values, known, node=0):
    """Least and most that a tree may say of a row of which only some is known."""
    feature = tree.features[node]
    if feature < 0:
        return tree.values[node], tree.values[node]
    ways = [tree.left[node], tree.right[node]]
    if feature in known:
        return bounds(tree, values, known, ways[int(values[feature] > 0.5)])
    low, high = zip(*(bounds(tree, values, (), way) for way in ways), strict=True)
    return np.min(low, axis=0), np.max(high, axis=0)


@st.composite
def forests(draw):
    """Trees of two questions in a row, of three features."""
    n_classes = draw(st.integers(2, 3))
    value = st.lists(st.integers(-4, 4), min_size=n_classes, max_size=n_classes)
    trees = []
    for _ in range(draw(st.integers(1, 4))):
        first, second = draw(st.permutations(range(3)))[:2]
        values = np.array([draw(value) for _ in range(5)], dtype=float)
        which = np.array([first, second, -1, -1, -1])
        ways = np.array([1, 3, 0, 0, 0]), np.array([2, 4, 0, 0, 0])
        trees.append(DecisionTree(which, np.full(5, 0.5), *ways, values))
    ensemble = TreeEnsemble.of(trees)
    return trees, FittedTrees(ensemble, np.tile([1, 0.5, 0.5, 0.25, 0.25], len(trees)))


@settings(max_examples=30, deadline=None)
@given(forests(), st.permutations(range(3)))
def test_trees_wait_until_bounds_settle_the_label(grown, order):
    """The features that a row buys, turn by turn, against bounds found anew."""
    trees, fitted = grown
    n_classes = fitted.ensemble.tree.values.shape[1]
    rows = np.array(list(itertools.product([0.0, 1.0], repeat=3)))
    program = program_of_trees(fitted, np.array(order))
    got = run(program, rows, 1 if n_classes == 2 else n_classes)
    whole = fitted.ensemble.sums(rows)
    labels = np.argmax(got.answers, axis=1) if n_classes > 2 else got.scores > 0
    assert np.array_equal(labels, np.argmax(whole, axis=1))
    for i, row in enumerate(rows):
        known = []
        for j in [*order, None]:
            low, high = np.array([bounds(tree, row, known) for tree in trees]).sum(
                axis=0
            )
            if n_classes == 2:  # bounds of the lead are narrower than those of sums
                leads = [
                    bounds(replace(tree, values=np.diff(tree.values)), row, known)
                    for tree in trees
                ]
                least, most = np.array(leads).sum(axis=0).ravel()
                is_settled = least > 0 or most < 0
            else:
                winner = int(np.argmax(low))
                is_settled = low[winner] > np.delete(high, winner).max()
            if is_settled:
                break
            known.append(j)
        asked = set(np.flatnonzero(got.acquired[i]).tolist())
        assert asked <= set(known)
        needed = {j for tree in trees for j in way(tree, row, known)}
        assert asked == needed


def way(tree, row, known, node=0):
    """The known features that a tree asks for on the way of a row."""
    feature = int(tree.features[node])
    if feature < 0 or feature not in known:
        return []
    onward = tree.right[node] if row[feature] > 0.5 else tree.left[node]
    return [feature, *way(tree, row, known, onward)]


def test_trees_that_ask_for_nothing_answer_at_once():
    ensemble = TreeEnsemble.of([tree_of([GrownNode(1.0, [2.0, 1.0])])[0]] * 2)
    fitted = FittedTrees(ensemble, np.ones(2))
    order = cheapest_order(fitted, FeatureHypergraph.independent([1.0]))
    got = run(program_of_trees(fitted, order), np.zeros((3, 1)))
    assert got.scores == pytest.approx(-2.0)
    assert not got.acquired.any()


def test_least_leads_are_those_of_the_worst_leaf():
    leads = least_leads(forest([([1, 0, 0], [0, 2, 1])]).ensemble)
    assert leads[0].tolist() == [[0, -2, -1], [-1, 0, 0], [-1, -1, 0]]


def test_spans_hold_what_is_below_a_node():
    low, high = spans(forest([([1, 0, 0], [0, 2, 1])]).ensemble)
    assert low.tolist() == [[0, 0, 0], [1, 0, 0], [0, 2, 1]]
    assert high.tolist() == [[1, 2, 1], [1, 0, 0], [0, 2, 1]]


def test_what_is_paid_comes_before_what_costs():
    """The free one first; behind the cheap one comes what shares with it."""
    fitted = forest([([0, 1], [1, 0])] * 4)
    shares = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]], bool)
    prices = FeatureHypergraph(shares, [5.0, 2.0, 0.0, 0.5])
    assert cheapest_order(fitted, prices).tolist() == [2, 3, 1, 0]
    apart = forest([([0, 1], [1, 0]), ([0, 9], [9, 0])])
    assert cheapest_order(
        apart, FeatureHypergraph.independent([1.0, 2.0])
    ).tolist() == [
        1,
        0,
    ]


@each("n_classes", [2, 3])
def test_sums_that_only_rounding_parts_are_added_up_as_the_model_does(n_classes):
    """A tenth, two and seven tenths: their sum hangs on which comes first."""
    rest = [0.0] * (n_classes - 2)
    leaves = [
        ([0.7, 0.1, *rest],) * 2,
        ([0.2, 0.2, *rest],) * 2,
        ([0.1, 0.7, *rest],) * 2,
    ]
    fitted, rows = forest(leaves), np.zeros((1, 3))
    whole = sum(np.array(two[0]) for two in leaves)
    assert whole[0] != whole[1]
    for order in (None, *map(np.array, itertools.permutations(range(3)))):
        program = program_of_trees(fitted, order)
        got = run(program, rows, 1 if n_classes == 2 else n_classes)
        second = got.scores > 0 if n_classes == 2 else np.argmax(got.scores, axis=1)
        assert second[0] == np.argmax(whole)
