"""What the structured-costs page classifies: grown graphs, sensors, own files."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.errors import DataError, InterchangeError
from solvers.markov import (
    LIGHT_LEVELS,
    CostGraph,
    GrownScene,
    ReadingWindow,
    SensorReadings,
    SensorScene,
    deal_snapshots,
    leave_one_out,
    read_graph,
    read_lab,
    read_sensor_csv,
    split_graph,
)
from solvers.markov.scenes import FoldedGraphs
from solvers.values import AmbiguousCellError

from ...export.call import Call
from ...figures.layout import force_places
from ...session.own_files import OpenedFile

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
    _, snapshots = sensor_scene(readings, 1.0, 0)().measured()
    deal_snapshots(snapshots, N_FOLDS)
    return OwnSensors(name, readings, tuple(snapshots), files)


@dataclass(frozen=True)
class Setting:
    """The graphs that methods are compared on, by all that they depend on."""

    scene: str  # "growth", "small", "sensors" or "own"
    # Arguments of `grow_graphs`, without the seed, where they are grown
    growth: tuple[tuple[str, Any], ...] = ()
    seed: int = 0  # Seed of graphs or sensors
    occupant_cost: float = 0.0  # γ of the sensors
    # Whether cost-sensitive inference goes on with averaged marginals
    averaged: bool = False
    own: OwnGraph | OwnSensors | None = None  # A person's data, by identity

    def at(self, knob: str, value: float, seed: int) -> Setting:
        """Return the setting with another value of a knob."""
        if knob == "occupant_cost":
            return replace(self, occupant_cost=value, seed=seed)
        growth = tuple(sorted({**dict(self.growth), knob: value}.items()))
        return replace(self, growth=growth, seed=seed)


@dataclass(frozen=True, eq=False)
class World(FoldedGraphs):
    """Graphs to learn from and to test on, and how they are shown."""

    titles: list[str]  # What each test graph is
    labels: tuple[str, ...]  # Names of the labels
    # Where its nodes are drawn, if that is not left to the sketch
    places: list[NDArray[np.float64] | None]


def make_world(setting: Setting) -> World:
    """Return the graphs of a setting."""
    if isinstance(setting.own, OwnGraph):
        own = setting.own
        graphs = FoldedGraphs.of_parts(own.parts)
        return _world_of_graphs(graphs, "part", own.labels, list(own.places))
    if setting.scene == "sensors":
        return _world_of_sensors(setting)
    graphs = grown_scene(setting)().folded()
    return _world_of_graphs(graphs, "graph", GROWN_LABELS, [None] * N_FOLDS)


def grown_scene(setting: Setting) -> Call:
    """Return what lets the graphs of a setting grow."""
    growth = {**dict(setting.growth), "seed": setting.seed, "n_graphs": N_FOLDS}
    return Call(GrownScene, **growth)


def sensor_scene(
    readings: SensorReadings | Call | None, occupant_cost: float, seed: int
) -> Call:
    """Return what makes graphs of a person's readings, or of the made-up laboratory."""
    asked = {"occupant_cost": float(occupant_cost), "max_snapshots": MAX_SNAPSHOTS}
    if readings is None:
        return Call(SensorScene, **asked, seed=seed, n_days=N_DAYS)
    return Call(SensorScene, readings, **asked, speaking=SENSORS_SPEAKING)


def _world_of_graphs(
    graphs: FoldedGraphs,
    what: str,
    labels: tuple[str, ...],
    places: list[NDArray[np.float64] | None],
) -> World:
    n = len(graphs.tests)
    titles = [f"{what} {fold + 1} of {n}" for fold in range(n)]
    return World(graphs.folds, graphs.tests, titles, labels, places)


def _world_of_sensors(setting: Setting) -> World:
    if isinstance(setting.own, OwnSensors):
        readings, snapshots = setting.own.readings, list(setting.own.snapshots)
    else:
        readings, snapshots = sensor_scene(None, 1.0, setting.seed)().measured()
    graphs = FoldedGraphs.of_snapshots(readings, snapshots, setting.occupant_cost)
    times = [snapshot.time.astype("datetime64[m]").item() for snapshot in snapshots]
    titles = [f"snapshot of {time:%a %d %b %Y, %H:%M}" for time in times]
    places = [None] * len(snapshots)
    return World(graphs.folds, graphs.tests, titles, LIGHT_LEVELS, places)


#: What files are, in the order in which they are read.
GRAPH = ("nodes", "edges", "node_costs", "edge_costs")
SENSORS = ("readings", "places")
# What one file may weigh; the server refuses larger messages as well.
MAX_MEGABYTES = 16
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
# Three fits on more take longer than anybody waits in front of a screen.
MAX_OWN_NODES = 5000
MAX_OWN_LABELS = 5


def read_own_graph(files: Sequence[OpenedFile]) -> Iterator[OwnGraph]:
    """Read a graph in a process of its own."""
    yield graph_of(files)


def read_own_sensors(files: Sequence[OpenedFile]) -> Iterator[OwnSensors]:
    """Read sensors in a process of their own."""
    yield sensors_of(files)


def graph_of(files: Sequence[OpenedFile]) -> OwnGraph:
    """Read a graph from its tables."""
    given = {file.role: file for file in files}
    for role, called in (("nodes", "nodes"), ("edges", "links")):
        if role not in given:
            raise DataError(f"There is no file of {called}; choose a CSV file.")
    nodes, edges, *costs = (
        text_of(given[role].content, given[role].name) if role in given else None
        for role in GRAPH
    )
    name = given["nodes"].name
    try:
        graph = read_graph(nodes, edges, *costs)
    except AmbiguousCellError as error:
        raise InterchangeError(
            f"In a table {error.doubt}; write the numbers of its column without "
            "marks for thousands, and with other than three decimals."
        ) from error
    if graph.n_nodes > MAX_OWN_NODES or graph.n_labels > MAX_OWN_LABELS:
        raise DataError(
            f"{name} has {graph.n_nodes} nodes and {graph.n_labels} labels; this page "
            f"takes up to {MAX_OWN_NODES} nodes and {MAX_OWN_LABELS} labels: give a "
            "part, or use solvers.markov."
        )
    return own_graph(graph, name, tuple(files))


def sensors_of(files: Sequence[OpenedFile]) -> OwnSensors:
    """Read sensors from their readings and places."""
    given = {file.role: file for file in files}
    for role in SENSORS:
        if role not in given:
            raise DataError(f"There is no file of {role}; choose one.")
    readings, places = (text_of(given[r].content, given[r].name) for r in SENSORS)
    reader = read_sensor_csv if is_sensor_csv(given["readings"]) else read_lab
    return own_sensors(reader(readings, places), given["readings"].name, tuple(files))


def is_sensor_csv(readings: OpenedFile) -> bool:
    """Return whether readings are a table with headings, not the public lab's lines."""
    return b"timestamp" in readings.content.partition(b"\n")[0]


def text_of(content: bytes, name: str) -> io.StringIO:
    """Return an uploaded file as text."""
    if len(content) > MAX_BYTES:
        raise InterchangeError(
            f"{name} has {len(content) / 1e6:.0f} MB; give at most {MAX_MEGABYTES}."
        )
    try:
        text = io.StringIO(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InterchangeError(
            f"{name} is not text in UTF-8; save it as CSV in UTF-8."
        ) from error
    text.name = name
    return text
