"""Costs in columns: lists of names and costs, groups with a discount, further prices.

A price list is as people keep it, what it is called and what it costs, and no more: in
two columns under any header or none, or as the costs of the UCI repository::

    age: 1.00
    chol: 7.27

Of more columns the one of numbers is that of the costs, and the one without a word that
stands twice names the features; the others are not used. Costs may be times with their
units: ``0.3 ms``.

Of a group of features the first pays more than each further one. Further prices are
columns headed like ``price:maximum:delay:days``, by the rule (``sum`` or ``maximum``),
the price and its unit. What is charged may be named, too: ``cost_CAD:money``.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast, get_args
from urllib.parse import unquote

import numpy as np
from scipy import sparse

from ...errors import InterchangeError
from ...values import AmbiguousCellError, Beside, number_form
from ..hypergraph import FeatureHypergraph
from ..prices import ComponentPrices, PriceRule
from ..units import TIME_UNITS, conversion
from .hif_records import MAX_PRICES
from .sources import listed, refuse_odd_names, shown

_ENTRY = re.compile(r"\s*(?P<name>[^:]*[^:\s])\s*:\s*(?P<prices>\S[^:]*?)\s*")
_TIME = re.compile(rf"(?P<number>.*[0-9.,])\s*(?P<unit>{'|'.join(TIME_UNITS)}|[µμ]s)")
_DELIMITERS = "\t;|,"
_PRICED_ON = ("discount_cost", "price:")  # headers of further prices
_MOST_COLUMNS = 8  # a wider table is no list
_LOOKED_AT = 50  # lines that tell whether a text is such a list


@dataclass(frozen=True)
class PriceList:
    """Names and what each costs, as the cells say it."""

    names: tuple[str, ...]
    cells: tuple[str, ...]
    header: str = ""  # Of the costs; empty where there is none
    unused: tuple[str, ...] = ()  # Further columns


def is_price_list(text: str) -> bool:
    """Return whether the first lines of a text are those of a price list."""
    first = "".join(islice(io.StringIO(text, newline=""), _LOOKED_AT))
    return price_list(first) is not None


def price_list(text: str) -> PriceList | None:
    """Return the list that a text holds; None where it holds none."""
    lines = [line for line in text.splitlines() if line.strip()]
    entries = [_ENTRY.fullmatch(line) for line in lines]
    if lines and all(entries):
        found = [(entry["name"], entry["prices"]) for entry in entries if entry]
        return _of_entries([name for name, _ in found], [price for _, price in found])
    for delimiter in _DELIMITERS:
        try:
            rows = list(csv.reader(lines, delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        rows = [[cell.strip() for cell in row] for row in rows]
        width = len(rows[0]) if rows else 0
        if width < 2 or any(len(row) != width for row in rows):
            continue
        if width == 2:
            return _of_rows([(name, cell) for name, cell in rows])
        if width <= _MOST_COLUMNS:
            return _of_columns(rows)
    return None


def _of_entries(names: Sequence[str], prices: Sequence[str]) -> PriceList | None:
    pairs = [re.split(r"\s*[,;]\s+", price) for price in prices]
    if not all(len(pair) == 2 for pair in pairs):
        # One that is no number is refused by its name.
        is_list = _are_numbers(prices, 0.5)
        return PriceList(tuple(names), tuple(prices)) if is_list else None
    lower = [
        name for name, (full, rest) in zip(names, pairs, strict=True) if full != rest
    ]
    if lower:
        raise InterchangeError(
            f"The list states two costs of {listed(lower)}, but not with which others "
            "the discount is shared; write the columns feature, cost, group and "
            "discount_cost."
        )
    return PriceList(tuple(names), tuple(full for full, _ in pairs))


def _of_rows(rows: Sequence[tuple[str, str]]) -> PriceList | None:
    (_, first), *others = rows
    has_header = not _are_numbers([first])
    body = others if has_header else rows
    names, cells = tuple(name for name, _ in body), tuple(cell for _, cell in body)
    # One that is no number is refused by its name.
    if not body or not _are_numbers(cells, 0.5) or _are_numbers(names):
        return None
    return PriceList(names, cells, first if has_header else "")


def _of_columns(rows: Sequence[Sequence[str]]) -> PriceList | None:
    """Return the list in a table of more columns; None where it holds none."""
    first, *body = rows
    headers = [cell.lower() for cell in first]
    if any(cell.startswith(_PRICED_ON) for cell in headers):
        return None  # what they hold counts
    columns = [*zip(*body, strict=True)]
    numbers = [j for j, cells in enumerate(columns) if _are_numbers(cells)]
    if len(numbers) != 1:
        return None  # nothing tells which holds the costs
    (cost,) = numbers
    if _are_numbers([first[cost]]):
        columns = [*zip(*rows, strict=True)]
        headers = first = [f"column {j}" for j in range(1, len(first) + 1)]
    own = [
        j
        for j, cells in enumerate(columns)
        if j != cost and all(cells) and len({*cells}) == len(cells)
    ]
    if not own:
        return None
    if 0 in own and headers[0] == "feature":
        own = [0]
    if len(own) > 1:
        raise InterchangeError(
            f"The columns {listed([first[j] for j in own])} of the list of prices may "
            "each name the features; leave the names and the costs in it alone."
        )
    (name,) = own
    unused = tuple(first[j] for j in range(len(first)) if j not in (cost, name))
    return PriceList(columns[name], columns[cost], first[cost], unused)


def _are_numbers(cells: Sequence[str], least: float = 1.0) -> bool:
    words, _ = _without_units([cell.strip() for cell in cells])
    # Whether a comma parts decimals or thousands is asked where they are read.
    return any(
        number_form(words, decimal=mark, percent="either", least=least)
        for mark in (".", ",")
    )


def _without_units(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the numbers of times, and the unit of each; of others none."""
    times = [_TIME.fullmatch(word) for word in words]
    if not all(times):
        return list(words), []
    found = [(time["number"], time["unit"]) for time in times if time]
    return [number for number, _ in found], [unit for _, unit in found]


