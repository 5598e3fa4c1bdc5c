"""A drawing as text: in a kept session onto its table, and in a link while small.

What comes from a link is somebody else's text: it is bounded before it is unpacked and
while it is, and read as plain JSON only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from solvers import ComponentPrices, Dataset, FeatureHypergraph, to_hif
from solvers.costs.incidence import ComponentKind
from solvers.costs.interchange import from_hif
from solvers.errors import HypergraphError, InterchangeError

from ..document.drawing import MAX_NODES, Drawing
from ..document.hypergraph_layout import places
from ..document.table import Table, match
from .checked import demand, is_list, is_number, is_text, packed, unpacked

_KEYS = {"hypergraph", "columns", "places", "note"}
_BROKEN = "The drawing of the session is damaged; save the session again."
FAR = 1e7  # pixels


def packed_drawing(drawing: Drawing) -> dict[str, Any] | None:
    """Return what was edited of a drawing.

    None where it is as its table was opened.
    """
    hypergraph = drawing.hypergraph
    if drawing.table is not None and hypergraph is drawing.table.dataset.hypergraph:
        fresh = np.concatenate(places(hypergraph))
        if np.array_equal(fresh, drawing.places):
            return None
    names = () if drawing.table is None else drawing.table.dataset.feature_names
    order = match(drawing).order
    return {
        "hypergraph": to_hif(hypergraph),
        "columns": [names[j] if j >= 0 else None for j in order],
        "places": drawing.places.round(1).tolist(),
        "note": drawing.costs_note,
    }


def unpacked_drawing(given: Any, dataset: Dataset, first_id: int) -> Drawing:
    """Return the drawing that somebody's session holds, on its table."""
    demand(isinstance(given, Mapping) and set(given) == _KEYS, _BROKEN)
    hypergraph = from_hif(given["hypergraph"], free_features=True)
    n_nodes = hypergraph.n_components + hypergraph.n_features
    if n_nodes > MAX_NODES:
        raise HypergraphError(
            f"The drawing of the session has {n_nodes} features and components; up to "
            f"{MAX_NODES} can be drawn."
        )
    demand(isinstance(given["note"], str) and len(given["note"]) <= 2_000, _BROKEN)
    order = _order(given["columns"], hypergraph, dataset)
    spots = _spots(given["places"], n_nodes)
    middle, end = first_id + hypergraph.n_components, first_id + n_nodes
    features = tuple(range(middle, end))
    columns = [end + column for column in range(dataset.n_features)]
    for feature, column in zip(features, order, strict=True):
        if column >= 0:
            columns[column] = feature
    return Drawing(
        hypergraph,
        tuple(range(first_id, middle)),
        features,
        spots[: hypergraph.n_components],
        spots[hypergraph.n_components :],
        end + dataset.n_features,
        Table(dataset, tuple(columns)),
        given["note"],
    )


def renumbered(drawing: Drawing, by: int) -> Drawing:
    """Return a drawing on a table with higher numbers for its nodes."""
    assert drawing.table is not None
    columns = tuple(node + by for node in drawing.table.columns)
    return replace(
        drawing,
        component_ids=tuple(node + by for node in drawing.component_ids),
        feature_ids=tuple(node + by for node in drawing.feature_ids),
        next_id=drawing.next_id + by,
        table=replace(drawing.table, columns=columns),
    )


def _order(
    given: Any, hypergraph: FeatureHypergraph, dataset: Dataset
) -> Sequence[int]:
    """Return the column of each feature, -1 where there is none.

    `given`: its name; in sessions of before its place among the columns.
    """
    place = {name: j for j, name in enumerate(dataset.feature_names)}

    def is_column(one: Any) -> bool:
        is_place = type(one) is int and -1 <= one < dataset.n_features
        return one is None or isinstance(one, str) or is_place

    demand(is_list(given, is_column) and len(given) == hypergraph.n_features, _BROKEN)
    order = [one if type(one) is int else place.get(one, -1) for one in given]
    found = [column for column in order if column >= 0]
    demand(len(found) == len(set(found)), _BROKEN)
    return order


