"""Training problems that support vector machines must get right."""

import numpy as np


def noisy(n_samples=60, n_features=5, seed=0):
    """Normal features, labels by a random plane with as much noise again."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    scores = X @ rng.standard_normal(n_features)
    noise = np.sqrt(n_features) * rng.standard_normal(n_samples)
    return X, np.where(scores + noise > 0, 1.0, -1.0)


def triplicated_integers():
    rng = np.random.default_rng(1)
    X = np.repeat(rng.integers(0, 3, (15, 5)).astype(float), 3, axis=0)
    return X, np.repeat(np.where(rng.random(15) < 0.5, 1.0, -1.0), 3)


def contradicting_copies():
    """The same rows with both labels."""
    X = np.random.default_rng(2).integers(0, 2, (20, 3)).astype(float)
    return np.concatenate([X, X]), np.repeat([1.0, -1.0], 20)


def constant_and_collinear():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (50, 7)).astype(float)
    X[:, 0] = 1.0
    X[:, 3] = 0.0
    X[:, 5] = 2.0 * X[:, 4]
    return X, np.where(X[:, 1] + X[:, 2] > 1, 1.0, -1.0)


def three_against_57():
    X = np.random.default_rng(4).standard_normal((60, 5))
    return X, np.where(np.arange(60) < 3, 1.0, -1.0)


def eight_against_392():
    """Nothing to learn: weights are zero, and most rows lie on the margin."""
    X = np.random.default_rng(7).standard_normal((400, 3))
    return X, np.where(np.arange(400) < 8, 1.0, -1.0)


def separable():
    X, _ = noisy(seed=5)
    return X, np.where(X[:, 0] > 0, 1.0, -1.0)


def of_different_scales():
    X, y = noisy(seed=6)
    return X * np.array([1e-3, 1.0, 30.0, 1e3, 1e-1]), y


CASES = {
    maker.__name__: maker()
    for maker in (
        noisy,
        triplicated_integers,
        contradicting_copies,
        constant_and_collinear,
        three_against_57,
        eight_against_392,
        separable,
        of_different_scales,
    )
}
