"""A graph from a person's own tables: nodes, edges, and what mistakes cost."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..costs.interchange.csv_rows import guarded
from ..errors import InterchangeError, shown
from .graph import CostGraph
from .text_tables import TextSource, number_columns, rows_of, source_name

# Costs of mistakes as rows of a CSV table, and as arrays.


MAX_ENTRIES = 50_000_000  # 400 MB
NODE_COLUMNS = ("predicted", "true", "cost")
EDGE_COLUMNS = (
    "predicted_source",
    "predicted_target",
    "true_source",
    "true_target",
    "cost",
)


class Price(NamedTuple):
    """What one mistake costs."""

    place: int | None
    labels: tuple[str, ...]
    cost: float


def read_node_prices(
    source: TextSource, index: Mapping[str, int], decimal: str | None = None
) -> list[Price]:
    """Return the rows of a table of node costs.

    `decimal`: what parts decimals, where it is told.
    """
    name = source_name(source)
    table = _PriceTable(name)
    for line, row in rows_of(source, NODE_COLUMNS)[1]:
        node = row.get("node", "")
        place = known_node(node, index, line, name) if node else None
        labels = _labels(row, NODE_COLUMNS[:-1], line, name)
        table.add(place, labels, row["cost"], line)
    return table.prices(decimal)


def read_edge_prices(
    source: TextSource,
    index: Mapping[str, int],
    links: Mapping[tuple[int, int], int],
    decimal: str | None = None,
) -> list[Price]:
    """Return the rows of a table of edge costs, in the direction edges are stored.

    `source`: columns predicted_source, predicted_target, true_source, true_target,
    cost, and perhaps source and target. `decimal`: what parts decimals, where it is
    told.
    """
    name = source_name(source)
    table = _PriceTable(name)
    for line, row in rows_of(source, EDGE_COLUMNS)[1]:
        labels = _labels(row, EDGE_COLUMNS[:-1], line, name)
        place = None
        if row.get("source") or row.get("target"):
            ends = known_ends(row, index, line, name)
            place = links.get(ends)
            if place is None:
                place = links.get(ends[::-1])
                labels = labels[1], labels[0], labels[3], labels[2]
            if place is None:
                raise InterchangeError(
                    f"Line {line} of {name} prices an edge from {shown(row['source'])} "
                    f"to {shown(row['target'])}, which does not exist; add it to the "
                    "edges."
                )
        table.add(place, labels, row["cost"], line)
    return table.prices(decimal)


class _PriceTable:
    """Rows of a table of costs, whose column tells how its numbers are written."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._places: list[tuple[int | None, tuple[str, ...]]] = []
        self._cells: list[str] = []
        self._lines: list[int] = []

    def add(
        self, place: int | None, labels: tuple[str, ...], cost: str, line: int
    ) -> None:
        """Take a row in."""
        self._places.append((place, labels))
        self._cells.append(cost)
        self._lines.append(line)

    def prices(self, decimal: str | None) -> list[Price]:
        """Return the rows, with their costs as numbers."""
        cells = {"cost": self._cells}
        costs = number_columns(cells, self._lines, self._name, decimal)["cost"]
        return [
            Price(*where, cost)
            for where, cost in zip(self._places, costs.tolist(), strict=True)
        ]


def known_node(text: str, index: Mapping[str, int], line: int, name: str) -> int:
    """Return the place of a node."""
    if text not in index:
        raise InterchangeError(
            f"Line {line} of {name} names the node {shown(text)}, which does not "
            "exist; use an id from the table of nodes."
        )
    return index[text]


def known_ends(
    row: Mapping[str, str], index: Mapping[str, int], line: int, name: str
) -> tuple[int, int]:
    """Return the places of the nodes that a row names as ends of an edge."""
    source, target = row.get("source", ""), row.get("target", "")
    return known_node(source, index, line, name), known_node(target, index, line, name)


def node_cost_array(
    prices: Sequence[Price] | None, n_nodes: int, labels: Mapping[str, int]
) -> NDArray[np.float64]:
    """Return node costs, shape (n, L, L); 1 for every mistake where none are given."""
    if prices is None:
        return np.tile(1.0 - np.eye(len(labels)), (n_nodes, 1, 1))
    return _array(prices, (n_nodes, *(len(labels),) * 2), labels)


def edge_cost_array(
    prices: Sequence[Price], n_edges: int, labels: Mapping[str, int]
) -> NDArray[np.float64]:
    """Return edge costs, shape (E, L, L, L, L); 0 where no row speaks of a mistake."""
    return _array(prices, (n_edges, *(len(labels),) * 4), labels)


def node_price_table(
    graph: CostGraph, names: Sequence[str], labels: Sequence[str]
) -> Iterator[list[str]]:
    """Yield the rows of a table of node costs, header first."""
    yield ["node", *NODE_COLUMNS]
    for node, predicted, true in np.argwhere(graph.node_costs).tolist():
        cost = float(graph.node_costs[node, predicted, true])
        yield [names[node], labels[predicted], labels[true], repr(cost)]


def edge_price_table(
    graph: CostGraph, names: Sequence[str], labels: Sequence[str]
) -> Iterator[list[str]]:
    """Yield the rows of a table of edge costs, header first."""
    yield ["source", "target", *EDGE_COLUMNS]
    for edge, *called in np.argwhere(graph.edge_costs).tolist():
        cost = float(graph.edge_costs[(edge, *called)])
        i, j = graph.edges[edge]
        yield [names[i], names[j], *(labels[label] for label in called), repr(cost)]


def _labels(
    row: Mapping[str, str], columns: Sequence[str], line: int, name: str
) -> tuple[str, ...]:
    empty = [column for column in columns if not row[column]]
    if empty:
        raise InterchangeError(
            f"Line {line} of {name} has nothing in column {shown(empty[0])}; name a "
            "label."
        )
    return tuple(row[column] for column in columns)


def _array(
    prices: Sequence[Price], shape: tuple[int, ...], labels: Mapping[str, int]
) -> NDArray[np.float64]:
    if np.prod(shape, dtype=float) > MAX_ENTRIES:
        raise InterchangeError(
            f"The costs would be a table of {' x '.join(map(str, shape))} numbers, "
            f"more than {MAX_ENTRIES}; give fewer nodes, edges or labels."
        )
    costs = np.zeros(shape)
    # Rows for one place stand above rows for all.
    for price in sorted(prices, key=lambda price: price.place is not None):
        place = slice(None) if price.place is None else price.place
        costs[(place, *(labels[label] for label in price.labels))] = price.cost
    return costs


# A graph from a person's own tables: nodes, edges, and what mistakes cost.


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
