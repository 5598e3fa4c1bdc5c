"""Small quadratic problems with weighted absolute values: one step of prox-Newton."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["minimise_quadratic_l1"]

# The active set settles in one to three rounds; it may also cycle.
_ACTIVE_SET_ROUNDS = 12
_GRADIENT_ROUNDS = 400


def minimise_quadratic_l1(
    Q: NDArray, c: NDArray, slopes: NDArray, start: NDArray
) -> NDArray[np.float64]:
    """Minimise ``x'Qx / 2 - c'x + sum_k slopes_k |x_k|``.

    Parameters
    ----------
    Q : ndarray of float, shape (k, k)
        Positive definite.
    c : ndarray of float, shape (k,)
        Linear term.
    slopes : ndarray of float, shape (k,)
        Weights of the absolute values, 0 or more.
    start : ndarray of float, shape (k,)
        Where to begin: its signs are the first guess.

    Returns
    -------
    ndarray of float, shape (k,)
        The minimiser, by a primal-dual active set; where that cycles, the best point
        of an accelerated proximal gradient.
    """
    signs = np.sign(start)
    signs[slopes == 0] = 1.0  # never at a kink
    scale = np.diag(Q)
    for _ in range(_ACTIVE_SET_ROUNDS):
        x = _solve_on(Q, c - slopes * signs, np.flatnonzero(signs))
        push = x + (c - Q @ x) / scale
        # Step of the prox at x: it keeps a coordinate where the push beats its slope.
        renewed = np.sign(push) * (np.abs(push) * scale > slopes)
        renewed[slopes == 0] = 1.0
        if np.array_equal(renewed, signs):
            return x
        signs = renewed
    return _accelerated_gradient(Q, c, slopes, start)


def _solve_on(Q: NDArray, right: NDArray, active: NDArray) -> NDArray:
    if len(active) == len(right):
        return np.linalg.solve(Q, right)
    x = np.zeros_like(right)
    x[active] = np.linalg.solve(Q[np.ix_(active, active)], right[active])
    return x


def _accelerated_gradient(
    Q: NDArray, c: NDArray, slopes: NDArray, start: NDArray
) -> NDArray:
    """Return the best of FISTA's points, restarted whenever it climbs."""
    step = 1.0 / max(float(np.linalg.eigvalsh(Q)[-1]), np.finfo(float).tiny)

    def value(x: NDArray) -> float:
        return float(x @ (Q @ x / 2.0 - c) + slopes @ np.abs(x))

    best, best_value = start, value(start)
    ahead, momentum = start, 1.0
    for _ in range(_GRADIENT_ROUNDS):
        moved = ahead - step * (Q @ ahead - c)
        x = np.sign(moved) * np.maximum(np.abs(moved) - step * slopes, 0.0)
        if value(x) > best_value:
            if momentum == 1.0:
                break
            ahead, momentum = best, 1.0
            continue
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = x + (momentum - 1.0) / grown * (x - best)
        best, best_value, momentum = x, value(x), grown
    return best
