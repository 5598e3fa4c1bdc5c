"""Price lists as people keep them: what it is called and what it costs, and no more.

In two columns under any header or none, or as the costs of the UCI repository::

    age: 1.00
    chol: 7.27

Of more columns the one of numbers is that of the costs, and the one without a word that
stands twice names the features; the others are not used. Costs may be times with their
units: ``0.3 ms``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from ...errors import InterchangeError
from ...values import AmbiguousCellError, Beside, number_form
from ..units import TIME_UNITS, conversion
from .sources import listed, shown

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
