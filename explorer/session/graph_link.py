"""A small hypergraph as text that fits into a link, and back.

What comes from a link is somebody else's text: it is bounded before it is unpacked and
while it is, and read as plain JSON only.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from solvers import ComponentPrices, FeatureHypergraph
from solvers.costs.incidence import ComponentKind
from solvers.errors import InterchangeError

from .checked import demand, is_list, is_number, is_text, packed, unpacked

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
