"""Runs a policy in plain Python; its source is copied into what is exported.

Nodes are prepared once: each becomes a function of a basket. What a decision repeats is
left to look-ups, `map` and `sum`, which are quick in Python.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .basket import Basket
from .shop import shopping
from .single import node_of_one
from .weighing import PreparedNode, answer_of, orders_of, value_of, values_of

__all__ = ["prepared_nodes", "run_policy"]


def run_policy(
    nodes: Sequence[PreparedNode], roots: Sequence[int], n_outputs: int, basket: Basket
) -> list[float]:
    """Return the sum of the roots' answers; a feature is read when it is needed."""
    totals = [0.0] * n_outputs
    for root in roots:
        totals = list(map(operator.add, totals, answer_of(nodes, root, basket)))
        basket.say(totals)
    if len(roots) > 1:
        basket.why = f"All {len(roots)} parts have answered; their sum decides."
    return totals


def prepared_nodes(
    nodes: Sequence[Mapping[str, Any]],
    roots: Sequence[int],
    steps: float,
    needs: Mapping[str, Sequence[str]],
    costs: Mapping[str, float],
    parents: Mapping[str, str],
) -> list[PreparedNode]:
    """Return nodes as functions of a basket.

    `steps`: to so many of one values are rounded. `needs`, `costs`: of what is bought.
    `parents`: the features that columns are made of; empty where they are features.
    """
    ready: list[PreparedNode] = []
    # Where columns are made of features, a basket of features is not what is weighed.
    orders = [None] * len(nodes) if parents else orders_of(nodes, roots)
    for node, order in zip(nodes, orders, strict=True):
        if "shop" in node:
            ready.append(shopping(node, needs, costs, parents))
        elif len(node.get("base", (0.0,))) == 1:
            value_at = value_of(node, ready, steps, order)
            ready.append(node_of_one(node, value_at, steps))
        else:
            ready.append(_node_of_several(node, values_of(node, ready, steps, order)))
    return ready


def _node_of_several(
    node: Mapping[str, Any], values_at: Callable[[Basket], list[float]]
) -> PreparedNode:
    if "gate" in node:
        return _gate(values_at, *node["gate"])
    if "fork" in node:
        bound, below, above = node["fork"]
        return lambda basket: below if values_at(basket)[0] <= bound else above
    return (_sure_stage if "exit" in node else _last_stage)(node, values_at)


def _gate(
    values_at: Callable[[Basket], list[float]],
    weights: Sequence[float],
    below: int,
    above: int,
) -> PreparedNode:
    """Return what compares odds; a gate sees a score, and how sure that is."""

    def passed(basket: Basket) -> int:
        score, odds = values_at(basket)
        size = abs(score)
        seen = (score, size, size * size, 1.0 / (1.0 + size))
        return above if odds + sum(map(operator.mul, weights, seen)) > 0.0 else below

    return passed


def _sure_stage(
    node: Mapping[str, Any], values_at: Callable[[Basket], list[float]]
) -> PreparedNode:
    scale, shift = node.get("scale", (1.0, 0.0))
    kind, units, least, onward = node["exit"]
    is_sure = _sureness(kind, units, least)

    def answered(basket: Basket) -> int | list[float]:
        values = values_at(basket)
        said = [scale * value + shift for value in values]
        basket.say(said)
        if not is_sure(values):
            return int(onward)
        basket.why = "It is sure enough; later tests are not asked for."
        return said

    return answered


def _last_stage(
    node: Mapping[str, Any], values_at: Callable[[Basket], list[float]]
) -> PreparedNode:
    scale, shift = node.get("scale", (1.0, 0.0))

    def answered(basket: Basket) -> list[float]:
        basket.why = "The end of its way is reached."
        return [scale * value + shift for value in values_at(basket)]

    return answered


def _sureness(
    kind: str, units: Sequence[float], least: Sequence[float]
) -> Callable[[list[float]], bool]:
    """Return what says whether a stage may answer with its values."""

    def is_sure(values: list[float]) -> bool:
        best = max(values)
        winner = values.index(best)
        second = max(values[:winner] + values[winner + 1 :])
        if kind == "outside":
            return not least[0] < best - second < least[1]
        if kind == "claim" and not best > 0.0 >= second:
            return False
        size = best if kind == "claim" else best - second
        return size / units[winner] >= least[winner]

    return is_sure
