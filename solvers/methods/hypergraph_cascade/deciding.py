"""One sample's way: features are read until it may leave, and each step can be told."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np

from ...decisions.lazy_features import (
    Extractor,
    Journey,
    Stop,
    feature_reader,
    finite_number,
)
from ...numerics.arrays import Floats, Integers
from .members import LeafCascade, Member
from .policies import Policy
from .routing import RoutingTree
from .rows import ExpandedColumns
from .stages import SURE, StageModel

# What one sample does, made ready beforehand: names to read, weights, and bounds.


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


# Deciding on one sample in little time: features are read until it may leave.


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


# One sample's way through the hypergraph cascade, computing features on the way.


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreStop(Stop):
    """A stop, with the score of its stage and the interval in which rows go on."""

    score: float  #: u: what the stage tells rows apart by
    #: The row goes on if its score is strictly between them
    low: float
    high: float


#: An exit point on the way: when, the leaf, the point, the table of what is known, what
#: the stage says, and the score.
_Visit: TypeAlias = tuple[float, int, ExitPoint, Floats, Floats, float]


class RoutedJourney(Journey):
    """A finished way through the cascade.

    Attributes
    ----------
    stops : tuple of ScoreStop
        One for each stage where the row might have left; made when they are looked at.
    leaf : int
        The leaf of the tree that it was led to; 0 without routing.
    label : object
        The prediction.
    cost : float
        What the row paid, in the hypergraph's unit.
    seconds : float
        Measured time, features and decisions.
    """

    def __init__(
        self, runner: SampleRunner, started: float, visits: list[_Visit], label: Any
    ) -> None:
        now, leaf, point = visits[-1][:3]
        # Past the frozen setter of the base class, which would take as long again.
        self.__dict__.update(
            leaf=leaf,
            label=label,
            stage=point.stage,
            cost=runner.costs[leaf][point.stage],
            seconds=now - started,
            _told=(runner, started, visits),
        )

    @cached_property
    def stops(self) -> tuple[ScoreStop, ...]:
        runner, started, visits = self.__dict__["_told"]
        return tuple(runner.stops(started, visits))


class SampleRunner:
    """What leads one sample after the other, with all look-ups made before.

    `label`: from what the model of a leaf and a stage says to what that predicts.
    """

    def __init__(
        self, member: Member, policy: Policy, names: Sequence[str], label: Label
    ) -> None:
        self.names, self.label = names, label
        self.costs = tuple(leaf.plan.costs.tolist() for leaf in member.leaves)
        self.compiled = compile_policy(member, policy, names)
        self.decide = decider(member.tree, self.compiled, names, label)

    def run_sample(self, extractor: Extractor) -> RoutedJourney:
        """Send one sample through the stages, computing what each needs and no more."""
        visits: list[_Visit] = []
        clock, add = time.perf_counter, visits.append
        started = clock()
        label = self.decide(extractor, lambda *said: add((clock(), *said)))
        return RoutedJourney(self, started, visits, label)

    def stops(self, started: float, visits: Sequence[_Visit]) -> Iterator[ScoreStop]:
        """Yield what each exit point saw and said."""
        told = 1
        for number, (now, leaf, point, values, outputs, score) in enumerate(visits):
            route = self.compiled[leaf].route if number == 0 else ()
            yield ScoreStop(
                stage=point.stage,
                features=tuple(self.names[f] for f in (*route, *point.features)),
                values=values[told : point.n_known].copy(),
                score=min(max(score, -SURE), SURE),
                low=point.low,
                high=point.high,
                label=self.label(outputs, leaf, point.stage),
                cost=self.costs[leaf][point.stage],
                seconds=now - started,
                leaves=number == len(visits) - 1,
            )
            told = point.n_known