def number_cells(
    cells: Sequence[str],
    names: Sequence[str],
    what: str = "The cost",
    decimal: str = "",
) -> tuple[list[float], str]:
    """Return the numbers of a column of costs, and the unit that its cells tell.

    Every cell is read alike, as the column tells: ``1,234.50``, ``7,27``, ``$7.27``.
    The unit is a currency, or that of the first of costs that all are times.
    `names`: what each cell is said of; `what`: what it is; `decimal`: what parts
    decimals where the column does not tell it.
    """
    words, units = _without_units([cell.strip() for cell in cells])
    try:
        form = number_form(
            [*dict.fromkeys(words)],
            beside=Beside(told=decimal),
            percent="never",
            least=0.0,
        )
    except AmbiguousCellError as error:
        raise AmbiguousCellError(
            f"{what} of {shown(names[words.index(error.cell)])} is "
            f"{shown(error.cell)}, which may be "
            f"{' or '.join(error.readings.values())}; write it with a decimal point "
            f"alone, or say {' or '.join(error.readings)} (--decimal).",
            error.cell,
            error.readings,
        ) from error
    found = [None if form is None else form.read(word) for word in words]
    n_read = sum(value is not None for value in found)
    alike = ", as the others of its column are written" if n_read else ""
    for name, cell, value in zip(names, cells, found, strict=True):
        if value is None:
            raise InterchangeError(
                f"{what} of {shown(name)} is {shown(cell)}; write a finite number, 0 "
                f"or more{alike}."
            )
    values = [value for value in found if value is not None]
    if units:
        scales = [conversion(unit, units[0]) for unit in units]
        unit = "us" if units[0][0] in "µμ" else units[0]
        return [v * scale for v, scale in zip(values, scales, strict=True)], unit
    return values, "" if form is None else form.currency


_CENT = 5e-3  # prices are printed in cents, or finer


def group_places(
    header: Sequence[str], others: Sequence[int] = ()
) -> tuple[int, int] | None:
    """Return the columns of the group and of the discounted cost; None without them.

    `others`: columns that are known otherwise.
    """
    given = [cell.strip().lower() for cell in header]
    discounts = [j for j, cell in enumerate(given) if cell.startswith("discount_cost")]
    if "group" not in given or not discounts:
        if len(header) - len(others) > 2:
            raise InterchangeError(
                f"The table of costs has {len(header)} columns; write feature and cost "
                "in two columns, or feature, cost, group and discount_cost."
            )
        return None
    units = [
        given[j].rpartition("cost")[2].lstrip("_").partition(":")[0]
        for j in (1, discounts[0])
    ]
    if units[1] and units[0] != units[1]:
        raise InterchangeError(
            f"The costs are in {shown(units[0])}, but the discounted ones in "
            f"{shown(units[1])}; give both in one unit."
        )
    return given.index("group"), discounts[0]


def grouped_costs(
    names: Sequence[str],
    costs: Sequence[float],
    groups: Sequence[str],
    discounted: Sequence[float],
    unit: str,
) -> FeatureHypergraph:
    """Return features that share what their group's discount saves.

    A feature of no group has the group "".
    """
    common: dict[str, float] = {}
    for name, cost, group, rest in zip(names, costs, groups, discounted, strict=True):
        if not group:
            continue
        saved = cost - rest
        if saved < -_CENT:
            raise InterchangeError(
                f"Feature {shown(name)} costs {cost:g}, but {rest:g} with a discount; "
                "give a discounted cost that is not higher."
            )
        first = common.setdefault(group, saved)
        if not math.isclose(first, saved, abs_tol=_CENT):
            raise InterchangeError(
                f"Feature {shown(name)} saves {saved:g} in group {shown(group)}, where "
                f"another saves {first:g}; all of a group share one cost, so give "
                "equal discounts, or write the shared parts as an incidence table."
            )
    own = [
        rest if group else cost
        for cost, group, rest in zip(costs, groups, discounted, strict=True)
    ]
    members = np.array([[group == one for group in groups] for one in common])
    shared = members.reshape(len(common), len(names))
    labels = [f"{group} (shared)" if group in names else group for group in common]
    return FeatureHypergraph(
        sparse.vstack(
            [sparse.csr_array(shared), sparse.eye_array(len(names), dtype=bool)],
            format="csr",
        ),
        # Prices are decimal: what they differ by is not written in binary.
        np.array([*(round(max(cost, 0.0), 9) for cost in common.values()), *own]),
        tuple(names),
        (*labels, *names),
        unit=unit,
    )


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
