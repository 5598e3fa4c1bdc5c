"""Trees that ask each way only what it needs."""

import numpy as np

from solvers.methods.jit import information_gains
from solvers.numerics.multiway_tree import MultiwayTree

# Feature 0 parts the rows; 1 tells the class on one side, 2 on the other.
BINNED = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 1]])
LABELS = np.array([0, 1, 0, 2, 2, 0])


def grown(score, group_of=(0, 1, 2), costs=(1.0, 1.0, 1.0), binned=BINNED):
    group_of = np.array(group_of)
    needs = np.eye(len(costs), dtype=bool)[: group_of.max() + 1]
    return MultiwayTree.grow(
        binned, LABELS, np.ones(len(LABELS)), needs, np.array(costs), group_of, score
    )


def by_gain(counts, added):
    return information_gains(counts)


def test_pure_leaves_give_back_the_labels():
    tree = grown(by_gain)
    leaves = tree.leaves(BINNED)
    called = [int(np.argmax(tree.counts[leaf])) for leaf in leaves]
    assert called == LABELS.tolist()


def test_a_way_acquires_what_its_nodes_ask_and_nothing_else():
    def in_order(counts, added):
        return np.array([3.0, 2.0, 1.0])

    tree = grown(in_order)
    acquired = np.array(tree.acquired)[tree.leaves(BINNED)]
    # Row 0: feature 0 leaves {0, 1, 0}, feature 1 then leaves {0, 0}: pure.
    assert acquired[0].tolist() == [True, True, False]


def test_features_of_a_group_come_together():
    tree = grown(by_gain, group_of=(0, 0, 1), costs=(1.0, 1.0))
    acquired = np.array(tree.acquired)
    assert np.array_equal(acquired[:, 0], acquired[:, 1])


def test_what_is_paid_adds_nothing_further_down():
    seen = []

    def record(counts, added):
        seen.append(added.tolist())
        return information_gains(counts)

    grown(record, group_of=(0, 0, 1), costs=(5.0, 1.0))
    assert seen[0] == [5.0, 5.0, 1.0]
    assert all(costs[0] == costs[1] for costs in seen)
    assert [0.0, 0.0, 1.0] in seen or [5.0, 5.0, 0.0] in seen


def test_an_unseen_bin_stops_at_the_node_that_asked():
    tree = grown(by_gain)
    strange = np.full((1, 3), 7)
    assert tree.leaves(strange).tolist() == [0]


def test_minus_infinity_is_never_split_on():
    tree = grown(lambda counts, added: np.full(3, -np.inf))
    assert tree.feature == [-1]


def test_information_is_that_of_the_textbook():
    # Two classes of two rows; feature 0 parts them fully, feature 1 not at all.
    counts = np.array([[[2.0, 0.0], [0.0, 2.0]], [[1.0, 1.0], [1.0, 1.0]]])
    assert information_gains(counts).tolist() == [1.0, 0.0]
