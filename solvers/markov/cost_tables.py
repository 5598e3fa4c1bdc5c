"""Costs of mistakes as rows of a CSV table, and as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InterchangeError, shown
from .graph import CostGraph
from .text_tables import TextSource, number_columns, rows_of, source_name

__all__ = [
    "Price",
    "edge_cost_array",
    "edge_price_table",
    "known_ends",
    "node_cost_array",
    "node_price_table",
    "read_edge_prices",
    "read_node_prices",
]

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
