"""What the structured-costs page classifies: grown graphs, sensors, own data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.errors import DataError
from solvers.markov import (
    LIGHT_LEVELS,
    CostGraph,
    FoldResult,
    ReadingWindow,
    SensorReadings,
    compare,
    deal_snapshots,
    grow_graphs,
    leave_one_out,
    sensor_folds,
    simulate_lab,
    split_graph,
    take_snapshots,
)

from ...figures.graph_layout import force_places
from ...session.opened_files import OpenedFile
from .methods import make_classifiers

N_FOLDS = 3
# A fit on so many takes a fraction of a second.
MAX_SNAPSHOTS = 12
N_DAYS = 9
# Of a person's sensors, those that must have spoken in a moment that is looked at.
SENSORS_SPEAKING = 0.9
GROWN_LABELS = ("0", "1")
LABELS_BY_SCENE = {
    "growth": GROWN_LABELS,
    "small": GROWN_LABELS,
    "sensors": LIGHT_LEVELS,
}

Fold = tuple[list[CostGraph], list[CostGraph]]


@dataclass(frozen=True, eq=False)
class OwnGraph:
    """A person's graph in three parts, each tested on once."""

    name: str  # What its file is called
    parts: tuple[CostGraph, ...]  # The parts
    # Where the nodes of each part are drawn
    places: tuple[NDArray[np.float64] | None, ...]
    n_lost: int  # Links between parts, which nobody sees
    files: tuple[OpenedFile, ...] = ()  # What it was read from

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels."""
        names = self.parts[0].label_names
        return names or tuple(str(k) for k in range(self.parts[0].n_labels))


@dataclass(frozen=True, eq=False)
class OwnSensors:
    """A person's readings, and the moments that are looked at."""

    name: str  # What their file is called
    readings: SensorReadings  # All of them
    snapshots: tuple[ReadingWindow, ...]  # At most twelve
    files: tuple[OpenedFile, ...] = ()  # What they were read from


def own_graph(
    graph: CostGraph, name: str, files: tuple[OpenedFile, ...] = ()
) -> OwnGraph:
    """Return a person's graph, cut into parts and laid out."""
    parts = tuple(split_graph(graph, N_FOLDS))
    if graph.labels is None:
        raise DataError(
            f"The nodes of {name} have no labels, so no mistake can be priced; give a "
            "label for every node."
        )
    for fold, (training, _) in enumerate(leave_one_out(parts)):
        if len(np.unique(np.concatenate([part.truth for part in training]))) < 2:
            raise DataError(
                f"Without part {fold + 1} all nodes of {name} have one label; give "
                "more nodes of another."
            )
    n_lost = graph.n_edges - sum(part.n_edges for part in parts)
    return OwnGraph(name, parts, tuple(map(force_places, parts)), n_lost, files)


def own_sensors(
    readings: SensorReadings, name: str, files: tuple[OpenedFile, ...] = ()
) -> OwnSensors:
    """Return a person's readings with the moments at which nearly all sensors spoke."""
    wanted = max(2, int(SENSORS_SPEAKING * readings.n_sensors))
    snapshots = take_snapshots(
        readings, min_sensors=wanted, max_snapshots=MAX_SNAPSHOTS
    )
    deal_snapshots(snapshots, N_FOLDS)
    return OwnSensors(name, readings, tuple(snapshots), files)


@dataclass(frozen=True, eq=False)
class FitRequest:
    """What is to be compared on what."""

    scene: str  # "growth", "small", "sensors" or "own"
    growth: Mapping[str, Any]  # Arguments of `grow_graphs`, without the seed
    seed: int  # Seed of graphs or sensors
    occupant_cost: float  # γ of the sensors
    methods: tuple[str, ...]  # Names, those that are wanted first in front
    shown: int = 0  # The test graph that is wanted first
    # Whether cost-sensitive inference goes on with averaged marginals
    averaged: bool = False
    own: OwnGraph | OwnSensors | None = None  # A person's data

    def is_part_of(self, other: FitRequest) -> bool:
        """Return whether another request asks for all that this one does."""
        same = ("scene", "growth", "seed", "occupant_cost", "averaged", "own")
        return set(self.methods) <= set(other.methods) and all(
            getattr(self, name) == getattr(other, name) for name in same
        )

    def at(self, knob: str, value: float, seed: int) -> FitRequest:
        """Return the same request at another setting."""
        if knob == "occupant_cost":
            return replace(self, occupant_cost=value, seed=seed)
        return replace(self, growth={**self.growth, knob: value}, seed=seed)


@dataclass(frozen=True, eq=False)
class World:
    """Graphs to learn from and graphs to test on."""

    folds: list[Fold]
    tests: list[tuple[int, int]]  # Fold and place in it of each test graph
    titles: list[str]  # What each test graph is
    labels: tuple[str, ...]  # Names of the labels
    # Where its nodes are drawn, if that is not left to the sketch
    places: list[NDArray[np.float64] | None] = field(default_factory=list)

    def graph(self, index: int) -> CostGraph:
        """Return a test graph."""
        fold, place = self.tests[index]
        return self.folds[fold][1][place]


def make_world(request: FitRequest) -> World:
    """Return the graphs that a request is about."""
    if isinstance(request.own, OwnGraph) and request.scene == "own":
        own = request.own
        return _world_of_graphs(own.parts, "part", own.labels, list(own.places))
    if request.scene == "sensors":
        return _world_of_sensors(request)
    graphs = grow_graphs(N_FOLDS, **request.growth, random_state=request.seed)
    return _world_of_graphs(graphs, "graph", GROWN_LABELS, [None] * N_FOLDS)


def fit_methods(request: FitRequest) -> Iterator[World | FoldResult]:
    """Yield the world, then results as they come; what is shown comes first."""
    world = make_world(request)
    yield world
    wanted = world.tests[min(request.shown, len(world.tests) - 1)][0]
    classifiers = make_classifiers(request.methods, averaged=request.averaged)
    for fold in sorted(range(len(world.folds)), key=lambda fold: fold != wanted):
        for result in compare([world.folds[fold]], classifiers, keep_decisions=True):
            yield replace(result, fold=fold)


def _world_of_graphs(
    graphs: Sequence[CostGraph],
    what: str,
    labels: tuple[str, ...],
    places: list[NDArray[np.float64] | None],
) -> World:
    return World(
        [(list(training), list(test)) for training, test in leave_one_out(graphs)],
        [(fold, 0) for fold in range(len(graphs))],
        [f"{what} {fold + 1} of {len(graphs)}" for fold in range(len(graphs))],
        labels,
        places,
    )


def _world_of_sensors(request: FitRequest) -> World:
    if isinstance(request.own, OwnSensors):
        readings, snapshots = request.own.readings, list(request.own.snapshots)
    else:
        readings = simulate_lab(N_DAYS, random_state=request.seed)
        snapshots = take_snapshots(readings, max_snapshots=MAX_SNAPSHOTS)
    folds = list(sensor_folds(readings, snapshots, occupant_cost=request.occupant_cost))
    fold_of = deal_snapshots(snapshots, N_FOLDS)
    tests = [
        (int(fold), int(np.sum(fold_of[:k] == fold))) for k, fold in enumerate(fold_of)
    ]
    times = [snapshot.time.astype("datetime64[m]").item() for snapshot in snapshots]
    titles = [f"snapshot of {time:%a %d %b %Y, %H:%M}" for time in times]
    return World(folds, tests, titles, LIGHT_LEVELS, [None] * len(snapshots))
