"""A primal-dual interior-point method for some features beside a fixed Gram matrix."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dgetrf, dgetrs

from ...numerics.arrays import Floats
from ...numerics.threads import one_thread
from .barriers import FeatureBarrier, HingeBarrier
from .newton import AcrossFeatures, AcrossRows, Extended, NewtonSystem
from .problem import RidgeProblem, penalty

# The last step of the hinge: which constraints hold is known, so solve for equality.
#
# An interior point approaches its constraints by products that end below rounding,
# which leaves some 1e-9 of the objective open where columns are nearly dependent. By
# then each row is beyond its margin (L), inside it (U) or on it (F), and each feature
# is at zero, on its boundary (B) or ridge (R). With λ known on L and U, what is left is
# linear:
#
#     (K + X_R X_R') λ + X_B a_B + b = y   on F,     X_B'λ = ±mu_B,     sum λ = 0.


# Added to the diagonal, as a share of it: where constraints depend on each other, what
# is found is then the solution next to the one given.
NEARNESS = 1e-10
CORRECTIONS = 6


def settled(
    block: Any,
    gram: Floats | None,
    thresholds: Floats,
    features: FeatureBarrier,
    rows: HingeBarrier,
    intercept: float,
) -> tuple[Floats, Floats]:
    """Return coefficients and duals that meet the constraints in force exactly.

    Shapes: `block` (n_samples, n_kept), `gram` (n_samples, n_samples), `thresholds`
    (n_kept,) -> `coef` (n_kept,), `dual` (n_samples,).
    `features, rows, intercept`: where the interior point stands.
    """
    block = block.toarray() if sparse.issparse(block) else block
    free, dual = ~(rows.is_beyond | rows.is_inside), np.where(rows.is_inside, 1.0, 0.0)
    dual = dual * rows.y * rows.capacity
    boundary = features.is_nonzero & features.spare.lasts
    ridge = features.is_nonzero & ~features.spare.lasts
    sign = np.where(features.coef[boundary] < 0, -1.0, 1.0)
    carried = block[:, ridge] @ block[:, ridge].T
    if gram is not None:
        carried = carried + gram
    n_free, n_boundary = int(free.sum()), int(boundary.sum())
    matrix = np.zeros((n_free + n_boundary + 1,) * 2)
    matrix[:n_free, :n_free] = carried[np.ix_(free, free)]
    matrix[:n_free, n_free:-1] = block[np.ix_(free, boundary)]
    matrix[n_free:-1, :n_free] = matrix[:n_free, n_free:-1].T
    matrix[:n_free, -1] = matrix[-1, :n_free] = 1.0
    right = np.concatenate(
        [
            (rows.y - carried @ dual)[free],
            sign * thresholds[boundary] - dual @ block[:, boundary],
            [-dual.sum()],
        ]
    )
    # Where constraints depend on each other, the solution next to this one counts.
    start = np.concatenate([rows.dual[free], features.coef[boundary], [intercept]])
    found = _solution_near(start, matrix, right, n_free)
    dual[free] = found[:n_free]
    coef = np.where(ridge, dual @ block, 0.0)
    coef[boundary] = found[n_free:-1]
    return coef, dual


def _solution_near(start: Floats, matrix: Floats, right: Floats, n_rows: int) -> Floats:
    """Return the solution of a system next to a start.

    The unknowns are in the order λ_F, a_B, b; ``n_rows`` of them are λ_F.
    """
    size = np.sqrt(np.maximum(np.abs(matrix).max(axis=1), 1e-150))
    scaled = matrix / size / size[:, np.newaxis]
    sign = np.where(np.arange(len(size)) < n_rows, 1.0, -1.0)
    factor, pivots, failed = dgetrf(scaled + np.diag(NEARNESS * sign))
    if failed:
        raise LinAlgError("The constraints at the optimum do not fix it.")
    found = start
    for _ in range(CORRECTIONS):
        left = (right - matrix @ found) / size
        found = found + dgetrs(factor, pivots, left)[0] / size
    return np.asarray(found)


# Mehrotra's predictor and corrector on the pairs of ``barriers``. Every iterate carries
# the certificate of the problem that it solves.


MAX_ITERATIONS = 150
# So many steps without halving the best gap are a stall.
STALL = 25
# Systems below this size lose more by sharing work between threads than they gain.
THREADS_FROM = 512
# Steps stop short of the boundary by this share.
STEP_SHARE = 0.995
# Products this small against the objective are rounding: no step helps any more.
ROUNDING = 1e-17
# Nothing is left to gain once steps are shorter than this.
LEAST_STEP = 1e-9
# Lengths that are tried for the first dual, as shares of the one given.
LENGTHS = 0.9 * np.logspace(-8, 0, 33)
# A start whose best length is below this share says nothing of the scores: the duals
# are then spread inside their bounds, and the scores start at zero and catch up.
SHORT = 1e-2
# Steps without halving the best gap after which the extended system is used, and the
# largest one that is worth it.
SLOW = 2
EXTENDED_SIZE = 2500
# Relative gap from which constraints in force are known, and at which nothing is left.
SETTLING = 1e-5
SETTLED = 1e-15
# The features' side is solved where it is smaller than this share of the rows' side.
FEATURES_SHARE = 0.7


@dataclass(frozen=True, eq=False)
class Subproblem:
    """Some features in full; others, whose state is ridge, folded into a Gram matrix.

    A folded feature has coefficient x_i'λ and adds (x_i'λ)² - mu_i² to 2 W. That bounds
    W from below, and P of the folded coefficients from above.
    """

    problem: RidgeProblem  # Rows, loss and weight of the penalty
    block: Any  # (n_samples, n_kept) Columns of the features in full
    thresholds: Floats  # (n_kept,) Their mu_i
    # (n_samples, n_samples) Sum of x_i x_i' over the folded features; None where there
    # are none
    gram: Floats | None
    folded: float  # Half of the sum of mu_i² over the folded features
    # Whether to keep what is soft as unknowns, where that is not too many
    is_extended: bool = False
    is_primal: bool = False  # Whether to solve on the features' side in any case

    def gram_times(self, carrier: Floats) -> Floats:
        """Return the decisions of the folded features."""
        return np.zeros_like(carrier) if self.gram is None else self.gram @ carrier

    def dual_value(self, dual: Floats, scores: Floats, from_folded: Floats) -> float:
        """Return W for a feasible dual."""
        over = np.maximum(0.0, scores**2 - self.thresholds**2).sum()
        loss = self.problem.loss
        conjugate = loss.conjugate(self.problem.y, dual, self.problem.capacity)
        return float(0.5 * over + 0.5 * (dual @ from_folded) - self.folded + conjugate)

    def bounded(self, dual: Floats) -> tuple[Floats, Floats, float]:
        """Return a feasible dual close to one, what folds to it, and P's lower bound.

        Every feasible dual bounds P from below by -W.
        """
        loss, capacity = self.problem.loss, self.problem.capacity
        dual = loss.feasible(self.problem.y, dual, capacity)
        from_folded = self.gram_times(dual)
        lower = -self.dual_value(dual, dual @ self.block, from_folded)
        return dual, from_folded, lower

    def primal_value(self, coef: Floats, carrier: Floats, from_folded: Floats) -> float:
        """Return P, best over intercepts; folded features have x_i'v for a carrier."""
        losses = self.problem.loss_of(self.block @ coef + from_folded)[0]
        quadratic = 0.5 * float(carrier @ from_folded) + self.folded
        return penalty(coef, self.thresholds) + quadratic + losses

    def system(self, curvature: Floats, resistance: Floats) -> NewtonSystem:
        """Return the Newton system, factorised on its smaller side."""
        if self.is_extended and self.may_be_extended:
            return Extended(self.block, curvature, resistance, self.gram)
        if self.is_across_features:
            return AcrossFeatures(self.block, curvature, resistance)
        return AcrossRows(self.block, curvature, resistance, self.gram)

    @property
    def is_across_features(self) -> bool:
        """Whether Newton systems are solved on the features' side."""
        n_rows, n_kept = self.block.shape
        few = n_kept < FEATURES_SHARE * n_rows
        return self.is_primal or (few and self.gram is None)

    @property
    def may_be_extended(self) -> bool:
        """Whether the extended system is small enough."""
        return bool(sum(self.block.shape) <= EXTENDED_SIZE)


