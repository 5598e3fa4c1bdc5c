"""Relief, against a plain double loop."""

import numpy as np
import pytest

from solvers.numerics.relief import relief_weights


def plain(X, labels):
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    priors = np.bincount(labels) / len(labels)
    total = np.zeros(X.shape[1])
    for i, row in enumerate(scaled):
        for k, prior in enumerate(priors):
            others = [r for r in np.flatnonzero(labels == k) if r != i]
            nearest = min(others, key=lambda r: ((scaled[r] - row) ** 2).sum())
            share = prior / (1 - priors[labels[i]]) if k != labels[i] else -1.0
            total += share * (scaled[nearest] - row) ** 2
    return total / len(X)


def table(seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(150) % 3
    X = rng.standard_normal((150, 4))
    X[:, 1] += 3.0 * labels
    return X, labels


def test_equals_the_double_loop():
    X, labels = table()
    weights = relief_weights(X, labels, np.ones(150))
    assert weights == pytest.approx(plain(X, labels))


def test_the_feature_that_tells_is_ranked_first():
    X, labels = table()
    assert np.argmax(relief_weights(X, labels, np.ones(150))) == 1


def test_a_weight_of_two_is_a_row_written_twice():
    X, labels = table()
    times = 1 + np.arange(150) % 2
    weighed = relief_weights(X, labels, times.astype(float))
    written = relief_weights(
        np.repeat(X, times, axis=0), np.repeat(labels, times), np.ones(times.sum())
    )
    assert weighed == pytest.approx(written)


def test_constant_features_have_no_weight():
    X, labels = table()
    X[:, 2] = 7.0
    assert relief_weights(X, labels, np.ones(150))[2] == 0.0


def test_a_seed_gives_the_same_draw():
    X, labels = table()
    draws = [relief_weights(X, labels, np.ones(150), 20, 3) for _ in range(2)]
    assert draws[0].tolist() == draws[1].tolist()
    assert draws[0] != pytest.approx(relief_weights(X, labels, np.ones(150), 20, 4))
