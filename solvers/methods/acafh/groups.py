"""Of many classes: elimination, moves, tiny problems, with several weights a feature.

What `starts`, `moves` and `exhaustive` do for one weight a feature, on the exact
Hessian of the multinomial loss. A feature comes or goes with all of its weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Integers
from ...numerics.group_newton import minimise_groups
from ...numerics.multinomial import MultinomialLoss, sizes
from ...numerics.prox_newton import LinearFit, Restriction
from .penalties import SharedPenalty, Sharing

_MOST_FEATURES = 5
_MOST_VALUES = 20_000
_MAGNITUDES = (1.0, 0.3)
_ROUGH = 1e-4
_STRIDES = (0.5, 1.0)
# Moves are made of so many weights at most: of features whose loss falls fastest for
# their price, beside those that are used.
_WEIGHTS = 600
# Where the mean curvature is below this share of the mean loss, the loss is straight.
_STRAIGHT = 1e-6


def eliminated_groups(
    loss: MultinomialLoss, dense: LinearFit, index: Integers, sharing: Sharing
) -> Iterator[Floats]:
    """Yield weights on the quadratic model of the loss as features are dropped.

    The next to go is the one whose loss per saved cost is least, as of
    `elimination_order`. Shapes: `index` (k,) -> (k + 1, n_outputs): the intercepts come
    last.
    """
    k, size = len(index), loss.n_outputs
    inverse = np.linalg.inv(_firm(loss.hessian(loss.at(dense.odds), index), 1e-9))
    w = np.vstack([dense.weights[index], dense.intercept]).astype(float)
    needed = sharing.needed(index)
    leaning, costs = sharing.rows_of(index, needed), sharing.costs[needed]
    users, alive = leaning.sum(axis=0), np.arange(k)
    yield w.copy()
    while len(alive):
        # A component's cost in equal parts among those that still need it.
        saved = (leaning @ (costs / np.maximum(users, 1.0)))[alive]
        parts = (alive[:, np.newaxis] * size + np.arange(size))[:, :, np.newaxis]
        own = inverse[parts, parts.transpose(0, 2, 1)]
        pushes = np.linalg.solve(own, w[alive][:, :, np.newaxis])[:, :, 0]
        harm = (w[alive] * pushes).sum(axis=1)
        place = int(np.argmin(harm / np.maximum(saved, 1e-300)))
        j, part = alive[place], parts[place, :, 0]
        alive = np.delete(alive, place)
        users = users - leaning[j]
        # w' = w - C_J C_JJ^-1 w_J, C' = C - C_J C_JJ^-1 C_J' (optimal brain surgeon).
        columns = inverse[:, part]
        w = w - (columns @ pushes[place]).reshape(w.shape)
        inverse = inverse - columns @ np.linalg.solve(own[place], columns.T)
        w[np.setdiff1d(np.arange(k), alive)] = 0.0
        yield w.copy()


def promising_group_moves(
    loss: MultinomialLoss,
    penalty: SharedPenalty,
    fit: LinearFit,
    n_moves: int,
    least: float,
) -> list[Floats]:
    """Return weights after the moves that promise to lower the objective most.

    Shape: (n_features, n_outputs).
    `fit`: where to move from.
    """
    point = loss.at(fit.odds)
    if point.curvatures.sum() <= _STRAIGHT * fit.loss:
        return []
    gradient = loss.gradient(point.slopes).astype(float)
    index = _looked_at(loss, penalty, fit, gradient)
    model = _GroupModel(loss, penalty, fit, gradient, index)
    steps = np.array([*model.drops(), *model.entries()])
    if not len(steps):
        return []
    changes = model.change(steps)
    moved: list[Floats] = []
    nothing = loss.value(np.tile(loss.base_intercept, (loss.n_samples, 1)))
    supports: set[bytes] = set()
    for i in np.argsort(changes, kind="stable"):
        if changes[i] >= -least or len(moved) == n_moves:
            break
        weights = fit.weights.copy()
        weights[index] += steps[i]
        used = np.flatnonzero(weights.any(axis=1))
        if used.tobytes() in supports:
            continue
        supports.add(used.tobytes())
        # Where it is flat the quadratic promises steps that are wrong.
        value = loss.value(loss.odds(used, weights[used], fit.intercept))
        if value + penalty.value(sizes(weights)) < nothing:
            moved.append(weights)
    return moved


def _looked_at(
    loss: MultinomialLoss, penalty: SharedPenalty, fit: LinearFit, gradient: NDArray
) -> Integers:
    used, prices = fit.used, penalty.sharing.prices
    # To first order a feature lowers the loss by its gradient squared over curvature.
    worth = sizes(gradient) ** 2 / np.maximum(prices, 1e-12 * prices.max(initial=1.0))
    worth[used | ~loss.selectable] = 0.0
    room = max(_WEIGHTS // loss.n_outputs - int(used.sum()), 1)
    first = np.argsort(-worth, kind="stable")[:room]
    used[first[worth[first] > 0]] = True
    return np.flatnonzero(used)


class _GroupModel:
    """The loss around a fit by second order, and the penalty as it is."""

    def __init__(
        self,
        loss: MultinomialLoss,
        penalty: SharedPenalty,
        fit: LinearFit,
        gradient: Floats,
        index: Integers,
    ) -> None:
        whole = loss.hessian(loss.at(fit.odds), index)
        size = self.size = loss.n_outputs
        # The intercepts follow every change.
        corner = _firm(whole[-size:, -size:], 1e-12)
        slope = whole[:-size, -size:]
        self.hessian = whole[:-size, :-size] - slope @ np.linalg.solve(corner, slope.T)
        self.gradient, self.weights = gradient[index], fit.weights[index]
        self.penalty = penalty
        components = penalty.sharing.needed(index)
        self.rows = penalty.sharing.rows_of(index, components)
        self.costs = penalty.sharing.costs[components]
        self.used = np.flatnonzero(self.weights.any(axis=1))

    def _paid(self, weights: NDArray) -> Floats:
        magnitudes = np.sqrt((weights**2).sum(axis=-1))
        paid = self.penalty.shape.value(magnitudes @ self.rows) @ self.costs
        return np.asarray(self.penalty.alpha * paid)

    def change(self, steps: Floats) -> Floats:
        """Return the predicted change of the objective, (s, k, r) -> (s,)."""
        flat = steps.reshape(len(steps), -1)
        quadratic = np.einsum("ij,ij->i", flat @ self.hessian, flat) / 2.0
        before = self._paid(self.weights[np.newaxis])
        return (
            flat @ self.gradient.ravel()
            + quadratic
            + self._paid(self.weights + steps)
            - before
        )

    def drops(self) -> Iterator[Floats]:
        """Yield steps that take out a feature, or all that need a component."""
        if not len(self.used):
            return
        places = self._places(self.used)
        within = self.hessian[np.ix_(places, places)]
        inverse = np.linalg.inv(_firm(within, 1e-9))
        w = self.weights[self.used].ravel()
        for members in self._together(self.used):
            part = self._places(members)
            # The optimal brain surgeon: the others make up for what goes.
            push = np.linalg.solve(inverse[np.ix_(part, part)], w[part])
            moved = -inverse[:, part] @ push
            moved[part] = -w[part]
            yield self._step(self.used, moved)

    def entries(self) -> Iterator[Floats]:
        """Yield steps toward the minimum along features outside, alone or together."""
        outside = np.flatnonzero(~self.weights.any(axis=1))
        for members in self._together(outside):
            part = self._places(outside[members])
            block = _firm(self.hessian[np.ix_(part, part)], 1e-9)
            moved = -np.linalg.solve(block, self.gradient.ravel()[part])
            for share in _STRIDES:
                yield self._step(outside[members], share * moved)

    def _together(self, index: Integers) -> Iterator[Integers]:
        """Yield places in an index: each alone, and those that share a component."""
        yield from (np.array([place]) for place in range(len(index)))
        leaning = self.rows[index] > 0
        shared = leaning.T[leaning.sum(axis=0) > 1]
        yield from map(np.flatnonzero, np.unique(shared, axis=0))

    def _places(self, index: Integers) -> Integers:
        places = index[:, np.newaxis] * self.size + np.arange(self.size)
        return np.asarray(places.ravel())

    def _step(self, index: Integers, moved: NDArray) -> Floats:
        step = np.zeros_like(self.weights)
        step[index] = moved.reshape(len(index), -1)
        return step


class EverySupport:
    """All selections of a few features, each with its unpenalised fit."""

    def __init__(self, loss: MultinomialLoss) -> None:
        self.loss = loss
        patterns = np.array(list(product((False, True), repeat=loss.n_features)))
        patterns = patterns[~patterns[:, ~loss.selectable].any(axis=1)]
        self.fits = [
            minimise_groups(loss, Restriction(pattern), tol=_ROUGH)
            for pattern in patterns
        ]

    @staticmethod
    def affordable(loss: MultinomialLoss) -> bool:
        """Return whether every selection can be fitted in a moment."""
        n_values = loss.n_samples * loss.n_outputs
        return loss.n_features <= _MOST_FEATURES and n_values <= _MOST_VALUES

    def best(
        self, penalty: SharedPenalty, known: float, n_best: int
    ) -> list[tuple[Floats, Floats]]:
        """Return the best points found, to be polished, (n_features, n_outputs)."""
        ranked = []
        for fit in self.fits:
            # The penalty is not negative: a bare loss bounds the objective.
            if fit.loss - _ROUGH < known:
                points = [(size, size * fit.weights) for size in _MAGNITUDES]
                values = [
                    self.loss.value(size * fit.odds) + penalty.value(sizes(weights))
                    for size, weights in points
                ]
                size, weights = points[int(np.argmin(values))]
                ranked.append((min(values), (weights, size * fit.intercept)))
        ranked.sort(key=lambda pair: pair[0])
        return [point for _, point in ranked[:n_best]]


def _firm(matrix: Floats, share: float) -> Floats:
    """Return a matrix with a ridge of a share of its mean diagonal."""
    ridge = share * np.trace(matrix) / max(len(matrix), 1) + 1e-300
    return np.asarray(matrix + ridge * np.eye(len(matrix)))
