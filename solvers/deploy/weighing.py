"""What nodes buy and reckon, as functions; copied into what is exported."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from .basket import Basket

__all__ = [
    "KnownOrder",
    "PreparedNode",
    "answer_of",
    "log_shares",
    "orders_of",
    "value_of",
    "values_of",
]


class KnownOrder(NamedTuple):
    """What all rows have when they come to a node, and what they buy there."""

    known: tuple[str, ...]
    news: tuple[str, ...]


def orders_of(
    nodes: Sequence[Mapping[str, Any]], roots: Sequence[int]
) -> list[KnownOrder | None]:
    """Return for each node what its rows buy; None where that hangs on their way."""
    ways = Counter(roots)
    for node in nodes:
        ways.update(_targets(node))
    bought: dict[int, tuple[str, ...]] = {roots[0]: ()}
    orders: list[KnownOrder | None] = []
    for place, node in enumerate(nodes):
        known = bought.get(place)
        if known is None or ways[place] > 1 or "parts" in node or "shop" in node:
            orders.append(None)
            continue
        asked = (*node.get("buys", ()), *(name for name, _ in node.get("terms", ())))
        news = tuple(name for name in dict.fromkeys(asked) if name not in known)
        orders.append(KnownOrder(known, news))
        bought.update(dict.fromkeys(_targets(node), known + news))
    return orders


def _targets(node: Mapping[str, Any]) -> list[int]:
    """Return where rows go on; twice where both ways lead to one node."""
    fork = node.get("fork") or node.get("gate") or ()
    return [*node.get("parts", ()), *fork[1:], *node.get("exit", ())[3:]]


class PreparedNode(Protocol):
    """A node as a function: it gives the place of the next one, or the answer."""

    def __call__(self, basket: Basket) -> int | list[float]: ...


def answer_of(nodes: Sequence[PreparedNode], start: int, basket: Basket) -> list[float]:
    """Follow one row from a node until it leaves."""
    found: int | list[float] = start
    while isinstance(found, int):
        found = nodes[found](basket)
    return found


def value_of(
    node: Mapping[str, Any],
    nodes: Sequence[PreparedNode],
    steps: float,
    order: KnownOrder | None,
) -> Callable[[Basket], float]:
    """Return what a node of one value reckons; `values_of` says of what."""
    buys, see, names = _seen(node, order)
    parts, bound = node.get("parts", ()), node.get("bound")
    (begin,), (weights,) = node.get("base", (0.0,)), _weights(node, names)
    mul = operator.mul

    def reckoned(basket: Basket) -> float:
        features = basket.features
        for name in buys:
            features[name]
        seen = features.values() if see is None else see(basket.columns)
        value = sum(map(mul, weights, seen), begin)
        for part in parts:
            value += answer_of(nodes, part, basket)[0]
        if steps:
            value = round(value * steps) / steps
        return value if bound is None else min(max(value, -bound), bound)

    return reckoned


def values_of(
    node: Mapping[str, Any],
    nodes: Sequence[PreparedNode],
    steps: float,
    order: KnownOrder | None,
) -> Callable[[Basket], list[float]]:
    """Return the values of a node: sums of columns, and of the answers of its parts.

    `nodes`: to which later ones will be added. `steps`: to so many of one values are
    rounded; 0: they are not. `order`: what rows have bought here, where all have the
    same.
    """
    buys, see, names = _seen(node, order)
    parts, bound = node.get("parts", ()), node.get("bound")
    sums = list(zip(_weights(node, names), node["base"], strict=True))
    clipped = _score_clipped if "gate" in node else _log_shares_clipped

    def reckoned(basket: Basket) -> list[float]:
        features = basket.features
        for name in buys:
            features[name]
        seen = features.values() if see is None else see(basket.columns)
        values = [sum(map(operator.mul, w, seen), begin) for w, begin in sums]
        for part in parts:
            values = list(map(operator.add, values, answer_of(nodes, part, basket)))
        if steps:
            values = [round(value * steps) / steps for value in values]
        return values if bound is None else clipped(values, bound)

    return reckoned


def _seen(
    node: Mapping[str, Any], order: KnownOrder | None
) -> tuple[Sequence[str], Callable[[Mapping[str, float]], Any] | None, Sequence[str]]:
    """Return what is bought, what then reads columns, and the names of these.

    Where all rows have bought the same, the whole basket is read as it lies there.
    """
    if order is not None:
        return order.news, None, (*order.known, *order.news)
    names = [name for name, _ in node.get("terms", ())]
    if len(names) > 1:
        return node.get("buys", ()), operator.itemgetter(*names), names
    return node.get("buys", ()), lambda columns: [columns[n] for n in names], names


def _weights(node: Mapping[str, Any], names: Sequence[str]) -> list[list[float]]:
    """Return a weight for each name in each value, 0 for what is not weighed."""
    of_name, n_values = dict(node.get("terms", ())), len(node.get("base", (0.0,)))
    nothing = (0.0,) * n_values
    return [[of_name.get(name, nothing)[k] for name in names] for k in range(n_values)]


def _score_clipped(values: Sequence[float], bound: float) -> list[float]:
    return [min(max(values[0], -bound), bound), *values[1:]]


def _log_shares_clipped(values: Sequence[float], bound: float) -> list[float]:
    return [max(value, -bound) for value in log_shares(values)]


def log_shares(values: Sequence[float]) -> list[float]:
    """Return logarithms whose exponentials sum to one."""
    best = max(values)
    total = best + math.log(math.fsum(math.exp(value - best) for value in values))
    return [value - total for value in values]
