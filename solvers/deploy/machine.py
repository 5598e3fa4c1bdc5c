"""Runs a policy in plain Python; its source is copied into what is exported."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Basket", "BillLine", "run_policy"]


class BillLine(NamedTuple):
    """One purchase: what was paid, and what the policy said once it had that."""

    feature: str
    cost: float  # What it added to the bill
    already_paid: tuple[str, ...]  # Components that it shares with what was there
    score: float | tuple[float, ...] | None  # None: nothing was said before the next


class Basket:
    """What was computed about one sample: each feature once, each component paid once.

    `sample`: numbers, or functions that compute them, by the name of the feature.
    """

    def __init__(
        self,
        sample: Mapping[str, Any],
        needs: Mapping[str, Sequence[str]],
        costs: Mapping[str, float],
    ) -> None:
        self.sample, self.needs, self.costs = sample, needs, costs
        self.values: dict[str, float] = {}
        self.paid: set[str] = set()  # The components that were computed
        self.bill: list[BillLine] = []
        self.why = ""

    def feature(self, name: str) -> float:
        """Return a feature as a number; it is computed the first time."""
        if name not in self.values:
            if name not in self.sample:
                raise ValueError(
                    f"The sample has no feature {name!r}; give a number, or a function "
                    "that computes it."
                )
            given = self.sample[name]
            number = self.number(name, given() if callable(given) else given)
            news = [part for part in self.needs[name] if part not in self.paid]
            shared = tuple(part for part in self.needs[name] if part in self.paid)
            cost = math.fsum(self.costs[part] for part in news)
            self.values[name] = number
            self.paid.update(news)
            self.bill.append(BillLine(name, cost, shared, None))
        return self.values[name]

    def number(self, name: str, given: Any) -> float:
        """Return a feature's value as a number."""
        number = float(given)
        if not math.isfinite(number):
            raise ValueError(f"Feature {name!r} is {number}; give a finite number.")
        return number

    def column(self, name: str) -> float:
        """Return what is weighed under a name: here the feature itself."""
        return self.feature(name)

    def added_by(self, columns: Sequence[str]) -> float:
        """Return what columns would add to the bill."""
        parts = {part for name in columns for part in self.needs[name]}
        return math.fsum(self.costs[part] for part in sorted(parts - self.paid))

    def say(self, scores: Sequence[float]) -> None:
        """Note on the bill what the policy says now."""
        if self.bill:
            said = scores[0] if len(scores) == 1 else tuple(scores)
            self.bill[-1] = self.bill[-1]._replace(score=said)


def run_policy(
    nodes: Sequence[Mapping[str, Any]],
    roots: Sequence[int],
    n_outputs: int,
    steps: float,
    basket: Basket,
) -> list[float]:
    """Return the sum of the roots' answers; a feature is read when it is needed."""
    totals = [0.0] * n_outputs
    for root in roots:
        for k, value in enumerate(_answer(nodes, root, steps, basket)):
            totals[k] += value
        basket.say(totals)
    if len(roots) > 1:
        basket.why = f"All {len(roots)} parts have answered; their sum decides."
    return totals


def _answer(
    nodes: Sequence[Mapping[str, Any]], at: int, steps: float, basket: Basket
) -> list[float]:
    """Follow one row from a node until it leaves."""
    while True:
        node = nodes[at]
        values = _weighed(nodes, node, steps, basket)
        if "fork" in node:
            bound, below, above = node["fork"]
            at = below if values[0] <= bound else above
        elif "gate" in node:
            weights, below, above = node["gate"]
            at = above if _odds(values, weights) > 0.0 else below
        elif "rectified" in node:
            return [node["rectified"] * max(values[0], 0.0)]
        elif "shop" in node:
            values = _shopped(values, basket, *node["shop"])
            basket.why = "No further test promises more than it costs."
            return values
        else:
            scale, shift = node.get("scale", (1.0, 0.0))
            said = [scale * value + shift for value in values]
            if "exit" not in node:
                basket.why = "The end of its way is reached."
                return said
            basket.say(said)
            if _is_sure(values, *node["exit"][:3]):
                basket.why = "It is sure enough; later tests are not asked for."
                return said
            at = node["exit"][3]


