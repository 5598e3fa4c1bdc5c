"""What is read of a fitted model: the only things that its answers depend on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from ..errors import DataError, InterchangeError
from ..numerics.arrays import Floats, Integers
from ..numerics.tree_ensemble import DecisionTree, TreeEnsemble

_LEAF = -1
# A damaged file may name any number, for which room would be made.
_MOST_FEATURES, _MOST_OUTPUTS = 1_000_000, 10_000


@dataclass(frozen=True, eq=False)
class SumPart:
    """What one column adds to sums where it is more than a weighted number.

    Either a line of its numbers and something for gaps, or a tree of its values.
    """

    column: int
    slope: Floats | None = None  # (n_outputs,)
    begin: Floats | None = None  # (n_outputs,)
    gap: Floats | None = None  # (n_outputs,)
    tree: DecisionTree | None = None  # Leaves hold (n_outputs,)
    takes_gaps: bool = True


@dataclass(frozen=True, eq=False)
class FittedSum:
    """Weighted sums of all features: one for two classes, else one a class."""

    coef: Floats  # (n_outputs, n_features)
    intercept: Floats  # (n_outputs,)
    parts: tuple[SumPart, ...] = ()  # What further columns add


@dataclass(frozen=True, eq=False)
class FittedTrees:
    """Trees whose leaves are added up in this order, in double precision.

    The largest sum is the answer, and of equal ones the first.
    """

    ensemble: TreeEnsemble  # Leaves hold a value a class
    # (n_nodes,) Which share of the training rows came to each node
    shares: Floats
    divisor: float = 1.0  # By which sums are divided before they are compared
    takes_gaps: bool = False
    gapless: frozenset[int] = frozenset()  # Columns whose gaps it does not take then


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted model of somebody else."""

    name: str  # Of its class
    classes: Sequence[object]  # In the order of the sums
    n_features: int
    feature_names: tuple[str, ...] | None  # None where it knows none
    decides: FittedSum | FittedTrees
    # Of columns whose values are words: these, in the order of their codes. Any other
    # word has the code behind them
    words: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


#: Where a question leads: a child of the node, or a later question of the same node.
Way: TypeAlias = "tuple[str, int]"


@dataclass(frozen=True)
class Asked:
    """A question of a node: a value above `at`, or none, goes `above`."""

    at: float
    below: Way
    above: Way
    gaps_below: bool = False


@dataclass(frozen=True)
class GrownNode:
    """A node of somebody's tree: it asks questions of one feature, or answers."""

    share: float  # Of the training rows
    value: Sequence[float]  # Of a leaf
    feature: int = _LEAF
    asked: tuple[Asked, ...] = ()  # Each leads to a child, or to a later one


def refuse_sizes(n_features: int, n_outputs: int) -> None:
    """Refuse numbers of features or outputs that no file can mean."""
    if not (0 < n_features <= _MOST_FEATURES and 0 < n_outputs <= _MOST_OUTPUTS):
        raise InterchangeError(
            f"The file tells of {n_features:,} features and {n_outputs:,} trees a "
            f"round; at most {_MOST_FEATURES:,} and {_MOST_OUTPUTS:,} are read."
        )


def choice(
    cuts: Sequence[float], ways: Sequence[int], gaps: int | None = None
) -> tuple[Asked, ...]:
    """Return questions that lead the values up to each cut their way.

    The last way is of what is above all cuts. Cuts are halved, so that few questions
    are asked. `ways`: children, one more than there are cuts. `gaps`: where NaN goes,
    the last way by default.
    """
    kept = [k for k, (a, b) in enumerate(pairwise(ways)) if a != b]
    cuts, ways = [cuts[k] for k in kept], [*(ways[k] for k in kept), ways[-1]]
    found: list[Asked] = []
    if gaps is not None and gaps != ways[-1]:  # only NaN is above what is infinite
        found.append(Asked(math.inf, ("asked", 1), ("child", gaps)))
    elif not cuts:  # all go one way; the feature is looked at all the same
        return (Asked(0.0, ("child", ways[0]), ("child", ways[0])),)

    def ask(low: int, high: int) -> Way:
        """Ask about the cuts from one to before another; return where that begins."""
        if low == high:
            return "child", ways[low]
        place, middle = len(found), (low + high) // 2
        found.append(Asked(cuts[middle], ("asked", 0), ("asked", 0)))
        below, above = ask(low, middle), ask(middle + 1, high)
        found[place] = Asked(cuts[middle], below, above)
        return "asked", place

    begin = ask(0, len(cuts))
    if begin[0] == "child":
        found[0] = replace(found[0], below=begin)
    return tuple(found)


