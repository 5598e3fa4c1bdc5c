"""A bound that knows how curved the loss is where good models lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv, dpotrf, dpotri, dpotrs, dtrtrs
from scipy.special import expit

from ..numerics.arrays import Floats, Integers
from .certificate import Region
from .oracle import Cut
from .pool import ROUNDING
from .problem import SelectionProblem
from .reach import curvature_within, hessian_of, reach_around

# The most of a matrix that stands on its diagonal: the rest stays semidefinite.


_STEPS = 6
_FALL = 0.4  # of the weight of the barrier from step to step
_SHRUNK = 0.1  # how much of an entry a step leaves at least: they stay above 0
_KEPT = 1.0 - 1e-6
_LEAST = 1e-11  # of the mean diagonal: makes a singular matrix regular
# Less than this share of the largest entry is none: that column depends on others.
_DEPENDENT = 1e-3


def dividing_diagonal(matrix: Floats) -> Floats:
    """Return d >= 0 of nearly the largest sum with matrix - diag(d) semidefinite.

    Rounding may leave eigenvalues below 0, by about 1e-11 of the mean diagonal.
    """
    whole = matrix.copy()
    whole[np.diag_indices_from(whole)] += _LEAST * float(np.trace(matrix) / len(matrix))
    inverse, found = _inverse(whole), np.zeros(len(matrix))
    if inverse is None:
        return found
    even = 1.0 / np.diag(inverse)
    # 1 / (A^-1)_jj is what is left of column j given all others.
    free = even > _DEPENDENT * even.max()
    core = whole[np.ix_(free, free)]
    if not free.all():
        tied = whole[np.ix_(~free, free)]
        core = core - tied.T @ np.linalg.solve(whole[np.ix_(~free, ~free)], tied)
    found[free] = _KEPT * _largest(core)
    return found


def _largest(core: Floats) -> Floats:
    """Take Newton's steps on sum(d) + mu log det(core - diag(d)), all inside."""
    inverse = _inverse(core)
    if inverse is None:
        return np.zeros(len(core))
    # diag(d) <= A where d^1/2 A^-1 d^1/2 <= 1: scaled so that its diagonal is even.
    even = 1.0 / np.diag(inverse)
    root = np.sqrt(even)
    most = float(np.linalg.eigvalsh(inverse * root * root[:, None])[-1])
    d, mu = 0.5 * even / most, 0.0
    for _ in range(_STEPS):
        inverse = _inverse(_less(core, d))
        if inverse is None:
            break
        mu = _FALL * mu if mu else 1.0 / float(np.diag(inverse).mean())
        d = _stepped(core, d, inverse, mu)
    return d


def _stepped(core: NDArray, d: NDArray, inverse: NDArray, mu: float) -> Floats:
    """Return d after a step that stays inside."""
    right = 1.0 / mu - np.diag(inverse)
    # Newton on sum(d) / mu + log det(A - diag(d)): its Hessian is -(inverse squared, by
    # entries).
    step = dposv(inverse**2, right, lower=1)[1]
    far = 1.0
    while far > 1e-6:
        tried = np.maximum(d + far * step, _SHRUNK * d)
        if not dpotrf(_less(core, tried), lower=1)[1]:
            return tried
        far *= 0.6
    return d


def _less(matrix: NDArray, d: NDArray) -> Floats:
    less = matrix.copy()
    less[np.diag_indices_from(less)] -= d
    return less


def _inverse(matrix: NDArray) -> Floats | None:
    """Return the inverse, or None of what is not positive definite."""
    factor, failed = dpotrf(matrix, lower=1)
    if failed:
        return None
    lower = np.tril(dpotri(factor, lower=1)[0])
    return np.asarray(lower + np.tril(lower, -1).T)


# A bound that knows how curved the loss is where good models lie.
#
# Let F(S) be the least objective of a selection, `beat` a value and (w', b') a model of
# loss l' whose intercept is the best. Its residuals prove F(S) >= lower, and more: the
# Bregman divergence of the loss from there is at most beat - lower for every model that
# is worth at most `beat`. So margins stay in a box (`reach_around`), and there
#
#     loss(w) >= l' - r'(w - w') + 1/2 (w - w')' H (w - w'),    r = X'(p a y),
#
# with the least secant curvatures in H and the intercept at its best. What H has on its
# diagonal beside what it needs to stay convex, d, is charged like the ridge: w_j^2 is 0
# where j is not bought. With h = r + H w' and M = H - diag(d) the least objective is
#
#     const - h'w + 1/2 w' M w + 1/2 sum_j (ridge + d_j) w_j^2 / z_j
#
# at shares z: a far stronger relaxation, as the ridge is small beside the curvature.
# Tangents at any point prove bounds: F(S) >= min(beat, e - sum_{j in S} q_j) with
# e = const - 1/2 w' M w and q_j = (h - M w)_j^2 / (2 (ridge + d_j)).


