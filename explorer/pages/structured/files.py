"""A person's graph or sensors, read from the files that they gave."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from solvers.errors import DataError, InterchangeError
from solvers.markov import read_graph, read_lab, read_sensor_csv
from solvers.values import AmbiguousCellError

from ...session.opened_files import OpenedFile
from .scenes import OwnGraph, OwnSensors, own_graph, own_sensors

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
