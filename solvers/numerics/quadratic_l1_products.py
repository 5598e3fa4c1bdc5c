"""Large quadratic problems with weighted absolute values, by products alone."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Mask

# Signs settle in a few rounds; the outer iteration goes on where they do not.
_ROUNDS = 6
_MOST_PRODUCTS = 250
# Share of the distance from stationarity that is left: Newton's next step sees to it.
_LEFT = 0.05
_POWER_STEPS = 15
_GRADIENT_STEPS = 40


class Products(Protocol):
    """A positive definite matrix of which only products are known."""

    def __matmul__(self, x: NDArray) -> Floats:
        """Return the matrix times a vector."""

    def diagonal(self) -> Floats:
        """Return its diagonal."""


def descend_quadratic_l1(
    Q: Products, c: NDArray, slopes: NDArray, start: NDArray
) -> Floats:
    """Return a point near the minimiser of ``x'Qx / 2 - c'x + sum_k slopes_k |x_k|``.

    Shapes: `c` (k,), `slopes` (k,), `start` (k,) -> (k,).
    By a primal-dual active set whose systems are solved by conjugate gradients, as far
    as a step of Newton's method needs it; where that does not descend, by an
    accelerated proximal gradient. Never higher than the start.
    """
    scale = Q.diagonal()
    pull = c - Q @ start
    signs = np.sign(start)
    signs[slopes == 0] = 1.0  # never at a kink
    # Distance of the pull to the subdifferential, as at the start.
    outside = np.where(signs != 0, np.abs(pull - slopes * signs), np.abs(pull) - slopes)
    enough = _LEFT * float(np.linalg.norm(np.maximum(outside, 0.0) / np.sqrt(scale)))
    signs = np.where((signs == 0) & (outside > 0), np.sign(pull), signs)
    best, lowest = start, _value(start, pull, c, slopes)
    x = start
    for _ in range(_ROUNDS):
        x, pull = _solved_on(Q, c, slopes * signs, signs != 0, x, scale, enough)
        value = _value(x, pull, c, slopes)
        if value < lowest:
            best, lowest = x, value
        # Step of the prox at x: it keeps a coordinate where the push beats its slope.
        push = x * scale + pull
        renewed = np.sign(push) * (np.abs(push) > slopes)
        renewed[slopes == 0] = 1.0
        if np.array_equal(renewed, signs):
            break
        # Until signs settle, what would turn stays at zero: no higher a face at least.
        faced = np.where((x * signs < 0) & (slopes > 0), 0.0, x)
        value = _value(faced, c - Q @ faced, c, slopes)
        if value < lowest:
            best, lowest = faced, value
        signs = renewed
    if best is start:
        best = _proximal_gradient(Q, c, slopes, start, scale)
    return best


def _value(x: NDArray, pull: NDArray, c: NDArray, slopes: NDArray) -> float:
    # x'Qx = x'(c - pull).
    return float(slopes @ np.abs(x) - x @ (c + pull) / 2.0)


def _solved_on(
    Q: Products,
    c: NDArray,
    charged: NDArray,
    active: Mask,
    near: NDArray,
    scale: NDArray,
    enough: float,
) -> tuple[Floats, Floats]:
    """Return where the active coordinates solve their system, and ``c - Qx`` there.

    Conjugate gradients, preconditioned by the diagonal.
    """
    x = np.where(active, near, 0.0)
    pull = c - Q @ x
    residual = np.where(active, pull - charged, 0.0)
    steered = residual / scale
    heading, power = steered, float(residual @ steered)
    for _ in range(_MOST_PRODUCTS):
        if np.sqrt(power) <= enough:
            break
        bent = Q @ heading
        curvature = float(heading @ bent)
        if not curvature > 0:  # rounding
            break
        length = power / curvature
        x = x + length * heading
        pull = pull - length * bent
        residual = np.where(active, residual - length * bent, 0.0)
        steered = residual / scale
        before, power = power, float(residual @ steered)
        heading = steered + power / before * heading
    return x, pull


def _proximal_gradient(
    Q: Products, c: NDArray, slopes: NDArray, start: NDArray, scale: NDArray
) -> Floats:
    """Return the lowest of FISTA's points, on coordinates scaled by the diagonal."""
    longest = _largest_eigenvalue(Q, scale)
    step = 1.0 / (1.1 * longest * scale)
    best, lowest = start, np.inf
    x, ahead, momentum = start, start, 1.0
    for k in range(_GRADIENT_STEPS + 1):
        pull = c - Q @ ahead
        if k == 0:
            lowest = _value(start, pull, c, slopes)
        moved = ahead + step * pull
        new = np.sign(moved) * np.maximum(np.abs(moved) - step * slopes, 0.0)
        value = _value(new, c - Q @ new, c, slopes)
        if value < lowest:
            best, lowest = new, value
        # FISTA, Beck and Teboulle (2009), eq. (4.2).
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = new + (momentum - 1.0) / grown * (new - x)
        x, momentum = new, grown
    return best


def _largest_eigenvalue(Q: Products, scale: NDArray) -> float:
    """Return about the largest eigenvalue of the matrix scaled to a unit diagonal."""
    roots = np.sqrt(scale)
    x = np.random.default_rng(0).normal(size=len(scale))
    size = 1.0
    for _ in range(_POWER_STEPS):
        x = (Q @ (x / roots)) / roots
        size = float(np.linalg.norm(x))
        x = x / size
    return size
