"""Deciding about one sample after the other: features are read until it may leave.

A tree of weighted sums, as cascades are, is walked in its own short loop: names,
places, weights and bounds are looked up once. Everything else goes through `machine`,
as what is exported does.
"""

from __future__ import annotations

import math
import operator
import struct
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats
from .basket import Basket, FeatureValues
from .coding import ColumnValues, as_number, hinged
from .lazy_features import Extractor, finite_number
from .machine import prepared_nodes, priced_scores, run_policy, sureness
from .program import (
    Answered,
    ExitIf,
    Fork,
    Program,
    ProgramNode,
    node_data,
    priced_data,
    spelt,
    turns_data,
    unsure_between,
)

#: From the table of numbers that are known to what a node says: one number, or several.
Weigh: TypeAlias = "Callable[[Floats], Any]"
#: Told at every node: its place, the table of what is known, and what the node says.
Note: TypeAlias = "Callable[[int, Floats, Any], None]"

_BYTES = 8
# So many values and fewer are written one by one: packing them takes longer.
_FEW = 4
# Where a row goes that is answered.
_END = -1


@dataclass(frozen=True, eq=False, kw_only=True)
class Stop:
    """What was seen and said where a row might leave; methods add how sure."""

    node: int  # Its place in the program
    stage: int  # Its number, from 0
    features: tuple[str, ...]  # What was computed since the last stop
    values: Floats  # (n_features,), theirs
    said: tuple[float, ...]  # The node's values
    label: Any  # What would be predicted there
    cost: float  # What the row has paid so far, in the hypergraph's unit
    seconds: float  # Spent so far, on features and decisions
    leaves: bool


class Journey:
    """One sample's finished way through a program; its stops are made when looked at.

    They take longer to make than the decisions that they tell of.
    """

    def __init__(
        self, label: Any, seconds: float, stops: Callable[[], Iterator[Any]]
    ) -> None:
        self.label = label  #: The prediction
        self.seconds = seconds  #: Measured time, features and decisions
        self._stops = stops

    @cached_property
    def stops(self) -> tuple[Any, ...]:
        """One for each place where the row might have left, in order."""
        return tuple(self._stops())

    @property
    def stage(self) -> int:
        """The stage at which the row left, from 0."""
        return int(self.stops[-1].stage)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that were computed, in order."""
        return tuple(name for stop in self.stops for name in stop.features)

    @property
    def cost(self) -> float:
        """What the row paid, in the hypergraph's unit."""
        return float(self.stops[-1].cost)


@dataclass(frozen=True, eq=False)
class _WalkStep:
    """What is done at a node; its fields run as a tuple: attributes take longer."""

    names: tuple[str, ...]  # What is read there that is not known yet
    begin: int  # Where their values stand in the table
    is_checked: bool  # Whether each value is checked as it comes
    weigh: Weigh | None
    dot: Callable[..., Any] | None = None  # Says one number, into room for it
    # One number leads `inside` strictly between `low` and `high`, else `outside`
    low: float = math.inf
    high: float = math.inf
    inside: int = _END
    outside: int = _END
    # Several numbers go on where they are not sure
    is_sure: Callable[[list[float]], bool] | None = None

    @property
    def ready(self) -> tuple[Any, ...]:
        """The fields in the order in which the loop takes them."""
        is_many = len(self.names) > _FEW and not self.is_checked
        many = self.names if is_many else ()
        few = () if is_many else tuple(enumerate(self.names, self.begin))
        # A third of the time that numpy takes for so few numbers.
        write = struct.Struct(f"{len(self.names)}d").pack_into
        way = self.low, self.high, (self.outside, self.inside), self.is_sure
        at = _BYTES * self.begin
        return many, write, at, few, self.is_checked, self.dot, self.weigh, *way


