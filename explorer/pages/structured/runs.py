"""What has been measured: one setting in detail, and costs over many settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from solvers.markov import (
    CostGraph,
    FoldResult,
    HealthReport,
    InferenceTrace,
    Labelling,
    MethodSummary,
    compare,
    summarise,
)

from ...figures.graph_layout import Sketch, sketch_graph
from ...figures.structured_graph import Paid
from .methods import COST_SENSITIVE, make_classifiers
from .scenes import FitRequest, World, make_world

#: Results by method.
MethodResults: TypeAlias = Mapping[str, tuple[FoldResult, ...]]
#: Value and seed of a point of a curve, and what methods paid there.
CurvePoint: TypeAlias = tuple[tuple[float, int], MethodResults]


@dataclass(frozen=True, eq=False)
class Run:
    """The results of one request, as far as they have come."""

    request: FitRequest  # What was asked
    world: World  # The graphs
    # By method and fold
    results: Mapping[tuple[str, int], FoldResult] = field(default_factory=dict)
    _sketches: dict[int, Sketch] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels."""
        return self.world.labels

    @property
    def share(self) -> float:
        """Share of the results that are in."""
        return len(self.results) / (len(self.world.folds) * len(self.request.methods))

    @property
    def is_complete(self) -> bool:
        """Whether every method was tested on every fold."""
        return self.share >= 1.0

    def with_result(self, result: FoldResult) -> Run:
        """Return the run with one result more."""
        at = result.method, result.fold
        return replace(self, results={**self.results, at: result})

    def clipped(self, index: int) -> int:
        """Return the number of a test graph that exists."""
        return max(0, min(index, len(self.world.tests) - 1))

    def graph(self, index: int) -> CostGraph:
        """Return a test graph."""
        return self.world.graph(index)

    def sketch(self, index: int) -> Sketch:
        """Return what is drawn of a test graph."""
        index = self.clipped(index)
        if index not in self._sketches:
            places = self.world.places[index]
            self._sketches[index] = sketch_graph(self.world.graph(index), places)
        return self._sketches[index]

    def decision(self, method: str, index: int) -> Labelling | None:
        """Return what a method decided on a test graph; None if it is not in yet."""
        fold, place = self.world.place(index)
        result = self.results.get((method, fold))
        return None if result is None else result.decisions[place]

    def paid(self, method: str, index: int) -> Paid | None:
        """Return what a method pays on a test graph; None if it is not in yet."""
        decision = self.decision(method, index)
        if decision is None:
            return None
        return Paid.of(self.graph(index), decision.labels)

    def inference(self, method: str, index: int) -> tuple[str, InferenceTrace] | None:
        """Return the steps of a cost-sensitive method, the wanted one if it has any."""
        for name in (method, *COST_SENSITIVE):
            decision = self.decision(name, index)
            if decision is not None and decision.trace is not None:
                return name, decision.trace
        return None

    def of_method(self, method: str) -> list[FoldResult]:
        """Return the results of one method."""
        return [result for (name, _), result in self.results.items() if name == method]

    def summaries(self) -> dict[str, MethodSummary]:
        """Return the mean of each method that has a result."""
        return {summary.method: summary for summary in summarise(self.results.values())}

    def health(self, method: str) -> list[HealthReport]:
        """Return how far a method's inference can be trusted, fold by fold.

        Empty for a method without inference.
        """
        reports = [result.health for result in self.of_method(method)]
        return [report for report in reports if report is not None]


@dataclass(frozen=True, eq=False)
class CurveRequest:
    """Costs over one knob."""

    base: FitRequest  # Everything else, with the methods
    knob: str  # What is varied
    values: tuple[float, ...]  # Its values
    seeds: tuple[int, ...]  # Seeds of the graphs
    # What is there already
    known: Mapping[tuple[float, int], MethodResults] = field(default_factory=dict)

    def missing(self) -> list[tuple[float, int, tuple[str, ...]]]:
        """Return values, seeds and methods without a result, seed by seed."""
        found = []
        for seed in self.seeds:
            for value in self.values:
                known = self.known.get((value, seed), {})
                methods = tuple(m for m in self.base.methods if m not in known)
                if methods:
                    found.append((value, seed, methods))
        return found


@dataclass(frozen=True, eq=False)
class Curve:
    """Costs over one knob, as far as they have come."""

    knob: str  # What is varied
    # What the rest of the setting is: other points cannot be joined with these
    key: str
    # Results by method, by value and seed
    points: Mapping[tuple[float, int], MethodResults] = field(default_factory=dict)

    def with_point(self, point: CurvePoint) -> Curve:
        """Return the curve with more results."""
        at, results = point
        merged = {**self.points.get(at, {}), **results}
        return replace(self, points={**self.points, at: merged})

    def line(self, method: str) -> list[tuple[float, MethodSummary]]:
        """Return the mean costs of a method in the order of the knob."""
        by_value: dict[float, list[FoldResult]] = {}
        for (value, _), results in self.points.items():
            by_value.setdefault(value, []).extend(results.get(method, ()))
        return [
            (value, summarise(found)[0])
            for value, found in sorted(by_value.items())
            if found
        ]


def trace_costs(request: CurveRequest) -> Iterator[CurvePoint]:
    """Yield what is missing of a curve as it comes; the first seed's comes first."""
    for value, seed, methods in request.missing():
        world = make_world(request.base.at(request.knob, value, seed))
        classifiers = make_classifiers(methods, averaged=request.base.averaged)
        results = dict.fromkeys(methods, ())
        for result in compare(world.folds, classifiers):
            results[result.method] = (*results[result.method], result)
        yield (value, seed), results
