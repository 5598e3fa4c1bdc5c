"""Further prices in a HIF document: their kind in the metadata, values at the edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from ..prices import ComponentPrices
from .hif_records import checked_number
from .sources import refuse_odd_names, shown

MAX_PRICES = 20


def stated_prices(hypergraph: FeatureHypergraph) -> dict[str, Any]:
    """Return what the metadata say of prices; nothing where there is but one."""
    stated: dict[str, Any] = {}
    if hypergraph.charged != "cost":
        stated["charged"] = hypergraph.charged
    if hypergraph.prices:
        stated["prices"] = [
            {"name": price.name, "unit": price.unit, "rule": price.rule}
            for price in hypergraph.prices
        ]
    return stated


def edge_prices(hypergraph: FeatureHypergraph) -> Iterator[dict[str, Any]]:
    """Yield the further attributes of each component."""
    for i in range(hypergraph.n_components):
        further = {price.name: float(price.values[i]) for price in hypergraph.prices}
        yield {"prices": further} if further else {}


def read_charged(metadata: Mapping[str, Any]) -> str:
    """Return what the costs are called."""
    name = metadata.get("charged", "cost")
    if not isinstance(name, str) or not name.strip():
        raise InterchangeError(
            f"What is charged is called {shown(name)}; write a name, or leave it out."
        )
    refuse_odd_names([name], "price")
    return name


def read_prices(
    metadata: Mapping[str, Any],
    attributes: Mapping[str, Mapping[str, Any]],
    components: Sequence[str],
) -> tuple[ComponentPrices, ...]:
    """Return the further prices of components; one that states none costs nothing."""
    stated = metadata.get("prices", [])
    if not isinstance(stated, list) or len(stated) > MAX_PRICES:
        raise InterchangeError(
            f"The prices of the metadata are {shown(stated)}; write a list of at most "
            f"{MAX_PRICES} objects with name, unit and rule."
        )
    return tuple(_price(kind, attributes, components) for kind in stated)


def _price(
    kind: Any, attributes: Mapping[str, Mapping[str, Any]], components: Sequence[str]
) -> ComponentPrices:
    told = kind if isinstance(kind, Mapping) else {}
    name, unit = told.get("name"), told.get("unit")
    if not isinstance(name, str) or not isinstance(unit, str):
        raise InterchangeError(
            f"A price of the metadata is {shown(kind)}; write an object with name, "
            "unit and rule."
        )
    refuse_odd_names([name, unit], "price")
    return ComponentPrices(
        name,
        np.array([_value(name, one, attributes.get(one, {})) for one in components]),
        unit,
        told.get("rule", "sum"),
    )


def _value(name: str, component: str, attributes: Mapping[str, Any]) -> float:
    prices = attributes.get("prices", {})
    value = prices.get(name, 0.0) if isinstance(prices, Mapping) else prices
    return checked_number(value, f"Price {shown(name)} of component {shown(component)}")
