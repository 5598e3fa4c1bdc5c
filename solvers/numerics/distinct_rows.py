"""Labelled rows that repeat, counted once with the weight of all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct_rows"]

# Weights are sums, and sums of the same numbers differ in the last places.
_DECIMALS = 12


def distinct_rows(
    X: NDArray[np.float64], signs: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return each labelled row once, in an order of its own, with its whole weight.

    What is drawn at random, or found by iterations that stop early, depends on how
    rows are written down. After this a row of weight 2 and two equal rows are the same
    numbers in the same order, and so give the same model to the last bit.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, n_features)
        The rows.
    signs : ndarray of float, shape (n_samples,)
        Their labels.
    weights : ndarray of float, shape (n_samples,)
        Above 0.

    Returns
    -------
    X : ndarray of float, shape (n_distinct, n_features)
    signs : ndarray of float, shape (n_distinct,)
    weights : ndarray of float, shape (n_distinct,)
        They average to one.

    Examples
    --------
    >>> import numpy as np
    >>> rows, signs, weights = distinct_rows(
    ...     np.array([[1.0], [2.0], [1.0]]), np.array([1.0, -1.0, 1.0]), np.ones(3)
    ... )
    >>> sorted(zip(rows[:, 0].tolist(), weights.round(3).tolist()))
    [(1.0, 1.333), (2.0, 0.667)]
    """
    # -0.0 is 0.0, byte by byte.
    labelled = np.ascontiguousarray(np.column_stack([signs, X]) + 0.0)
    keys = labelled.view(
        np.dtype((np.void, labelled.dtype.itemsize * labelled.shape[1]))
    )
    _, first, group = np.unique(keys.ravel(), return_index=True, return_inverse=True)
    totals = np.bincount(group, weights)
    return X[first], signs[first], np.round(totals / totals.mean(), _DECIMALS)
