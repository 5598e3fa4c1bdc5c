"""Support vector machines on more features than rows, by guessing the active set.

With so many features nearly every row can be held to its margin, and the few that can
not are found in a handful of rounds. Each solves one system over rows, so features
count no more once the table of products of rows is known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from .arrays import Floats, Integers

_ROUNDS = 20
# How far from its margin a row may be before it changes sides.
_ROUNDING = 1e-9
# Relative to the trace: what rounding of the products may make of a zero.
_RIDGE = 1e-12


def active_set_dual(
    gram: Floats, signs: Floats, caps: Floats, guess: Floats | None
) -> Floats | None:
    """Return a dual point, times the signs, or None where the rounds do not end.

    ``gram`` holds the products of centred rows, (n_samples, n_samples); ``guess`` is
    the dual point of a problem like this one.
    """
    lifted = gram + np.trace(gram) / len(gram)  # duals sum to 0: they do not see it
    ridge = _RIDGE * np.trace(lifted) / len(gram)
    alpha = 0.5 * caps if guess is None else guess * signs
    on_margin, short = (alpha > 0) & (alpha < caps), alpha >= caps
    for _ in range(_ROUNDS):
        edge = np.flatnonzero(on_margin)
        solved = _solve_on(lifted, signs, caps * short * signs, edge, ridge)
        if solved is None:
            return None
        dual, intercept = solved
        alpha = dual * signs
        margins = signs * (lifted @ dual + intercept)
        # KKT: alpha is 0 beyond the margin, its cap short of it, between on it.
        below, above = edge[alpha[edge] < 0], edge[alpha[edge] > caps[edge]]
        back = ~on_margin & np.where(
            short, margins > 1.0 + _ROUNDING, margins < 1.0 - _ROUNDING
        )
        if not (below.size or above.size or back.any()):
            return dual
        on_margin |= back
        on_margin[below] = on_margin[above] = False
        short = (short & ~back) | np.isin(np.arange(len(short)), above)
    return None


def _solve_on(
    gram: NDArray, signs: NDArray, fixed: NDArray, edge: Integers, ridge: float
) -> tuple[NDArray, float] | None:
    """Return duals and intercept that hold the rows of the edge to a margin of 1."""
    if not edge.size:
        return None
    system = gram[np.ix_(edge, edge)]
    system[np.diag_indices(len(edge))] += ridge
    # K dual + b = signs on the edge: dual = K^-1 (signs - K fixed) - b K^-1 1; all
    # duals, those fixed too, sum to 0.
    right = np.column_stack([np.ones(len(edge)), signs[edge] - gram[edge] @ fixed])
    try:
        factor = linalg.cho_factor(system, lower=True, check_finite=False)
    except linalg.LinAlgError:
        return None
    level, pull = linalg.cho_solve(factor, right, check_finite=False).T
    intercept = float((pull.sum() + fixed.sum()) / level.sum())
    dual = fixed.copy()
    dual[edge] = pull - intercept * level
    return dual, intercept