class Walker:
    """Decides about samples by a program, whatever its model is set to later.

    `classes`: labels, in the order of the model.
    `stop_of`: makes of each `Stop` what the method tells of it.
    """

    def __init__(
        self,
        program: Program,
        hypergraph: FeatureHypergraph,
        classes: Sequence[Any] | NDArray,
        stop_of: Callable[[Stop], Any] = lambda stop: stop,
    ) -> None:
        self._program, self._hypergraph = program, hypergraph
        self._labels, self._stop_of = list(classes), stop_of
        names = hypergraph.features
        self._names: list[str] = [""]  # Of each place of the table; the first is a one
        self._steps = _steps(program, names, self._names)
        if self._steps is None:
            self._totals = _in_plain_python(program, hypergraph, len(self._labels))
        else:
            self._ready = tuple(step.ready for step in self._steps)
            self._first = np.zeros(len(self._names))
            self._first[0] = 1.0
            self._root = program.roots[0]
            divisor, offset = program.divisor, program.offset
            self._ends = [
                (node.bound, node.scale / divisor, node.shift / divisor + offset)
                for node in program.nodes
            ]

    def decide(self, extractor: Extractor) -> Any:
        """Return the label of one sample.

        `extractor`: gives a feature by its name, such as
        ``FeaturePipeline.open(sample)``. It is asked for what the decision needs and no
        more, each once; DataError where it gives no finite number.
        """
        if self._steps is None:
            read = extractor if callable(extractor) else extractor.feature
            return self._label_of(self._totals(read)[0])
        return self._label(*self._walked(extractor, None))

    def walk(self, extractor: Extractor) -> Journey:
        """Return one sample's way; its label is that of `decide`."""
        started = time.perf_counter()
        if self._steps is None:
            read = extractor if callable(extractor) else extractor.feature
            said, seen = self._totals(read)
            seconds = time.perf_counter() - started
            label = self._label_of(said)
            return Journey(label, seconds, lambda: self._last_stop(said, seen, seconds))
        visits: list[tuple[Any, ...]] = []
        tell, clock = visits.append, time.perf_counter
        left = self._walked(
            extractor, lambda at, values, said: tell((clock(), at, values, said))
        )
        label, seconds = self._label(*left), visits[-1][0] - started
        return Journey(label, seconds, lambda: self._stops(started, visits))

    # One function on purpose: the calls of a tidier one would take a tenth of it.
    def _walked(self, extractor: Extractor, note: Note | None) -> tuple[int, Any]:
        """Return the node at which a sample leaves, and what it says."""
        read = extractor if callable(extractor) else extractor.feature
        steps, values = self._ready, self._first.copy()
        room = np.empty(1)  # Its own: several threads may walk at once
        following = self._root
        while following >= 0:
            at = following
            many, write, byte, few, check, dot, weigh, low, high, ways, is_sure = steps[
                at
            ]
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
                    if check or value is None:
                        finite_number(value, name)
            # Into room that stands ready, and a plain number: both are quicker.
            said = weigh(values) if dot is None else dot(values, room).item()
            is_inside = low < said < high if is_sure is None else not is_sure(said)
            following = ways[is_inside]
            if note is not None:
                note(at, values, said)
        total = said if is_sure is None else sum(said)
        if not math.isfinite(total):
            # Where a feature is not finite, no sum is.
            list(map(finite_number, values[1:].tolist(), self._names[1:]))
        return at, said

    def _label(self, at: int, said: Any) -> Any:
        """Return the label of what a node says."""
        if isinstance(said, list):
            return self._labels[said.index(max(said))]
        bound, scale, shift = self._ends[at]
        if bound:
            said = min(max(said, -bound), bound)
        return self._labels[scale * said + shift > 0.0]

    def _label_of(self, totals: Sequence[float]) -> Any:
        how = self._program
        scores = [total / how.divisor + how.offset for total in totals]
        if how.priced is not None:
            scores = priced_scores(scores, *priced_data(how.priced))
        if len(scores) > 1:
            return self._labels[scores.index(max(scores))]
        return self._labels[scores[0] > 0.0]

    def _stops(self, started: float, visits: Sequence[Any]) -> Iterator[Any]:
        names, values, computed = (), np.empty(0), list[str]()
        number = 0
        for now, at, table, said in visits:
            step = self._steps[at] if self._steps else None
            assert step is not None
            news = table[step.begin : step.begin + len(step.names)]
            names, values = (*names, *step.names), np.append(values, news)
            if isinstance(self._program.nodes[at].rule, Fork):
                continue
            computed += names
            stop = Stop(
                node=at,
                stage=number,
                features=names,
                values=values,
                said=tuple(said) if isinstance(said, list) else (float(said),),
                label=self._label(at, said),
                cost=self._cost(computed),
                seconds=now - started,
                leaves=at == visits[-1][1],
            )
            yield self._stop_of(stop)
            names, values, number = (), np.empty(0), number + 1

    def _last_stop(
        self, said: Sequence[float], seen: Mapping[str, float], seconds: float
    ) -> Iterator[Any]:
        yield self._stop_of(
            Stop(
                node=self._program.roots[-1],
                stage=0,
                features=tuple(seen),
                values=np.array(list(seen.values())),
                said=tuple(said),
                label=self._label_of(said),
                cost=self._cost(list(seen)),
                seconds=seconds,
                leaves=True,
            )
        )

    def _cost(self, computed: Sequence[str]) -> float:
        return float(self._hypergraph.cost(list(computed))) if computed else 0.0


