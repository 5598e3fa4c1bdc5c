"""How a person's table is read, as text for a session: columns that are left out too.

What a data set has no place for would be lost with the file: columns that nobody learns
from, what they would cost, what all columns are called and used for.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from solvers import Dataset, FeatureHypergraph, ThriftscopeError, to_hif
from solvers.costs.interchange import from_hif
from solvers.datasets import TableFile, open_table, reading_options, written_table
from solvers.datasets.columns.schema import checked_kinds
from solvers.datasets.table import Role
from solvers.datasets.table.prices import Missing, prices_given
from solvers.errors import InterchangeError, listed

from ..document.reading import Reading, TableUse
from .checked import demand, packed, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

#: Characters that the columns left out may take, packed.
MAX_PACKED = 4_000_000
MAX_BYTES = 32 * 2**20
_KEYS = {"names", "roles", "kinds", "missing", "prices", "filename", "left_out"}
_BROKEN = "The columns of the session are damaged; save the session again."


def packed_reading(reading: Reading | None, dataset: Dataset) -> dict[str, Any] | None:
    """Return how a data set was read in the types of JSON.

    None where nothing is known beyond the data set itself, where rows of the file are
    not among its rows, or where it is too large to be kept.
    """
    if reading is None or reading.file.n_rows != dataset.n_samples:
        return None
    left_out = _left_out(reading, dataset)
    used = {*reading.file.columns} - {*left_out}
    kept = {name: _plain(reading.file.columns[name]) for name in left_out}
    kept = {name: column for name, column in kept.items() if column is not None}
    if not kept:
        return None
    text = _packed(kept)
    if len(text) > MAX_PACKED:
        return None
    told = reading.prices
    prices, _ = prices_given(
        told.get("hypergraph"), told.get("costs"), told.get("unit")
    )
    return {
        "names": [name for name in reading.file.columns if name in used | kept.keys()],
        "roles": {**reading.use.roles, **dict.fromkeys(kept, "left out")},
        "kinds": {name: dict(told) for name, told in reading.use.kinds.items()},
        "missing": reading.prices.get("missing", "refuse"),
        "prices": None if prices is None else to_hif(prices),
        "filename": reading.filename,
        "left_out": text,
    }


def unpacked_reading(given: Any, dataset: Dataset) -> Reading | None:
    """Return how the data set of somebody's session was read; None where none is kept.

    What does not read back the same data set is refused.
    """
    if given is None:
        return None
    _check(given)
    try:
        content = unpacked(given["left_out"], MAX_BYTES, _BROKEN)
        marks = reading_options(dataset).get("marks")  # as the file was told to have
        left_out = open_table(content, MAX_BYTES, marks=marks)
        file = _joined(dataset, given["roles"], left_out, given["names"])
        kinds = checked_kinds(given["kinds"]) | reading_options(dataset)["kinds"]
        use = TableUse(given["roles"], kinds, reading_options(dataset)["positive"])
        prices = {"missing": given["missing"], **_prices(given["prices"])}
        reading = Reading(file, use, prices, given["filename"])
        names = reading.dataset().feature_names
    except (ThriftscopeError, TypeError) as error:
        raise InterchangeError(_BROKEN) from error
    demand(names == dataset.feature_names, _BROKEN)
    return reading


def unkept_note(reading: Reading | None, dataset: Dataset) -> str | None:
    """Return what to say where columns that are left out are not kept; else None."""
    left_out = [] if reading is None else _left_out(reading, dataset)
    if reading is None or not left_out:
        return None
    dropped = reading.file.n_rows - dataset.n_samples
    why = (
        f"{dropped} rows of the file are not in the table"
        if dropped
        else "they are too large, or hold what no CSV can"
    )
    return (
        f"Columns that are left out are not kept with a session ({listed(left_out)}): "
        f"{why}; open the file again to learn from them."
    )


def _left_out(reading: Reading, dataset: Dataset) -> list[str]:
    used = {*dataset.feature_names, *_row_columns(reading.use).values()}
    return [name for name in reading.file.columns if name not in used]


def _row_columns(use: TableUse) -> dict[str, str]:
    """Return the columns that are no features, by their role."""
    features = ("feature", "free", "left out")
    return {role: name for name, role in use.roles.items() if role not in features}


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Return a column as CSV can hold it, None where it cannot."""
    import pyarrow as pa
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        return _plain(column.cast(kind.value_type))
    if types.is_nested(kind) or types.is_binary(kind) or types.is_null(kind):
        return None
    try:
        return column.cast(pa.string())
    except pa.ArrowException:
        return None


def _packed(columns: Mapping[str, pa.ChunkedArray]) -> str:
    import pyarrow as pa
    from pyarrow import csv

    # A first column without a name: a row of gaps alone would be no row.
    numbers = pa.array(range(len(next(iter(columns.values())))))
    table = pa.Table.from_arrays(
        [numbers, *columns.values()], names=["", *columns.keys()]
    )
    buffer = io.BytesIO()
    csv.write_csv(table, buffer)
    return packed(buffer.getvalue())


def _joined(
    dataset: Dataset, roles: Mapping[str, str], left_out: TableFile, names: list[str]
) -> TableFile:
    """Return the columns of a data set and those left out, in their first order."""
    demand(left_out.n_rows == dataset.n_samples, _BROKEN)
    written, options = written_table(dataset), reading_options(dataset)
    called = {options[role]: name for name, role in roles.items() if role in options}
    columns = {called.get(name, name): c for name, c in written.columns.items()}
    columns |= left_out.columns
    demand(len(columns) == len(names) and {*columns} == {*names}, _BROKEN)
    whole = {name: columns[name] for name in names}
    marks = written.marks
    return TableFile(whole, dataset.n_samples, 0, dataset.name, marks=marks)


def _prices(given: Any) -> dict[str, FeatureHypergraph]:
    return {} if given is None else {"hypergraph": from_hif(given, free_features=True)}


def _check(given: Any) -> None:
    demand(isinstance(given, Mapping) and set(given) == _KEYS, _BROKEN)
    names, roles, text = given["names"], given["roles"], given["left_out"]
    demand(
        isinstance(names, list)
        and all(isinstance(name, str) for name in names)
        and isinstance(roles, Mapping)
        and all(isinstance(role, str) for role in roles.values())
        and {*roles} <= {*names}
        and {*roles.values()} <= {*get_args(Role)}
        and given["missing"] in get_args(Missing)
        and isinstance(given["filename"], str)
        and len(given["filename"]) <= 100
        and isinstance(text, str)
        and len(text) <= MAX_PACKED,
        _BROKEN,
    )
