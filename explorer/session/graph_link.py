"""A small hypergraph as text that fits into a link, and back.

What comes from a link is somebody else's text: it is bounded before it is unpacked and
while it is, and read as plain JSON only.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

import numpy as np

from solvers import ComponentPrices, FeatureHypergraph
from solvers.errors import InterchangeError

__all__ = ["MAX_TEXT", "graph_text", "read_graph_text"]

#: Characters; the rest of a link needs some room too.
MAX_TEXT = 3_000
MAX_UNPACKED = 200_000
_NO_GRAPH = "The link holds no drawing that can be read; ask for a new link."


def graph_text(hypergraph: FeatureHypergraph) -> str | None:
    """Return a hypergraph as text for a link.

    None if it is too large for a link.
    """
    links = hypergraph.incidence.tocsc()
    packed = {
        "f": hypergraph.features,
        "c": hypergraph.components,
        "p": hypergraph.component_costs.tolist(),
        "k": "".join(kind[0] for kind in hypergraph.kinds),
        "n": [rows.tolist() for rows in np.split(links.indices, links.indptr[1:-1])],
        "u": hypergraph.unit,
    }
    if hypergraph.charged != "cost":
        packed["h"] = hypergraph.charged
    if hypergraph.prices:
        packed["q"] = [
            [price.name, price.unit, price.rule, price.values.tolist()]
            for price in hypergraph.prices
        ]
    plain = json.dumps(packed, separators=(",", ":"), ensure_ascii=False).encode()
    if len(plain) > MAX_UNPACKED:
        return None
    text = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    return text if len(text) <= MAX_TEXT else None


def read_graph_text(text: str) -> FeatureHypergraph:
    """Return the hypergraph of a link."""
    if len(text) > MAX_TEXT:
        raise InterchangeError(
            f"The link holds {len(text)} characters of a drawing; up to {MAX_TEXT} are "
            "read. Load the drawing from a file."
        )
    try:
        packed = json.loads(_unpacked(text))
    except (ValueError, RecursionError, binascii.Error, zlib.error) as error:
        raise InterchangeError(_NO_GRAPH) from error
    if not _is_graph(packed):
        raise InterchangeError(_NO_GRAPH)
    features, components = packed["f"], packed["c"]
    incidence = np.zeros((len(components), len(features)), dtype=bool)
    for column, rows in enumerate(packed["n"]):
        incidence[rows, column] = True
    kinds = {"g": "generation", "u": "utilisation"}
    return FeatureHypergraph(
        incidence,
        packed["p"],
        tuple(features),
        tuple(components),
        tuple(kinds[letter] for letter in packed["k"]),  # type: ignore[misc]
        unit=packed["u"],
        prices=[
            ComponentPrices(name, values, unit, rule)
            for name, unit, rule, values in packed.get("q", [])
        ],
        charged=packed.get("h", "cost"),
    )


def _unpacked(text: str) -> bytes:
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(raw, MAX_UNPACKED)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("too large or cut off")
    return plain


def _is_graph(packed: Any) -> bool:
    if not isinstance(packed, dict) or set(packed) - set("hq") != set("fcpknu"):
        return False
    if not _is_name(packed.get("h", "cost")) or not _are_prices(packed.get("q", [])):
        return False
    features, components, needs = packed["f"], packed["c"], packed["n"]
    return (
        all(isinstance(packed[key], list) for key in "fcpn")
        and all(isinstance(packed[key], str) for key in "ku")
        and all(_is_name(name) for name in [*features, *components, packed["u"]])
        and len(packed["k"]) == len(components)
        and set(packed["k"]) <= {"g", "u"}
        and all(type(cost) in (int, float) for cost in packed["p"])
        and len(needs) == len(features)
        and all(_are_rows(rows, len(components)) for rows in needs)
    )


def _are_prices(prices: Any) -> bool:
    return isinstance(prices, list) and all(
        isinstance(price, list)
        and len(price) == 4
        and all(_is_name(text) for text in price[:3])
        and isinstance(price[3], list)
        and all(type(value) in (int, float) for value in price[3])
        for price in prices
    )


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and len(name) <= 120 and name.isprintable()


def _are_rows(rows: Any, n: int) -> bool:
    return isinstance(rows, list) and all(
        type(row) is int and 0 <= row < n for row in rows
    )
