"""Hypergraphs as a spreadsheet keeps them: an incidence table, or one cost a column.

Incidence, one row a component, 1 where the feature needs it::

    component,kind,cost_us,peak,centroid,mean
    fft,generation,3.0,1,1,0
    avg,generation,0.5,0,0,1

Costs of features that share nothing::

    feature,cost_us
    peak,3.0
    mean,0.5
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator, Sequence
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from ..incidence import ComponentKind
from .assembly import HypergraphFile
from .hif_records import MAX_NAMES, checked_kind
from .sources import (
    MAX_BYTES,
    Source,
    as_text,
    read_bytes,
    refuse_odd_names,
    shown,
    write_text,
)

__all__ = [
    "csv_layout",
    "is_spreadsheet_size",
    "parse_costs",
    "parse_incidence",
    "read_costs_csv",
    "read_incidence_csv",
    "to_incidence_csv",
    "write_incidence_csv",
]

_NEEDED = {"1": True, "0": False, "": False, "1.0": True, "0.0": False}
_FIXED = 3  # the columns before those of the features
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
        CSV with a header; the column of the costs is named ``cost_`` and the unit.

    Raises
    ------
    InterchangeError
        If the table, which holds a cell for every pair, would be too large to read.
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
        ["component", "kind", f"cost_{hypergraph.unit}", *hypergraph.features]
    )
    links = hypergraph.incidence
    for i, name in enumerate(hypergraph.components):
        cells = ["0"] * hypergraph.n_features
        for j in links.indices[links.indptr[i] : links.indptr[i + 1]]:
            cells[j] = "1"
        cost = repr(float(hypergraph.component_costs[i]))
        writer.writerow([name, hypergraph.kinds[i], cost, *cells])
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
    """Read the costs of features that share nothing, one row a feature.

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
        Each feature with a component of its own.

    Raises
    ------
    InterchangeError
        If the file is no such table, or too large.
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
        return None
    return "incidence" if start[1].lower() == "component" else "costs"


def parse_incidence(text: str, unit: str = "us") -> HypergraphFile:
    """Return the hypergraph of an incidence table, with notes."""
    header, rows = _table(text, ("component", "kind", "cost"))
    features = header[_FIXED:]
    refuse_odd_names(features, "feature")
    names: list[str] = []
    kinds: list[ComponentKind] = []
    costs: list[float] = []
    columns: list[NDArray[np.int32]] = []
    for name, kind, cost, *cells in rows:
        names.append(name)
        kinds.append(cast("ComponentKind", checked_kind(name, kind.strip() or None)))
        costs.append(_number(cost, name))
        columns.append(_needed(cells, name, features))
    refuse_odd_names(names, "component")
    incidence = _csr(columns, len(features))
    stated, notes = _unit(header[_FIXED - 1], unit)
    return HypergraphFile(
        FeatureHypergraph(
            incidence,
            np.array(costs, dtype=float),
            tuple(features),
            tuple(names),
            tuple(kinds),
            unit=stated,
        ),
        notes,
        "incidence",
    )


def parse_costs(text: str, unit: str = "us") -> HypergraphFile:
    """Return features that share nothing from a table of their costs, with notes."""
    header, rows = _table(text, ("feature", "cost"))
    pairs = [(name, _number(cost, name)) for name, cost, *_ in rows]
    if len(header) > 2:
        raise InterchangeError(
            f"The table of costs has {len(header)} columns; write feature and cost in "
            "two columns."
        )
    if not pairs:
        raise InterchangeError(
            "The table of costs has a header but no rows; write one row a feature."
        )
    names = [name for name, _ in pairs]
    refuse_odd_names(names, "feature")
    stated, notes = _unit(header[1], unit)
    costs = [cost for _, cost in pairs]
    return HypergraphFile(
        FeatureHypergraph.independent(costs, names, unit=stated), notes, "costs"
    )


def _table(text: str, wanted: Sequence[str]) -> tuple[list[str], Iterator[list[str]]]:
    """Return the header, checked, and an iterator over rows of the same length."""
    mark = re.match(r'\s*"?\w+"?\s*([,;\t])', text)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=mark[1] if mark else ",", strict=True
    )
    rows = _rows(reader)
    header = next(rows, [])
    given = [cell.strip().lower() for cell in header[: len(wanted)]]
    if given[:-1] != list(wanted[:-1]) or not given[-1].startswith("cost"):
        raise InterchangeError(
            f"The table begins with {shown(','.join(header[: len(wanted)]))}; begin "
            f"its header with {','.join(wanted)}_us, or another unit."
        )
    if len(header) > MAX_NAMES:
        raise InterchangeError(
            f"The table has {len(header):,} columns; at most {MAX_NAMES:,} are read."
        )
    return header, _even(rows, len(header))


def _rows(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        for row in reader:
            if row:
                yield row
    except csv.Error as error:
        raise InterchangeError(
            f"The table is not CSV, or only a part of it ({error}); export it again."
        ) from error


def _even(rows: Iterator[list[str]], n: int) -> Iterator[list[str]]:
    for row in rows:
        if len(row) != n:
            raise InterchangeError(
                f"The header has {n} cells, but the row of {shown(row[0])} has "
                f"{len(row)}; give every row as many."
            )
        yield row


def _number(text: str, name: str) -> float:
    try:
        if "_" not in text:  # Python's own 1_000
            return float(text)
    except ValueError as error:
        raise InterchangeError(_no_number(text, name)) from error
    raise InterchangeError(_no_number(text, name))


def _no_number(text: str, name: str) -> str:
    point = " with a decimal point" if "," in text else ""
    return (
        f"The cost of {shown(name)} is {shown(text)}; write a finite number{point}, 0 "
        "or more."
    )


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


def _unit(header: str, default: str) -> tuple[str, tuple[str, ...]]:
    """Return the unit that a header such as ``cost_us`` names, with a note if none."""
    _, mark, unit = header.partition("_")
    if mark:
        refuse_odd_names([unit], "unit")
        return unit, ()
    return default, (f"The file names no unit: costs are taken as {default}.",)
