"""Multinomial loss plus a penalty of features' sizes, concave or linear.

Minimises ``loss(W, b) + penalty(|W_k|)``: what `prox_newton` does for one weight a
feature, for several. A feature is one group over all classes, so that it is paid for
once, whoever uses it. A concave penalty lies below its tangent: each step replaces it
by weighted norms, the loss by a quadratic, and lowers the objective.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Integers, Mask
from .curvature import HessianCache
from .multinomial import ClassLoss, MultinomialLoss, MultinomialPoint, sizes
from .prox_newton import (
    ARMIJO,
    BATCH,
    HALVINGS,
    REFIT_TOL,
    STEEP,
    SWAMPING,
    AbsolutePenalty,
    LinearFit,
    Restriction,
    minimise,
    part_way,
    refit_on,
)
from .quadratic_group import minimise_quadratic_group, outside_of

# A mean loss of rows that are all told apart: it has no minimum, and below this its
# curvature is so small that rounding alone decides how far a step goes.
_TOLD_APART = 1e-6
# Of larger systems the Hessian is bounded by one matrix for all classes.
_MOST_COORDINATES = 900


@dataclass(eq=False)
class _GroupState:
    """Where the iteration stands."""

    w: Floats  # (n_features, n_outputs)
    intercept: Floats  # (n_outputs,)
    odds: Floats  # (n_samples, n_outputs)
    point: MultinomialPoint
    penalty: float

    @property
    def objective(self) -> float:
        return self.point.value + self.penalty


def minimise_groups(
    loss: MultinomialLoss,
    penalty: AbsolutePenalty,
    weights: NDArray | None = None,
    intercept: Any = None,
    *,
    tol: float = 1e-6,
    max_iter: int = 500,
    least: float = 0.0,
) -> LinearFit:
    """Return a stationary point at or below the objective of the start.

    Shapes: `weights` (n_features, n_outputs), `intercept` (n_outputs,).
    `weights`, `intercept`: where to begin; the model without features by default, and
    where that is better: from odds that are wrong and large no quadratic leads away.
    `tol`: largest distance from stationarity of a feature, in units of the mean loss
    per unit of a scaled feature. `least`: the objective below which it ends.
    """
    solver = _GroupNewton(loss, penalty, tol)
    nothing = np.zeros((loss.n_features, loss.n_outputs))
    state = solver.begin(nothing, loss.base_intercept)
    if weights is not None:
        begun = solver.begin(weights, intercept)
        state = begun if begun.objective <= state.objective else state
    violation, n_iter = solver.violation(state), 0
    while n_iter < max_iter and violation > tol and state.objective > least:
        moved = solver.step(state, violation)
        if moved is None:  # no step lowers the objective: rounding
            break
        state, n_iter = moved, n_iter + 1
        violation = solver.violation(state)
    return LinearFit(
        state.w,
        state.intercept,
        state.point.value,
        state.penalty,
        n_iter,
        violation,
        state.odds,
    )


def descended(
    loss: ClassLoss,
    penalty: AbsolutePenalty,
    weights: NDArray | None,
    intercept: Any,
    *,
    tol: float,
    max_iter: int = 500,
    hessians: HessianCache | None = None,
) -> LinearFit:
    """Return a stationary point below a start, of two classes or more.

    `hessians`: those of two classes that are known, and are added to.
    """
    if isinstance(loss, MultinomialLoss):
        return minimise_groups(
            loss, penalty, weights, intercept, tol=tol, max_iter=max_iter
        )
    return minimise(
        loss,
        penalty,
        weights,
        intercept,
        tol=tol,
        max_iter=max_iter,
        hessians=hessians,
    )


def refitted(
    loss: ClassLoss, support: Mask, start: LinearFit | None = None
) -> LinearFit:
    """Return the unpenalised fit on a support, of two classes or more, as `refit_on`.

    Shapes: `support` (n_features,).
    """
    if not isinstance(loss, MultinomialLoss):
        return refit_on(loss, support, start)
    if start is not None and np.abs(start.odds).max(initial=0.0) < STEEP:
        weights = np.where(support[:, np.newaxis], start.weights, 0.0)
        fit = minimise_groups(
            loss, Restriction(support), weights, start.intercept, tol=REFIT_TOL
        )
        if np.abs(fit.odds).max() < STEEP:
            return fit
    # Where classes can be separated, where it ends depends on the start.
    return minimise_groups(loss, Restriction(support), tol=REFIT_TOL, least=_TOLD_APART)


class _GroupNewton:
    def __init__(
        self, loss: MultinomialLoss, penalty: AbsolutePenalty, tol: float
    ) -> None:
        self.loss, self.penalty, self.tol = loss, penalty, tol

    def begin(self, w: NDArray, intercept: Any) -> _GroupState:
        w = np.where(self.loss.selectable[:, np.newaxis], w, 0.0)
        return self._at(w, np.asarray(intercept, dtype=float))

    def _at(self, w: Floats, intercept: Floats) -> _GroupState:
        used = np.flatnonzero(w.any(axis=1))
        return self._with(w, intercept, self.loss.odds(used, w[used], intercept))

    def _with(self, w: Floats, intercept: Floats, odds: Floats) -> _GroupState:
        paid = self.penalty.value(sizes(w))
        return _GroupState(w, intercept, odds, self.loss.at(odds), paid)

    def violation(self, state: _GroupState) -> float:
        """Return the largest distance from stationarity; note what it comes from."""
        self._drop_remains(state)
        self.gradient = self.loss.gradient(state.point.slopes).astype(float)
        # No point has a larger gradient than the bound: above it a zero stays.
        free = state.w.any(axis=1) | (self.slopes < self.loss.gradient_bounds)
        free &= self.loss.selectable
        self.outside = np.zeros(len(free))
        self.outside[free] = outside_of(
            state.w[free], -self.gradient[free], self.slopes[free]
        )
        constant = sizes(state.point.slopes.sum(axis=0)[np.newaxis])[0]
        return float(max(self.outside.max(initial=0.0), constant))

    def _drop_remains(self, state: _GroupState) -> None:
        """Set to zero what lowers the penalty by far more than the loss can rise."""
        while True:
            self.slopes = self.penalty.slopes(sizes(state.w))
            remains = state.w.any(axis=1)
            remains &= self.slopes > SWAMPING * self.loss.gradient_bounds
            if not remains.any():
                return
            kept = np.where(remains[:, np.newaxis], 0.0, state.w)
            vars(state).update(vars(self._at(kept, state.intercept)))

    def step(self, state: _GroupState, violation: float) -> _GroupState | None:
        """Return a better state, or None where none is found."""
        used = self._looked_at(state)
        # Newton's last steps double the digits: their systems need as many.
        enough = min(0.01, violation) * violation
        for system in self._systems(state, used):
            moved = self._search(state, used, system, enough)
            if moved is not None:
                return moved
        return None

    def _systems(self, state: _GroupState, used: Integers) -> Iterator[Floats]:
        """Yield Hessians to try, with the penalty's own curvature and without."""
        if (len(used) + 1) * self.loss.n_outputs > _MOST_COORDINATES:
            yield _breathing(self.loss.curvature_bound(state.point, used))
            return
        magnitudes = sizes(state.w)
        active = np.flatnonzero(magnitudes[used])
        bent = self.penalty.second_derivative(magnitudes, used[active])
        # Without a penalty nothing makes up for rounding where classes are told apart,
        # and with a convex one rounding would take away what its curvature adds.
        is_exact = bent is not None and bool((np.diag(bent) >= 0).all())
        is_exact |= isinstance(self.penalty, Restriction)
        for is_rough in (False,) if is_exact else (True, False):
            system = self.loss.hessian(state.point, used, is_rough=is_rough)
            curved = self._curved(
                _breathing(system), bent, state.w[used[active]], active
            )
            if curved is not None:
                yield curved
            yield system

    def _looked_at(self, state: _GroupState) -> Integers:
        """Return the features that are used, and those that want most to be."""
        used = np.asarray(state.w.any(axis=1))
        eager = np.where(used, 0.0, self.outside)
        room = max(BATCH, int(np.count_nonzero(used)))
        first = np.argsort(-eager, kind="stable")[:room]
        used[first[eager[first] > 0]] = True
        return np.flatnonzero(used)

    def _curved(
        self, system: Floats, bent: Floats | None, weights: Floats, active: Integers
    ) -> Floats | None:
        """Return a Hessian with the penalty's curvature, if there is a convex sum.

        Shapes: `bent` (k, k), in the sizes of the features at the places `active` (k,);
        `weights` (k, n_outputs), theirs.
        """
        if bent is None:  # a linear penalty has none
            return None
        n_outputs = self.loss.n_outputs
        ways = weights / sizes(weights)[:, np.newaxis]
        both = np.einsum("jr,jk,ks->jrks", ways, bent, ways)
        places = (active[:, np.newaxis] * n_outputs + np.arange(n_outputs)).ravel()
        curved = system.copy()
        curved[np.ix_(places, places)] += both.reshape(len(places), len(places))
        try:
            np.linalg.cholesky(curved)
        except np.linalg.LinAlgError:
            return None
        return curved

    def _search(
        self, state: _GroupState, used: Integers, system: Floats, enough: float
    ) -> _GroupState | None:
        """Return the state after a step along the quadratic's minimiser."""
        old = np.vstack([state.w[used], state.intercept])
        slopes = np.append(self.slopes[used], 0.0)
        gradient = np.vstack([self.gradient[used], state.point.slopes.sum(axis=0)])
        shape = (-1, 1) if len(system) == old.size else old.shape
        product = (system @ old.reshape(shape)).reshape(old.shape)
        new = minimise_quadratic_group(system, product - gradient, slopes, old, enough)
        d = new - old
        # The first-order decrease of Armijo's rule (Tseng and Yun, 2009).
        promised = float((gradient * d).sum()) + float(
            slopes @ (sizes(new) - sizes(old))
        )
        if not promised < 0:
            return None
        d_odds = self.loss.odds(used, d[:-1], d[-1])
        slack = 4 * np.finfo(float).eps * abs(state.objective)
        t = 1.0
        for _ in range(HALVINGS):
            w = state.w.copy()
            w[used] = part_way(old[:-1], new[:-1], t)
            moved = self._with(w, state.intercept + t * d[-1], state.odds + t * d_odds)
            if moved.objective <= state.objective + ARMIJO * t * promised + slack:
                return moved
            t /= 2.0
        return None


def _breathing(system: Floats) -> Floats:
    """Return a system with a breath of ridge, for columns that repeat each other."""
    place = np.diag_indices(len(system))
    # Columns are as wide as 2: what is flatter than 1e-13 is straight, to rounding.
    system[place] += 1e-10 * np.trace(system) / len(system) + 1e-13
    return system
