"""Logistic loss plus a concave or linear penalty of absolute weights.

Minimises ``loss(w, b) + penalty(|w|)`` for penalties that are concave in ``|w|``: a
concave penalty lies below its tangent, so each step replaces it by a weighted l1 norm
and the loss by a quadratic. Every step lowers the objective. A weight whose penalty
rises faster than the loss can ever fall is locked at zero and not looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Integers, Mask
from .curvature import HessianCache, HessianProducts
from .logistic import CentredColumns, LogisticLoss, LossPoint, chosen_columns
from .multinomial import sizes
from .quadratic_l1 import descend_quadratic_l1, minimise_quadratic_l1


class AbsolutePenalty(Protocol):
    """A penalty that is concave and not decreasing in the magnitudes of the weights."""

    def value(self, magnitudes: NDArray) -> float:
        """Return the penalty of all weights."""

    def slopes(self, magnitudes: NDArray) -> Floats:
        """Return its derivative in each magnitude; infinite locks a zero."""

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> Floats | None:
        """Return its second derivative in some magnitudes; None where it is linear."""


@dataclass(frozen=True, eq=False)
class WeightedL1:
    """The penalty ``sum_k weights_k |w_k|``."""

    weights: Floats  # (n_features,) 0 or more

    def value(self, magnitudes: NDArray) -> float:
        return float(self.weights @ magnitudes)

    def slopes(self, magnitudes: NDArray) -> Floats:
        return self.weights

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Restriction:
    """No penalty on a support, and nothing outside of it."""

    support: Mask  # (n_features,) The features that may be used

    def value(self, magnitudes: NDArray) -> float:
        return 0.0

    def slopes(self, magnitudes: NDArray) -> Floats:
        return np.where(self.support, 0.0, np.inf)

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> None:
        return None


ARMIJO = 1e-4
HALVINGS = 30
_MAX_DRIFT = 0.15
# How many features enter the working set at once, at least.
BATCH = 50
# Up to here the working set is all features: copying some costs more than it saves.
_SMALL = 256
# Unless a table has more values: their products take longer than copies of some.
_COPIED = 4_000_000
# Of which share of the columns a copy is made at most; a huge table's takes memory.
_MOST_COPIED, _FEW_COPIED = 0.6, 0.2
_HUGE = 40_000_000
REFIT_TOL = 1e-9
# A penalty's slope over the loss's steepest, from which on a weight is but a remainder.
SWAMPING = 1e6
# Of scaled columns, what weighs less moves no odds beyond rounding.
_WEIGHTLESS = 1e-16
# From so many features on, of sparse rows, no matrix of all pairs is made.
_MANY = 300
# Odds of e^10: some direction may be without a minimum there (separable classes).
STEEP = 10.0


@dataclass(frozen=True, eq=False)
class LinearFit:
    """Weights on scaled, centred columns, and what they attain."""

    # (n_features,), of many classes (n_features, n_outputs); on scaled, centred columns
    weights: Floats
    intercept: Any  # For scaled, centred columns; (n_outputs,) of many classes
    loss: float  # The parts of the objective
    penalty: float
    n_iter: int  # Steps taken
    violation: float  # Largest distance from stationarity
    # (n_samples,) or (n_samples, n_outputs) The decision of each training row
    odds: NDArray

    @property
    def objective(self) -> float:
        """Loss plus penalty."""
        return self.loss + self.penalty

    @property
    def used(self) -> Mask:
        """Features whose weights are not zero, (n_features,)."""
        used = self.weights != 0
        return used if used.ndim == 1 else np.asarray(used.any(axis=1))


@dataclass(eq=False)
class _State:
    """Where the iteration stands; `index` are the features that are looked at."""

    index: Integers
    columns: NDArray | CentredColumns
    w: Floats
    intercept: float
    odds: NDArray
    point: LossPoint
    penalty: float

    @property
    def objective(self) -> float:
        return self.point.value + self.penalty


def minimise(
    loss: LogisticLoss,
    penalty: AbsolutePenalty,
    weights: NDArray | None = None,
    intercept: float | None = None,
    *,
    tol: float = 1e-6,
    max_iter: int = 500,
    hessians: HessianCache | None = None,
) -> LinearFit:
    """Return a stationary point at or below the objective of the start.

    Shapes: `weights` (n_features,).
    `weights`: where to begin; zero by default.
    `intercept`: where to begin; that of the model without features by default.
    `tol`: largest distance from stationarity, in units of the mean loss per unit of a
    scaled feature.

    Notes
    -----
    The step is that of Newton's method with the penalty's own (negative) curvature
    where the sum is positive definite, and of plain majorisation elsewhere. Both give
    a direction of descent.
    """
    solver = _ProxNewton(loss, penalty, hessians or HessianCache(loss), tol)
    state = solver.begin(
        np.zeros(loss.n_features) if weights is None else weights,
        loss.base_intercept if intercept is None else intercept,
    )
    violation, n_iter = solver.violation(state), 0
    while n_iter < max_iter:
        if violation <= tol:
            wider = solver.widened(state)
            if wider is None:
                break
            state = wider
            violation = solver.violation(state)
        size = np.count_nonzero(state.w)
        moved = solver.step(state)
        if moved is None:  # no step on these features lowers the objective: rounding
            wider = solver.widened(state)
            if wider is None:
                break
            state = wider
            violation = solver.violation(state)
            continue
        state, n_iter = moved, n_iter + 1
        renewed = solver.violation(state)
        # A stale Hessian is to blame only where nothing else changed.
        same = solver.curved and np.count_nonzero(state.w) == size
        solver.slow = same and renewed > 0.5 * violation
        violation = renewed
    return solver.fit(state, violation, n_iter)


def refit_on(
    loss: LogisticLoss, support: Mask, start: LinearFit | None = None
) -> LinearFit:
    """Return the unpenalised fit on a support.

    Shapes: `support` (n_features,).
    Finite where the classes can be separated, too: it stops where the loss is flat to
    rounding.
    `start`: where to begin; its weights outside of the support are dropped.
    """

    def fitted(weights: NDArray | None, intercept: float | None) -> LinearFit:
        return minimise(
            loss,
            Restriction(support),
            weights,
            intercept,
            tol=REFIT_TOL,
            hessians=HessianCache(loss, exact=True),
        )

    if start is not None:
        fit = fitted(np.where(support, start.weights, 0.0), start.intercept)
        if np.abs(fit.odds).max() < STEEP:
            return fit
    # Where the loss has no minimum, where it is flat depends on the start: begin at
    # nothing, so that a support has one fit whatever was fitted before.
    return fitted(None, None)


def part_way(old: NDArray, new: NDArray, t: float) -> Floats:
    """Return weights a part of a step on, a number or a group a feature.

    What is to be zero in the end is so once nothing is left of it: step after shortened
    step would halve it for ever.
    """
    if t == 1.0:
        return new
    reached = old + t * (new - old)
    reached[(sizes(new) == 0.0) & (sizes(reached) < _WEIGHTLESS)] = 0.0
    return reached


class _ProxNewton:
    def __init__(
        self,
        loss: LogisticLoss,
        penalty: AbsolutePenalty,
        hessians: HessianCache,
        tol: float,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.hessians = hessians
        self.tol = tol
        self.slow = False
        self.curved = False

    def begin(self, w: NDArray, intercept: float) -> _State:
        w = np.where(self.loss.selectable, w, 0.0)
        used = w != 0
        if self.hessians.exact:
            # What costs nothing is used in the end: it need not wait to be let in.
            # Elsewhere it waits: where penalties are not convex, what comes first
            # decides where a fit ends, and all at once ends worse.
            used |= (self.penalty.slopes(np.abs(w)) == 0) & self.loss.selectable
        index, columns = self._gathered(np.flatnonzero(used))
        values = w[index].astype(columns.dtype, copy=False)
        odds = (values @ columns + intercept).astype(float, copy=False)
        return _State(
            index,
            columns,
            w,
            float(intercept),
            odds,
            self.loss.at(odds),
            self.penalty.value(np.abs(w)),
        )

    def _gathered(self, index: Integers) -> tuple[Integers, NDArray | CentredColumns]:
        """Return columns of some features: of all, uncopied, where they are few."""
        is_small = self.loss.n_features <= _SMALL and self.loss.columns.size <= _COPIED
        is_huge = isinstance(self.loss.columns, np.ndarray) and (
            self.loss.columns.size > _HUGE
        )
        most = _FEW_COPIED if is_huge else _MOST_COPIED
        if is_small or len(index) > most * self.loss.n_features:
            return np.arange(self.loss.n_features), self.loss.columns
        return index, chosen_columns(self.loss.columns, index)

    def violation(self, state: _State) -> float:
        """Return the largest distance from stationarity among what is looked at."""
        self._drop_remains(state)
        free = self._free(state.w) & self.loss.selectable
        self._free_everywhere = free
        kept = free[state.index]
        if kept.sum() < 0.5 * len(kept):
            state.index, state.columns = self._gathered(state.index[kept])
            kept = free[state.index]
        self.kept = kept
        self.gradient = state.columns @ state.point.slopes.astype(
            state.columns.dtype, copy=False
        )
        w, slopes = state.w[state.index][kept], self.slopes[state.index][kept]
        gradient = self.gradient[kept]
        # Distance of -gradient to the subdifferential: {slope sign(w)} where w is not
        # 0, [-slope, slope] where it is.
        pulls = np.where(
            w != 0,
            np.abs(gradient + slopes * np.sign(w)),
            np.maximum(np.abs(gradient) - slopes, 0.0),
        )
        return float(max(pulls.max(initial=0.0), abs(state.point.slopes.sum())))

    def _drop_remains(self, state: _State) -> None:
        """Set weights to zero whose penalty falls by far more than the loss can rise.

        A shortened step leaves a part of each weight that was to be zero. Of l_p that
        part has a slope of any size, and a quadratic with it is rounding alone.
        """
        while True:
            self.slopes = self.penalty.slopes(np.abs(state.w))
            remains = state.w != 0
            remains &= self.slopes > SWAMPING * self.loss.gradient_bounds
            if not remains.any():
                return
            gone = np.where(remains, state.w, 0.0)[state.index]
            state.w = np.where(remains, 0.0, state.w)
            state.odds = state.odds - gone.astype(state.columns.dtype) @ state.columns
            state.point = self.loss.at(state.odds)
            state.penalty = self.penalty.value(np.abs(state.w))

    def _free(self, w: NDArray) -> Mask:
        # No point has a larger gradient than the bound: above it a zero stays.
        return (w != 0) | (self.slopes < self.loss.gradient_bounds)

    def widened(self, state: _State) -> _State | None:
        """Return the state with features that want to enter, or None."""
        waiting = self._free_everywhere.copy()
        waiting[state.index] = False
        outside = np.flatnonzero(waiting)
        if not len(outside):
            return None
        pulls = np.abs(self.loss.gradient(state.point.slopes, outside))
        pulls -= self.slopes[outside]
        eager = pulls > self.tol
        if not eager.any():
            return None
        if self.loss.n_features > _SMALL:
            room = max(BATCH, int(np.count_nonzero(state.w)))
            order = np.argsort(-pulls, kind="stable")[:room]
            outside = outside[order][eager[order]]
        index = np.sort(np.concatenate([state.index, outside]))
        state.index, state.columns = self._gathered(index)
        return state

    def step(self, state: _State) -> _State | None:
        """Return a better state, or None where none is found."""
        used = state.index[self.kept]
        products = self._products(state, used)
        if products is not None:
            self.curved = False
            return self._search(state, used, products)
        # Slow without a penalty: rows that are all but separated, whose own curvature
        # falls with each step, are too small a share of it to be seen to drift.
        drift = (0.0 if self.hessians.exact else 0.03) if self.slow else _MAX_DRIFT
        for max_drift in (drift, 0.0):
            matrix = self.hessians.near(used, state.point.curvatures, max_drift)
            for curved in (True, False):
                system = self._system(matrix, state, used, curved)
                if system is None:
                    continue
                moved = self._search(state, used, system)
                if moved is not None:
                    self.curved = curved
                    return moved
        return None

    def _products(self, state: _State, used: NDArray) -> HessianProducts | None:
        """Return the Hessian as an operator where a matrix of all pairs takes longer.

        That is of many sparse columns under a penalty that is linear: the curvature of
        others is such a matrix.
        """
        columns = state.columns
        if not isinstance(columns, CentredColumns) or len(used) <= _MANY:
            return None
        none = np.zeros(0, dtype=int)
        if self.penalty.second_derivative(np.abs(state.w), none) is not None:
            return None
        if len(used) < len(state.index):
            columns = columns.take(np.flatnonzero(self.kept))
        return HessianProducts(columns, state.point.curvatures)

    def _system(
        self, matrix: NDArray, state: _State, used: NDArray, curved: bool
    ) -> NDArray | None:
        """Return the quadratic's matrix, or None where it is not positive definite."""
        k = len(used)
        system = matrix.copy()
        # A breath of ridge for columns that repeat each other; gradients stay exact.
        system[np.diag_indices(k + 1)] += 1e-10 * np.trace(matrix) / (k + 1) + 1e-300
        if not curved:
            return system
        active = np.flatnonzero(state.w[used])
        curvature = self.penalty.second_derivative(np.abs(state.w), used[active])
        if curvature is None:  # a linear penalty has none: this is all there is
            return system
        signs = np.sign(state.w[used[active]])
        # d^2 penalty(|w|) = sign_j R'' sign_k: negative, so the sum may not be convex.
        system[np.ix_(active, active)] += signs[:, None] * curvature * signs
        try:
            np.linalg.cholesky(system)
        except np.linalg.LinAlgError:
            return None
        return system

    def _search(
        self, state: _State, used: NDArray, system: NDArray | HessianProducts
    ) -> _State | None:
        """Return the state after a step along the quadratic's minimiser."""
        old = np.append(state.w[used], state.intercept)
        slopes = np.append(self.slopes[used], 0.0)
        gradient = np.append(self.gradient[self.kept], state.point.slopes.sum())
        # g'd + d'Hd / 2 with d = x - old is x'Hx / 2 - (H old - g)'x and a constant.
        linear = system @ old - gradient
        new = (
            descend_quadratic_l1(system, linear, slopes, old)
            if isinstance(system, HessianProducts)
            else minimise_quadratic_l1(system, linear, slopes, old)
        )
        d = new - old
        # The first-order decrease of Armijo's rule (Tseng and Yun, 2009).
        promised = gradient @ d + slopes @ (np.abs(new) - np.abs(old))
        if not promised < 0:
            return None
        push = np.zeros(len(state.index), dtype=state.columns.dtype)
        push[self.kept] = d[:-1]
        d_odds = push @ state.columns + d[-1]
        slack = 4 * np.finfo(float).eps * abs(state.objective)
        t = 1.0
        for _ in range(HALVINGS):
            w = state.w.copy()
            w[used] = part_way(old[:-1], new[:-1], t)
            odds = state.odds + t * d_odds
            point, cost = self.loss.at(odds), self.penalty.value(np.abs(w))
            # The penalty lies below its tangent: it falls by no less than promised.
            if point.value + cost <= state.objective + ARMIJO * t * promised + slack:
                intercept = state.intercept + t * d[-1]
                return _State(
                    state.index, state.columns, w, intercept, odds, point, cost
                )
            t /= 2.0
        return None

    def fit(self, state: _State, violation: float, n_iter: int) -> LinearFit:
        return LinearFit(
            state.w,
            state.intercept,
            state.point.value,
            state.penalty,
            n_iter,
            violation,
            state.odds,
        )
