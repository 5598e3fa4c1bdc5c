"""One data set and hypergraph, solved for any λ, p and penalty with cached work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...errors import KnobError
from ...numerics.arrays import Floats, Mask
from ...numerics.curvature import HessianCache
from ...numerics.multinomial import MultinomialLoss, class_loss
from ...numerics.prox_newton import LinearFit, WeightedL1
from .admm import minimise_admm
from .budget import best_within
from .groups import promising_group_moves
from .moves import promising_moves
from .penalties import ComponentPenalty, Lp, SharedPenalty, Sharing
from .starts import Start, Starts

# Descents race to here; only the winner runs on.
_RACE = 1e-3
_PAST_NULL = 1.3
_MOVE_ROUNDS = 4
_PROMISE = 1e-5
# A round of the published algorithm takes many inner steps.
_STEPS_A_ROUND = 25
_HALF = Lp(0.5)


@dataclass(frozen=True, eq=False)
class Solution:
    """The best stationary point found for one trade-off."""

    alpha: float  #: Trade-off, λ in the paper
    shape: ComponentPenalty  #: Penalty of a component
    fit: LinearFit  #: Weights on scaled, centred columns, and what they attain
    #: Where the search began that found it: "null", "dense", "l1", "elimination",
    #: "ladder", "move", "exhaustive" or "admm"
    start: str

    @property
    def objective(self) -> float:
        """Mean loss, logistic or multinomial, plus penalty."""
        return self.fit.objective

    @property
    def support(self) -> Mask:
        """Selected features, shape (n_features,)."""
        return self.fit.used


class ACAFHProblem:
    """Training data and hypergraph, with everything that solutions have in common.

    Scaled columns, the dense fit, l1 fits and the elimination sequence are kept: they
    are the starts of every solution, whatever its λ, p or penalty. A solution is a
    function of data and parameters: what was solved before only saves time. Its
    objective is never above the null model's.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, n_features)
        Finite values; float32 stays float32.
    signs : ndarray of float, shape (n_samples,) or (n_samples, n_classes - 1)
        +1 and -1, both present; of more classes their corners, as ``class_corners``
        of ``solvers.numerics.multinomial`` has them.
    weights : ndarray of float, shape (n_samples,)
        Weights of the rows, above 0.
    hypergraph : FeatureHypergraph
        Prices of the columns.
    decompose : bool, default=True
        Whether components are held block by block; the objective is the same.
    tol : float, default=1e-6
        Largest distance from stationarity of a solution.
    max_iter : int, default=500
        Steps of one descent at most; "admm" runs for at most a 25th as many rounds.
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
        max_iter: int = 500,
    ) -> None:
        self.loss = class_loss(X, signs, weights)
        self.sharing = Sharing(hypergraph, decompose)
        self.tol = tol
        self.max_iter = max_iter
        self.starts = Starts(self.loss, self.sharing, tol, max_iter)

    @property
    def n_iter(self) -> int:
        """Steps taken so far, in all descents."""
        return self.starts.n_iter

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
        alpha = float(alpha)
        penalty = SharedPenalty(alpha, shape, self.sharing)
        hessians = self.starts.hessians_near(penalty)
        if algorithm == "admm":
            if isinstance(self.loss, MultinomialLoss):
                raise KnobError(
                    "algorithm is 'admm', which is published for two classes; choose "
                    "'majorise' for more."
                )
            # The rival gets an exact start; ours are content with rough ones.
            rough = self.starts.l1_fit(alpha)
            convex = WeightedL1(alpha * self.sharing.prices)
            start = self.starts.descend(
                convex, rough.weights, rough.intercept, self.tol, hessians
            )
            rounds = max(1, self.max_iter // _STEPS_A_ROUND)
            fit = minimise_admm(self.loss, penalty, start, max_iter=rounds)
            self.starts.n_iter += fit.n_iter
            return Solution(penalty.alpha, shape, fit, "admm")
        found = self._descended(penalty, self.starts.of(penalty, hessians), hessians)
        known = min(one.objective for one in found)
        for point in self.starts.orthants(penalty, known):
            found.append(self._raced(penalty, hessians, *point))
        best = min(found, key=lambda one: one.objective)
        best = self._moved(best, penalty, hessians)
        fit = self.starts.descend(
            penalty, best.fit.weights, best.fit.intercept, self.tol, hessians
        )
        return Solution(penalty.alpha, shape, fit, best.start)

    def within(self, budget: float, shape: ComponentPenalty = _HALF) -> Solution:
        """Return the best unpenalised fit found whose features fit a budget.

        Parameters
        ----------
        budget : float
            What the needed components may cost together, 0 or more.
        shape : ComponentPenalty, default=Lp(0.5)
            Penalty whose dense fits are some of the starts.

        Returns
        -------
        Solution
            With a trade-off of 0.
        """
        starts = self.starts.within(budget, shape)
        hessians = self.starts.hessians_along(shape)
        fit, n_iter = best_within(self.loss, self.sharing, budget, starts, hessians)
        self.starts.n_iter += n_iter
        return Solution(0.0, shape, fit, "exchange")

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
        for alpha in self.alphas(shape, n_alphas=n_alphas, ratio=ratio):
            yield self.solve(float(alpha), shape, algorithm=algorithm)

    def alphas(
        self,
        shape: ComponentPenalty = _HALF,
        *,
        n_alphas: int = 30,
        ratio: float = 2e-3,
    ) -> Floats:
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
        largest = _PAST_NULL * self.starts.null_alpha(shape)
        return np.geomspace(largest, ratio * largest, n_alphas)

    # ------------------------------------------------------------------------- descents

    def _descended(
        self, penalty: SharedPenalty, starts: list[Start], hessians: HessianCache
    ) -> list[Solution]:
        """Return where the descents from all starts end, roughly converged."""
        distinct: dict[bytes, Start] = {}
        for start in starts:  # the first of each support
            distinct.setdefault(np.flatnonzero(start[1]).tobytes(), start)
        return [self._raced(penalty, hessians, *start) for start in distinct.values()]

    def _moved(
        self, best: Solution, penalty: SharedPenalty, hessians: HessianCache
    ) -> Solution:
        """Add and drop features for as long as that lowers the objective."""
        if not penalty.alpha:
            return best
        for _ in range(_MOVE_ROUNDS):
            tried = [
                self._raced(penalty, hessians, "move", weights, best.fit.intercept)
                for weights in self._promising(penalty, hessians, best.fit)
            ]
            moved = min(tried, key=lambda one: one.objective, default=best)
            # Predicted, not gained: rounds end where the exact objective hardly falls.
            if moved.objective > best.objective - 0.1 * _PROMISE:
                break
            best = moved
        return best

    def _promising(
        self, penalty: SharedPenalty, hessians: HessianCache, fit: LinearFit
    ) -> list[Floats]:
        if isinstance(self.loss, MultinomialLoss):
            return promising_group_moves(self.loss, penalty, fit, 2, _PROMISE)
        return promising_moves(self.loss, penalty, hessians, fit, 2, _PROMISE)

    def _raced(
        self,
        penalty: SharedPenalty,
        hessians: HessianCache,
        start: str,
        weights: NDArray,
        intercept: Any,
    ) -> Solution:
        fit = self.starts.descend(penalty, weights, intercept, _RACE, hessians)
        return Solution(penalty.alpha, penalty.shape, fit, start)
