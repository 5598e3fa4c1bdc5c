"""Walks one sample through a program in plain Python; copied into what is exported.

Nodes are prepared once: each becomes a function of a basket. What a decision repeats is
left to look-ups, `map` and `sum`, which are quick in Python.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from .basket import Basket, FeatureValues, added_by


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
    score, odds = values[0], values[-1]
    if len(values) > 2:  # scores of classes: how far the largest leads
        ranked = sorted(values[:-1])
        score = ranked[-1] - ranked[-2]
    return [min(max(score, -bound), bound), odds]


def _log_shares_clipped(values: Sequence[float], bound: float) -> list[float]:
    return [max(value, -bound) for value in log_shares(values)]


def log_shares(values: Sequence[float]) -> list[float]:
    """Return logarithms whose exponentials sum to one."""
    best = max(values)
    total = best + math.log(math.fsum(math.exp(value - best) for value in values))
    return [value - total for value in values]


# Nodes of one value as functions.


def node_of_one(
    node: Mapping[str, Any], value_at: Callable[[Basket], float], steps: float
) -> PreparedNode:
    """Return a node that asks a question, answers, or answers if it is sure."""
    if "fork" in node:
        return _question(node, value_at, steps)
    if "rectified" in node:
        weights = node["rectified"]

        def rectified(basket: Basket) -> list[float]:
            value = max(value_at(basket), 0.0)
            return [weight * value for weight in weights]

        return rectified
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


# The shopping trip of naive Bayes as a function.


def shopping(
    node: Mapping[str, Any],
    needs: Mapping[str, Sequence[str]],
    costs: Mapping[str, float],
    parents: Mapping[str, str],
) -> PreparedNode:
    """Return what buys groups while they promise more than they add."""
    error_cost, groups, cuts, logs, mistakes = node["shop"]
    best_of = _best_of(mistakes)
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
                error_cost
                * max(_promise(believed, shares[name], best_of) for name in group)
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


def _promise(
    believed: Sequence[float],
    shares: Sequence[Sequence[float]],
    best_of: Callable[..., float],
) -> float:
    """Return how much rarer, or cheaper, errors get once a column is known."""
    joint = (
        [belief * share for share in of_class]
        for belief, of_class in zip(believed, shares, strict=True)
    )
    return sum(map(best_of, *joint)) - best_of(*believed)


def _best_of(mistakes: Sequence[Sequence[float]]) -> Callable[..., float]:
    """Return what the best answer is worth, by the chances of the classes."""
    if not mistakes:
        return max
    answers = list(zip(*mistakes, strict=True))
    return lambda *chances: -min(sum(map(operator.mul, chances, a)) for a in answers)


# Running a prepared program.


def priced_scores(
    scores: Sequence[float],
    slope: float,
    offsets: Sequence[float],
    costs: Sequence[Sequence[float]],
) -> list[float]:
    """Return minus what each answer is expected to cost.

    Of two classes by how much the second is cheaper.
    """
    odds = [0.0, *scores] if len(scores) == 1 else scores
    logs = log_shares([slope * x + more for x, more in zip(odds, offsets, strict=True)])
    shares = [math.exp(log) for log in logs]
    paid = [sum(map(operator.mul, shares, a)) for a in zip(*costs, strict=True)]
    return [paid[0] - paid[1]] if len(scores) == 1 else [-one for one in paid]


def run_policy(
    nodes: Sequence[PreparedNode],
    roots: Sequence[int],
    n_outputs: int,
    basket: Basket,
    rests: Sequence[Sequence[Sequence[float]]] = (),
    turns: Mapping[str, Any] | None = None,
) -> list[float]:
    """Return the sum of the roots' answers; a feature is read when it is needed.

    `rests`: after each root by how much each class leads each other at least in what
    later ones add. `turns`: in which questions are asked before.
    """
    if turns:
        settled = settled_in_turns(nodes, roots, basket, turns)
        if settled is not None:
            basket.why = "No test that is left can change the answer."
            return settled
    totals = [0.0] * n_outputs
    for place, root in enumerate(roots):
        totals = list(map(operator.add, totals, answer_of(nodes, root, basket)))
        basket.say([totals[1] - totals[0]] if n_outputs == 2 else totals)
        reached = most_reached(totals, rests[place]) if place < len(rests) else None
        if reached is not None:
            basket.why = f"Parts behind the first {place + 1} cannot change the answer."
            return reached
    if len(roots) > 1:
        basket.why = f"All {len(roots)} parts have answered; their sum decides."
    return totals


def settled_in_turns(
    nodes: Sequence[PreparedNode],
    roots: Sequence[int],
    basket: Basket,
    turns: Mapping[str, Any],
) -> list[float] | None:
    """Return what classes reach once bounds settle the label; None where none do."""
    n, turn, least, most = turns["n"], turns["of"], turns["least"], turns["most"]
    low = [math.fsum(bounds) for bounds in zip(*(least[r] for r in roots), strict=True)]
    high = [math.fsum(bounds) for bounds in zip(*(most[r] for r in roots), strict=True)]
    waiting: list[list[int]] = [[] for _ in range(n + 1)]
    for root in roots:
        waiting[turn[root]].append(root)
    for k in range(n):
        reached = reached_between(low, high, turns["slack"])
        if reached is not None:
            return reached
        for begin in waiting[k]:
            at: Any = begin
            while turn[at] <= k:
                at = nodes[at](basket)
            waiting[turn[at]].append(at)
            low = [
                x + b - a for x, a, b in zip(low, least[begin], least[at], strict=True)
            ]
            high = [
                x + b - a for x, a, b in zip(high, most[begin], most[at], strict=True)
            ]
    return reached_between(low, high, turns["slack"])


def reached_between(
    low: Sequence[float], high: Sequence[float], slack: float
) -> list[float] | None:
    """Return what classes reach between bounds; None where several may win."""
    if len(low) == 1:
        if low[0] > slack or high[0] < -slack:
            return [0.0, low[0] if low[0] > slack else high[0]]
        return None
    winner = low.index(max(low))
    reached = list(high)
    reached[winner] = -math.inf
    if not low[winner] - max(reached) > slack:
        return None
    reached[winner] = low[winner]
    return reached


def most_reached(
    totals: Sequence[float], rest: Sequence[Sequence[float]]
) -> list[float] | None:
    """Return what classes may still reach beside the first; None where one may win."""
    best = max(totals)
    winner = totals.index(best)
    reached = list(map(operator.sub, totals, rest[winner]))
    reached[winner] = -math.inf
    if not best > max(reached):
        return None
    reached[winner] = best
    return reached


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
    is_sure = sureness(kind, units, least)

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


def sureness(
    kind: str, units: Sequence[float], least: Sequence[float]
) -> Callable[[list[float]], bool]:
    """Return what says whether a stage may answer with its values, several of them."""

    def by_lead(values: list[float]) -> bool:
        ranked = sorted(values)
        return not least[0] < ranked[-1] - ranked[-2] < least[1]

    def by_claim(values: list[float]) -> bool:
        ranked = sorted(values)
        best = ranked[-1]
        winner = values.index(best)
        return best > 0.0 >= ranked[-2] and best / units[winner] >= least[winner]

    def by_gap(values: list[float]) -> bool:
        ranked = sorted(values)
        winner = values.index(ranked[-1])
        return (ranked[-1] - ranked[-2]) / units[winner] >= least[winner]

    return {"outside": by_lead, "claim": by_claim, "gap": by_gap}[kind]
