"""The shopping trip of naive Bayes as a function; copied into what is exported."""

from __future__ import annotations

import math
import operator
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from .basket import Basket, added_by
from .weighing import PreparedNode, log_shares

__all__ = ["shopping"]


def shopping(
    node: Mapping[str, Any],
    needs: Mapping[str, Sequence[str]],
    costs: Mapping[str, float],
    parents: Mapping[str, str],
) -> PreparedNode:
    """Return what buys groups while they promise more than they add."""
    error_cost, groups, cuts, logs = node["shop"]
    least = 1e-12 * error_cost  # less is rounding
    # The share of each bin, in one class after the other.
    shares = {
        name: [
            [math.exp(log) for log in of_class] for of_class in zip(*of, strict=True)
        ]
        for name, of in logs.items()
    }
    features = {group: [parents.get(name, name) for name in group] for group in groups}

    def shopped(basket: Basket) -> list[float]:
        joint, left = node["base"], list(groups)
        while left:
            believed = [math.exp(value) for value in log_shares(joint)]
            worth = [
                error_cost * max(_promise(believed, shares[name]) for name in group)
                - added_by(features[group], basket.features, needs, costs)
                for group in left
            ]
            most = max(worth)
            if not most > least:
                break
            best = next(k for k, one in enumerate(worth) if one >= most - least)
            for name in left.pop(best):
                place = bisect_left(cuts[name], basket.columns[name])
                joint = list(map(operator.add, joint, logs[name][place]))
            basket.say(_told(joint))
        basket.why = "No further test promises more than it costs."
        return _told(joint)

    return shopped


def _told(joint: Sequence[float]) -> list[float]:
    """Return by how much the second of two classes leads, or log-probabilities."""
    return [joint[1] - joint[0]] if len(joint) == 2 else log_shares(joint)


def _promise(believed: Sequence[float], shares: Sequence[Sequence[float]]) -> float:
    """Return how much rarer errors get once a column is known."""
    joint = (
        [belief * share for share in of_class]
        for belief, of_class in zip(believed, shares, strict=True)
    )
    return sum(map(max, *joint)) - max(believed)