def _weighed(
    nodes: Sequence[Mapping[str, Any]],
    node: Mapping[str, Any],
    steps: float,
    basket: Basket,
) -> list[float]:
    """Return the values of a node: sums of columns, and of the answers of its parts."""
    for name in node.get("buys", ()):
        basket.feature(name)
    values = list(node.get("base", (0.0,)))
    for name, weights in node.get("terms", ()):
        value = basket.column(name)
        for k, weight in enumerate(weights):
            values[k] += weight * value
    for part in node.get("parts", ()):
        for k, value in enumerate(_answer(nodes, part, steps, basket)):
            values[k] += value
    if steps:
        values = [round(value * steps) / steps for value in values]
    if "bound" not in node:
        return values
    bound = node["bound"]
    if len(values) == 1 or "gate" in node:
        return [min(max(values[0], -bound), bound), *values[1:]]
    return [max(value, -bound) for value in _normalised(values)]


def _normalised(values: Sequence[float]) -> list[float]:
    """Return logarithms whose exponentials sum to one."""
    best = max(values)
    total = best + math.log(math.fsum(math.exp(value - best) for value in values))
    return [value - total for value in values]


def _odds(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the odds of a gate, which sees a score and how sure that is."""
    score, odds = values
    size = abs(score)
    seen = (score, size, size * size, 1.0 / (1.0 + size))
    return odds + sum(weight * one for weight, one in zip(weights, seen, strict=True))


def _is_sure(
    values: Sequence[float],
    kind: str,
    units: Sequence[float],
    least: Sequence[float],
) -> bool:
    """Return whether a stage may answer with its values."""
    best = max(values)
    winner = values.index(best)
    second = max((v for k, v in enumerate(values) if k != winner), default=0.0)
    gap = best if len(values) == 1 else best - second
    if kind == "outside":
        return not least[0] < gap < least[1]
    if kind == "claim" and not best > 0.0 >= second:
        return False
    size = {"size": abs(best), "claim": best, "gap": gap}[kind]
    return size / units[winner] >= least[winner]


def _shopped(
    joint: list[float],
    basket: Basket,
    error_cost: float,
    groups: Sequence[Sequence[str]],
    cuts: Mapping[str, Sequence[float]],
    logs: Mapping[str, Sequence[Sequence[float]]],
) -> list[float]:
    """Buy groups while they promise more than they add; return what is believed."""
    left = list(groups)
    while left:
        worth = [
            error_cost * max(_promise(joint, logs[name]) for name in group)
            - basket.added_by(group)
            for group in left
        ]
        least = 1e-12 * error_cost  # less is rounding
        most = max(worth)
        if not most > least:
            break
        best = next(k for k, one in enumerate(worth) if one >= most - least)
        for name in left.pop(best):
            value = basket.column(name)
            place = sum(value > cut for cut in cuts[name])
            joint = [a + b for a, b in zip(joint, logs[name][place], strict=True)]
        basket.say(_told(joint))
    return _told(joint)


def _told(joint: Sequence[float]) -> list[float]:
    """Return by how much the second of two classes leads, or log-probabilities."""
    return [joint[1] - joint[0]] if len(joint) == 2 else _normalised(joint)


def _promise(joint: Sequence[float], logs: Sequence[Sequence[float]]) -> float:
    """Return how much rarer errors get once a column is known."""
    believed = [math.exp(value) for value in _normalised(joint)]
    right = 0.0
    for of_classes in logs:
        right += max(
            share * math.exp(log)
            for share, log in zip(believed, of_classes, strict=True)
        )
    return right - max(believed)
