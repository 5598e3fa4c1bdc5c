"""Hypergraphs as a spreadsheet keeps them: an incidence table, or one cost a column.

Incidence, one row a component, 1 where the feature needs it::

    component,kind,cost_us,peak,centroid,mean
    fft,generation,3.0,1,1,0
    avg,generation,0.5,0,0,1

Costs of features that share nothing::

    feature,cost_us
    peak,3.0
    mean,0.5

or of features of which the first of a group pays in full, and each further one a
discounted cost::

    feature,cost_us,group,discount_cost_us
    peak,3.0,fft,0.5
    centroid,2.75,fft,0.25
    mean,0.5,,

or a list of names, costs and perhaps more under any other header, see `price_columns`.

Further prices are columns of their own, headed like ``price:maximum:delay:days``: in an
incidence table right after the cost, in a table of costs anywhere after it.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import os
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...checks import refuse_twins
from ...errors import InterchangeError
from ...values import spelled, unit_in
from ..hypergraph import FeatureHypergraph
from ..incidence import ComponentKind
from .assembly import HypergraphFile, no_unit_note
from .csv_rows import csv_rows, guarded, unguarded
from .hif_records import MAX_NAMES, checked_kind
from .price_columns import (
    PriceList,
    cost_header,
    group_places,
    grouped_costs,
    is_price_header,
    is_price_list,
    number_cells,
    price_headers,
    price_list,
    prices_of_columns,
    unit_and_name,
)
from .sources import (
    MAX_BYTES,
    Source,
    as_text,
    listed,
    read_bytes,
    refuse_odd_names,
    shown,
    write_text,
)

_NEEDED = {"1": True, "0": False, "": False, "1.0": True, "0.0": False}
_MAX_CELLS = MAX_BYTES // 2  # a cell is a digit and a comma


def is_spreadsheet_size(hypergraph: FeatureHypergraph) -> bool:
    """Return whether an incidence table of a hypergraph could be read again.

    Parameters
    ----------
    hypergraph : FeatureHypergraph
        What may be described.

    Returns
    -------
    bool
    """
    return hypergraph.n_components * hypergraph.n_features <= _MAX_CELLS


def to_incidence_csv(hypergraph: FeatureHypergraph) -> str:
    """Return a hypergraph as an incidence table, one row a component.

    Parameters
    ----------
    hypergraph : FeatureHypergraph
        What to describe.

    Returns
    -------
    str
        CSV with a header; the column of the costs is named ``cost_`` and the unit,
        those of further prices ``price:`` and rule, name and unit.

    Raises
    ------
    InterchangeError
        If the table, which holds a cell for every pair, would be too large to read, or
        its first feature is named like a column of prices.
    """
    if not is_spreadsheet_size(hypergraph):
        raise InterchangeError(
            f"An incidence table of {hypergraph.n_components:,} components and "
            f"{hypergraph.n_features:,} features has more than {_MAX_CELLS:,} cells; "
            "write HIF, which holds the incidences alone."
        )
    table = io.StringIO(newline="")
    # \r\n, as RFC 4180 wants: names that hold either character are then quoted.
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerow(
        [
            *("component", "kind", cost_header(hypergraph)),
            *price_headers(hypergraph),
            *map(guarded, hypergraph.features),
        ]
    )
    links = hypergraph.incidence
    for i, name in enumerate(hypergraph.components):
        cells = ["0"] * hypergraph.n_features
        for j in links.indices[links.indptr[i] : links.indptr[i + 1]]:
            cells[j] = "1"
        cost = repr(float(hypergraph.component_costs[i]))
        further = [repr(float(price.values[i])) for price in hypergraph.prices]
        writer.writerow([guarded(name), hypergraph.kinds[i], cost, *further, *cells])
    return table.getvalue()


def write_incidence_csv(
    hypergraph: FeatureHypergraph, path: str | os.PathLike[str]
) -> None:
    """Write a hypergraph as an incidence table, one row a component.

    Parameters
    ----------
    hypergraph : FeatureHypergraph
        What to write.
    path : path
        Where to; what is there is replaced.

    Raises
    ------
    InterchangeError
        If the file cannot be written, or the table would be too large to read.
    """
    write_text(to_incidence_csv(hypergraph), path)


def read_incidence_csv(
    source: Source, *, unit: str = "us", max_bytes: int = MAX_BYTES
) -> FeatureHypergraph:
    """Read a hypergraph from an incidence table, one row a component.

    Parameters
    ----------
    source : path or bytes
        The file or its content; cells are parted by commas, semicolons or tabs.
    unit : str, default="us"
        Unit of the costs where the header names none.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    FeatureHypergraph

    Raises
    ------
    InterchangeError
        If the file is no such table, or too large.
    HypergraphError
        If what it says makes no hypergraph.
    """
    return parse_incidence(as_text(read_bytes(source, max_bytes)), unit).hypergraph


def read_costs_csv(
    source: Source, *, unit: str = "us", max_bytes: int = MAX_BYTES
) -> FeatureHypergraph:
    """Read the costs of features, one row a feature.

    With the columns ``group`` and ``discount_cost`` the first feature of a group pays
    its cost, each further one its discounted cost: what a discount saves is a component
    that the group shares.

    Parameters
    ----------
    source : path or bytes
        The file or its content; cells are parted by commas, semicolons or tabs.
    unit : str, default="us"
        Unit of the costs where the header names none.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    FeatureHypergraph
        A component for each group, and one of its own for each feature.

    Raises
    ------
    InterchangeError
        If the file is no such table, too large, or the discounts of a group differ.
    HypergraphError
        If a feature stands twice or a cost is no cost.
    """
    return parse_costs(as_text(read_bytes(source, max_bytes)), unit).hypergraph


def csv_layout(text: str) -> Literal["incidence", "costs"] | None:
    """Return how a table of costs is laid out, by its first cell.

    None if it is neither.
    """
    start = re.match(r'\s*"?(component|feature)"?\s*[,;\t]', text, re.IGNORECASE)
    if start is None:
        return "costs" if is_price_list(text) else None
    return "incidence" if start[1].lower() == "component" else "costs"


def parse_incidence(text: str, unit: str = "us", decimal: str = "") -> HypergraphFile:
    """Return the hypergraph of an incidence table, with notes.

    Without a column of kinds every component is of the kind "generation". `decimal`:
    what parts decimals where a column does not tell it.
    """
    header, rows = _table(text)
    has_kinds = len(header) > 1 and header[1].strip().lower() == "kind"
    _refuse_no_costs(header, ("component", *(("kind",) if has_kinds else ()), "cost"))
    start = 2 + has_kinds
    n_prices = len([*takewhile(is_price_header, header[start:])])
    features = [unguarded(cell) for cell in header[start + n_prices :]]
    refuse_odd_names(features, "feature")
    names: list[str] = []
    kinds: list[ComponentKind] = []
    cost_cells: list[str] = []
    priced: list[list[str]] = []
    columns: list[NDArray[np.int32]] = []
    for name, *cells in rows:
        kind = cells.pop(0) if has_kinds else ""
        names.append(name)
        kinds.append(checked_kind(name, kind.strip() or None))
        cost_cells.append(cells[0])
        priced.append(cells[1 : 1 + n_prices])
        columns.append(_needed(cells[1 + n_prices :], name, features))
    refuse_odd_names(names, "component")
    incidence = _csr(columns, len(features))
    costs, currency = number_cells(cost_cells, names, decimal=decimal)
    stated, charged, notes = _unit(header[1 + has_kinds], currency, unit)
    headers = header[start : start + n_prices]
    refuse_twins(headers, "The file has the price", InterchangeError)
    return HypergraphFile(
        FeatureHypergraph(
            incidence,
            np.array(costs, dtype=float),
            tuple(features),
            tuple(names),
            tuple(kinds),
            unit=stated,
            prices=prices_of_columns(
                {h: [row[j] for row in priced] for j, h in enumerate(headers)},
                names,
                decimal=decimal,
            ),
            charged=charged,
        ),
        notes,
        "incidence",
        names_unit=not notes,
    )


def parse_costs(text: str, unit: str = "us", decimal: str = "") -> HypergraphFile:
    """Return features from a table of their costs, with notes.

    `decimal`: what parts decimals where a column does not tell it.
    """
    plain = price_list(text)
    if plain is not None:
        return _priced_list(plain, unit, decimal)
    header, rows = _table(text)
    _refuse_no_costs(header, ("feature", "cost"))
    price_places = [j for j, cell in enumerate(header) if is_price_header(cell)]
    places = group_places(header, price_places)
    table = list(rows)
    if not table:
        raise InterchangeError(
            "The table of costs has a header but no rows; write one row a feature."
        )
    names = [row[0].strip() for row in table]
    refuse_odd_names(names, "feature")
    costs, currency = number_cells([row[1] for row in table], names, decimal=decimal)
    stated, charged, notes = _unit(header[1], currency, unit)
    names_unit = not notes
    headers = [header[j] for j in price_places]
    refuse_twins(headers, "The file has the price", InterchangeError)
    further = {header[j]: [row[j] for row in table] for j in price_places}

    def with_prices(hypergraph: FeatureHypergraph) -> FeatureHypergraph:
        n_shared = hypergraph.n_components - len(names)  # they come first
        prices = prices_of_columns(further, names, n_shared, decimal)
        return dataclasses.replace(hypergraph, prices=prices, charged=charged)

    if places is None:
        priced = FeatureHypergraph.independent(costs, names, unit=stated)
        return HypergraphFile(with_prices(priced), notes, "costs", names_unit)
    group_column, discount_column = places
    used = {*places, *price_places}
    unused = [header[j] for j in range(2, len(header)) if j not in used]
    notes = (*notes, *_unused_note(unused))
    groups = [row[group_column].strip() for row in table]
    shared = [k for k, group in enumerate(groups) if group]
    rest, _ = number_cells(
        [table[k][discount_column] for k in shared],
        [names[k] for k in shared],
        "The discounted cost",
        decimal,
    )
    discounted = list(costs)
    for k, value in zip(shared, rest, strict=True):
        discounted[k] = value
    priced = grouped_costs(names, costs, groups, discounted, stated)
    return HypergraphFile(with_prices(priced), notes, "costs", names_unit)


def _refuse_no_costs(header: Sequence[str], wanted: Sequence[str]) -> None:
    given = [cell.strip().lower() for cell in header[: len(wanted)]]
    if given[:-1] != list(wanted[:-1]) or not given[-1].startswith("cost"):
        raise InterchangeError(
            f"The table begins with {shown(','.join(header[: len(wanted)]))}; begin "
            f"its header with {','.join(wanted)}_us, or another unit."
        )


def _table(text: str) -> tuple[list[str], Iterator[list[str]]]:
    """Return the header, and an iterator over rows of the same length."""
    mark = re.match(r'\s*"?\w+"?\s*([,;\t])', text)
    delimiter = mark[1] if mark else ","
    lines = _bounded_lines(text, delimiter)
    header, rows = csv_rows(lines, "the table", delimiter)
    if len(header) > MAX_NAMES:
        raise InterchangeError(
            f"The table has {len(header):,} columns; at most {MAX_NAMES:,} are read."
        )
    named = ([unguarded(row[0]), *row[1:]] for _, row in rows)
    return header, named


def _bounded_lines(text: str, delimiter: str) -> Iterator[str]:
    """Yield lines, or refuse one of more cells than are read, before it is parted."""
    for line in io.StringIO(text, newline=""):
        n_cells = line.count(delimiter) + 1
        if n_cells > MAX_NAMES:
            raise InterchangeError(
                f"A line of the table has {n_cells:,} cells; at most {MAX_NAMES:,} are "
                "read."
            )
        yield line


def _needed(
    cells: Sequence[str], name: str, features: Sequence[str]
) -> NDArray[np.int32]:
    """Return the columns in which a row says that the feature needs it."""
    needed = []
    for j, cell in enumerate(cells):
        if cell == "0":
            continue
        stripped = cell.strip()
        if stripped not in _NEEDED:
            raise InterchangeError(
                f"The row of {shown(name)} holds {shown(cell)} for feature "
                f"{shown(features[j])}; write 1 where the feature needs it and 0 "
                "elsewhere."
            )
        if _NEEDED[stripped]:
            needed.append(j)
    return np.array(needed, dtype=np.int32)


def _csr(columns: Sequence[NDArray[np.int32]], n_features: int) -> sparse.csr_array:
    ends = np.cumsum([0, *map(len, columns)])
    indices = np.concatenate([np.zeros(0, dtype=np.int32), *columns])
    return sparse.csr_array(
        (np.ones(len(indices), dtype=bool), indices, ends),
        shape=(len(columns), n_features),
    )


def _unit(header: str, currency: str, default: str) -> tuple[str, str, tuple[str, ...]]:
    """Return unit and name that a header such as ``cost_us`` states, and notes.

    Without one the currency of the costs is their unit.
    """
    _, mark, stated = header.partition("_")
    if mark:
        unit, charged = unit_and_name(stated)
        refuse_odd_names([unit, charged], "unit")
        return spelled(unit), charged, ()
    unit = unit_in(header)[1] or currency
    return (unit, "cost", ()) if unit else (default, "cost", (no_unit_note(default),))


def _priced_list(plain: PriceList, default: str, decimal: str) -> HypergraphFile:
    names = [unguarded(name) for name in plain.names]
    refuse_odd_names(names, "feature")
    costs, currency = number_cells(plain.cells, names, decimal=decimal)
    unit, charged, open_notes = _unit(plain.header, currency, default)
    notes = (*open_notes, *_unused_note(plain.unused))
    priced = FeatureHypergraph.independent(costs, names, unit=unit)
    priced = dataclasses.replace(priced, charged=charged)
    return HypergraphFile(priced, notes, "costs", names_unit=not open_notes)


def _unused_note(headers: Sequence[str]) -> tuple[str, ...]:
    if not headers:
        return ()
    return (f"Columns of the costs that are not used: {listed(headers)}.",)