def _spots(given: Any, n_nodes: int) -> np.ndarray:
    demand(is_list(given, _is_spot) and len(given) == n_nodes, _BROKEN)
    return np.array(given, dtype=float).reshape(n_nodes, 2)


def _is_spot(spot: Any) -> bool:
    return is_list(spot, lambda value: is_number(value, FAR)) and len(spot) == 2


#: Characters; the rest of a link needs some room too.
MAX_TEXT = 3_000
MAX_UNPACKED = 200_000
# Signs that an address has a meaning of its own for.
_TO_URL, _FROM_URL = str.maketrans("+/", "-_"), str.maketrans("-_", "+/")
_NO_GRAPH = "The link holds no drawing that can be read; ask for a new link."


def graph_text(hypergraph: FeatureHypergraph) -> str | None:
    """Return a hypergraph as text for a link.

    None if it is too large for a link.
    """
    links = hypergraph.incidence.tocsc()
    told = {
        "f": hypergraph.features,
        "c": hypergraph.components,
        "p": hypergraph.component_costs.tolist(),
        "k": "".join(kind[0] for kind in hypergraph.kinds),
        "n": [rows.tolist() for rows in np.split(links.indices, links.indptr[1:-1])],
        "u": hypergraph.unit,
    }
    if hypergraph.charged != "cost":
        told["h"] = hypergraph.charged
    if hypergraph.prices:
        told["q"] = [
            [price.name, price.unit, price.rule, price.values.tolist()]
            for price in hypergraph.prices
        ]
    plain = json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode()
    if len(plain) > MAX_UNPACKED:
        return None
    text = packed(plain, 9).translate(_TO_URL).rstrip("=")
    return text if len(text) <= MAX_TEXT else None


def read_graph_text(text: str) -> FeatureHypergraph:
    """Return the hypergraph of a link."""
    if len(text) > MAX_TEXT:
        raise InterchangeError(
            f"The link holds {len(text)} characters of a drawing; up to {MAX_TEXT} are "
            "read. Load the drawing from a file."
        )
    padded = text.translate(_FROM_URL) + "=" * (-len(text) % 4)
    try:
        told = json.loads(unpacked(padded, MAX_UNPACKED, _NO_GRAPH))
    except (ValueError, RecursionError) as error:
        raise InterchangeError(_NO_GRAPH) from error
    demand(_is_graph(told), _NO_GRAPH)
    features, components = told["f"], told["c"]
    incidence = np.zeros((len(components), len(features)), dtype=bool)
    for column, rows in enumerate(told["n"]):
        incidence[rows, column] = True
    kinds: dict[str, ComponentKind] = {"g": "generation", "u": "utilisation"}
    return FeatureHypergraph(
        incidence,
        told["p"],
        tuple(features),
        tuple(components),
        tuple(kinds[letter] for letter in told["k"]),
        unit=told["u"],
        prices=[
            ComponentPrices(name, values, unit, rule)
            for name, unit, rule, values in told.get("q", [])
        ],
        charged=told.get("h", "cost"),
    )


def _is_graph(told: Any) -> bool:
    if not isinstance(told, dict) or set(told) - set("hq") != set("fcpknu"):
        return False
    features, components = told["f"], told["c"]

    def is_row(row: Any) -> bool:
        return type(row) is int and 0 <= row < len(components)

    return (
        is_list(features, _is_name)
        and is_list(components, _is_name)
        and _is_name(told["u"])
        and _is_name(told.get("h", "cost"))
        and is_list(told.get("q", []), _is_price)
        and isinstance(told["k"], str)
        and len(told["k"]) == len(components)
        and set(told["k"]) <= {"g", "u"}
        and is_list(told["p"], _is_cost)
        and is_list(told["n"], lambda rows: is_list(rows, is_row))
        and len(told["n"]) == len(features)
    )


def _is_price(price: Any) -> bool:
    if not isinstance(price, list) or len(price) != 4:
        return False
    return all(map(_is_name, price[:3])) and is_list(price[3], _is_cost)


def _is_name(name: Any) -> bool:
    return is_text(name, 120)


def _is_cost(cost: Any) -> bool:
    return is_number(cost, math.inf)
