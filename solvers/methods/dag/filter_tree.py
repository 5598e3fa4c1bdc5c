"""A tournament of weighted binary classifiers: the cheapest of several actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.ridge_logistic import LogisticModel, fit_logistic

_Match: TypeAlias = Callable[[NDArray, NDArray], NDArray]

# Gates see few rows near the boundary; a little more ridge keeps them calm.
_RIDGE = 1e-3


@dataclass(frozen=True, eq=False)
class FilterTree:
    """Chooses an action for each row."""

    n_actions: int  # Number of actions
    # In the order of the tournament: log-odds that the second of two is chosen
    matches: tuple[LogisticModel, ...]
    # The action of every row, where no match does better; -1 otherwise
    constant: int = -1

    @classmethod
    def fit(cls, inputs: Floats, costs: Floats, shares: Floats) -> FilterTree:
        """Train each match on the winners of those before, worth the difference.

        Shapes: `inputs` (n_rows, n_inputs), `costs` (n_rows, n_actions), `shares`
        (n_rows,).
        The best constant action where the tournament is not better than that.
        """
        rows = np.arange(len(costs))
        matches: list[LogisticModel] = []

        def play(first: NDArray, second: NDArray) -> Mask:
            # Each row's match is worth what the wrong winner would cost it more.
            gain = costs[rows, first] - costs[rows, second]
            matches.append(_match(inputs, gain, shares))
            return matches[-1].odds(inputs) > 0

        n_actions = costs.shape[1]
        chosen = _tournament(len(rows), n_actions, play)
        constants = shares @ costs
        if shares @ costs[rows, chosen] >= constants.min():
            return cls(n_actions, (), int(np.argmin(constants)))
        return cls(n_actions, tuple(matches))

    def choose(self, inputs: Floats) -> Integers:
        """Return the action of each row, (n_rows, n_inputs) -> (n_rows,)."""
        if self.constant >= 0:
            return np.full(len(inputs), self.constant)
        matches = iter(self.matches)
        return _tournament(
            len(inputs), self.n_actions, lambda *_: next(matches).odds(inputs) > 0
        )


def _tournament(n_rows: int, n_actions: int, play: _Match) -> Integers:
    """Return the winner of each row; `play` says where the second of two wins."""
    arms = [np.full(n_rows, action) for action in range(n_actions)]
    while len(arms) > 1:
        pairs = zip(arms[::2], arms[1::2], strict=False)
        winners = [np.where(play(one, other), other, one) for one, other in pairs]
        arms = winners + arms[len(arms) - len(arms) % 2 :]
    return arms[0]


def _match(inputs: NDArray, gain: NDArray, shares: NDArray) -> LogisticModel:
    """Return log-odds that the second action is the cheaper, by `gain`, one."""
    weights = shares * np.abs(gain)
    if not (weights > 0).any():
        return LogisticModel(np.zeros(inputs.shape[1]), -1.0)
    return fit_logistic(inputs, np.where(gain > 0, 1.0, -1.0), weights, _RIDGE)