def equal_to(
    known: Sequence[float],
    ways: Sequence[int],
    otherwise: int,
    gaps: int | None = None,
) -> tuple[Asked, ...]:
    """Return questions that lead each of some numbers its way, and all others another.

    `known`: rising. `gaps`: where NaN goes, as all others by default.
    """
    cuts, leads = [], []
    for value, way in zip(known, ways, strict=True):
        cuts += [math.nextafter(value, -math.inf), value]
        leads += [otherwise, way]
    return choice(cuts, [*leads, otherwise], gaps)


def in_set(
    codes: Iterable[int], inside: int, outside: int, gaps: int | None = None
) -> tuple[Asked, ...]:
    """Return questions whether a number without its fraction is a code of a set.

    What is below 0 once it is cut to a whole number is not. `gaps`: where NaN goes,
    outside by default.
    """
    cuts, ways = [], []
    for code in sorted(codes):
        low = math.nextafter(float(code), -math.inf) if code else -1.0
        cuts += [low, math.nextafter(code + 1.0, -math.inf)]
        ways += [outside, inside]
    return choice(cuts, [*ways, outside], gaps)


def tree_of(nodes: Sequence[GrownNode]) -> tuple[DecisionTree, Floats]:
    """Return a tree whose nodes lead to later ones, and the share of rows at each.

    `nodes`: the first is the root; a child is named by its place among them.
    """
    order = [0]
    for k in order:  # grows as it goes
        ways = [way for one in nodes[k].asked for way in (one.below, one.above)]
        if any(kind == "child" and not 0 < at < len(nodes) for kind, at in ways):
            raise DataError(
                f"A tree of {len(nodes)} nodes leads back, or to one that it has not; "
                "save the model again."
            )
        order += dict.fromkeys(place for kind, place in ways if kind == "child")
        if len(order) > len(nodes):
            raise DataError(
                f"A tree of {len(nodes)} nodes leads to one of them twice; save the "
                "model again."
            )
    sizes = [max(1, len(nodes[k].asked)) for k in order]
    begins = dict(zip(order, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))
    n_nodes = sum(sizes)
    features: Integers = np.full(n_nodes, _LEAF)
    thresholds, shares = np.zeros(n_nodes), np.zeros(n_nodes)
    left, right = np.zeros(n_nodes, dtype=int), np.zeros(n_nodes, dtype=int)
    values = np.zeros((n_nodes, len(nodes[order[-1]].value)))
    gaps_left = np.zeros(n_nodes, dtype=bool)
    for k in order:
        begin, node = begins[k], nodes[k]
        values[begin], shares[begin] = node.value, node.share
        for place, one in enumerate(node.asked, begin):
            features[place], thresholds[place] = node.feature, one.at
            shares[place], gaps_left[place] = node.share, one.gaps_below
            left[place], right[place] = (
                begins[at] if kind == "child" else begin + at
                for kind, at in (one.below, one.above)
            )
    return DecisionTree(features, thresholds, left, right, values, gaps_left), shares


def in_class(steps: Floats, k: int, n_outputs: int) -> Floats:
    """Return steps of the k-th class; one output is that of the second of two.

    Shapes: (n_nodes,) -> (n_nodes, n_classes).
    """
    values = np.zeros((len(steps), max(2, n_outputs)))
    values[:, k if n_outputs > 1 else 1] = steps
    return values


def beginning(begin: Floats, first: float = 0.0) -> tuple[DecisionTree, Floats]:
    """Return a leaf: `begin`, with that of the first class where there are two."""
    values = begin if len(begin) > 1 else np.append(first, begin)
    return tree_of([GrownNode(1.0, values.tolist())])


def joined(
    grown: Sequence[tuple[DecisionTree, Floats]],
    divisor: float = 1.0,
    *,
    takes_gaps: bool = False,
) -> FittedTrees:
    """Return trees, and the share of rows at each of their nodes, end to end."""
    ensemble = TreeEnsemble.of([tree for tree, _ in grown])
    told = np.concatenate([share for _, share in grown])
    shares = np.clip(np.nan_to_num(told), 0.0, 1.0)  # files may say anything
    return FittedTrees(ensemble, shares, divisor, takes_gaps)
