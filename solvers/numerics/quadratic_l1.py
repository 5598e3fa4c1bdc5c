"""Quadratic problems with weighted absolute values: one step of prox-Newton.

Small ones are solved; of large ones a product is all that is asked for.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from .arrays import Floats, Mask

# The active set settles in one to three rounds; it may also cycle.
_ACTIVE_SET_ROUNDS = 8
# One coordinate a round enters or leaves; large problems change more than that.
_SIGN_ROUNDS = 60
_GRADIENT_ROUNDS = 100
_SETTLED = 1e-13


def minimise_quadratic_l1(
    Q: NDArray, c: NDArray, slopes: NDArray, start: NDArray
) -> Floats:
    """Minimise ``x'Qx / 2 - c'x + sum_k slopes_k |x_k|``.

    Shapes: `Q` (k, k), `c` (k,), `slopes` (k,), `start` (k,) -> (k,).
    The minimiser, by a primal-dual active set; where that cycles, again from the best
    point of an accelerated proximal gradient; where that cycles too, by a search over
    signs that cannot, as far as that comes.
    `start`: where to begin: its signs are the first guess.
    """
    settled = _active_set(Q, c, slopes, start)
    if settled is not None:
        return settled
    near = _accelerated_gradient(Q, c, slopes, start)
    settled = _active_set(Q, c, slopes, near)
    return _sign_search(Q, c, slopes, near) if settled is None else settled


def _value(Q: NDArray, c: NDArray, slopes: NDArray, x: NDArray) -> float:
    return float(x @ (Q @ x / 2.0 - c) + slopes @ np.abs(x))


def _active_set(
    Q: NDArray, c: NDArray, slopes: NDArray, near: NDArray
) -> Floats | None:
    """Return the minimiser, or None where the signs do not settle."""
    signs = np.sign(near)
    signs[slopes == 0] = 1.0  # never at a kink
    scale = np.diag(Q)
    slack = 1e-12 * (abs(_value(Q, c, slopes, near)) + float(np.abs(c) @ np.abs(near)))
    for _ in range(_ACTIVE_SET_ROUNDS):
        x = _solve_on(Q, c - slopes * signs, np.flatnonzero(signs))
        # A prox-gradient step of each coordinate, as long as its own curvature says.
        push = x + (c - Q @ x) / scale
        # Step of the prox at x: it keeps a coordinate where the push beats its slope.
        renewed = np.sign(push) * (np.abs(push) * scale > slopes)
        renewed[slopes == 0] = 1.0
        if np.array_equal(renewed, signs):
            # Where Q is all but singular, signs may settle far out, in rounding alone.
            is_better = _value(Q, c, slopes, x) <= _value(Q, c, slopes, near) + slack
            return x if is_better else None
        signs = renewed
    return None


def _sign_search(Q: NDArray, c: NDArray, slopes: NDArray, start: NDArray) -> Floats:
    """Return the minimiser, or what is reached in so many rounds: no higher than start.

    Goes to the minimiser for the signs at hand, as far as no sign changes; there a
    coordinate leaves, or the one that gains most enters. Never climbs: Lee, Battle,
    Raina and Ng, "Efficient sparse coding algorithms", 2007, algorithm 1.
    """
    x, signs = start.astype(float), np.sign(start)
    signs[slopes == 0] = 1.0  # never at a kink
    slack = 1e-9 * slopes + 1e-14 * np.abs(c).max(initial=0.0)
    for _ in range(_SIGN_ROUNDS):
        goal = _solve_on(Q, c - slopes * signs, np.flatnonzero(signs))
        turns = (slopes > 0) & (signs * goal < 0)
        if turns.any():
            shares = np.full(len(x), np.inf)
            # Where on the way each of them passes zero; the first stops there.
            shares[turns] = x[turns] / (x[turns] - goal[turns])
            first = int(np.argmin(shares))
            x = x + shares[first] * (goal - x)
            x[first] = signs[first] = 0.0
            continue
        x = goal
        pull = c - Q @ x
        # Optimal where |c - Qx| <= slopes at every zero; the others are solved.
        gains = np.where(signs == 0, np.abs(pull) - slopes - slack, -np.inf)
        most = int(np.argmax(gains))
        if gains[most] <= 0:
            return x
        signs[most] = np.sign(pull[most])
    return x


def _solve_on(Q: NDArray, right: NDArray, active: NDArray) -> NDArray:
    if len(active) == len(right):
        return _solve(Q, right)
    x = np.zeros_like(right)
    if len(active):
        x[active] = _solve(Q[np.ix_(active, active)], right[active])
    return x


def _solve(Q: NDArray, right: NDArray) -> Floats:
    _, x, info = dposv(Q, right)
    return x if info == 0 else np.linalg.solve(Q, right)


def _accelerated_gradient(
    Q: NDArray, c: NDArray, slopes: NDArray, start: NDArray
) -> NDArray:
    """Return the best of FISTA's points, restarted whenever it climbs."""
    # No eigenvalue is above the largest row sum.
    step = 1.0 / max(float(np.abs(Q).sum(axis=1).max()), np.finfo(float).tiny)
    best, best_value = start, _value(Q, c, slopes, start)
    ahead, momentum = start, 1.0
    for _ in range(_GRADIENT_ROUNDS):
        moved = ahead - step * (Q @ ahead - c)
        x = np.sign(moved) * np.maximum(np.abs(moved) - step * slopes, 0.0)
        reached = _value(Q, c, slopes, x)
        # It climbs: momentum is dropped, and without any this is rounding.
        if reached > best_value:
            if momentum == 1.0:
                break
            ahead, momentum = best, 1.0
            continue
        if best_value - reached <= _SETTLED * abs(best_value):
            return x
        # FISTA, Beck and Teboulle (2009), eq. (4.2).
        grown = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = x + (momentum - 1.0) / grown * (x - best)
        best, best_value, momentum = x, reached, grown
    return best


# Large problems, by products alone.


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
    best, lowest = start, _value_at(start, pull, c, slopes)
    x = start
    for _ in range(_ROUNDS):
        x, pull = _solved_on(Q, c, slopes * signs, signs != 0, x, scale, enough)
        value = _value_at(x, pull, c, slopes)
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
        value = _value_at(faced, c - Q @ faced, c, slopes)
        if value < lowest:
            best, lowest = faced, value
        signs = renewed
    if best is start:
        best = _proximal_gradient(Q, c, slopes, start, scale)
    return best


def _value_at(x: NDArray, pull: NDArray, c: NDArray, slopes: NDArray) -> float:
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
            lowest = _value_at(start, pull, c, slopes)
        moved = ahead + step * pull
        new = np.sign(moved) * np.maximum(np.abs(moved) - step * slopes, 0.0)
        value = _value_at(new, c - Q @ new, c, slopes)
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
