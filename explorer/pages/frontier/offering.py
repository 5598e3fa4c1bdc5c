"""What the frontier page learns: a data set at the chosen price, within limits."""

from __future__ import annotations

from collections.abc import Mapping

from solvers import Dataset, Frontier, FrontierPoint, ThriftscopeError
from solvers.datasets import charging, within_limits

from ...widgets.text import price_text

__all__ = ["chargeable", "limits_text", "offered", "prices_text"]


def chargeable(dataset: Dataset) -> dict[str, str]:
    """Return the units of prices that can be charged; the first is charged now."""
    hypergraph = dataset.hypergraph
    further = {p.name: p.unit for p in hypergraph.prices if p.rule == "sum"}
    return {hypergraph.charged: hypergraph.unit, **further}


def offered(
    dataset: Dataset, price: str, limits: Mapping[str, float]
) -> tuple[Dataset, str]:
    """Return the data set that price and limits leave, and what was refused of them.

    Names that the data set does not know ask for nothing.
    """
    charged = charging(dataset, price) if price in chargeable(dataset) else dataset
    known = {one.name for one in charged.hypergraph.prices}
    try:
        held = {name: limit for name, limit in limits.items() if name in known}
        return within_limits(charged, held), ""
    except ThriftscopeError as error:
        return charged, str(error)


def prices_text(point: FrontierPoint, dataset: Dataset, axes: Frontier) -> str:
    """Return what a point pays of every further price on test rows, in a sentence."""
    paid = [
        price_text(price, point.prices[price.name][axes.accounting])
        for price in dataset.hypergraph.prices
        if price.name in point.prices
    ]
    return f"Beside that: {', '.join(paid)}." if paid else ""


def limits_text(dataset: Dataset, axes: Frontier) -> str:
    """Return the limits that hold, to follow a budget."""
    return "".join(
        f" and {price_text(price, axes.limits[price.name])}"
        for price in dataset.hypergraph.prices
        if price.name in axes.limits
    )
