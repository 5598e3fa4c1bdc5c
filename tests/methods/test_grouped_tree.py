"""Cost-sensitive trees: what a row pays for on its way, and what its leaf says."""

import numpy as np
import pytest
from sklearn.base import clone

from solvers import FeatureHypergraph
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.jit import JITClassifier

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
