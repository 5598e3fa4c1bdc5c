r"""Proximal operators of concave penalties on the half line.

Each returns the global minimiser over ``m >= 0`` of

    (m - a)^2 / 2 + t R(m)

element by element. Concave penalties have a jump: below a threshold the minimiser is
0, above it the larger root of the derivative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats

# Newton starts right of the root and converges monotonically: five rounds are usual.
_NEWTON_ROUNDS = 60


def lp_threshold(t: ArrayLike, p: float) -> Floats:
    """Return where the minimiser of the l_p prox jumps away from 0."""
    t = np.asarray(t, dtype=float)
    if p == 1:
        return t.copy()
    # At this a the larger root, `jump`, is worth exactly as much as 0.
    jump = (2.0 * t * (1.0 - p)) ** (1.0 / (2.0 - p))
    return jump * (2.0 - p) / (2.0 * (1.0 - p))


def lp_prox(a: ArrayLike, t: ArrayLike, p: float) -> Floats:
    """Return the minimiser for ``R(m) = m^p``.

    `p`: exponent, 0 < p <= 1. One half and two thirds have closed forms.

    Notes
    -----
    The closed forms are those of Cardano and Ferrari for eqs. (16) and (18) of [1]_,
    with eq. (18) corrected. [1]_ keeps the largest real root without comparing it with
    0; here values up to `lp_threshold` give 0.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, section 5.1.2.
    """
    a, t = np.broadcast_arrays(np.asarray(a, float), np.asarray(t, float))
    result = np.array(np.maximum(a, 0.0))
    if p == 1:
        return np.maximum(a - t, 0.0)
    priced = t > 0
    above = priced & (a > lp_threshold(t, p))
    result[priced & ~above] = 0.0
    root = {0.5: _half_root, 2.0 / 3.0: _two_thirds_root}.get(p)
    if root is None:
        result[above] = _newton_root(a[above], t[above], p)
    else:
        result[above] = root(a[above], t[above])
    return result


def _half_root(a: NDArray, t: NDArray) -> NDArray:
    # Eq. (16), a cubic in sqrt(m) with three real roots: Cardano, the largest.
    angle = np.arccos(t / 4.0 * (a / 3.0) ** -1.5)
    return 2.0 / 3.0 * a * (1.0 + np.cos(2.0 / 3.0 * (np.pi - angle)))


def _two_thirds_root(a: NDArray, t: NDArray) -> NDArray:
    # Eq. (18), corrected: y^4 - a y + 2 t / 3 = 0 with m = y^3; Ferrari's largest root.
    weight = 2.0 * t
    angle = np.arccosh(27.0 / 16.0 * a**2 * weight**-1.5)
    s = 2.0 / np.sqrt(3.0) * weight**0.25 * np.sqrt(np.cosh(angle / 3.0))
    return ((s + np.sqrt(np.maximum(2.0 * a / s - s**2, 0.0))) / 2.0) ** 3


def _newton_root(a: NDArray, t: NDArray, p: float) -> NDArray:
    """Return the larger root of ``x - a + t p x^(p-1)``, from the right."""
    # Right of the root the residual is convex and rises: no step overshoots.
    x = a.copy()
    for _ in range(_NEWTON_ROUNDS):
        slope = t * p * x ** (p - 1.0)
        step = (x - a + slope) / (1.0 - (1.0 - p) * slope / x)
        x = x - step
        if np.all(np.abs(step) <= 1e-15 * x):
            break
    return x


def mcp_prox(a: ArrayLike, t: ArrayLike, gamma: float) -> Floats:
    """Return the minimiser for ``R(m) = m - m^2 / (2 gamma)``, flat above gamma.

    `gamma`: where the penalty becomes flat, above 0.
    """
    a, t = np.broadcast_arrays(np.asarray(a, float), np.asarray(t, float))
    keep = np.maximum(a, 0.0)
    convex = t < gamma
    # Where t < gamma the sum is convex: firm shrinkage. Else it is concave up to gamma,
    # so that 0 or a is best: hard threshold at sqrt(t gamma).
    shrunk = np.maximum(a - t, 0.0) / np.where(convex, 1.0 - t / gamma, 1.0)
    firm = np.where(a <= gamma, shrunk, keep)
    hard = np.where(a > np.sqrt(t * gamma), keep, 0.0)
    return np.where(convex, firm, hard)


def scad_prox(a: ArrayLike, t: ArrayLike, gamma: float) -> Floats:
    """Return the minimiser for the SCAD penalty with unit knot.

    Its derivative is 1 up to 1, falls linearly to 0 at `gamma` and stays there.

    `gamma`: where the penalty becomes flat, above 1.
    """
    a, t = np.broadcast_arrays(np.asarray(a, float), np.asarray(t, float))
    slope = 1.0 - t / (gamma - 1.0)
    # Where R' = (gamma - m) / (gamma - 1); all pieces and knots are compared.
    middle = (a - t * gamma / (gamma - 1.0)) / np.where(slope == 0, 1.0, slope)
    candidates = np.stack(
        [
            np.zeros_like(a),
            np.clip(a - t, 0.0, 1.0),
            np.clip(middle, 1.0, gamma),
            np.ones_like(a),
            np.full_like(a, gamma),
            np.maximum(a, gamma),
        ]
    )
    values = (candidates - a) ** 2 / 2.0 + t * scad_value(candidates, gamma)
    best = np.argmin(values, axis=0)
    return np.take_along_axis(candidates, best[np.newaxis], axis=0)[0]


def scad_value(m: ArrayLike, gamma: float) -> Floats:
    """Return the SCAD penalty with unit knot.

    `gamma`: where the penalty becomes flat, above 1.
    """
    m = np.asarray(m, dtype=float)
    quadratic = (2.0 * gamma * m - m**2 - 1.0) / (2.0 * (gamma - 1.0))
    return np.where(m <= 1.0, m, np.where(m <= gamma, quadratic, (gamma + 1.0) / 2.0))
