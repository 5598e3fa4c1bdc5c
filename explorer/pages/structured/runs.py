"""The classifiers, and what has been measured of them: one setting, and curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from solvers.markov import (
    ConstantLabelClassifier,
    CostGraph,
    CostSensitiveMarkovNetwork,
    FoldResult,
    HealthReport,
    InferenceTrace,
    Labelling,
    MarkovNetworkClassifier,
    MethodSummary,
    NodeLogisticClassifier,
    StructuredClassifier,
    summarise,
)

from ...export.call import Call
from ...figures.layout import Sketch, sketch_graph
from ...figures.structured_graph import Paid
from .scenes import Setting, World

MAX_CONSTANTS = 5
ALWAYS = tuple(f"Always {label}" for label in range(MAX_CONSTANTS))
COST_SENSITIVE = ("CSMN", "CSMN (exact)")
EXACT = ("MN (exact)", "CSMN (exact)")
# Fast ones first: results stream in this order.
LEARNING = (
    "LOGREG",
    "LOGREG with edges",
    "MN (pseudo-likelihood)",
    "CSMN",
    "CSMN w/o CSINF",
    "MN",
    "MN (2006)",
    "MN (tree-reweighted)",
)
METHODS = (*LEARNING, *EXACT, *ALWAYS)

_CALLS = {
    "LOGREG": Call(NodeLogisticClassifier),
    "LOGREG with edges": Call(NodeLogisticClassifier, edge_aware=True),
    "MN": Call(MarkovNetworkClassifier),
    "MN (2006)": Call(MarkovNetworkClassifier, "warm"),
    "MN (tree-reweighted)": Call(MarkovNetworkClassifier, "tree-reweighted"),
    "MN (pseudo-likelihood)": Call(MarkovNetworkClassifier, "pseudo-likelihood"),
    "MN (exact)": Call(MarkovNetworkClassifier, "exact"),
    "CSMN w/o CSINF": Call(CostSensitiveMarkovNetwork, cost_sensitive_inference=False),
    **{name: Call(ConstantLabelClassifier, label) for label, name in enumerate(ALWAYS)},
}


def scene_methods(scene: str, n_labels: int) -> tuple[str, ...]:
    """Return the methods that can be run in a scene."""
    exact = EXACT if scene == "small" else ()
    return (*LEARNING, *exact, *ALWAYS[:n_labels])


def classifier_calls(
    names: Sequence[str], *, averaged: bool = False
) -> dict[str, Call]:
    """Return the calls that make classifiers, by name.

    `averaged`: whether cost-sensitive inference goes on with averaged marginals.
    """
    asked = {"average": True} if averaged else {}
    csmn = CostSensitiveMarkovNetwork
    calls = {
        **_CALLS,
        "CSMN": Call(csmn, **asked),
        "CSMN (exact)": Call(csmn, inference="exact", **asked),
    }
    return {name: calls[name] for name in names}


def make_classifiers(
    names: Sequence[str], *, averaged: bool = False
) -> dict[str, StructuredClassifier]:
    """Return unfitted classifiers by name, as `classifier_calls` has them."""
    calls = classifier_calls(names, averaged=averaged)
    return {name: call() for name, call in calls.items()}


def method_title(name: str, labels: Sequence[str]) -> str:
    """Return what a method is called where labels have names."""
    if name in ALWAYS and ALWAYS.index(name) < len(labels):
        return f"Always {labels[ALWAYS.index(name)]}"
    return name


#: Value of the knob, seed of the graphs, and method.
CurvePoint: TypeAlias = tuple[float, int, str]


@dataclass(frozen=True, eq=False)
class MethodResults:
    """What one method decided at one setting, as far as it has come."""

    setting: Setting
    world: World
    results: tuple[FoldResult, ...] = ()


@dataclass(frozen=True, eq=False)
class Run:
    """What methods decided at one setting, as far as it has come."""

    setting: Setting  # What was asked
    world: World  # The graphs
    methods: tuple[str, ...]  # Whose results are in, or will be
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
        return len(self.results) / (len(self.world.folds) * len(self.methods))

    @property
    def is_complete(self) -> bool:
        """Whether every method was tested on every fold."""
        return self.share >= 1.0

    def with_tested(
        self, methods: Sequence[str], tested: Iterable[MethodResults]
    ) -> Run:
        """Return the run of some methods, with what more of them has come."""
        found = {
            (one.method, one.fold): one
            for one in (*self.results.values(), *(r for t in tested for r in t.results))
            if one.method in methods
        }
        return replace(self, methods=tuple(methods), results=found)

    def is_like(self, other: Run | None) -> bool:
        """Return whether another run tells just the same."""
        return (
            other is not None
            and (self.setting, self.methods) == (other.setting, other.methods)
            and self.results.keys() == other.results.keys()
            and all(other.results[at] is one for at, one in self.results.items())
        )

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


@dataclass(frozen=True)
class CurvePlan:
    """Costs over one knob: at which values, and of how many seeds."""

    base: Setting  # Everything else
    knob: str  # What is varied
    values: tuple[float, ...]  # Its values
    seeds: tuple[int, ...]  # Seeds of the graphs

    @property
    def setting(self) -> Setting:
        """The setting but for the knob: only points of one can be joined."""
        return self.base.at(self.knob, 0.0, self.base.seed)

    def points(self, methods: Iterable[str]) -> dict[CurvePoint, Any]:
        """Return what is asked of each point; the first seed's come first."""
        return {
            (value, seed, method): (self.base.at(self.knob, value, seed), method)
            for seed in self.seeds
            for value in self.values
            for method in methods
        }


@dataclass(frozen=True, eq=False)
class Curve:
    """Costs over one knob, as far as they have come."""

    knob: str  # What is varied
    setting: Setting  # What the rest of the setting is
    points: Mapping[CurvePoint, MethodResults] = field(default_factory=dict)

    def line(self, method: str) -> list[tuple[float, MethodSummary]]:
        """Return the mean costs of a method in the order of the knob."""
        by_value: dict[float, list[FoldResult]] = {}
        for (value, _, name), tested in self.points.items():
            if name == method:
                by_value.setdefault(value, []).extend(tested.results)
        return [(at, summarise(found)[0]) for at, found in sorted(by_value.items())]
