"""Deciding on one sample in little time: features are read until it may leave."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ...decisions.lazy_features import Extractor, feature_reader, finite_number
from ...numerics.arrays import Floats
from .compiled_policy import CompiledPolicy, ExitPoint, Step
from .routing import RoutingTree

__all__ = ["Label", "Note", "decider"]

#: Reads a feature by its name.
Read: TypeAlias = Callable[[str], Any]
#: From what the model of a leaf and a stage says to what that predicts.
Label: TypeAlias = Callable[[Floats, int, int], Any]
#: Leads a sample to its leaf, and gives its table as it begins there.
Begin: TypeAlias = Callable[[Read], tuple[int, Floats]]
#: Told at every exit point: the leaf, the point, the table of what is known so far,
#: what the stage says, and the score.
Note: TypeAlias = Callable[[int, ExitPoint, Floats, Floats, float], None]


def decider(
    tree: RoutingTree,
    compiled: Sequence[CompiledPolicy],
    names: Sequence[str],
    label: Label,
) -> Callable[..., Any]:
    """Return what predicts one sample after the other, with all look-ups made before.

    From an extractor, and a `Note` to tell all exit points to if wanted, to a label. It
    asks for each feature once, unless what that gives is no number, and raises
    DataError if it is no finite one.
    `label`: from what the model of a leaf and a stage says to what that predicts.
    """
    steps = tuple(leaf.steps for leaf in compiled)
    begin = _beginning(tree, compiled, names)
    return partial(_decide, begin, steps, compiled[0].n_outputs, label)


# One function on purpose: the calls of a tidier one would take a twentieth of it.
def _decide(
    begin: Begin,
    steps: tuple[tuple[Step, ...], ...],
    n_outputs: int,
    label: Label,
    extractor: Extractor,
    note: Note | None = None,
) -> Any:
    read = extractor if callable(extractor) else extractor.feature
    leaf, values = begin(read)
    room = np.empty(n_outputs)
    for point, many, write, byte, few, answer, low, high in steps[leaf]:
        if many:
            try:
                write(values, byte, *map(read, many))
            except struct.error:
                write(values, byte, *map(finite_number, map(read, many), many))
        else:
            for place, name in few:
                value = read(name)
                try:
                    values[place] = value
                except (TypeError, ValueError):
                    values[place] = finite_number(value, name)
        outputs = answer(values, room)
        ranked = outputs.tolist()
        if len(ranked) > 1:
            ranked.sort()
            score = ranked[-1] - ranked[-2]
        else:
            score = ranked[0]
        if note is not None:
            note(leaf, point, values, outputs.copy(), score)
        if not low < score < high:
            break
    # Where a feature is not finite, no output is, and the row never goes on.
    if not math.isfinite(score):
        news = values[point.n_known - len(point.names) : point.n_known]
        list(map(finite_number, news, point.names))
    return label(outputs, leaf, point.stage)


def _beginning(
    tree: RoutingTree, compiled: Sequence[CompiledPolicy], names: Sequence[str]
) -> Begin:
    if not tree.splits:
        copy = compiled[0].first.copy
        return lambda _: (0, copy())

    def led(read: Read) -> tuple[int, Floats]:
        known: dict[int, float] = {}
        look = feature_reader(read, names)
        at = 0
        while at >= 0:
            split = tree.splits[at]
            if split.feature not in known:
                known[split.feature] = look(split.feature)
            goes_below = known[split.feature] <= split.threshold
            at = split.below if goes_below else split.above
        leaf = -1 - at
        values = compiled[leaf].first.copy()
        for place, feature in enumerate(compiled[leaf].route, 1):
            values[place] = known[feature]
        return leaf, values

    return led
