"""A row stops where, and only where, no leaf that may follow changes its label."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.adopted.fitted import FittedTrees
from solvers.adopted.settling import cheapest_order, least_leads, program_of_trees
from solvers.decisions.running import run
from solvers.numerics.tree_ensemble import DecisionTree, TreeEnsemble


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


@settings(max_examples=60, deadline=None)
@given(LEAVES, st.randoms())
def test_it_stops_as_soon_as_brute_force_does(leaves, random):
    fitted = forest(leaves)
    order = np.array(random.sample(range(len(leaves)), len(leaves)))
    n_classes, n_trees = len(leaves[0][0]), len(leaves)
    rows = np.array(list(itertools.product([0.0, 1.0], repeat=n_trees)))
    got = run(program_of_trees(fitted, order), rows, 1 if n_classes == 2 else n_classes)
    answers = np.array(leaves)[
        np.arange(n_trees), rows.astype(int)
    ]  # rows, trees, classes
    whole = np.argmax(answers.sum(axis=1), axis=1)
    labels = np.argmax(got.answers, axis=1) if n_classes > 2 else got.scores > 0
    assert np.array_equal(labels, whole)
    for i, row in enumerate(answers):
        known = row[order].cumsum(axis=0)
        for n_asked in range(1, n_trees + 1):
            left = [np.array(leaves[k]) for k in order[n_asked:]]
            ends = [known[n_asked - 1] + sum(e) for e in itertools.product(*left)]
            # The leader, and whoever may follow, by the worst of all that may follow.
            lead = int(np.argmax(known[n_asked - 1]))
            if all((np.delete(end, lead) < end[lead]).all() for end in ends):
                break
        assert got.acquired[i].sum() == n_asked, "no later, and no earlier"


def test_least_leads_are_those_of_the_worst_leaf():
    leads = least_leads(forest([([1, 0, 0], [0, 2, 1])]).ensemble)
    assert leads[0].tolist() == [[0, -2, -1], [-1, 0, 0], [-1, -1, 0]]


def test_what_is_paid_comes_before_what_costs():
    """The free tree first; behind the cheap one comes what shares with it."""
    fitted = forest([([0, 1], [1, 0])] * 4)
    shares = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]], bool)
    prices = FeatureHypergraph(shares, [5.0, 2.0, 0.0, 0.5])
    assert cheapest_order(fitted, prices).tolist() == [2, 3, 1, 0]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_sums_that_only_rounding_parts_are_added_up_in_the_order_of_the_model(
    n_classes,
):
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
    for order in itertools.permutations(range(3)):
        program = program_of_trees(fitted, np.array(order))
        got = run(program, rows, 1 if n_classes == 2 else n_classes)
        second = got.scores > 0 if n_classes == 2 else np.argmax(got.scores, axis=1)
        assert second[0] == np.argmax(whole)
