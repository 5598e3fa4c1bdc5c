"""How far margins of good models are from a centre at most, and the curvature there.

With D_i the Bregman divergence of row i's loss, models in question have
sum_i p_i D_i <= room. Let c_i be the least secant curvature 2 D_i(t) / t^2 over all
|t| <= R_i, and H = X' diag(p c) X. If sqrt(2 room x_i' H^-1 x_i) <= R_i for all rows,
no such model is outside: on its way from the centre it would have to leave the box.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri
from scipy.special import expit

from ..numerics.arrays import Floats

_ROUNDS = 8
# A reach that is not enough grows by more than it lacks; it ends a little wide.
_GROWN, _WIDER = 1.15, 1.0 + 1e-6
# Margins no farther than this: the ends' curvature, for the divergence cancels.
_NEAR = 1e-2
_FARTHEST = 50.0
# What rounding leaves of a secant is more than this.
_CANCELLED = 1e-11


def curvature_within(margins: Floats, reach: Floats) -> Floats:
    """Return the least secant curvature of each row's loss, as far as margins reach.

    The curvature of the loss rises and falls once, so its secants are least at an end.
    """
    here = expit(margins) * expit(-margins)
    return np.minimum(here, np.minimum(*(_secant(margins, t) for t in (reach, -reach))))


def _secant(margins: NDArray, t: NDArray) -> Floats:
    """Return 2 D(t) / t^2, or what is below it where that would cancel."""
    change = np.logaddexp(0.0, -margins - t) - np.logaddexp(0.0, -margins)
    divergence = change + expit(-margins) * t
    is_far = np.abs(t) > _NEAR
    secant = 2.0 * divergence / np.where(is_far, t, 1.0) ** 2 - _CANCELLED
    there = margins + np.clip(t, -_NEAR, _NEAR)
    end = expit(there) * expit(-there)
    # Farther is never more curved, or a reach that shrinks might not be enough.
    return np.where(is_far, np.clip(secant, 0.0, end), end)


def hessian_of(design: Floats, curvature: Floats) -> Floats:
    """Return X' diag(curvature) X for columns that are the rows of a design."""
    scaled = design * np.sqrt(curvature)
    return scaled @ scaled.T


def reach_around(
    design: Floats,
    row_weights: Floats,
    margins: Floats,
    room: float,
    raised: Floats,
    first: Floats,
) -> Floats | None:
    """Return how far each margin can be from the centre's, or None where it is far.

    `design`: (n_columns, n_rows); `raised`: of the diagonal of H, paid for in `room`;
    `first`: a reach to try first.
    """
    reach = first
    for _ in range(_ROUNDS):
        curvature = row_weights * curvature_within(margins, reach)
        whole = hessian_of(design, curvature)
        whole[np.diag_indices_from(whole)] += raised
        factor, failed = dpotrf(whole.T, lower=1, overwrite_a=1)
        if failed:
            return None
        half = dtrtri(factor, lower=1)[0] @ design
        # Margins move by x'dw with dw'H dw <= 2 room: by sqrt(2 room x'H^-1 x) at most.
        needed = _WIDER * np.sqrt(2.0 * room * np.einsum("ij,ij->j", half, half))
        if (needed <= reach).all():
            return needed
        reach = np.maximum(reach, _GROWN * needed)
        if not reach.max() < _FARTHEST:
            return None
    return None
