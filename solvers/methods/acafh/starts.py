"""Where descents begin: what fits of one data set have in common, computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...costs.budgets import room_of
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.curvature import HessianCache
from ...numerics.group_newton import descended
from ...numerics.multinomial import ClassLoss, MultinomialLoss, sizes
from ...numerics.prox_newton import AbsolutePenalty, LinearFit, Restriction
from ...numerics.weighted_l1 import WeightedL1Fits
from .exhaustive import Orthants
from .groups import EverySupport, eliminated_groups
from .penalties import ComponentPenalty, SharedPenalty, Sharing

# Where it is from, weights, and one intercept, or several of many classes.
Start: TypeAlias = tuple[str, Floats, Any]

# Up to here the dense start is the unpenalised fit of all features.
_DENSE_FEATURES = 300
# Of many classes it has so many weights at most.
_DENSE_WEIGHTS = 800
# Where features are many: a weak l1 penalty, over the one that leaves nothing, from
# which elimination begins, how many features it begins with, and by how much smaller
# the trade-off is of the fit that a dense start begins with.
_WEAK = 0.05
_ELIMINATED = 150
_DENSER = 10.0
# Starts need not be exact.
_ROUGH = 1e-3
_SHRINKAGE = (1.0, 0.6, 0.3)
# The grid along which the dense fit is followed, over where the null model wins.
_LADDER = 1e-3 * 2.0 ** np.arange(11)
_BEST_ORTHANTS = 6
# Where l1 fits are looked at for what a budget pays for, over what leaves nothing.
_SOME_L1 = 0.7 * 2.0 ** -np.arange(9)
# Ladders are kept for so many penalties: a fit holds a number a row.
_SHAPES = 8
_SINGLES = 5
_NONE = np.zeros(0)


class _Rung(NamedTuple):
    """The dense fit at one trade-off of the ladder, and the Hessians known by then."""

    alpha: float
    fit: LinearFit
    hessians: HessianCache


class Starts:
    """The dense fit, l1 fits and the elimination sequence of one data set.

    All are functions of the data and of what is asked for, never of what was asked
    before: that makes a solution one of its parameters alone. Hessians are handed on
    as copies, since which one is near decides where a descent ends.

    `tol`: no descent runs further than this distance from stationarity.
    """

    def __init__(
        self, loss: ClassLoss, sharing: Sharing, tol: float, max_iter: int
    ) -> None:
        self.loss = loss
        self.sharing = sharing
        self._hessians = HessianCache(loss)
        self.tol = tol
        self.max_iter = max_iter
        self.n_iter = 0
        self.pool = Pool(sharing)
        self._l1 = WeightedL1Fits(loss, sharing.prices, tol=_ROUGH, max_iter=max_iter)
        self._null_alphas: dict[ComponentPenalty, float] = {}
        self._ladders: dict[ComponentPenalty, tuple[list[_Rung], Pool]] = {}

    def of(self, penalty: SharedPenalty, hessians: HessianCache) -> list[Start]:
        """Return from where to descend under a penalty, (n_features,)."""
        self.null_alpha(penalty.shape)  # fills the pool
        dense = self._dense_fit_at(penalty, hessians)
        l1 = self.l1_fit(penalty.alpha)
        starts: list[Start] = [
            ("null", self.null_fit.weights, self.null_fit.intercept),
            ("dense", dense.weights, dense.intercept),
            ("l1", l1.weights, l1.intercept),
        ]
        # Under l_p zeros are locked: what starts with other supports ends with others.
        starts += [("elimination", *point) for point in self.pool.best(penalty, 1)]
        if not self._is_large:
            ladder = self._ladder(penalty.shape)[1]
            starts += [("ladder", *point) for point in ladder.best(penalty, 2)]
        return starts

    def hessians_near(self, penalty: SharedPenalty) -> HessianCache:
        """Return Hessians of fits for like trade-offs, to be added to."""
        if self._is_large:
            return self._l1.anchor(penalty.alpha / _DENSER)[1].copy()
        return self._rung_below(penalty).hessians.copy()

    def hessians_along(self, shape: ComponentPenalty) -> HessianCache:
        """Return Hessians of the dense fits at all trade-offs, to be added to."""
        if self._is_large:
            return HessianCache(self.loss)
        return self._ladder(shape)[0][-1].hessians.copy()

    def within(self, budget: float, shape: ComponentPenalty) -> list[Mask]:
        """Return selections that a budget pays for: the best of each kind.

        Shape: (n_features,).
        """
        self.null_alpha(shape)  # fills the pool
        found = [self.pool.within(budget)]
        if not self._is_large:
            found.append(self._ladder(shape)[1].within(budget))
        found.append(self._l1_within(budget))
        return [support for support in found if support is not None]

    def _l1_within(self, budget: float) -> Mask | None:
        """Return the last l1 selection on the way down that a budget pays for."""
        best = None
        for alpha in self._l1.null_alpha * _SOME_L1:
            support = self.l1_fit(float(alpha)).used
            if self.sharing.cost(support) > room_of(budget):
                return best
            best = support
        return best

    def orthants(self, penalty: SharedPenalty, known: float) -> list[Start]:
        """Return the best of all sign patterns, where features are few.

        Shape: (n_features,).
        """
        if self._orthants is None:
            return []
        found = self._orthants.best(penalty, known, _BEST_ORTHANTS)
        return [("exhaustive", *point) for point in found]

    @cached_property
    def _orthants(self) -> Orthants | EverySupport | None:
        if isinstance(self.loss, MultinomialLoss):
            few = EverySupport.affordable(self.loss)
            return EverySupport(self.loss) if few else None
        return Orthants(self.loss) if Orthants.affordable(self.loss) else None

    def descend(
        self,
        penalty: AbsolutePenalty,
        weights: NDArray | None,
        intercept: Any,
        tol: float,
        hessians: HessianCache,
    ) -> LinearFit:
        """Return a stationary point below a start, and count the steps.

        Shapes: `weights` (n_features,).
        `weights`: where to begin; zero by default.
        `intercept`: where to begin; that of the model without features by default.
        """
        fit = descended(
            self.loss,
            penalty,
            weights,
            intercept,
            tol=max(tol, self.tol),
            max_iter=self.max_iter,
            hessians=hessians,
        )
        self.n_iter += fit.n_iter
        return fit

    @property
    def null_fit(self) -> LinearFit:
        """The best model that pays nothing: only features without a price, if any."""
        return self._l1.null_fit

    @cached_property
    def dense_fit(self) -> LinearFit:
        """The unpenalised fit: of all features, or of those an l1 penalty leaves."""
        support = self.loss.selectable
        if self._is_large:
            weights = sizes(self.l1_fit(_WEAK * self._l1.null_alpha).weights)
            kept = np.argsort(-weights, kind="stable")[:_ELIMINATED]
            support = np.zeros(self.loss.n_features, dtype=bool)
            support[kept] = weights[kept] > 0
        return self.descend(Restriction(support), None, None, _ROUGH, self._hessians)

    @property
    def _is_large(self) -> bool:
        """Whether a fit of all features takes too long, or does not exist."""
        most = min(_DENSE_FEATURES, self.loss.n_samples)
        if isinstance(self.loss, MultinomialLoss):
            most = min(most, _DENSE_WEIGHTS // self.loss.n_outputs)
        return self.loss.n_features > most

    def l1_fit(self, alpha: float) -> LinearFit:
        """Return the fit for p = 1: the reweighted L1 start."""
        return self._l1.fit(alpha)

    def _dense_fit_at(
        self, penalty: SharedPenalty, hessians: HessianCache
    ) -> LinearFit:
        """Return the dense fit followed up to a trade-off; supports only shrink."""
        if self._is_large:
            near = self.l1_fit(penalty.alpha / _DENSER)
        else:
            rung = self._rung_below(penalty)
            if rung.alpha == penalty.alpha:
                return rung.fit
            near = rung.fit
        return self.descend(penalty, near.weights, near.intercept, _ROUGH, hessians)

    def _rung_below(self, penalty: SharedPenalty) -> _Rung:
        ground = _Rung(0.0, self.dense_fit, self._hessians)
        rungs = [ground, *self._ladder(penalty.shape)[0]]
        # Never from a larger one: what is locked at zero there cannot come back.
        return [rung for rung in rungs if rung.alpha <= penalty.alpha][-1]

    def _ladder(self, shape: ComponentPenalty) -> tuple[list[_Rung], Pool]:
        """Return the dense fit followed along the whole grid of trade-offs."""
        if shape in self._ladders:
            self._ladders[shape] = self._ladders.pop(shape)  # used last: kept longest
            return self._ladders[shape]
        rungs, pool = [], Pool(self.sharing)
        alphas = _LADDER * self.null_alpha(shape)
        fit, hessians = self.dense_fit, self._hessians
        for alpha in alphas:
            penalty = SharedPenalty(float(alpha), shape, self.sharing)
            hessians = hessians.copy()
            fit = self.descend(penalty, fit.weights, fit.intercept, _ROUGH, hessians)
            pool.add(fit)
            # A start is weights: the odds of all rows are not kept with it.
            rungs.append(_Rung(float(alpha), replace(fit, odds=_NONE), hessians))
        self._ladders[shape] = rungs, pool
        if len(self._ladders) > _SHAPES:
            del self._ladders[next(iter(self._ladders))]
        return rungs, pool

    def null_alpha(self, shape: ComponentPenalty) -> float:
        """Return a trade-off at which the null model beats what elimination left."""
        if not self._null_alphas:
            self._fill_pool()
        if shape not in self._null_alphas:
            found = self.pool.break_even(shape, self.null_fit.loss)
            self._null_alphas[shape] = found or self._l1.null_alpha
        return self._null_alphas[shape]

    def _fill_pool(self) -> None:
        """Put the elimination sequence into the pool, shrunk by several factors."""
        dense = self.dense_fit
        index = np.flatnonzero(dense.used)
        if isinstance(self.loss, MultinomialLoss):
            for step in eliminated_groups(self.loss, dense, index, self.sharing):
                odds = self.loss.odds(index, step[:-1], step[-1])
                self._add_shrunk(index, step, odds)
            self._add_singles()
            return
        curvatures = self.loss.at(dense.odds).curvatures
        matrix = self._hessians.near(index, curvatures, 0.1)
        _, steps = elimination_order(
            matrix,
            np.append(dense.weights[index], dense.intercept),
            index,
            self.sharing,
        )
        for step, odds in zip(steps, self.loss.odds_of_each(index, steps), strict=True):
            self._add_shrunk(index, step, odds)
        self._add_singles()

    def _add_singles(self) -> None:
        """Put the single features that gain most for their price into the pool."""
        point = self.loss.at(self.null_fit.odds)
        # To first order what one feature alone can gain, up to its curvature.
        gain = sizes(self.loss.gradient(point.slopes)) ** 2
        worth = np.where(self.sharing.prices > 0, gain, 0.0)
        worth /= np.maximum(self.sharing.prices, np.finfo(float).tiny)
        everything = np.arange(self.loss.n_features)
        for j in np.argsort(-worth, kind="stable")[:_SINGLES]:
            support = self.null_fit.used
            support[j] = True
            fit = self.descend(Restriction(support), None, None, _ROUGH, self._hessians)
            model = np.concatenate([fit.weights, np.array([fit.intercept])])
            self._add_shrunk(everything, model, fit.odds)

    def _add_shrunk(self, index: Integers, model: NDArray, odds: NDArray) -> None:
        """Put a model into the pool at several lengths, as penalties shrink it.

        Shapes: `index` (k,), `model` (k + 1,): the intercept comes last; of many
        classes (k + 1, n_outputs).
        """
        used = np.flatnonzero(sizes(model[:-1]))
        losses = {factor: self.loss.value(factor * odds) for factor in _SHRINKAGE}
        self.pool.add_scaled(index[used], model[used], model[-1], losses)


# Fits of one data set, kept as starts for other values of λ and p.


@dataclass(frozen=True, eq=False)
class _Entry:
    index: Integers
    values: Floats
    intercept: Any
    loss: float
    rows: Integers
    loads: Floats


class Pool:
    """Weights with their loss and loads, so that any penalty of them is quick."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._entries: list[_Entry] = []
        self._seen: set[tuple[float, int]] = set()

    def add(self, fit: LinearFit) -> None:
        """Keep a fit, unless its like is there."""
        index = np.flatnonzero(fit.used)
        # Descents from many starts end in the same points, but for rounding.
        like = round(fit.loss, 7), len(index)
        if like not in self._seen:
            self._seen.add(like)
            self.add_scaled(index, fit.weights[index], fit.intercept, {1.0: fit.loss})

    def add_scaled(
        self,
        index: Integers,
        values: Floats,
        intercept: Any,
        losses: Mapping[float, float],
    ) -> None:
        """Keep multiples of the same decision.

        Shapes: `index` (k,), `values` (k,), of many classes (k, n_outputs).
        """
        weights = np.zeros(self._sharing.n_features)
        weights[index] = sizes(values)
        loads = self._sharing.loads(weights)
        rows = np.flatnonzero(loads)
        for factor, loss in losses.items():
            scaled = factor * values, factor * intercept
            self._entries.append(
                _Entry(index, *scaled, loss, rows, factor * loads[rows])
            )
        self.__dict__.pop("_stacked", None)

    @cached_property
    def _stacked(self) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Losses, and end to end whose loads, on which components, and how large."""
        sizes = [len(entry.rows) for entry in self._entries]
        return (
            np.array([entry.loss for entry in self._entries]),
            np.repeat(np.arange(len(sizes)), sizes),
            np.concatenate([np.zeros(0, int), *(e.rows for e in self._entries)]),
            np.concatenate([np.zeros(0), *(e.loads for e in self._entries)]),
        )

    def _priced(self, shape: ComponentPenalty) -> tuple[NDArray, NDArray]:
        """Return the loss of each entry, and its penalty per unit of alpha."""
        losses, owners, rows, loads = self._stacked
        # Loss and loads are kept: alpha, R and D may have changed since.
        paid = self._sharing.costs[rows] * shape.value(loads)
        return losses, np.bincount(owners, paid, len(losses)).astype(float, copy=False)

    def best(self, penalty: SharedPenalty, n_best: int) -> list[tuple[Floats, Any]]:
        """Return the weights and intercepts of lowest objective, (n_features,)."""
        losses, paid = self._priced(penalty.shape)
        order = np.argsort(losses + penalty.alpha * paid, kind="stable")
        chosen: dict[bytes, tuple[Floats, Any]] = {}
        for entry in (self._entries[i] for i in order):
            if len(chosen) == n_best:
                break
            key = entry.index.tobytes()
            if key not in chosen:
                shape = self._sharing.n_features, *entry.values.shape[1:]
                weights = np.zeros(shape)
                weights[entry.index] = entry.values
                chosen[key] = weights, entry.intercept
        return list(chosen.values())

    def within(self, budget: float) -> Mask | None:
        """Return the selection of lowest loss that a budget pays for.

        Shape: (n_features,).
        None where every entry costs more.
        """
        costs = self._sharing.costs
        room = room_of(budget)
        paid_for = [e for e in self._entries if float(costs[e.rows].sum()) <= room]
        if not paid_for:
            return None
        support = np.zeros(self._sharing.n_features, dtype=bool)
        support[min(paid_for, key=lambda entry: entry.loss).index] = True
        return support

    def break_even(self, shape: ComponentPenalty, null_loss: float) -> float:
        """Return the largest trade-off at which an entry beats the null model."""
        losses, paid = self._priced(shape)
        # loss + alpha paid < null loss exactly below alpha = (null loss - loss) / paid.
        gains = (null_loss - losses)[paid > 0]
        return float(np.max(gains / paid[paid > 0], initial=0.0))


# Cost-benefit elimination: a nested sequence of supports to start from. From a dense
# fit, the feature whose loss per saved cost is least is dropped, again and again. What
# a feature saves is its fair share of the components that it leans on: each component's
# cost is divided among the features that still need it.


def elimination_order(
    matrix: NDArray, weights: NDArray, index: Integers, sharing: Sharing
) -> tuple[Integers, Floats]:
    """Return in which order features are dropped, and the weights before each drop.

    Shapes: `matrix` (k + 1, k + 1), `weights` (k + 1,), `index` (k,) -> `order` (k,),
    `steps` (k + 1, k + 1).
    `matrix`: hessian of the loss at the dense fit; the intercept comes last.
    `order`: positions in `index`, first dropped first.
    `steps`: row t: weights, on the quadratic model of the loss, once t features are
    gone.

    Notes
    -----
    Dropping feature j from the quadratic model costs ``w_j^2 / (2 C_jj)`` with C the
    inverse Hessian, and C loses a rank-one part (the optimal brain surgeon's step).
    Complexity k^3.
    """
    k = len(index)
    ridge = 1e-9 * np.trace(matrix) / (k + 1) + 1e-300
    inverse = np.linalg.inv(matrix + ridge * np.eye(k + 1))
    # What C_jj is at least, whatever was dropped: rounding goes below it.
    least = 1.0 / (np.diag(matrix)[:k] + ridge)
    w = weights.astype(float).copy()
    needed = sharing.needed(index)
    leaning = sharing.rows_of(index, needed)
    costs = sharing.costs[needed]
    users = leaning.sum(axis=0)
    alive = np.ones(k, dtype=bool)
    order, steps = np.empty(k, dtype=int), np.empty((k + 1, k + 1))
    for t in range(k):
        steps[t] = w
        # A component's cost in equal parts among those that still need it.
        saved = leaning @ (costs / np.maximum(users, 1.0))
        harm = w[:k] ** 2 / np.maximum(np.diag(inverse)[:k], least)
        score = np.where(alive, harm / np.maximum(saved, 1e-300), np.inf)
        j = int(np.argmin(score))
        order[t], alive[j] = j, False
        users -= leaning[j]
        # w' = w - w_j C_j / C_jj, C' = C - C_j C_j' / C_jj: the inverse without row j.
        column = inverse[:, j] / inverse[j, j]
        w = w - w[j] * column
        inverse = inverse - np.outer(column, inverse[j])
        w[j] = 0.0
        w[:k][~alive] = 0.0
    steps[k] = w
    return order, steps
