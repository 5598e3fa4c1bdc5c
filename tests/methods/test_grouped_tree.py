"""Trees that ask groups of features: how they grow, and what they decide."""

import numpy as np
import pytest
from sklearn.base import clone

from solvers import FeatureHypergraph
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.grouped_tree import MultiwayTree
from solvers.methods.jit import JITClassifier, information_gains

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


SHARED = FeatureHypergraph([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]], [1.0, 2.0, 0.5])
TREES = [JITClassifier(SHARED), CSDTClassifier(SHARED, error_cost=100.0)]


def _rows(n_classes=2, seed=0, n_samples=200):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, 4))
    scores = X[:, 0] + X[:, 2] + 0.5 * rng.standard_normal(n_samples)
    return X, np.digitize(scores, np.linspace(-1, 1, n_classes + 1)[1:-1])


@pytest.fixture(params=TREES, ids=lambda method: method.title)
def tree(request):
    return clone(request.param).fit(*_rows())


def test_a_leaf_gives_the_shares_of_the_training_rows_that_stopped_there(tree):
    X, y = _rows()
    leaves = tree.tree_.leaves(tree.bins_.transform(X))
    shares = tree.predict_proba(X)
    for leaf in np.unique(leaves):
        here = leaves == leaf
        assert shares[here][0] == pytest.approx(
            np.bincount(y[here], minlength=2) / here.sum()
        )


def test_the_score_is_how_far_the_second_class_leads(tree):
    X, _ = _rows(seed=1)
    shares = tree.predict_proba(X)
    assert tree.decision_function(X) == pytest.approx(shares[:, 1] - shares[:, 0])


def test_of_three_classes_the_largest_share_is_said():
    X, y = _rows(n_classes=3)
    tree = JITClassifier(SHARED).fit(X, y)
    shares = tree.decision_function(X)
    assert shares.shape == (200, 3)
    assert shares.sum(axis=1) == pytest.approx(np.ones(200))
    best = np.take_along_axis(shares, tree.predict(X)[:, np.newaxis], axis=1)[:, 0]
    assert best == pytest.approx(shares.max(axis=1))


def test_a_feature_that_a_row_did_not_acquire_cannot_change_its_score(tree):
    X, _ = _rows(seed=2)
    acquired = tree.acquired_features(X)
    for j in np.flatnonzero(~acquired.all(axis=0)):
        changed = X.copy()
        changed[~acquired[:, j], j] = 1e6
        assert (tree.decision_function(changed) == tree.decision_function(X)).all()


def test_one_walk_says_what_the_single_answers_say(tree):
    X, _ = _rows(seed=3)
    decision = tree.decide(X)
    assert (decision.labels == tree.predict(X)).all()
    assert decision.scores == pytest.approx(tree.decision_function(X))
    assert (decision.acquired == tree.acquired_features(X)).all()
    assert decision.cost == pytest.approx(tree.prediction_cost(X))


def test_a_path_ends_in_the_tree_that_its_parameters_grow():
    X, y = _rows()
    path = list(JITClassifier(SHARED).path(X, y))
    last = JITClassifier(SHARED).set_params(**path[-1].get_params()).fit(X, y)
    assert (last.decision_function(X) == path[-1].decision_function(X)).all()


def test_a_weight_of_two_is_a_row_written_twice():
    X, y = _rows()
    weights = np.where(np.arange(len(y)) % 3 == 0, 2, 1)
    weighed = CSDTClassifier(SHARED, error_cost=50.0).fit(X, y, weights)
    twice = np.repeat(np.arange(len(y)), weights)
    written = CSDTClassifier(SHARED, error_cost=50.0).fit(X[twice], y[twice])
    assert weighed.predict_proba(X) == pytest.approx(written.predict_proba(X))