# A tree of weighted sums, step by step.


def _steps(
    program: Program, names: Sequence[str], table: list[str]
) -> tuple[_WalkStep, ...] | None:
    """Return the steps of a tree of sums, and add the names of what its table holds.

    None where a program is something else: answers are added up or priced, ways meet
    where other features are known, or it shops.
    """
    nodes = program.nodes
    is_one = len(program.roots) == 1 and not program.gaps and program.turns is None
    is_one &= program.priced is None
    if not is_one or not all(map(_is_sum, nodes)):
        return None
    known: dict[int, dict[int, int]] = {program.roots[0]: {}}  # Places of features
    begins = []
    for at, node in enumerate(nodes):
        before = known.setdefault(at, {})
        news = [j for j in node.features if j not in before]
        begins.append(len(table))
        after = before | {j: len(table) + k for k, j in enumerate(news)}
        table += [names[j] for j in news]
        for target in node.targets:
            if known.setdefault(target, after) != after:
                return None
        known[at] = after
    size = len(table)
    found = []
    for at, (node, begin) in enumerate(zip(nodes, begins, strict=True)):
        place = known[at]
        news = [j for j, stands in place.items() if stands >= begin]
        is_dense = node.opaque is None and _is_dense(node)
        called = tuple(names[j] for j in news)
        if is_dense and len(node.base) == 1 and not program.steps:
            dot = _weights(node, place, size).dot
            step = _WalkStep(called, begin, False, None, dot)
        else:
            weigh = _weigh(node, place, size, program.steps)
            step = _WalkStep(called, begin, not is_dense, weigh)
        found.append(replace(step, **_ways(node)))
    return tuple(found)


def _is_sum(node: ProgramNode) -> bool:
    if isinstance(node.rule, Fork) and len(node.base) > 1:  # asks about the first alone
        return False
    return isinstance(node.rule, Answered | ExitIf | Fork) and not node.parts


def _is_dense(node: ProgramNode) -> bool:
    """Return whether a node weighs features as they come, and is no mere question."""
    plain = all(isinstance(column, int) for column, _ in node.terms)
    return plain and bool(node.terms) and not isinstance(node.rule, Fork)


def _ways(node: ProgramNode) -> dict[str, Any]:
    """Return where a row goes on from a node, as fields of a step."""
    rule = node.rule
    if isinstance(rule, Fork):
        above = math.nextafter(rule.at, math.inf)
        ways = {"inside": rule.below, "outside": rule.above}
        return {"low": -math.inf, "high": above, **ways}
    several = len(node.base) > 1
    if not isinstance(rule, ExitIf):
        return {"is_sure": lambda _: True} if several else {}
    if several:
        return {
            "inside": rule.onward,
            "is_sure": sureness(rule.kind, rule.units, rule.least),
        }
    low, high = unsure_between(rule)
    return {"low": low, "high": high, "inside": rule.onward}


def _weigh(
    node: ProgramNode, place: Mapping[int, int], size: int, steps: float
) -> Weigh:
    """Return what says a node's number, or numbers, from the table."""
    several = len(node.base) > 1
    if node.opaque is not None:
        answer = node.opaque.answer
        seen = [place[column] for column, _ in node.terms]
        if several:
            return lambda table: answer(table[seen]).tolist()
        return lambda table: answer(table[seen]).item()
    if not node.terms:
        said: Any = list(node.base) if several else node.base[0]
        return lambda _: said
    if not all(isinstance(column, int) for column, _ in node.terms):
        return _weigh_hinged(node, place)
    if isinstance(node.rule, Fork) and _is_question(node) and not steps:
        ((feature, _),) = node.terms
        stands = place[feature]
        return lambda table: table.item(stands)
    return _weigh_all(node, place, size, steps)


