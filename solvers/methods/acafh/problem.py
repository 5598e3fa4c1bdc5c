"""One data set and hypergraph, solved for any λ, p and penalty with cached work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...hypergraph import FeatureHypergraph
from ...numerics.curvature import HessianCache
from ...numerics.logistic import LogisticLoss
from ...numerics.prox_newton import (
    AbsolutePenalty,
    LinearFit,
    Restriction,
    minimise,
)
from ...numerics.weighted_l1 import WeightedL1Fits, stepwise
from .admm import minimise_admm
from .elimination import elimination_order
from .exhaustive import Orthants
from .moves import promising_moves
from .penalties import ComponentPenalty, Lp, SharedPenalty, Sharing
from .pool import Pool

__all__ = ["ACAFHProblem", "Solution"]

# The dense start is the unpenalised fit up to here, a weakly penalised one above.
_DENSE_FEATURES = 300
# Local moves look at all features and components at once.
_MOVE_ENTRIES = 200_000
_ROUGH = 1e-4
# Descents race to here; only the winner runs on.
_RACE = 3e-4
_SHRINKAGE = (1.0, 0.6, 0.3)
# A weak l1 penalty, over the one that leaves nothing.
_WEAK = 3e-3
# Where following the dense fit begins, over where the null model wins.
_FIRST_STEP = 1e-3
_PAST_NULL = 1.3
_MOVE_ROUNDS = 4
_PROMISE = 1e-5
_BEST_ORTHANTS = 6
_SINGLES = 5
# A round of the published algorithm takes many inner steps.
_STEPS_A_ROUND = 10
_HALF = Lp(0.5)


@dataclass(frozen=True, eq=False)
class Solution:
    """The best stationary point found for one trade-off.

    Parameters
    ----------
    alpha : float
        Trade-off, λ in the paper.
    shape : ComponentPenalty
        Penalty of a component.
    fit : LinearFit
        Weights on scaled, centred columns, and what they attain.
    start : str
        Where the search began that found it: "null", "dense", "l1", "elimination",
        "pool", "move", "exhaustive" or "admm".
    others : tuple of Solution, default=()
        Where other starts ended, roughly converged: other compromises between loss
        and cost at the same trade-off.
    """

    alpha: float
    shape: ComponentPenalty
    fit: LinearFit
    start: str
    others: tuple[Solution, ...] = ()

    @property
    def objective(self) -> float:
        """Mean logistic loss plus penalty."""
        return self.fit.objective

    @property
    def support(self) -> NDArray[np.bool_]:
        """Selected features, shape (n_features,)."""
        return self.fit.weights != 0


class ACAFHProblem:
    """Training data and hypergraph, with everything that solutions have in common.

    Scaled columns, the dense fit, l1 fits, the elimination sequence and all solutions
    found so far are kept: they are the starts of the next solution, whatever its λ, p
    or penalty. The more has been solved before, the better the next objective may be;
    it is never worse than the null model's.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, n_features)
        Finite values; float32 stays float32.
    signs : ndarray of float, shape (n_samples,)
        +1 and -1, both present.
    weights : ndarray of float, shape (n_samples,)
        Weights of the rows, above 0.
    hypergraph : FeatureHypergraph
        Prices of the columns.
    decompose : bool, default=True
        Whether components are held block by block; the objective is the same.
    tol : float, default=1e-6
        Largest distance from stationarity of a solution.
    max_iter : int, default=200
        Steps of one descent at most; "admm" runs for at most a tenth as many rounds.
    """

    def __init__(
        self,
        X: NDArray,
        signs: NDArray,
        weights: NDArray,
        hypergraph: FeatureHypergraph,
        *,
        decompose: bool = True,
        tol: float = 1e-6,
        max_iter: int = 200,
    ) -> None:
        self.loss = LogisticLoss.from_rows(X, signs, weights)
        self.sharing = Sharing(hypergraph, decompose)
        self.hessians = HessianCache(self.loss)
        self.tol = tol
        self.max_iter = max_iter
        self.n_iter = 0
        self._pool = Pool(self.sharing)
        self._l1 = WeightedL1Fits(
            self.loss, self.sharing.prices, self.hessians, tol=_ROUGH, max_iter=max_iter
        )
        self._null_alphas: dict[ComponentPenalty, float] = {}
        self._dense_fits: dict[ComponentPenalty, dict[float, LinearFit]] = {}

    # ------------------------------------------------------------------- what to call

    def solve(
        self,
        alpha: float,
        shape: ComponentPenalty = _HALF,
        *,
        algorithm: str = "majorise",
    ) -> Solution:
        """Return the best solution found for one trade-off.

        Parameters
        ----------
        alpha : float
            Trade-off, 0 or more.
        shape : ComponentPenalty, default=Lp(0.5)
            Penalty of a component.
        algorithm : {"majorise", "admm"}, default="majorise"
            Majorise and minimise from several starts, or the published algorithm.

        Returns
        -------
        Solution
        """
        penalty = SharedPenalty(float(alpha), shape, self.sharing)
        if algorithm == "admm":
            rounds = max(1, self.max_iter // _STEPS_A_ROUND)
            fit = minimise_admm(self.loss, penalty, self.l1_fit(alpha), max_iter=rounds)
            self.n_iter += fit.n_iter
            return Solution(penalty.alpha, shape, fit, "admm")
        found = self._descended(penalty, self._starts(penalty))
        found += self._exhausted(penalty, min(one.objective for one in found))
        best = min(found, key=lambda one: one.objective)
        best = self._moved(best, penalty)
        fit = self._minimise(penalty, best.fit.weights, best.fit.intercept, self.tol)
        self._pool.add("solved", fit)
        others = tuple(one for one in found if one is not best)
        return Solution(penalty.alpha, shape, fit, best.start, others)

    def path(
        self,
        shape: ComponentPenalty = _HALF,
        *,
        n_alphas: int = 30,
        ratio: float = 2e-3,
        algorithm: str = "majorise",
    ) -> Iterator[Solution]:
        """Yield solutions from the largest trade-off of use to a small one.

        Parameters
        ----------
        shape : ComponentPenalty, default=Lp(0.5)
            Penalty of a component.
        n_alphas : int, default=30
            Length of the path.
        ratio : float, default=2e-3
            Smallest trade-off over largest.
        algorithm : {"majorise", "admm"}, default="majorise"
            As in `solve`.

        Yields
        ------
        Solution
        """
        alphas = self.alphas(shape, n_alphas=n_alphas, ratio=ratio)
        if algorithm == "majorise":
            for alpha in alphas[::-1]:
                self._dense_fit_at(alpha, shape)
        for alpha in alphas:
            yield self.solve(alpha, shape, algorithm=algorithm)

    def alphas(
        self,
        shape: ComponentPenalty = _HALF,
        *,
        n_alphas: int = 30,
        ratio: float = 2e-3,
    ) -> NDArray[np.float64]:
        """Return a grid of trade-offs, falling from where the null model wins.

        Parameters
        ----------
        shape : ComponentPenalty, default=Lp(0.5)
            Penalty of a component.
        n_alphas : int, default=30
            Length of the grid.
        ratio : float, default=2e-3
            Smallest trade-off over largest.

        Returns
        -------
        ndarray of float, shape (n_alphas,)
        """
        largest = _PAST_NULL * self._null_alpha(shape)
        return np.geomspace(largest, ratio * largest, n_alphas)

    # ------------------------------------------------------------------ what they share

    @property
    def null_fit(self) -> LinearFit:
        """The best model that pays nothing: only features without a price, if any."""
        return self._l1.null_fit

    @cached_property
    def dense_fit(self) -> LinearFit:
        """The unpenalised fit, or a weakly penalised one of many features."""
        if self.loss.n_features <= min(_DENSE_FEATURES, self.loss.n_samples):
            everything = Restriction(self.loss.selectable)
            return self._minimise(everything, None, None, _ROUGH)
        return self.l1_fit(_WEAK * self._l1.null_alpha)

    def l1_fit(self, alpha: float) -> LinearFit:
        """Return the fit for p = 1: the reweighted L1 start.

        Parameters
        ----------
        alpha : float
            Trade-off.

        Returns
        -------
        LinearFit
        """
        return self._l1.fit(alpha)

    def _dense_fit_at(self, alpha: float, shape: ComponentPenalty) -> LinearFit:
        """Return the dense fit followed up to a trade-off; supports only shrink."""
        known = self._dense_fits.setdefault(shape, {})
        if alpha not in known:
            first = min(_FIRST_STEP * self._null_alpha(shape), alpha)
            at = max((other for other in known if other < alpha), default=first)
            fit = known.get(at, self.dense_fit)
            for step in stepwise(at, alpha):
                penalty = SharedPenalty(step, shape, self.sharing)
                fit = self._minimise(penalty, fit.weights, fit.intercept, _ROUGH)
                known[step] = fit
                self._pool.add("solved", fit)
        return known[alpha]

    def _null_alpha(self, shape: ComponentPenalty) -> float:
        """Return a trade-off at which the null model beats what elimination left."""
        if not self._null_alphas:
            self._fill_pool()
        if shape not in self._null_alphas:
            found = self._pool.break_even(shape, self.null_fit.loss)
            self._null_alphas[shape] = found or self._l1.null_alpha
        return self._null_alphas[shape]

    def _fill_pool(self) -> None:
        """Put the elimination sequence into the pool, shrunk by several factors."""
        dense = self.dense_fit
        index = np.flatnonzero(dense.weights)
        curvatures = self.loss.at(dense.odds).curvatures
        matrix = self.hessians.near(index, curvatures, 0.1)
        _, steps = elimination_order(
            matrix,
            np.append(dense.weights[index], dense.intercept),
            index,
            self.sharing,
        )
        columns = self.loss.columns[index]
        for step in steps:
            used = np.flatnonzero(step[:-1])
            odds = step[:-1] @ columns + step[-1]
            losses = {factor: self.loss.value(factor * odds) for factor in _SHRINKAGE}
            values, intercept = step[:-1][used], float(step[-1])
            self._pool.add_scaled("elimination", index[used], values, intercept, losses)
        self._add_singles()

    def _add_singles(self) -> None:
        """Put the single features that gain most for their price into the pool."""
        point = self.loss.at(self.null_fit.odds)
        gain = self.loss.gradient(point.slopes) ** 2
        worth = np.where(self.sharing.prices > 0, gain, 0.0)
        worth /= np.maximum(self.sharing.prices, np.finfo(float).tiny)
        for j in np.argsort(-worth, kind="stable")[:_SINGLES]:
            support = self.null_fit.weights != 0
            support[j] = True
            fit = self._minimise(Restriction(support), None, None, _ROUGH)
            used = np.flatnonzero(fit.weights)
            losses = {
                factor: self.loss.value(factor * fit.odds) for factor in _SHRINKAGE
            }
            values = fit.weights[used]
            self._pool.add_scaled("elimination", used, values, fit.intercept, losses)

    # ------------------------------------------------------------------------- descents

    def _starts(
        self, penalty: SharedPenalty
    ) -> list[tuple[str, NDArray[np.float64], float]]:
        dense = self._dense_fit_at(penalty.alpha, penalty.shape)
        l1 = self.l1_fit(penalty.alpha)
        starts = [
            ("null", self.null_fit.weights, self.null_fit.intercept),
            ("dense", dense.weights, dense.intercept),
            ("l1", l1.weights, l1.intercept),
        ]
        for kind, source, n in (
            ("elimination", "elimination", 1),
            ("pool", "solved", 2),
        ):
            for weights, intercept in self._pool.best(penalty, [source], n):
                starts.append((kind, weights, intercept))
        return starts

    def _descended(
        self,
        penalty: SharedPenalty,
        starts: list[tuple[str, NDArray[np.float64], float]],
    ) -> list[Solution]:
        """Return where the descents from all starts end, roughly converged."""
        found: list[Solution] = []
        seen: set[bytes] = set()
        for start, weights, intercept in starts:
            key = np.flatnonzero(weights).tobytes()
            if key in seen:
                continue
            seen.add(key)
            found.append(self._raced(penalty, start, weights, intercept))
        return found

    def _exhausted(self, penalty: SharedPenalty, known: float) -> list[Solution]:
        """Return what trying every sign pattern finds, where features are few."""
        if self._orthants is None:
            return []
        return [
            self._raced(penalty, "exhaustive", *point)
            for point in self._orthants.best(penalty, known, _BEST_ORTHANTS)
        ]

    @cached_property
    def _orthants(self) -> Orthants | None:
        return Orthants(self.loss) if Orthants.affordable(self.loss) else None

    def _moved(self, best: Solution, penalty: SharedPenalty) -> Solution:
        """Add and drop features for as long as that lowers the objective."""
        entries = self.loss.n_features * len(self.sharing.costs)
        if entries > _MOVE_ENTRIES or not penalty.alpha:
            return best
        for _ in range(_MOVE_ROUNDS):
            tried = [
                self._raced(penalty, "move", weights, best.fit.intercept)
                for weights in promising_moves(
                    self.loss, penalty, self.hessians, best.fit, 2, _PROMISE
                )
            ]
            moved = min(tried, key=lambda one: one.objective, default=best)
            if moved.objective > best.objective - 0.1 * _PROMISE:
                break
            best = moved
        return best

    def _raced(
        self, penalty: SharedPenalty, start: str, weights: NDArray, intercept: float
    ) -> Solution:
        fit = self._minimise(penalty, weights, intercept, _RACE)
        self._pool.add("solved", fit)
        return Solution(penalty.alpha, penalty.shape, fit, start)

    def _minimise(
        self,
        penalty: AbsolutePenalty,
        weights: NDArray | None,
        intercept: float | None,
        tol: float,
    ) -> LinearFit:
        fit = minimise(
            self.loss,
            penalty,
            weights,
            intercept,
            tol=max(tol, self.tol),
            max_iter=self.max_iter,
            hessians=self.hessians,
        )
        self.n_iter += fit.n_iter
        return fit
