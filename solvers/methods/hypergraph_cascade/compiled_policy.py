"""What one sample does, made ready beforehand: names to read, weights, and bounds."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ...numerics.arrays import Floats, Integers
from .columns import ExpandedColumns
from .members import LeafCascade, Member
from .policies import Policy
from .stages import StageModel

__all__ = ["CompiledPolicy", "ExitPoint", "Step", "compile_policy"]

#: From the table of numbers, and room for the outputs, to the outputs of a stage. What
#: is not known yet is 0 there, and weighs nothing: cutting it off would take longer.
Answer: TypeAlias = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, eq=False)
class ExitPoint:
    """A stage at which a row may leave."""

    stage: int  # Its number
    features: tuple[int, ...]  # What is computed that is not known yet
    names: tuple[str, ...]  # Their names
    n_known: int  # How many numbers are known then: a one, and the features so far
    low: float  # The row goes on if its score is strictly between them
    high: float


#: What is done at an exit point: many values are written at once, from a byte on, few
#: one by one, each at its place; then the model answers, and the score is held against
#: two bounds. A tuple, since attributes would take a twentieth of a decision.
Step: TypeAlias = tuple[
    ExitPoint,
    tuple[str, ...],
    Callable[..., None],
    int,
    tuple[tuple[int, str], ...],
    Answer,
    float,
    float,
]


@dataclass(frozen=True, eq=False)
class CompiledPolicy:
    """All exit points of one leaf."""

    # Features that are known already, since they lead to the leaf
    route: tuple[int, ...]
    steps: tuple[Step, ...]  # One an exit point, in order
    # (1 + n_features_of_the_leaf,) The table as it begins: a one, and zeros
    first: Floats
    n_outputs: int  # How many numbers a stage says whose model is linear


_BYTES = 8
# So many values and fewer are written one by one: packing them takes longer.
_FEW = 4


def compile_policy(
    member: Member, policy: Policy, names: Sequence[str]
) -> tuple[CompiledPolicy, ...]:
    """Return the way of each leaf under a policy."""
    return tuple(
        _compile_leaf(leaf, member.columns, stops, names)
        for leaf, stops in zip(member.leaves, policy.stops, strict=True)
    )


def _compile_leaf(
    leaf: LeafCascade,
    columns: ExpandedColumns,
    stops: Sequence[tuple[int, float, float]],
    names: Sequence[str],
) -> CompiledPolicy:
    parents = columns.parents[leaf.plan.columns].tolist()
    last = parents[: leaf.plan.ends[stops[-1][0]]]
    whole = 1 + len({*leaf.route, *last})
    # At place 0 stands a one, for the intercepts.
    place = {feature: 1 + k for k, feature in enumerate(leaf.route)}
    found = []
    for stage, low, high in stops:
        needed = parents[: leaf.plan.ends[stage]]
        news = tuple(dict.fromkeys(f for f in needed if f not in place))
        begin = len(place) + 1
        place |= {feature: begin + k for k, feature in enumerate(news)}
        at = np.array([place[feature] for feature in needed], dtype=np.int64)
        called = tuple(names[feature] for feature in news)
        point = ExitPoint(stage, news, called, len(place) + 1, low, high)
        answer = _answer(leaf, columns, stage, at, whole)
        found.append(_step(point, begin, answer))
    coef = leaf.models[0].coef
    n_outputs = 1 if coef is None else len(coef)
    first = np.zeros(whole)
    first[0] = 1.0
    return CompiledPolicy(leaf.route, tuple(found), first, n_outputs)


def _step(point: ExitPoint, begin: int, answer: Answer) -> Step:
    names = point.names
    many = names if len(names) > _FEW else ()
    few = () if many else tuple(enumerate(names, begin))
    # A third of the time that numpy takes for so few numbers.
    write = struct.Struct(f"{len(names)}d").pack_into
    return point, many, write, _BYTES * begin, few, answer, point.low, point.high


def _answer(
    leaf: LeafCascade, columns: ExpandedColumns, stage: int, at: Integers, size: int
) -> Answer:
    model = leaf.models[stage]
    if model.coef is None or model.intercept is None or columns.knots is not None:
        return _answer_of_columns(model, columns, leaf.plan.bought(stage), at)
    weights = np.zeros((len(model.coef), size))
    weights[:, at] = model.coef
    weights[:, 0] = model.intercept
    # Its method itself: a function around it would take a tenth of a decision.
    return weights.dot


def _answer_of_columns(
    model: StageModel, columns: ExpandedColumns, bought: Integers, at: Integers
) -> Answer:
    features = bought % columns.n_features

    def answer(known: Floats, room: Floats) -> Floats:
        values = known[at]
        if not math.isfinite(values.sum()):
            return np.full_like(room, math.nan)
        if columns.knots is not None:
            row = np.zeros((1, columns.n_features))
            row[0, features] = values
            values = columns.table(row, bought)[0]
        return model.answer(values)

    return answer
