"""Further prices of the components that are drawn: added, changed, dropped."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from solvers.costs.prices import ComponentPrices, PriceRule
from solvers.errors import HypergraphError, shown

from .drawing import Drawing
from .operations import Edit, read_name
from .units import read_cost

MAX_PRICES = 12
MAX_UNIT = 20


def add_price(drawing: Drawing, name: Any, unit: Any, rule: PriceRule) -> Edit:
    """Return the drawing with another price, of which each component costs nothing.

    `name`, `unit`: as somebody typed them.
    """
    prices = drawing.hypergraph.prices
    if len(prices) >= MAX_PRICES:
        raise HypergraphError(
            f"There are {MAX_PRICES} further prices already; drop one first."
        )
    told = " ".join(str(unit or "").split())
    if len(told) > MAX_UNIT or not told.isprintable():
        raise HypergraphError(
            f"The unit {shown(told)} is unprintable or longer than {MAX_UNIT} "
            "characters; type another."
        )
    free = np.zeros(drawing.hypergraph.n_components)
    price = ComponentPrices(read_name(name), free, told, rule)
    return _repriced(drawing, (*prices, price), f"Added the price {price.name}")


def drop_price(drawing: Drawing, name: str) -> Edit:
    """Return the drawing without one of its further prices."""
    price = drawing.hypergraph.price(name)
    left = tuple(one for one in drawing.hypergraph.prices if one is not price)
    return _repriced(drawing, left, f"Dropped the price {name}")


def set_price(drawing: Drawing, name: str, component: str, typed: Any) -> Edit:
    """Return the drawing with what one component costs of a further price.

    `typed`: a number or text, in the unit of the price where it names none.
    """
    price, components = drawing.hypergraph.price(name), drawing.hypergraph.components
    if component not in components:
        raise HypergraphError(
            f"No component that is drawn is called {shown(component)}; choose one."
        )
    row = components.index(component)
    value = read_cost(typed, price.unit)
    if value == price.values[row]:
        return Edit(drawing, "")
    values = price.values.copy()
    values[row] = value
    said = f"Set {name} of {component} to {value:g} {price.unit}".rstrip()
    changed = dataclasses.replace(price, values=values)
    every = tuple(changed if one is price else one for one in drawing.hypergraph.prices)
    return _repriced(drawing, every, said, (drawing.component_ids[row],))


def _repriced(
    drawing: Drawing,
    prices: tuple[ComponentPrices, ...],
    said: str,
    focus: tuple[int, ...] = (),
) -> Edit:
    hypergraph = dataclasses.replace(drawing.hypergraph, prices=prices)
    return Edit(dataclasses.replace(drawing, hypergraph=hypergraph), said, focus)
