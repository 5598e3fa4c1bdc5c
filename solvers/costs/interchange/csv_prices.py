"""Further prices as columns of a CSV: ``price:maximum:delay:days``.

The header names the rule (``sum`` or ``maximum``), the price and its unit. What is
charged may be named, too: ``cost_CAD:money``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast, get_args
from urllib.parse import unquote

import numpy as np

from ...errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from ..prices import ComponentPrices, PriceRule
from .hif_prices import MAX_PRICES
from .price_list import number_cells
from .sources import refuse_odd_names, shown

_MARK = "price:"


def cost_header(hypergraph: FeatureHypergraph) -> str:
    """Return the header of what is charged: its unit, and its name where it has one."""
    unit, name = hypergraph.unit, hypergraph.charged
    if name == "cost" and ":" not in unit:
        return f"cost_{unit}"
    return f"cost_{_quoted(unit)}:{_quoted(name)}"


def unit_and_name(text: str) -> tuple[str, str]:
    """Return unit and name of what is charged, from what stands after ``cost_``."""
    unit, mark, name = text.partition(":")
    return (unquote(unit), unquote(name) or "cost") if mark else (text, "cost")


def price_headers(hypergraph: FeatureHypergraph) -> list[str]:
    """Return the headers of the further prices."""
    first = next(iter(hypergraph.features), "")
    if is_price_header(first):
        raise InterchangeError(
            f"The feature {shown(first)} is named like a column of prices; rename it."
        )
    return [
        f"{_MARK}{price.rule}:{_quoted(price.name)}:{_quoted(price.unit)}"
        for price in hypergraph.prices
    ]


def is_price_header(cell: str) -> bool:
    """Return whether a header names a column of prices."""
    return cell.lstrip().startswith(_MARK)


def prices_of_columns(
    columns: Mapping[str, Sequence[str]],
    names: Sequence[str],
    n_free: int = 0,
    decimal: str = "",
) -> tuple[ComponentPrices, ...]:
    """Return the prices that columns of text hold.

    `columns`: cells by header.
    `names`: what each row prices, for people.
    `n_free`: how many components come before those of the rows, at no price.
    `decimal`: what parts decimals where a column does not tell it.
    """
    if len(columns) > MAX_PRICES:
        raise InterchangeError(
            f"The table has {len(columns)} columns of prices; at most {MAX_PRICES} are "
            "read."
        )
    found = []
    for header, cells in columns.items():
        rule, name, unit = _parts(header)
        given = [k for k, cell in enumerate(cells) if cell.strip()]
        values = [0.0] * len(cells)
        numbers, _ = number_cells(
            [cells[k] for k in given],
            [names[k] for k in given],
            f"The price {shown(name)}",
            decimal,
        )
        for k, value in zip(given, numbers, strict=True):
            values[k] = value
        found.append(
            ComponentPrices(name, np.array([0.0] * n_free + values), unit, rule)
        )
    return tuple(found)


def _parts(header: str) -> tuple[PriceRule, str, str]:
    parts = header.lstrip().removeprefix(_MARK).split(":")
    if len(parts) != 3 or parts[0] not in get_args(PriceRule):
        raise InterchangeError(
            f"A column of prices is headed {shown(header)}; write price:RULE:NAME:UNIT "
            'with the rule "sum" or "maximum", such as price:maximum:delay:days.'
        )
    name, unit = unquote(parts[1]), unquote(parts[2])
    refuse_odd_names([name, unit], "price")
    return cast(PriceRule, parts[0]), name, unit


def _quoted(text: str) -> str:
    return text.replace("%", "%25").replace(":", "%3A")
