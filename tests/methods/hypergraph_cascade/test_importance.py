"""What features are worth to boosted trees: what they say, and nothing for noise."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from solvers.methods.hypergraph_cascade.rows import WeightedRows
from solvers.methods.hypergraph_cascade.stages import importances, log_losses


def _rows(make_label, n=400, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, 4))
    return WeightedRows(X, make_label(X).astype(int), np.ones(n), 2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_mean_of_log_losses_is_that_of_scikit_learn(n_classes):
    rng = np.random.default_rng(n_classes)
    labels = rng.integers(0, n_classes, 50)
    outputs = rng.standard_normal((50, 1 if n_classes == 2 else n_classes))
    logits = np.column_stack([np.zeros(50), outputs]) if n_classes == 2 else outputs
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    wanted = log_loss(labels, chances, labels=np.arange(n_classes))
    assert log_losses(outputs, labels).mean() == pytest.approx(wanted)


def test_what_two_features_say_only_together_counts_for_both():
    found = importances(_rows(lambda X: X[:, 0] * X[:, 1] > 0), 0)
    assert min(found[:2]) > 10 * max(found[2:])


def test_every_feature_keeps_a_small_worth():
    found = importances(_rows(lambda X: X[:, 2] > 0), 0)
    assert found.argmax() == 2
    assert (found > 0).all()


def test_the_same_seed_gives_the_same_worth():
    rows = _rows(lambda X: X[:, 0] > 0)
    assert (importances(rows, 5) == importances(rows, 5)).all()
