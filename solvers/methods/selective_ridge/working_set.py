"""The solver: interior points on the features near their boundary, the rest certified.

Of many features few stand close to |x_i'λ| = mu_i. Those far below it have coefficient
zero; those far above have coefficient x_i'λ, and fold into one Gram matrix. A round
solves for the ones in between, then looks at all features once: that is a certificate
for the whole problem. If it does not hold, the next round keeps twice as many.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from ...numerics.arrays import Floats, Mask
from .interior import FEATURES_SHARE, Iterate, Subproblem
from .problem import RidgeProblem, ScaledColumns, SelectiveRidgeFit, penalty
from .proximal import descend

# The first certificate that is worth showing.
FIRST_GAP = 1e-3
# A round is ended at this share of what it aims at, to leave room for the others.
INNER_SHARE = 0.3
# A certificate this many times worse than its round's means features were misjudged.
MISJUDGED = 3.0
# Points beyond the tolerance that are spent on finding which coefficients are zero.
PATIENCE = 6
# A final fit goes on beyond its tolerance until so many steps in a row do not halve the
# gap, or until it is as small as this. They are cheap; without them a coefficient near
# the end of its boundary is zero or not by where the fit came from.
POLISHING_STEPS = 4
POLISHED = 1e-12
# Multiplications of one interior step over all features, below which rounds on some
# of them gain nothing; near a solution at hand, and far from any.
WORK_NEAR = 1.6e7
WORK_FAR = 5e8
# A model that is better than the empty one by this share only, or this share of the
# tolerance, is the empty one: the largest selectivity itself is known so well.
EMPTY_MARGIN = 1e-9
EMPTY_SHARE = 0.1
# The gap to which features without a price are fitted first.
FREE_GAP = 1e-10
# Features near their boundary that the first round keeps, for each row.
KEPT_PER_ROW = 1.5
# How far ahead scores are foreseen, as a share of the last step.
FORESIGHT = 1.5
# A cold start comes down from the largest selectivity by this factor at a time.
STAGE = 3.0
STAGE_GAP = 0.03


@dataclass(frozen=True, eq=False)
class _Sorting:
    """Which features a round solves for, and which it folds; the rest are zero."""

    kept: Mask
    folded: Mask


class _FoldedGram:
    """The Gram matrix of the folded features, carried from one round to the next."""

    def __init__(self, columns: ScaledColumns) -> None:
        self._columns = columns
        self._mask = np.zeros(columns.n_features, dtype=bool)
        self._gram = np.zeros((0, 0))
        self._changes = columns.n_features

    def of(self, mask: Mask) -> Floats:
        """Return the Gram matrix of a set, from what changed where that is less."""
        entered = np.flatnonzero(mask & ~self._mask)
        left = np.flatnonzero(self._mask & ~mask)
        self._changes += len(entered) + len(left)
        # Every change leaves some rounding behind: past half of the set, start over.
        if self._changes > np.count_nonzero(mask) // 2:
            self._gram, self._changes = self._columns.gram(np.flatnonzero(mask)), 0
        else:
            change = self._columns.gram(entered) - self._columns.gram(left)
            self._gram = self._gram + change
        self._mask = mask
        return self._gram


class Solver:
    """Solves one problem for one selectivity after the other, warm each time.

    Shapes: `dual` (n_samples,).
    `dual`: A feasible dual to start from; that of the empty model by default.
    """

    def __init__(self, problem: RidgeProblem, dual: Floats | None = None) -> None:
        self.problem = problem
        self.iterations = 0
        self._empty_coef, empty_dual = without_priced(problem)
        self._empty_decisions = problem.columns.decisions(self._empty_coef)
        self._origin = empty_dual if dual is None else dual
        self._gram = _FoldedGram(problem.columns)
        self._size = self._least = int(KEPT_PER_ROW * len(problem.y)) + 1
        self._restart()

    def _restart(self) -> None:
        """Stand at the empty model, which is where the path begins."""
        problem = self.problem
        self._dual = self._origin
        self._scores = problem.columns.scores(self._dual)
        self._mu = largest_ratio(self._scores, problem.scales)
        self._coef, self._decisions = self._empty_coef, self._empty_decisions
        self._earlier: tuple[float, Floats] | None = None

    def refine(
        self, mu: float, tolerance: float, polish: bool = False
    ) -> Iterator[SelectiveRidgeFit]:
        """Yield better and better certified fits, down to a relative gap.

        The last is within the tolerance, unless that is beyond rounding: its gap tells.
        `polish`: whether to take a few steps more at the end.
        """
        if mu > STAGE * self._mu:
            self._restart()
        best = self._empty(mu)
        if best.relative_gap <= tolerance:
            yield best
            return
        far = not self._mu / STAGE <= mu <= self._mu * STAGE
        everything = self._work() <= (WORK_FAR if far else WORK_NEAR)
        if far and not everything:
            for stage in _stages(self._mu, mu):
                for _ in self._rounds(stage, STAGE_GAP):
                    pass
        for fit in self._rounds(mu, tolerance, everything, polish):
            if fit.relative_gap <= max(best.relative_gap, tolerance):
                best = fit
            yield best
        n_boundary = int(np.count_nonzero(best.states == "boundary"))
        self._size = max(self._least, 2 * n_boundary)

    def _empty(self, mu: float) -> SelectiveRidgeFit:
        return self.problem.certify(
            mu,
            self._empty_coef,
            self._empty_decisions,
            self._dual,
            self._scores,
            self.iterations,
        )

    def _work(self) -> int:
        n_samples, n_features = len(self.problem.y), self.problem.columns.n_features
        return n_features * n_samples * min(n_samples, n_features)

    def _rounds(
        self,
        mu: float,
        tolerance: float,
        everything: bool = False,
        polish: bool = False,
    ) -> Iterator[SelectiveRidgeFit]:
        n_features = self.problem.columns.n_features
        size = n_features if everything else self._size
        sorting = None
        while True:
            sorting = self._sort(mu, min(size, n_features), sorting)
            if (yield from self._round(mu, tolerance, sorting, polish)):
                return
            size = self._next_size(mu, sorting)

    def _next_size(self, mu: float, sorting: _Sorting) -> int:
        """Return how many features to keep next: room for those that were misjudged."""
        n_kept = int(np.count_nonzero(sorting.kept))
        n_wrong = int(np.count_nonzero(self._misjudged(mu, sorting)))
        return n_kept + max(self._least // 4, min(2 * n_wrong, n_kept))

    def _misjudged(self, mu: float, sorting: _Sorting) -> Mask:
        # Eq. (20): zero below the threshold, ridge above.
        above = np.abs(self._scores) >= mu * self.problem.scales
        return ~sorting.kept & (sorting.folded != above)

    def _round(
        self, mu: float, tolerance: float, sorting: _Sorting, polish: bool
    ) -> Generator[SelectiveRidgeFit, None, bool]:
        """Yield fits that solve for the kept features; return whether they suffice."""
        sub = self._subproblem(mu, sorting)
        points = descend(sub, self._dual, self._value(mu))
        for point in self._milestones(points, tolerance, polish):
            margin = min(EMPTY_MARGIN, EMPTY_SHARE * tolerance)
            fit = self._certify(mu, sub, sorting, point, margin)
            yield fit
            if fit.relative_gap <= tolerance:
                return True
            expected = max(point.relative_gap, INNER_SHARE * tolerance)
            if fit.relative_gap > MISJUDGED * expected and not sorting.kept.all():
                return False
        return bool(sorting.kept.all())

    def _milestones(
        self, points: Iterator[Iterate], tolerance: float, polish: bool
    ) -> Iterator[Iterate]:
        """Yield the points to look at all features for: first, good enough, best."""
        aim, patience, best = max(FIRST_GAP, tolerance), PATIENCE, None

        def merit(point: Iterate) -> tuple[float, bool, float]:
            # Within the tolerance, one that says which features are at zero is better.
            short = max(point.relative_gap, INNER_SHARE * tolerance)
            return short, not point.is_rounded, point.gap

        for point in points:
            self.iterations += 1
            best = point if best is None else min(best, point, key=merit)
            if point.relative_gap > INNER_SHARE * aim:
                continue
            if aim == tolerance and not point.is_rounded and patience:
                patience -= 1
                continue
            if aim == tolerance and polish:
                point = self._polished(point, points)
            yield point
            aim = tolerance
        if best is not None:
            yield best

    def _polished(self, best: Iterate, points: Iterator[Iterate]) -> Iterate:
        idle, last = 0, best.gap
        for point in points:
            self.iterations += 1
            if point.is_rounded and point.gap < best.gap:
                best = point
            idle, last = (0, best.gap) if best.gap < last / 2 else (idle + 1, last)
            if best.relative_gap <= POLISHED or idle == POLISHING_STEPS:
                break
        return best

    def _sort(self, mu: float, size: int, before: _Sorting | None) -> _Sorting:
        """Keep what is near its boundary or was misjudged before; fold or drop more."""
        thresholds = mu * self.problem.scales
        if before is None:
            sizes = np.abs(self._foreseen(mu))
            distance = _log_distance(sizes, thresholds)
            # Coefficients that stand on the boundary come first.
            distance[(self._coef != 0) & (np.abs(self._coef) < thresholds)] = -1.0
        else:
            sizes = np.abs(self._scores)
            distance = _log_distance(sizes, thresholds)
            wrong = self._misjudged(mu, before)
            distance[wrong] = -1.0 - distance[wrong]
            distance[before.kept] = -np.inf
        kept = np.zeros(len(sizes), dtype=bool)
        kept[np.argpartition(distance, size - 1)[:size]] = True
        folded = ~kept & (sizes >= thresholds)
        active = kept | folded
        if np.count_nonzero(active) < FEATURES_SHARE * len(self.problem.y):
            return _Sorting(active, np.zeros_like(active))
        return _Sorting(kept, folded)

    def _foreseen(self, mu: float) -> Floats:
        """Return the scores to expect: on the line through the last two, in log mu.

        With one alone, scores are held to fall like the boundary, as in a lasso.
        """
        if self._earlier is None or 0 in (mu, self._mu):
            return self._scores * (mu / self._mu if self._mu else 1.0)
        mu_earlier, earlier = self._earlier
        share = np.log(mu / self._mu) / np.log(self._mu / mu_earlier)
        return self._scores + np.clip(share, -1.0, FORESIGHT) * (self._scores - earlier)

    def _subproblem(self, mu: float, sorting: _Sorting) -> Subproblem:
        thresholds = mu * self.problem.scales
        folded = sorting.folded
        return Subproblem(
            self.problem,
            self.problem.columns.take(np.flatnonzero(sorting.kept)),
            thresholds[sorting.kept],
            self._gram.of(folded) if folded.any() else None,
            0.5 * float(np.sum(thresholds[folded] ** 2)),
        )

    def _value(self, mu: float) -> float:
        """Return P of the last coefficients under another selectivity."""
        thresholds = mu * self.problem.scales
        losses = self.problem.loss_of(self._decisions)[0]
        return penalty(self._coef, thresholds) + losses

    def _certify(
        self,
        mu: float,
        sub: Subproblem,
        sorting: _Sorting,
        point: Iterate,
        margin: float,
    ) -> SelectiveRidgeFit:
        """Return the fit of a point over all features, and start from it next time."""
        columns, folded = self.problem.columns, sorting.folded
        scores = columns.scores(point.dual)
        self._coef = np.zeros(columns.n_features)
        self._coef[sorting.kept] = point.coef
        if point.carrier is point.dual:
            self._coef[folded] = scores[folded]
        else:
            self._coef[folded] = columns.scores(point.carrier)[folded]
        self._decisions = sub.block @ point.coef + sub.gram_times(point.carrier)
        self._decisions += columns.offset(self._coef)
        if mu != self._mu and 0 not in (mu, self._mu):
            self._earlier = self._mu, self._scores
        share = self._best_share(mu, point.dual, scores)
        self._mu, self._dual, self._scores = mu, share * point.dual, share * scores
        fit = self.problem.certify(
            mu, self._coef, self._decisions, self._dual, self._scores, self.iterations
        )
        # At the largest selectivity and above, what is left is rounding.
        empty = self._empty(mu)
        limit = fit.objective * (1.0 + margin)
        return empty if empty.objective <= limit else fit

    def _best_share(self, mu: float, dual: Floats, scores: Floats) -> float:
        """Return the share of a dual that proves most.

        Features that were left out may be over their boundary by little each, and add
        up to a bound that proves nothing: a shorter dual has them below it.
        """
        squares, limits = scores**2, (mu * self.problem.scales) ** 2
        over = squares > limits
        squares, limits = squares[over], limits[over]
        loss, y, capacity = self.problem.loss, self.problem.y, self.problem.capacity

        def value(share: float) -> float:
            # W of eq. (22) on the ray share * λ: sums stay zero and bounds hold.
            excess = np.maximum(0.0, share**2 * squares - limits)
            return 0.5 * float(excess.sum()) + loss.conjugate(y, share * dual, capacity)

        best = minimize_scalar(value, bounds=(0.0, 1.0), method="bounded")
        return float(best.x) if best.fun < value(1.0) else 1.0


def without_priced(problem: RidgeProblem) -> tuple[Floats, Floats]:
    """Return coefficients and a dual of the model of the free features, eq. (39)."""
    free = np.flatnonzero(problem.scales == 0)
    coef = np.zeros(problem.columns.n_features)
    if not len(free):
        return coef, problem.loss.empty_dual(problem.y, problem.capacity)
    alone = RidgeProblem(
        ScaledColumns(problem.columns.take(free)),
        problem.y,
        problem.weights,
        np.ones(len(free)),
        problem.gamma,
        problem.loss,
    )
    # Without selectivity a feature is free whatever its scale.
    *_, fit = Solver(alone).refine(0.0, FREE_GAP, polish=True)
    coef[free] = fit.coef
    return coef, fit.dual_coef


def largest_ratio(scores: Floats, scales: Floats) -> float:
    """Return the largest |x_i'λ| of any feature, over its scale; free ones aside."""
    priced = scales > 0
    return float(np.max(np.abs(scores[priced]) / scales[priced], initial=0.0))


def _stages(start: float, mu: float) -> list[float]:
    """Return the selectivities to pass on the way down, largest first."""
    if not 0 < mu < start:
        return []
    n_stages = int(np.ceil(np.log(start / mu) / np.log(STAGE)))
    return [start * (mu / start) ** (k / n_stages) for k in range(1, n_stages)]


def _log_distance(sizes: Floats, thresholds: Floats) -> Floats:
    """Return how far scores are from the boundary; a free feature is never near."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.abs(np.log(sizes / thresholds))
    return np.where(thresholds > 0, np.nan_to_num(distance, nan=np.inf), np.inf)