_MAX_STEPS, _BALANCED = 50, 1e-13
# What raising the diagonal may cost, as a share of the room that models have.
_FOR_RAISING = 0.01
# What a checker's cut may lose by whole capacities: so much of all gains, for each
# column and component.
_LOST_BY_CUTS = 2.0**-29
# More than what a smaller room needs, mostly.
_ROUGHLY = 1.05


@dataclass(frozen=True, eq=False)
class Centre:
    """A model of some columns with its best intercept, and the cut of its residuals."""

    columns: Integers
    weights: Floats
    intercept: float
    margins: Floats
    loss: float
    pulls: Floats  # r, of the columns
    cut: Cut


def polished_centre(
    problem: SelectionProblem, columns: Integers, weights: NDArray, start: float
) -> Centre | None:
    """Return the model with its best intercept; None where that is not found."""
    signs, rows = problem.signs, problem.row_weights
    table = problem.table[:, columns]
    without, intercept = table @ weights, start
    for _ in range(_MAX_STEPS):
        margins = signs * (without + intercept)
        a = expit(-margins)
        slope = float(rows @ (a * signs))
        if abs(slope) <= _BALANCED:
            break
        # Newton on the intercept alone, until residuals balance: a is then feasible.
        intercept += slope / float(rows @ (a * (1.0 - a)))
    else:
        return None
    loss = float(rows @ np.logaddexp(0.0, -margins))
    pulls = table.T @ (rows * a * signs)
    gains = pulls**2 / (2.0 * problem.ridge)
    # E(a) = loss + r'w where a = sigmoid(-margin): Fenchel-Young holds with equality.
    entropy = loss + float(pulls @ weights)
    cut = Cut(a, entropy, _by_bundle(problem, columns, gains), loss)
    return Centre(columns, weights, intercept, margins, loss, pulls, cut)


class CurvedLoss:
    """The quadratic below the loss wherever models are worth at most `beat`."""

    def __init__(
        self,
        problem: SelectionProblem,
        centre: Centre,
        hessian: Floats,
        spare: Floats,
        region: Region,
        room: float,
    ) -> None:
        self.problem, self.region, self._room = problem, region, room
        self._place = np.full(len(problem.bundle_of), -1)
        self._place[centre.columns] = np.arange(len(centre.columns))
        pulled = hessian @ centre.weights
        self._linear = centre.pulls + pulled
        self._const = centre.loss + float(
            centre.weights @ (centre.pulls + 0.5 * pulled)
        )
        self._matrix = hessian - np.diag(spare)
        self.strengths = np.full(len(problem.bundle_of), problem.ridge)
        self.strengths[centre.columns] += spare

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return self._matrix.size + len(self.region.reach)

    def reach_for(self, room: float) -> Floats:
        """Return about what margins reach with another room."""
        share = min(1.0, room / self._room)
        return np.asarray(_ROUGHLY * np.sqrt(share) * self.region.reach)

    def model_of(self, columns: Integers) -> QuadraticFit:
        """Return a model of some of the columns that it was made for."""
        place = self._place[columns]
        matrix = self._matrix[np.ix_(place, place)]
        return QuadraticFit(matrix, self._linear[place], self._const)

    def answer(self, columns: Integers, fit: QuadraticFit) -> Cut:
        """Return the cut of the tangent where a model is."""
        problem, weights = self.problem, fit.slopes
        pulled = fit.matrix @ weights
        # min over w_j of 1/2 s_j w_j^2 - (h - M w)_j w_j, s_j = ridge + d_j.
        gains = (fit.linear - pulled) ** 2 / (2.0 * self.strengths[columns])
        entropy = self._const - 0.5 * float(weights @ pulled) - ROUNDING
        point = _of_features(problem, columns, weights)
        summed = _by_bundle(problem, columns, gains)
        return Cut(point, entropy, summed, fit.value)


