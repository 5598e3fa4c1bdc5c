"""What is checked of the records of a HIF document, and of their values.

Further prices stand in it twice: their kind in the metadata, values at the edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from ...errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from ..incidence import ComponentKind
from ..prices import ComponentPrices
from .sources import refuse_odd_names, shown

MAX_NAMES = 1_000_000  # features, and components
_NOTHING = object()


def checked_metadata(document: Any) -> Mapping[str, Any]:
    """Return the metadata of a document that is an undirected HIF network."""
    if not isinstance(document, Mapping) or "incidences" not in document:
        raise InterchangeError(
            f"The JSON is {shown(document)}, not HIF; give an object with the key "
            '"incidences".'
        )
    kind = document.get("network-type", "undirected")
    if kind not in ("undirected", "asc"):
        raise InterchangeError(
            f"The network-type is {shown(kind)}; components have no direction, so "
            'write an "undirected" network.'
        )
    metadata = document.get("metadata", {})
    if not isinstance(metadata, Mapping):
        raise InterchangeError(
            f"The metadata are {shown(metadata)}; write an object, or leave them out."
        )
    unit = metadata.get("unit", "")
    if not isinstance(unit, str):
        raise InterchangeError(f'The unit is {shown(unit)}; write text, such as "us".')
    refuse_odd_names([unit], "unit")
    return metadata


def checked_records(
    document: Mapping[str, Any], key: str
) -> Sequence[Mapping[str, Any]]:
    """Return a list of records of a document, empty where there is none."""
    records = document.get(key, [])
    if not isinstance(records, list | tuple):
        raise InterchangeError(f'"{key}" is {shown(records)}; write a list of objects.')
    if set(map(type, records)) <= {dict}:  # a million are looked at in no time
        return records
    for record in records:
        if not isinstance(record, Mapping):
            raise InterchangeError(
                f'"{key}" holds {shown(record)}; write an object for each record.'
            )
    return records


def checked_names(
    records: Iterable[Mapping[str, Any]], key: str, what: str
) -> list[str]:
    """Return what each record names, whole numbers as text.

    `key`: where a record holds the name.
    """
    names = [record.get(key, _NOTHING) for record in records]
    written = names if set(map(type, names)) <= {str} else _written(names, key, what)
    refuse_odd_names(written, what)
    return written


def _written(names: Sequence[Any], key: str, what: str) -> list[str]:
    written = [_name(name, key) for name in names]
    if len(set(written)) < len(set(names)):
        number = next(name for name in names if str(name) in names)
        raise InterchangeError(
            f"A number and a text both name the {what} {shown(str(number))}; use texts "
            "only, one for each."
        )
    return written


def _name(name: Any, key: str) -> str:
    if isinstance(name, str):
        return name
    whole = isinstance(name, Integral) and not isinstance(name, bool)
    if whole and abs(int(name)) < 2**63:
        return str(int(name))
    what = "missing" if name is _NOTHING else shown(name)
    raise InterchangeError(
        f'The "{key}" of a record is {what}; name it by text or a whole number.'
    )


def in_order(names: Iterable[str], metadata: Mapping[str, Any], what: str) -> list[str]:
    """Return distinct names: first those that the metadata order, then the rest.

    `metadata`: with a list under ``feature_order`` or ``component_order``, or without.
    """
    distinct = dict.fromkeys(names)
    if len(distinct) > MAX_NAMES:
        raise InterchangeError(
            f"The file names {len(distinct):,} {what}s; at most {MAX_NAMES:,} are "
            "read, so split it."
        )
    order = metadata.get(f"{what}_order", [])
    if not isinstance(order, list) or not all(isinstance(name, str) for name in order):
        raise InterchangeError(
            f"The {what}_order of the metadata is {shown(order)}; write a list of "
            "names, or leave it out."
        )
    return list(dict.fromkeys([*(n for n in order if n in distinct), *distinct]))


def checked_attributes(edge: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the attributes of an edge, none where it states none."""
    attributes = edge.get("attrs", {})
    if not isinstance(attributes, Mapping):
        raise InterchangeError(
            f"The attrs of component {shown(edge['edge'])} are {shown(attributes)}; "
            "write an object."
        )
    return attributes


def checked_number(value: Any, what: str) -> float:
    """Return a number that a record states; the hypergraph refuses what is no cost.

    `what`: whose number it is, as the beginning of a sentence.
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        raise InterchangeError(
            f"{what} is {shown(value)}; write a finite number, 0 or more."
        )
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def checked_kind(name: str, kind: Any) -> ComponentKind:
    """Return the kind that a component states, "generation" where it states none."""
    if kind in (None, "generation"):
        return "generation"
    if kind == "utilisation":
        return "utilisation"
    raise InterchangeError(
        f"The kind of component {shown(name)} is {shown(kind)}; write "
        '"generation" or "utilisation".'
    )


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