@dataclass(frozen=True, eq=False)
class Iterate:
    """A primal and a dual point, and how far apart their values are.

    Folded features have coefficients x_i'v for the vector ``carrier``; ``is_rounded``
    says whether coefficients on their way to zero were set to it.
    """

    coef: Floats
    carrier: Floats
    dual: Floats
    primal: float
    gap: float
    is_rounded: bool

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the primal value."""
        return self.gap / abs(self.primal) if self.primal else 0.0


def interior_point(
    sub: Subproblem, dual: Floats | None = None, primal: float = np.inf
) -> Iterator[Iterate]:
    """Yield better and better points until nothing is left to gain.

    Shapes: `dual` (n_samples,).
    `dual`: A feasible dual to start from; it is moved inside. Without one, all start
    spread inside their bounds.
    """
    with np.errstate(all="ignore"):
        method = _Method(sub, dual, primal)
    best, since, is_last = np.inf, 0, False
    for _ in range(MAX_ITERATIONS):
        found = method.certified()
        if found.relative_gap <= SETTLING:
            with np.errstate(all="ignore"):
                exact = method.settled()
            found = exact if exact.gap < found.gap else found
        yield found
        since = 0 if found.gap < best / 2 else since + 1
        best = best if since else found.gap
        if is_last or since >= STALL or found.relative_gap <= SETTLED:
            return
        if since >= SLOW:
            method.extend()
        try:
            # At the edge of rounding a slack may vanish; the step is then refused.
            with np.errstate(all="ignore"), _threads(len(sub.problem.y)):
                if not method.advance():
                    return
        except LinAlgError:
            return
        size = min(abs(found.primal), sub.problem.null_value)
        is_last = 0 < method.products() < ROUNDING * size


def _threads(size: int) -> AbstractContextManager[object]:
    """Hold linear algebra to one thread where more would only wait for each other."""
    if size >= THREADS_FROM:
        return nullcontext()
    return one_thread()


class _Method:
    """Where the method stands: features, rows and intercept."""

    def __init__(self, sub: Subproblem, dual: Floats | None, primal: float) -> None:
        self.sub = sub
        self.problem = sub.problem
        self._start(dual, primal)
        self.pairs = (*self.features.pairs, *self.rows.pairs)
        self.n_products = sum(pair.slack.size for pair in self.pairs)
        self.intercept = self.problem.loss_of(sub.block @ self.features.coef)[1]

    def _start(self, dual: Floats | None, primal: float) -> None:
        """Put both sides on the central path, where its gap is about that known."""
        if dual is None:
            self._spread()
            return
        sub, problem = self.sub, self.problem
        dual = problem.loss.inside(problem.y, dual, problem.capacity)
        scores, from_folded = dual @ sub.block, sub.gram_times(dual)
        values = [
            sub.dual_value(length * dual, length * scores, length * from_folded)
            for length in LENGTHS
        ]
        best = int(np.argmin(values))
        length = LENGTHS[best]
        if length < SHORT and problem.loss.name != "squared":
            self._spread()
            return
        gap = min(problem.null_value, primal) + values[best]
        n_pairs = 3 * len(scores) + 2 * len(dual)
        target = max(gap, 1e-12 * problem.null_value) / n_pairs
        self._begin(length * scores, length * dual, target)

    def _spread(self) -> None:
        """Put the duals in the middle of their bounds and the scores at zero.

        In a table of large columns no multiple of the empty model's dual has scores of
        the right size, and the rows would start next to their bounds.
        """
        problem = self.problem
        dual = 0.5 * problem.loss.empty_dual(problem.y, problem.capacity)
        n_features = self.sub.block.shape[1]
        target = problem.null_value / (3 * n_features + 2 * len(dual))
        self._begin(np.zeros(n_features), dual, target)

    def _begin(self, scores: Floats, dual: Floats, target: float) -> None:
        problem = self.problem
        self.features = FeatureBarrier(scores, self.sub.thresholds, target)
        self.rows = problem.loss.barrier(problem.y, problem.capacity, dual, target)
        # By how much the scores of the duals are ahead of those of the barriers.
        self._ahead = dual @ self.sub.block - scores

    def extend(self) -> None:
        """Solve the extended system from now on."""
        self.sub = replace(self.sub, is_extended=True)

    def certified(self) -> Iterate:
        """Return this point, with zeros where they are worth it."""
        sub, coef = self.sub, self.features.coef
        dual, from_folded, lower = sub.bounded(self.rows.dual)
        primal = sub.primal_value(coef, dual, from_folded)
        rounded = np.where(self.features.is_nonzero, coef, 0.0)
        value = sub.primal_value(rounded, dual, from_folded)
        # Zeros may cost as much again as what is still open.
        if value - lower <= 2.0 * max(primal - lower, 0.0):
            return Iterate(rounded, dual, dual, value, value - lower, True)
        return Iterate(coef, dual, dual, primal, primal - lower, False)

    def settled(self) -> Iterate:
        """Return the point that meets the constraints in force, or else this one."""
        sub, rows = self.sub, self.rows
        if not isinstance(rows, HingeBarrier) or not sub.may_be_extended:
            return self.certified()
        try:
            coef, dual = settled(
                sub.block, sub.gram, sub.thresholds, self.features, rows, self.intercept
            )
        except LinAlgError:
            return self.certified()
        dual, from_folded, lower = sub.bounded(dual)
        primal = sub.primal_value(coef, dual, from_folded)
        return Iterate(coef, dual, dual, primal, primal - lower, True)

    def advance(self) -> bool:
        """Make one predictor-corrector step; return whether there was one to make."""
        self._curvature = self.features.curvature()
        system = self.sub.system(self._curvature, self.rows.resistance())
        now = self.products()
        # Predictor: straight at the optimum.
        change = self._direct(system, 0.0, second_order=0.0)
        ahead = min(1.0, self._room())
        left = sum(pair.gap(ahead) for pair in self.pairs)
        # Corrector: as far as the predictor came, and for as much of its
        # second-order error: all of that may send the method round in circles.
        if self.n_products:
            # Mehrotra: (share that the predictor leaves)³ times the mean product.
            target = max(left / now, 0.0) ** 3 * now / self.n_products
            change = self._direct(system, target, second_order=ahead)
        step = min(1.0, STEP_SHARE * self._room())
        if not step > LEAST_STEP:
            return False
        self.features.move(step)
        self.rows.move(step)
        self.intercept += step * change
        self._ahead = (1.0 - step) * self._ahead
        return True

    def products(self) -> float:
        """Return the sum of the products, which the gap comes down to."""
        return sum(pair.gap(0.0) for pair in self.pairs)

    def _direct(
        self, system: NewtonSystem, target: float, second_order: float
    ) -> float:
        """Set every direction for products of a target; return the intercept's."""
        for pair in self.pairs:
            pair.aim(target, second_order)
        sub, features, rows = self.sub, self.features, self.rows
        moved = features.offset() + self._curvature * self._ahead
        here = sub.block @ (features.coef + moved)
        here += sub.gram_times(rows.dual) + self.intercept
        shift, change = system.solve(rows.decisions() - here, -float(rows.dual.sum()))
        rows.follow(shift)
        features.follow(shift @ sub.block + self._ahead)
        return change

    def _room(self) -> float:
        return min(self.rows.room(), *(pair.room() for pair in self.features.pairs))
