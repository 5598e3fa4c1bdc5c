"""A graph from a person's own tables: nodes, edges, and what mistakes cost."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..costs.interchange.cells import guarded
from ..errors import InterchangeError, shown
from .cost_tables import (
    Price,
    edge_cost_array,
    edge_price_table,
    known_ends,
    node_cost_array,
    node_price_table,
    read_edge_prices,
    read_node_prices,
)
from .graph import CostGraph
from .text_tables import TextSource, number_columns, rows_of, source_name

__all__ = ["read_graph", "write_graph"]

MAX_NODES = 200_000
MAX_LABELS = 50


def read_graph(
    nodes: TextSource,
    edges: TextSource,
    node_costs: TextSource | None = None,
    edge_costs: TextSource | None = None,
    *,
    standardise: bool = True,
    decimal: Literal[".", ","] | None = None,
) -> CostGraph:
    """Return a graph from CSV tables.

    Parameters
    ----------
    nodes : path or text stream
        Columns id, label, and one for each attribute, numbers. Labels may be any text;
        they are numbered in sorted order. All may be empty: then they are not known,
        and the labels are those that the costs speak of.
    edges : path or text stream
        Columns source, target: ids of the two ends.
    node_costs : path or text stream, optional
        Columns predicted, true, cost, and perhaps node: a row without node holds for
        all nodes, one with node for that node only. Mistakes that no row speaks of
        cost nothing; without a file every mistake costs 1.
    edge_costs : path or text stream, optional
        Columns predicted_source, predicted_target, true_source, true_target, cost, and
        perhaps source and target, in the same sense. Without a file edges cost nothing.
    standardise : bool, default=True
        Whether attributes are scaled to mean 0 and variance 1. A column of ones is
        added in any case.
    decimal : {".", ","}, optional
        What parts decimals, where the numbers of a column do not tell.

    Returns
    -------
    CostGraph
        With node and label names.

    Raises
    ------
    InterchangeError
        If a file cannot be read, a column is missing, or a row names what does not
        exist.
    AmbiguousCellError
        If a number may be read in two ways, and its table does not tell which.
    DataError
        If the graph makes no sense.
    """
    names, given_labels, attributes = _read_nodes(nodes, decimal)
    index = {name: k for k, name in enumerate(names)}
    links = _read_edges(edges, index)
    node_prices = None
    if node_costs is not None:
        node_prices = read_node_prices(node_costs, index, decimal)
    edge_prices = []
    if edge_costs is not None:
        edge_prices = read_edge_prices(edge_costs, index, links, decimal)
    label_names = _label_names(
        given_labels, [*(node_prices or ()), *edge_prices], source_name(nodes)
    )
    place = {label: k for k, label in enumerate(label_names)}
    return CostGraph(
        _columns(attributes, standardise),
        np.array(list(links), dtype=np.intp).reshape(-1, 2),
        None
        if given_labels is None
        else np.array([place[label] for label in given_labels]),
        node_cost_array(node_prices, len(names), place),
        edge_cost_array(edge_prices, len(links), place),
        node_names=tuple(names),
        label_names=label_names,
    )


def write_graph(graph: CostGraph, folder: Path) -> tuple[Path, Path, Path, Path]:
    """Write a graph as the tables that `read_graph` reads.

    Parameters
    ----------
    graph : CostGraph
        What to write; a last column of ones is left out.
    folder : Path
        Where; ``nodes.csv``, ``edges.csv``, ``node_costs.csv`` and ``edge_costs.csv``
        are written there.

    Returns
    -------
    nodes, edges, node_costs, edge_costs : Path
    """
    names = graph.node_names or tuple(str(k) for k in range(graph.n_nodes))
    width = len(str(graph.n_labels - 1))  # so that sorted text is sorted by number
    labels = graph.label_names or tuple(f"{k:0{width}d}" for k in range(graph.n_labels))
    ends = ([names[i], names[j]] for i, j in graph.edges.tolist())
    tables = {
        "nodes.csv": _node_table(graph, names, labels),
        "edges.csv": chain([["source", "target"]], ends),
        "node_costs.csv": node_price_table(graph, names, labels),
        "edge_costs.csv": edge_price_table(graph, names, labels),
    }
    for file, rows in tables.items():
        with open(folder / file, "w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(map(guarded, row) for row in rows)
    nodes, edges, node_costs, edge_costs = (folder / file for file in tables)
    return nodes, edges, node_costs, edge_costs


# ----------------------------------------------------------------------------- reading


def _read_nodes(
    source: TextSource, decimal: str | None
) -> tuple[list[str], list[str] | None, NDArray[np.float64]]:
    name = source_name(source)
    columns, rows = rows_of(source, ("id", "label"))
    wanted = [column for column in columns if column not in ("id", "label")]
    names: dict[str, None] = {}
    labels, lines = [], []
    cells: dict[str, list[str]] = {column: [] for column in wanted}
    for line, row in rows:
        if not row["id"] or row["id"] in names:
            raise InterchangeError(
                f"Line {line} of {name} has the id {shown(row['id'])}, which is empty "
                "or stands there already; give every node an id of its own."
            )
        names[row["id"]] = None
        labels.append(row["label"])
        lines.append(line)
        for column in wanted:
            cells[column].append(row[column])
        if len(names) > MAX_NODES:
            raise InterchangeError(
                f"{name} has more than {MAX_NODES} nodes; give a part of them."
            )
    if not names:
        raise InterchangeError(f"{name} has no rows; give one for each node.")
    numbers = number_columns(cells, lines, name, decimal)
    table = np.array([numbers[column] for column in wanted], dtype=float).T
    table = table.reshape(len(names), len(wanted))
    if not any(labels):
        return list(names), None, table
    if not all(labels):
        node = list(names)[labels.index("")]
        raise InterchangeError(
            f"Node {shown(node)} of {name} has no label, but others have; label every "
            "node or none."
        )
    return list(names), labels, table


def _read_edges(
    source: TextSource, index: dict[str, int]
) -> dict[tuple[int, int], int]:
    """Return the place of each edge, by its ends."""
    name = source_name(source)
    links: dict[tuple[int, int], int] = {}
    for line, row in rows_of(source, ("source", "target"))[1]:
        ends = known_ends(row, index, line, name)
        if ends in links or ends[::-1] in links:
            raise InterchangeError(
                f"Line {line} of {name} links {shown(row['source'])} and "
                f"{shown(row['target'])} a second time; give each edge once."
            )
        links[ends] = len(links)
    return links


def _label_names(
    given: list[str] | None, prices: Iterable[Price], name: str
) -> tuple[str, ...]:
    """Return the names of all labels, sorted."""
    spoken = {label for price in prices for label in price.labels}
    names = tuple(sorted(spoken | set(given or ())))
    if not 2 <= len(names) <= MAX_LABELS:
        raise InterchangeError(
            f"{name} and the costs speak of {len(names)} labels; give 2 to "
            f"{MAX_LABELS}."
        )
    return names


def _columns(attributes: NDArray[np.float64], standardise: bool) -> NDArray[np.float64]:
    """Return the attributes, scaled if asked for, and a column of ones."""
    if standardise:
        spread = attributes.std(axis=0)
        spread[spread == 0] = 1.0
        attributes = (attributes - attributes.mean(axis=0)) / spread
    return np.column_stack([attributes, np.ones(len(attributes))])


# ----------------------------------------------------------------------------- writing


def _node_table(
    graph: CostGraph, names: Sequence[str], labels: Sequence[str]
) -> Iterator[list[str]]:
    attributes = graph.attributes
    if np.all(attributes[:, -1] == 1.0):
        attributes = attributes[:, :-1]
    yield ["id", "label", *(f"a{k}" for k in range(attributes.shape[1]))]
    for node, row in enumerate(attributes.tolist()):
        label = "" if graph.labels is None else labels[graph.labels[node]]
        yield [names[node], label, *(repr(value) for value in row)]