def _is_question(node: ProgramNode) -> bool:
    return node.base == (0.0,) and [w for _, w in node.terms] == [(1.0,)]


def _weights(node: ProgramNode, place: Mapping[int, int], size: int) -> Floats:
    """Return the weights of the whole table, shape (n_values, size).

    What is not known yet is 0 there: cutting it off would take longer.
    """
    weights = np.zeros((len(node.base), size))
    weights[:, 0] = node.base
    for column, of_values in node.terms:
        weights[:, place[column]] = of_values
    return weights


def _weigh_all(
    node: ProgramNode, place: Mapping[int, int], size: int, steps: float
) -> Weigh:
    """Return what weighs the whole table, and rounds."""
    weights = _weights(node, place, size)
    several = len(weights) > 1
    # Steps are a power of two: they change no digit.
    dot, rint = (weights * (steps or 1.0)).dot, np.rint
    if not steps:
        return lambda table: dot(table).tolist() if several else dot(table).item()
    if several:
        return lambda table: (rint(dot(table)) / steps).tolist()
    return lambda table: rint(dot(table)).item() / steps


def _weigh_hinged(node: ProgramNode, place: Mapping[int, int]) -> Weigh:
    columns = [
        (place[column], "", 0.0)
        if isinstance(column, int)
        else (place[column[0]], *column[1:])
        for column, _ in node.terms
    ]
    weights = list(zip(*(of_values for _, of_values in node.terms), strict=True))
    rows = list(zip(node.base, weights, strict=True))

    def weigh(table: Floats) -> Any:
        seen = [hinged(table.item(at), kind, knot) for at, kind, knot in columns]
        said = [sum(map(operator.mul, w, seen), begin) for begin, w in rows]
        return said if len(said) > 1 else said[0]

    return weigh


# Everything else, in plain Python.


class _Read(FeatureValues):
    """Features by name, read from an extractor when they are asked for.

    `gaps`: names of those whose NaN, None and what is infinite are gaps.
    """

    def __init__(self, read: Callable[[str], Any], gaps: Container[str]) -> None:
        self.read, self.gaps = read, gaps

    def __missing__(self, name: str) -> float:
        number = self[name] = self.number(name, self.read(name))
        return number

    def number(self, name: str, given: Any) -> float:
        """Return what was read: a finite number, or NaN where gaps are taken."""
        if name in self.gaps:
            return math.nan if given is None else as_number(given)
        return finite_number(given, name)


def _in_plain_python(
    program: Program, hypergraph: FeatureHypergraph, n_classes: int
) -> Callable[[Callable[[str], Any]], tuple[list[float], Mapping[str, float]]]:
    """Return what gives a sample's summed answers, and the features it computed."""
    names = hypergraph.features
    features = {j for node in program.nodes for j in node.features}
    columns = {column for node in program.nodes for column in node.columns}
    made: dict[str, dict[str, Any]] = {}
    if program.gaps or not all(isinstance(column, int) for column in columns):
        for column in columns:
            feature, *hinge = [column] if isinstance(column, int) else column
            made[spelt(column, names)] = {"of": names[feature]} | (
                {"hinge": tuple(hinge)} if hinge else {}
            )
            if feature in program.gaps:
                made[spelt(column, names)]["gap"] = math.nan
    needs = {}
    for j in features:
        needed = np.flatnonzero(hypergraph.required_components([j]))
        needs[names[j]] = tuple(hypergraph.components[c] for c in needed)
    costs = dict(
        zip(hypergraph.components, hypergraph.component_costs.tolist(), strict=True)
    )
    named = names.__getitem__, lambda column: spelt(column, names)
    nodes = prepared_nodes(
        [node_data(node, *named) for node in program.nodes],
        program.roots,
        program.steps,
        needs,
        costs,
        {name: of["of"] for name, of in made.items()},
    )
    is_each = bool(program.rests) or program.turns is not None
    n_sums = 1 if n_classes == 2 and not is_each else n_classes
    turns = turns_data(program.turns)
    gaps = {names[j] for j in program.gaps}

    def totals(
        read: Callable[[str], Any],
    ) -> tuple[list[float], Mapping[str, float]]:
        computed = _Read(read, gaps)
        basket = Basket(computed, ColumnValues(computed, made) if made else None)
        told = run_policy(nodes, program.roots, n_sums, basket, program.rests, turns)
        return told, computed

    return totals
