"""Price lists as people keep them: what it is called and what it costs, and no more.

In two columns under any header or none, or as the costs of the UCI repository::

    age: 1.00
    chol: 7.27

Of more columns the one of numbers is that of the costs, and the one without a word that
stands twice names the features; the others are not used.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from ...errors import InterchangeError
from ...values import Beside, number_form
from .sources import listed, shown

_ENTRY = re.compile(r"\s*(?P<name>[^:]*[^:\s])\s*:\s*(?P<prices>\S[^:]*?)\s*")
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
    if _are_numbers(prices):
        return PriceList(tuple(names), tuple(prices))
    pairs = [re.split(r"\s*[,;]\s+", price) for price in prices]
    if not all(len(pair) == 2 for pair in pairs):
        return None
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
    if not body or not _are_numbers(cells) or _are_numbers(names):
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
    if len(numbers) != 1 or _are_numbers([first[numbers[0]]]):
        return None  # without a header nothing tells what else it may be
    (cost,) = numbers
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


def _are_numbers(cells: Sequence[str]) -> bool:
    words = [cell.strip() for cell in cells]
    # Whether a comma parts decimals or thousands is asked where they are read.
    return number_form(words, decimal=".", least=1.0) is not None or (
        number_form(words, decimal=",", least=1.0) is not None
    )


def number_cells(
    cells: Sequence[str],
    names: Sequence[str],
    what: str = "The cost",
    decimal: str = "",
) -> tuple[list[float], str]:
    """Return the numbers of a column of costs, and the currency that they are in.

    Every cell is read alike, as the column tells: ``1,234.50``, ``7,27``, ``$7.27``.
    `names`: what each cell is said of; `what`: what it is; `decimal`: what parts
    decimals where the column does not tell it.
    """
    words = [cell.strip() for cell in cells]
    beside, name = Beside(told=decimal), what.lower()
    form = number_form([*dict.fromkeys(words)], name=name, beside=beside, least=0.0)
    found = [None if form is None else form.read(word) for word in words]
    for name, cell, value in zip(names, cells, found, strict=True):
        if value is None:
            raise InterchangeError(
                f"{what} of {shown(name)} is {shown(cell)}; write a finite number, 0 "
                "or more, as the others of its column are written."
            )
    currency = "" if form is None else form.currency
    return [value for value in found if value is not None], currency
