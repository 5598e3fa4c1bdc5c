"""What every row has bought at a node; copied into what is exported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["KnownOrder", "orders_of"]


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
