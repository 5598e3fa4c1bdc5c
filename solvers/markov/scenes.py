"""Graphs to learn from and to test on, told by a few plain values; methods on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from ..checks import check_choice, check_count
from ..errors import DataError
from .classifier import StructuredClassifier
from .comparison import (
    FoldResult,
    MethodSummary,
    compare,
    leave_one_out,
    split_graph,
    summarise,
)
from .floor_plan import simulate_lab
from .graph import CostGraph, paid_costs
from .growth import Attachment, grow_graphs
from .sensor_graphs import (
    ReadingWindow,
    SensorReadings,
    deal_snapshots,
    sensor_folds,
    take_snapshots,
)

N_FOLDS = 3
Thing = TypeVar("Thing")


@dataclass(frozen=True, eq=False)
class FoldedGraphs:
    """Graphs to learn from and graphs to test on, fold by fold."""

    folds: list[tuple[list[CostGraph], list[CostGraph]]]
    tests: list[tuple[int, int]]  # Fold and place in it of each test graph

    @classmethod
    def of_parts(cls, graphs: Sequence[CostGraph]) -> Self:
        """Return folds that test on one graph each."""
        return cls(leave_one_out(graphs), [(fold, 0) for fold in range(len(graphs))])

    @classmethod
    def of_snapshots(
        cls,
        readings: SensorReadings,
        snapshots: Sequence[ReadingWindow],
        occupant_cost: float,
    ) -> Self:
        """Return folds that test on each snapshot once, which keep their order."""
        folds = list(sensor_folds(readings, snapshots, occupant_cost=occupant_cost))
        fold_of = deal_snapshots(snapshots, N_FOLDS)
        tests = [
            (int(fold), int(np.sum(fold_of[:k] == fold)))
            for k, fold in enumerate(fold_of)
        ]
        return cls(folds, tests)

    def place(self, shown: int) -> tuple[int, int]:
        """Return fold and place of a test graph, or of the last one there is."""
        return self.tests[max(0, min(shown, len(self.tests) - 1))]

    def graph(self, shown: int) -> CostGraph:
        """Return a test graph."""
        fold, place = self.place(shown)
        return self.folds[fold][1][place]


class GraphScene(Protocol):
    """What graphs can be made of, again and again with other settings."""

    #: What a curve may vary; empty where graphs cannot be made anew
    knobs: tuple[str, ...]

    def folded(self) -> FoldedGraphs:
        """Return the graphs, cut into folds."""

    def at(self, knob: str, value: float, seed: int) -> GraphScene:
        """Return the scene with another setting and seed."""


@dataclass(frozen=True)
class GrownScene:
    """Graphs that are grown, as by ``grow_graphs``.

    Parameters
    ----------
    n_nodes, label_agreement, extra_links, attribute_strength, attachment : optional
        As of ``grow_graphs``.
    seed : int, default=0
        Of all graphs.
    n_graphs : int, default=3
        Each is tested on by what was learned from the others.
    """

    n_nodes: int = 300
    label_agreement: float = 0.85
    extra_links: float = 0.25
    attribute_strength: float = 0.25
    attachment: Attachment = "in"
    seed: int = 0
    n_graphs: int = N_FOLDS

    knobs = ("label_agreement", "extra_links", "attribute_strength")

    def folded(self) -> FoldedGraphs:
        """Return the graphs, cut into folds.

        Returns
        -------
        FoldedGraphs
        """
        return FoldedGraphs.of_parts(
            grow_graphs(
                self.n_graphs,
                self.n_nodes,
                label_agreement=self.label_agreement,
                extra_links=self.extra_links,
                attribute_strength=self.attribute_strength,
                attachment=self.attachment,
                random_state=self.seed,
            )
        )

    def at(self, knob: str, value: float, seed: int) -> GrownScene:
        """Return the scene with another setting and seed.

        Parameters
        ----------
        knob : str
            One of ``knobs``.
        value : float
            Its value.
        seed : int
            Of the graphs.

        Returns
        -------
        GrownScene
        """
        check_choice("knob", knob, self.knobs)
        changes: dict[str, Any] = {knob: value, "seed": seed}
        return replace(self, **changes)


@dataclass(frozen=True, eq=False)
class OneGraphScene:
    """One graph, cut into parts: links between them are lost.

    Parameters
    ----------
    graph : CostGraph
        With a label for every node.
    n_parts : int, default=3
        Each is tested on by what was learned from the others.
    """

    graph: CostGraph
    n_parts: int = N_FOLDS

    knobs = ()

    def folded(self) -> FoldedGraphs:
        """Return the parts as folds.

        Returns
        -------
        FoldedGraphs
        """
        return FoldedGraphs.of_parts(split_graph(self.graph, self.n_parts))

    def at(self, knob: str, value: float, seed: int) -> OneGraphScene:
        """Refuse: a graph that is given is not made anew.

        Parameters
        ----------
        knob : str
            What is to vary.
        value : float
            Its value.
        seed : int
            Of the graphs.

        Raises
        ------
        DataError
            Always.
        """
        raise DataError(
            f"A graph that is given has no {knob}={value:g} at seed {seed}; vary that "
            "of a grown scene."
        )


@dataclass(frozen=True, eq=False)
class SensorScene:
    """Moments of a sensor network, each a graph of which places are lit.

    Parameters
    ----------
    readings : SensorReadings, optional
        Of a real network; by default those of the made-up laboratory.
    occupant_cost : float, default=1.0
        γ: what calling a place better lit than it is costs.
    seed : int, default=0
        Of the made-up laboratory.
    n_days : int, default=9
        Of the made-up laboratory.
    speaking : float, optional
        The share of sensors that must have spoken in a moment that is looked at; by
        default as many as ``take_snapshots`` asks for.
    max_snapshots : int, default=12
        Moments that are looked at, at most.
    """

    readings: SensorReadings | None = None
    occupant_cost: float = 1.0
    seed: int = 0
    n_days: int = 9
    speaking: float | None = None
    max_snapshots: int = 12

    knobs = ("occupant_cost",)

    def measured(self) -> tuple[SensorReadings, list[ReadingWindow]]:
        """Return readings, and the moments that are looked at.

        Returns
        -------
        tuple of SensorReadings and list of ReadingWindow
        """
        readings = self.readings
        if readings is None:
            readings = simulate_lab(self.n_days, random_state=self.seed)
        most = self.max_snapshots
        if self.speaking is None:
            return readings, take_snapshots(readings, max_snapshots=most)
        wanted = max(2, int(self.speaking * readings.n_sensors))
        snapshots = take_snapshots(readings, min_sensors=wanted, max_snapshots=most)
        return readings, snapshots

    def folded(self) -> FoldedGraphs:
        """Return the moments as graphs, cut into folds.

        Returns
        -------
        FoldedGraphs
        """
        return FoldedGraphs.of_snapshots(*self.measured(), self.occupant_cost)

    def at(self, knob: str, value: float, seed: int) -> SensorScene:
        """Return the scene at another cost of an occupant, and seed.

        Parameters
        ----------
        knob : {"occupant_cost"}
            What varies.
        value : float
            Its value.
        seed : int
            Of the made-up laboratory.

        Returns
        -------
        SensorScene
        """
        check_choice("knob", knob, self.knobs)
        return replace(self, occupant_cost=value, seed=seed)


@dataclass(frozen=True, eq=False, repr=False)
class SceneComparison:
    """What ``compare_scene`` has found; printed, what is paid, and the curve.

    Parameters
    ----------
    results : tuple of FoldResult
        One for each classifier and fold.
    graphs : FoldedGraphs
        What was learned from and tested on.
    drawn : tuple of str
        The methods whose labels are looked at.
    shown : int
        The test graph that they are looked at on.
    curve_over : str
        What the curve varies; empty where there is no curve.
    curve : mapping of float to list of MethodSummary
        What each method pays at each value.
    """

    results: tuple[FoldResult, ...]
    graphs: FoldedGraphs
    drawn: tuple[str, ...] = ()
    shown: int = 0
    curve_over: str = ""
    curve: Mapping[float, list[MethodSummary]] = field(default_factory=dict)

    @property
    def summaries(self) -> list[MethodSummary]:
        """The mean of each method."""
        return summarise(self.results)

    @property
    def paid(self) -> dict[str, tuple[float, float]]:
        """What each method that is looked at pays there, on nodes and on links."""
        (fold, place), graph = (
            self.graphs.place(self.shown),
            self.graphs.graph(self.shown),
        )
        found = {}
        for row in self.results:
            if row.fold == fold and row.method in self.drawn:
                nodes, edges = paid_costs(graph, row.decisions[place].labels)
                found[row.method] = float(nodes.sum()), float(edges.sum())
        return found

    def __repr__(self) -> str:
        lines = ["Mean cost of a test graph:"]
        lines += [
            f"    {row.method}: {row.cost:.6g} +- {row.standard_error:.3g}, "
            f"{100 * row.accuracy:.1f} % of the nodes are right"
            for row in self.summaries
        ]
        lines += [
            f"{method} pays {nodes + edges:.6g} on test graph {self.shown + 1}: "
            f"{nodes:.6g} on nodes, {edges:.6g} on links"
            for method, (nodes, edges) in self.paid.items()
        ]
        for value, rows in self.curve.items():
            told = ", ".join(f"{row.method} {row.cost:.6g}" for row in rows)
            lines.append(f"{self.curve_over} {value:g}: {told}")
        return "\n".join(lines)


def compare_scene(
    scene: GraphScene,
    classifiers: Mapping[str, StructuredClassifier],
    *,
    drawn: Iterable[str] = (),
    shown: int = 0,
    curve_over: str = "",
    values: Iterable[float] = (),
    seeds: Iterable[int] = (0,),
    progress: bool = False,
) -> SceneComparison:
    """Compare classifiers on the graphs of a scene, and along a curve of settings.

    Parameters
    ----------
    scene : GrownScene, OneGraphScene or SensorScene
        Each of its graphs is tested on once, by what was learned from the others.
    classifiers : mapping of str to StructuredClassifier
        What to compare, by the names that are printed. They are copied.
    drawn : iterable of str, optional
        Methods whose labels are looked at on one test graph.
    shown : int, default=0
        Which test graph that is, from 0.
    curve_over : str, optional
        What the curve varies; there is none by default.
    values : iterable of float, optional
        Its values.
    seeds : iterable of int, default=(0,)
        Seeds of the graphs of the curve.
    progress : bool, default=False
        Whether to show on standard error how far it has come.

    Returns
    -------
    SceneComparison

    Raises
    ------
    ThriftscopeError
        If there is no classifier, a setting is out of range, or the scene has none
        such as the curve varies.

    Examples
    --------
    >>> from solvers.markov import NodeLogisticClassifier
    >>> scene = GrownScene(n_nodes=40)
    >>> found = compare_scene(scene, {"LOGREG": NodeLogisticClassifier()})
    >>> len(found.results)
    3
    """
    check_count("shown", shown, 0)
    if curve_over:
        check_choice("curve_over", curve_over, scene.knobs)
    graphs = scene.folded()
    results = _shown_progress(
        compare(graphs.folds, classifiers, keep_decisions=True),
        len(graphs.folds) * len(classifiers),
        progress,
    )
    found = tuple(results)
    asked, runs = [*values] if curve_over else [], [*seeds]
    n_curve = len(asked) * len(runs) * len(found)
    points = _shown_progress(
        (
            (value, row)
            for value in asked
            for seed in runs
            for row in compare(
                scene.at(curve_over, value, seed).folded().folds, classifiers
            )
        ),
        n_curve,
        progress and bool(asked),
    )
    by_value: dict[float, list[FoldResult]] = {value: [] for value in asked}
    for value, row in points:
        by_value[value].append(row)
    curve = {value: summarise(rows) for value, rows in by_value.items()}
    return SceneComparison(found, graphs, tuple(drawn), shown, curve_over, curve)


def _shown_progress(
    rows: Iterable[Thing], total: int, is_shown: bool
) -> Iterator[Thing]:
    """Yield results, and show how many have come."""
    if is_shown:
        from tqdm import tqdm

        rows = tqdm(rows, "Comparing", total, unit=" fits")
    yield from rows
