"""Nodes of one value as functions; copied into what is exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .basket import Basket, FeatureValues
from .weighing import PreparedNode

__all__ = ["node_of_one"]


def node_of_one(
    node: Mapping[str, Any], value_at: Callable[[Basket], float], steps: float
) -> PreparedNode:
    """Return a node that asks a question, answers, or answers if it is sure."""
    if "fork" in node:
        return _question(node, value_at, steps)
    if "rectified" in node:
        weight = node["rectified"]
        return lambda basket: [weight * max(value_at(basket), 0.0)]
    return (_stage if "exit" in node else _ending)(node, value_at)


def _question(
    node: Mapping[str, Any], value_at: Callable[[Basket], float], steps: float
) -> PreparedNode:
    bound, below, above = node["fork"]
    terms = node.get("terms", ())
    if node.keys() != {"terms", "fork"} or [w for _, w in terms] != [(1.0,)] or steps:
        return lambda basket: below if value_at(basket) <= bound else above
    # Nothing but a column is looked at: most of the nodes of a forest.
    ((name, _),) = terms
    return lambda basket: below if basket.columns[name] <= bound else above


def _stage(
    node: Mapping[str, Any], value_at: Callable[[Basket], float]
) -> PreparedNode:
    scale, shift = node.get("scale", (1.0, 0.0))
    kind, (unit,), least, onward = node["exit"]
    if kind == "outside":
        low, high = least

        def is_sure(value: float) -> bool:
            return not low < value < high

    else:
        (bound,) = least

        def is_sure(value: float) -> bool:
            return (abs(value) if kind == "size" else value) / unit >= bound

    def answered(basket: Basket) -> int | list[float]:
        value = value_at(basket)
        said = [scale * value + shift]
        basket.said[len(basket.features)] = said
        if not is_sure(value):
            return int(onward)
        basket.why = "It is sure enough; later tests are not asked for."
        return said

    return answered


def _ending(
    node: Mapping[str, Any], value_at: Callable[[Basket], float]
) -> PreparedNode:
    scale, shift = node.get("scale", (1.0, 0.0))
    is_impossible, known = "impossible" in node, None
    why = "The end of its way is reached."
    if is_impossible:
        why = (
            "What was asked for cannot occur: the network gives it no chance at all. "
            "The answer is that of nothing known; check the values."
        )
    if not node.keys() & {"buys", "terms", "parts"}:
        known = [scale * value_at(Basket(FeatureValues({}))) + shift]  # of all samples

    def answered(basket: Basket) -> list[float]:
        basket.why, basket.is_impossible = why, is_impossible
        return [scale * value_at(basket) + shift] if known is None else known

    return answered
