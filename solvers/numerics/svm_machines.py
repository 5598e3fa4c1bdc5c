"""Linear support vector machines on a table, or on more and more of its columns.

Tables of many more rows than columns are solved by the interior-point method, several
at a time; others by rounds over the active set. Either way the last digits come from
the linear system of the active set, and a duality gap certifies the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from .arrays import Floats, Integers
from .svm_interior_point import interior_duals
from .svm_optimum import Machine, machine_of, polish

# Numbers an array over all rows of a batch may hold: as many as the nearest cache.
_NUMBERS_AT_ONCE = 16_384
# Relative duality gap at which an active set needs no further work.
_SOLVED = 1e-10
# The same while more steps of the interior-point method can still give more digits.
_CERTIFIED = 1e-12
# Columns per row from which the active set of the stage before is a good guess.
_WIDE = 0.5


@dataclass(frozen=True, eq=False)
class SVMSolutions:
    """Solutions of several problems over the same rows."""

    coef: Floats  # (n_problems, n_features) Weights
    # (n_problems,) The middle one where the best is not unique
    intercept: Floats
    dual: Floats  # (n_problems, n_samples) Dual variables times the signs of their rows
    gap: Floats  # (n_problems,) Duality gaps relative to the objective

    @classmethod
    def of(cls, machines: Sequence[Machine]) -> SVMSolutions:
        return cls(*map(np.array, zip(*machines, strict=True)))

    def moved(self, means: Floats) -> SVMSolutions:
        """Return the same for columns that were centred by their means."""
        shifts = self.coef @ means[: self.coef.shape[1]]
        return replace(self, intercept=self.intercept - shifts)


def solve_svms(X: Floats, signs: Floats, caps: Floats) -> SVMSolutions:
    """Minimise ``1/2 |w|^2 + sum_i caps_i hinge_i`` for each row of signs.

    ``X`` is (n_samples, n_features); ``signs``, (n_problems, n_samples), are +1 or -1,
    both in every problem; ``caps``, (n_samples,), are C times the weights of the rows.
    """
    return next(solve_prefixes(X, signs, caps, [X.shape[1]]))


def solve_prefixes(
    X: Floats, signs: Floats, caps: Floats, ends: Sequence[int]
) -> Iterator[SVMSolutions]:
    """Yield what `solve_svms` gives on the first ``end`` columns, for rising ends."""
    means = X.mean(axis=0)
    centred = X - means  # moves the intercept alone
    tall = [end for end in ends if end < _WIDE * len(X)]
    at_once = max(1, _NUMBERS_AT_ONCE // signs.size)
    last = None
    # Wide stages wait for wider ones at little cost: each is factorised on its own.
    for first in range(0, len(tall), at_once):
        together = tall[first : first + at_once]
        for machines in _tall(centred, signs, caps, together):
            solved = SVMSolutions.of(machines)
            last = solved.dual
            yield solved.moved(means)
    for machines in _wide(centred, signs, caps, ends[len(tall) :], last):
        yield SVMSolutions.of(machines).moved(means)


def _tall(
    X: NDArray, signs: NDArray, caps: NDArray, ends: Sequence[int]
) -> Iterator[list[Machine]]:
    """Yield the machines of every end, solved in one batch."""
    widths = np.repeat(ends, len(signs))
    machines = _by_interior_point(
        X[:, : ends[-1]], np.tile(signs, (len(ends), 1)), caps, widths
    )
    for first in range(0, len(machines), len(signs)):
        yield machines[first : first + len(signs)]


def _by_interior_point(
    X: NDArray, signs: NDArray, caps: NDArray, widths: Integers
) -> list[Machine]:
    """Return machines on the first columns of X, each as soon as it is certified."""
    machines: dict[int, Machine] = {}

    def is_certified(k: int, dual: NDArray) -> bool:
        machine = polish(X[:, : widths[k]], signs[k], caps, dual)
        if k not in machines or machine.gap < machines[k].gap:
            machines[k] = machine
        return machine.gap <= _CERTIFIED

    interior_duals(X, signs, caps, widths, is_certified)
    return [machines[k] for k in range(len(signs))]


def _wide(
    X: NDArray,
    signs: NDArray,
    caps: NDArray,
    ends: Sequence[int],
    guesses: NDArray | None,
) -> Iterator[list[Machine]]:
    """Yield the machines of every end; each starts from the one before."""
    gram, known = np.zeros((len(X), len(X))), 0
    guess = list(guesses) if guesses is not None else [None] * len(signs)
    for end in ends:
        gram += X[:, known:end] @ X[:, known:end].T
        known = end
        machines = []
        for k, own in enumerate(signs):
            machines.append(_on_gram(X[:, :end], gram, own, caps, guess[k]))
            guess[k] = machines[-1].dual
        yield machines


def _on_gram(
    X: NDArray, gram: NDArray, signs: NDArray, caps: NDArray, guess: NDArray | None
) -> Machine:
    n_rows, n_columns = X.shape
    # Without a guess every row starts on its margin, which takes a column for each.
    starts = [guess] * (guess is not None) + [None] * (n_columns >= n_rows)
    for start in starts:
        dual = active_set_dual(gram, signs, caps, start)
        if dual is not None:
            machine = machine_of(X, signs, caps, dual)
            return machine if machine.gap <= _SOLVED else polish(X, signs, caps, dual)
    # Products of rows are all that matters, and the triangle has the same.
    table = (
        X if n_columns < n_rows else np.transpose(linalg.qr(X.T, mode="r")[0][:n_rows])
    )
    width = np.array([table.shape[1]])
    machine = _by_interior_point(table, signs[np.newaxis], caps, width)[0]
    return polish(X, signs, caps, machine.dual)


# With more features than rows nearly every row can be held to its margin, and the few
# that can not are found in a handful of rounds. Each solves one system over rows, so
# features count no more once the table of products of rows is known.


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
