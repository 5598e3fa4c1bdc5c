"""Relief: features that tell a row from its nearest neighbour of another class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Integers

_ROWS_AT_ONCE = 64


def relief_weights(
    X: Floats,
    labels: Integers,
    weights: Floats,
    n_draws: int | None = None,
    random_state: int | None = 0,
    groups: Integers | None = None,
) -> Floats:
    """Return how well each feature tells near rows of different classes apart.

    For each row drawn, with features scaled to [0, 1]: minus the squared difference to
    the nearest row of its own class, plus that to the nearest row of each other class,
    weighed by how frequent that class is among the others.

    Shapes: `X` (n_samples, n_features), `labels`, `weights` and `groups` (n_samples,)
    -> (n_features,).
    `n_draws`: how many rows are drawn; all of them if None or if there are no more.
    `groups`: which rows belong together. They are no neighbours of each other: of near
    copies every feature would tell.

    Notes
    -----
    A row is no neighbour of its copies, so a row of weight 2 counts like two rows.
    O(n_draws n_samples n_features).

    References
    ----------
    .. [1] Kira and Rendell, "The feature selection problem: traditional methods and a
       new algorithm", 1992.
    """
    spread = np.ptp(X, axis=0)
    scaled = (X - X.min(axis=0)) / np.where(spread > 0, spread, 1.0)
    drawn = np.arange(len(X))
    if n_draws is not None and n_draws < len(X):
        drawn = np.random.default_rng(random_state).choice(len(X), n_draws, False)
    priors = np.bincount(labels, weights=weights) / weights.sum()
    total = np.zeros(X.shape[1])
    for start in range(0, len(drawn), _ROWS_AT_ONCE):
        rows = drawn[start : start + _ROWS_AT_ONCE]
        total += _contrasts(scaled, labels, priors, weights, rows, groups)
    return total / weights[drawn].sum()


def _contrasts(
    X: NDArray,
    labels: NDArray,
    priors: NDArray,
    weights: NDArray,
    rows: NDArray,
    groups: Integers | None,
) -> NDArray:
    """Return the weighed sum of misses less hits over some rows."""
    distances = np.empty((len(rows), len(X)))
    for i, row in enumerate(rows):
        distances[i] = ((X - X[row]) ** 2).sum(axis=1)
    if groups is not None:
        distances[groups[rows][:, np.newaxis] == groups] = np.inf
    total = np.zeros(X.shape[1])
    for k in range(len(priors)):
        members = np.flatnonzero(labels == k)
        away = distances[:, members]
        is_own = labels[rows] == k
        # At distance 0 of its own class stand the row itself and its copies.
        away = np.where(is_own[:, np.newaxis] & (away == 0.0), np.inf, away)
        nearest = np.argmin(away, axis=1)
        found = np.isfinite(away[np.arange(len(rows)), nearest])
        # Hits count against a feature, misses for it: those of several other classes by
        # their shares among them (ReliefF, Kononenko 1994).
        share = np.where(is_own, -1.0, priors[k] / (1.0 - priors[labels[rows]]))
        gain = share * weights[rows] * found
        total += gain @ (X[rows] - X[members[nearest]]) ** 2
    return total