class QuadraticFit:
    """Minimise const - linear'w + 1/2 w' matrix w + 1/2 sum_j penalty_j w_j^2."""

    def __init__(self, matrix: NDArray, linear: NDArray, const: float) -> None:
        self.matrix, self.linear = matrix, linear
        self.slopes = np.zeros(len(linear))
        self.value = self._const = const
        self._factor = matrix

    def minimise(self, penalty: Floats, tol: float) -> None:
        """Move to the minimum, at once and exactly."""
        whole = self.matrix.copy()
        whole[np.diag_indices_from(whole)] += penalty
        # The transpose of a symmetric matrix is itself in the order that LAPACK reads.
        self._factor = dpotrf(whole.T, lower=1, overwrite_a=1)[0]
        self.slopes = dpotrs(self._factor, self.linear, lower=1)[0]
        self.value = self._const - 0.5 * float(self.linear @ self.slopes)

    def curvature(self) -> Floats:
        """Return M - M (M + P)^-1 M, as `LogisticFit.curvature`."""
        # M (M + P)^-1 M = (R^-1 M)'(R^-1 M) with R the Cholesky factor of M + P.
        half = dtrtrs(self._factor, self.matrix, lower=1)[0]
        return np.asarray(self.matrix - half.T @ half)


def curved_loss(
    problem: SelectionProblem,
    centre: Centre,
    decisions: tuple[tuple[int, bool], ...],
    proven: tuple[float, float],
    beat: float,
    near: CurvedLoss | None = None,
) -> CurvedLoss | None:
    """Return the quadratic around a model; None where good models may be far from it.

    `proven`: the bound that the model's residuals prove under the decisions, and the
    multiplier of the budget; `near`: one for a node further up, with more room.
    """
    lower, multiplier = proven
    room = beat - lower
    if not 0.0 < room < np.inf:
        return None
    # A checker that proves a little less finds the reach enough too.
    n_cut = len(centre.columns) + problem.n_components
    room += _LOST_BY_CUTS * n_cut * float(centre.cut.gains.sum()) + ROUNDING
    # Where columns depend on each other the diagonal is raised; as no good model's
    # weights are farther than this, that is paid for by a little more room.
    norm = np.sqrt(2.0 * beat / problem.ridge) + float(np.linalg.norm(centre.weights))
    raised = np.full(len(centre.columns) + 1, 2.0 * _FOR_RAISING * room / norm**2)
    raised[-1] = 0.0
    design = np.ones((len(centre.columns) + 1, len(problem.signs)))
    design[:-1] = problem.table.T[centre.columns]
    reach = reach_around(
        design,
        problem.row_weights,
        centre.margins,
        (1.0 + _FOR_RAISING) * room,
        raised,
        np.zeros(len(problem.signs)) if near is None else near.reach_for(room),
    )
    if reach is None:
        return None
    hessian = _without_intercept(problem, centre, design, reach)
    spare = dividing_diagonal(hessian)
    region = Region(
        decisions,
        _of_features(problem, centre.columns, centre.weights),
        centre.intercept,
        multiplier / problem.unit,
        beat,
        reach,
        _of_features(problem, centre.columns, spare),
    )
    return CurvedLoss(problem, centre, hessian, spare, region, room)


def _without_intercept(
    problem: SelectionProblem, centre: Centre, design: NDArray, reach: NDArray
) -> Floats:
    """Return the least Hessian within the reach, the intercept following."""
    curvature = problem.row_weights * curvature_within(centre.margins, reach)
    whole = hessian_of(design, curvature)
    # Schur complement: the intercept is at its best wherever the weights are.
    side = whole[:-1, -1]
    return np.asarray(whole[:-1, :-1] - np.outer(side, side) / whole[-1, -1])


def _of_features(
    problem: SelectionProblem, columns: Integers, values: NDArray
) -> Floats:
    """Return numbers of columns as numbers of the hypergraph's features."""
    found = np.zeros(problem.hypergraph.n_features)
    found[problem.columns[columns]] = values
    return found


def _by_bundle(problem: SelectionProblem, columns: Integers, gains: NDArray) -> Floats:
    bundles = problem.bundle_of[columns]
    return np.bincount(bundles, gains, minlength=problem.n_bundles).astype(float)
