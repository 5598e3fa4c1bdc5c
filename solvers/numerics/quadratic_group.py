"""A convex quadratic plus a norm of each block of its coordinates.

Minimises ``x'Qx / 2 - c'x + sum_k slopes_k |x_k|`` over blocks x_k of one size. Once a
block's curvature is bounded by a number its minimiser has a closed form; where no block
is zero the sum is smooth, and Newton's method ends there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

_SWEEPS = 100
# Every so many sweeps Newton's method is tried, and so often its step is halved.
_BETWEEN = 2
_HALVINGS = 8


def minimise_quadratic_group(
    Q: NDArray, c: NDArray, slopes: NDArray, start: NDArray, enough: float
) -> Floats:
    """Return about the minimiser; the value never rises on the way.

    Shapes: `Q` (k r, k r), block by block, or (k, k), the same for each coordinate of a
    block; `c`, `start` (k, r); `slopes` (k,) -> (k, r).
    `enough`: largest distance from stationarity of a block that ends it.
    """
    n_blocks, size = start.shape
    is_shared = len(Q) == n_blocks
    x = start.astype(float)
    if is_shared:
        steepest = np.diag(Q).copy()
        pull = c - Q @ x
    else:
        each = np.arange(n_blocks)
        own = Q.reshape(n_blocks, size, n_blocks, size)[each, :, each]
        steepest = np.linalg.eigvalsh(own)[:, -1]
        pull = c - (Q @ x.ravel()).reshape(x.shape)
    steepest = np.maximum(steepest, np.finfo(float).tiny)
    for sweep in range(_SWEEPS):
        outside = outside_of(x, pull, slopes)
        if (outside <= enough).all():
            break
        for k in np.flatnonzero(outside > 0):
            # The prox of the block's norm, after a step on its bound.
            goal = x[k] + pull[k] / steepest[k]
            length = float(np.sqrt(goal @ goal))
            kept = 1.0 - slopes[k] / (steepest[k] * length) if length else 0.0
            change = max(kept, 0.0) * goal - x[k]
            x[k] += change
            if is_shared:
                pull -= np.outer(Q[k], change)
            else:
                rows = Q[k * size : (k + 1) * size]
                pull -= (change @ rows).reshape(x.shape)
        if sweep % _BETWEEN == 0 and (size == 1 or not is_shared):
            x, pull = _newton_step(Q, slopes, x, pull)
    return x


def outside_of(x: NDArray, pull: NDArray, slopes: NDArray) -> Floats:
    """Return the distance of each block's pull to the subdifferential of its norm.

    Shapes: `x` (k, r), `pull` (k, r), `slopes` (k,) -> (k,).
    """
    lengths = _lengths(x)
    used = lengths > 0
    toward = np.where(used, slopes, 0.0) / np.where(used, lengths, 1.0)
    away = _lengths(pull - toward[:, np.newaxis] * x)
    return np.where(used, away, np.maximum(away - slopes, 0.0))


def _lengths(x: NDArray) -> Floats:
    return np.asarray(np.sqrt((x**2).sum(axis=1)))


def _newton_step(
    Q: NDArray, slopes: NDArray, x: Floats, pull: Floats
) -> tuple[Floats, Floats]:
    """Return where Newton's method leads blocks that are not zero, if that is lower."""
    lengths, size = _lengths(x), x.shape[1]
    moving = np.flatnonzero((lengths > 0) | (slopes == 0))
    if not len(moving):
        return x, pull
    places = (moving[:, np.newaxis] * size + np.arange(size)).ravel()
    system, away = Q[np.ix_(places, places)], pull[moving]
    for place, k in enumerate(moving):
        if slopes[k] > 0:
            # |x|'' = (I - uu') / |x|, with u = x / |x|.
            u = x[k] / lengths[k]
            part = slice(place * size, (place + 1) * size)
            across = np.eye(size) - np.outer(u, u)
            system[part, part] += slopes[k] / lengths[k] * across
            away[place] -= slopes[k] * u
    try:
        step = np.linalg.solve(system, away.ravel())
    except np.linalg.LinAlgError:
        return x, pull
    whole = np.zeros_like(x)
    whole[moving] = step.reshape(away.shape)
    bent = (Q[:, places] @ step).reshape(x.shape)
    linear, curved = float((pull * whole).sum()), float((whole * bent).sum())
    before = float(slopes @ lengths)
    for t in 0.5 ** np.arange(_HALVINGS):
        reached = x + t * whole
        after = float(slopes @ _lengths(reached))
        if after - before < t * linear - t**2 / 2.0 * curved:
            return reached, pull - t * bent
    return x, pull
