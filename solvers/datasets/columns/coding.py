"""The values of columns as numbers, losing nothing: places in lists, days, gaps."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...checks import first_twin, refuse_namesakes
from ...errors import DataError, listed, shown
from ...numerics.arrays import Floats, Mask
from ...values import (
    GAP_MARKS,
    DateForm,
    NumberForm,
    TimeForm,
    ValueForm,
    matched_names,
)
from .arrow import (
    as_csv_holds_it,
    as_floats,
    in_days,
    is_mixed,
    kind_of,
    plain_texts,
    unpacked,
    value_type,
    words_of,
)
from .schema import Column, TableSchema

if TYPE_CHECKING:
    import pyarrow as pa

#: The first and the last day of the calendar, in days since 1970.
FIRST_DAY, LAST_DAY = -719_162, 2_932_896
# Of January 1, 1600, and of December 31, 2200: outside, a date is a slip, or a mark of
# what has none.
_EARLIEST, _LATEST = -135_140, 84_370
_CENTURIES = 200 * 365.25  # days from the middle one: no person, no firm lives so long

_A_MINUTE = 2 * np.pi / TimeForm.cycle  # as an angle
_OF_A_TIME: Mapping[str, Callable[[Floats], Floats]] = {
    "minute": lambda minutes: minutes,
    "sine": lambda minutes: np.sin(minutes * _A_MINUTE),
    "cosine": lambda minutes: np.cos(minutes * _A_MINUTE),
}


def far_days(days: Floats) -> Mask:
    """Return which days lie centuries away from the others, or from any that is usual.

    Shape: (n_rows,). A gap lies nowhere.
    """
    there = days[~np.isnan(days)]
    middle = np.median(there) if len(there) else 0.0
    is_unusual = (days < _EARLIEST) | (days >= _LATEST + 1)
    return is_unusual | (np.abs(days - middle) > _CENTURIES)


def date_part(part: str, days: Floats, latest: float) -> Floats:
    """Return the age in days before the latest one, the month, weekday or hour.

    Or, where `days` are minutes of a day, these, and the sine and cosine of their angle
    in its circle. Shape: (n_rows,). Weeks begin with Monday, 0.
    """
    if part in _OF_A_TIME:
        return _OF_A_TIME[part](days)
    if part == "age":
        return latest - days
    if part == "weekday":
        return (np.floor(days) + 3) % 7  # the first of January 1970 was a Thursday
    if part == "hour":
        return np.floor((days % 1) * 24 + 1e-9)
    months = np.floor(days).astype("datetime64[D]").astype("datetime64[M]")
    return months.astype(int) % 12 + 1.0


_DAY = 86_400_000_000  # microseconds
# Whoever trained with 0 and 1 may be given no and yes, and the other way round.
_TWINS = ("0", "False", "FALSE", "false"), ("1", "True", "TRUE", "true")


def coded_table(schema: TableSchema, frame: Any) -> Floats:
    """Return raw rows as codes: what `TableEncoder` computes with.

    A number is itself, a listed value its place in the list (the length of the list if
    it is not there), a date its days since 1970, a gap NaN.

    Shape: (n_rows, n_columns).
    """
    given = arrow_columns(frame, schema.names, schema.gap_marks)
    called = matched_names(given, schema.names)
    twin = first_twin(called.get(name, name) for name in given)
    if twin is not None:
        raise DataError(
            f"The rows have column {shown(twin)} twice, in signs that look the same; "
            "give it once."
        )
    columns = {called.get(name, name): cells for name, cells in given.items()}
    absent = [name for name in schema.names if name not in columns]
    if absent:
        raise DataError(
            f"The rows have no column {listed(absent)}; give every column that the "
            "model was trained with, None where a value is not known."
        )
    coded = [coded_column(column, columns[column.name]) for column in schema]
    return np.column_stack(coded)


def arrow_columns(
    frame: Any, names: tuple[str, ...] = (), gaps: Collection[str] = GAP_MARKS
) -> dict[str, Any]:
    """Return the columns of a frame (pandas, polars), of dicts or of rows.

    `gaps`: what stands in cells that hold nothing.
    """
    import pandas as pd

    if not hasattr(frame, "columns") and not hasattr(frame, "column_names"):
        frame = _framed(frame, names)
    if isinstance(frame, pd.DataFrame):
        labels = [str(name) for name in frame.columns]
        refuse_namesakes(labels, "column")
        return {
            name: plain_texts(_arrow(name, frame.iloc[:, j], gaps), gaps)
            for j, name in enumerate(labels)
        }
    try:
        table = _table_of(frame)
    except (TypeError, ValueError) as error:
        raise _no_rows(frame) from error
    return {n: plain_texts(table.column(n), gaps) for n in table.column_names}


def _no_rows(given: Any) -> DataError:
    return DataError(
        f"The rows are a {type(given).__name__}; give a DataFrame of pandas or polars, "
        "or a list of dicts."
    )


def _table_of(frame: Any) -> pa.Table:
    import pyarrow as pa
    from pyarrow.interchange import from_dataframe

    if isinstance(frame, pa.Table):
        return frame
    if hasattr(frame, "__dataframe__") and not hasattr(frame, "__arrow_c_stream__"):
        return from_dataframe(frame)
    try:
        return pa.table(frame)
    except (pa.ArrowException, ValueError):
        if not hasattr(frame, "iter_columns"):
            raise
        # polars counts in 128 bits, which Arrow does not take.
        return pa.table({c.name: _whole_numbers(c) for c in frame.iter_columns()})


def _whole_numbers(column: Any) -> Any:
    """Return a column of polars as Arrow takes it; numbers beyond 64 bits as text."""
    import pyarrow as pa

    try:
        return pa.chunked_array(column)
    except (pa.ArrowException, ValueError):
        values = column.to_list()
    try:
        return pa.array(values, pa.int64())
    except (pa.ArrowException, OverflowError):
        return pa.array([None if v is None else str(v) for v in values])


def _framed(rows: Any, names: tuple[str, ...]) -> Any:
    import pandas as pd

    if isinstance(rows, dict):
        return pd.DataFrame([rows])
    if not isinstance(rows, Iterable):
        raise _no_rows(rows)
    given, rows = rows, list(rows)
    if rows and isinstance(rows[0], dict):
        return pd.DataFrame(rows)
    if not names:
        raise _no_rows(given)
    table = np.asarray(rows, dtype=object)
    if table.ndim != 2 or table.shape[1] != len(names):
        raise DataError(
            f"The rows have shape {table.shape}; give {len(names)} values a row: "
            f"{listed(names)}."
        )
    return pd.DataFrame(table, columns=list(names)).infer_objects()


def _arrow(name: str, column: Any, gaps: Collection[str]) -> pa.ChunkedArray:
    import pandas as pd
    import pyarrow as pa

    if isinstance(column.dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
    try:
        values = pa.chunked_array([pa.array(column, from_pandas=True)])
    except pa.ArrowNotImplementedError as error:
        raise DataError(
            f"Column {shown(name)} holds {column.dtype} values, which no method "
            "learns from; leave the column out."
        ) from error
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return as_csv_holds_it(name, column, gaps)
    # Arrow takes 1 beside dates for a day, beside truths for True.
    is_odd = isinstance(value_type(values), pa.ExtensionType) or is_mixed(column)
    is_cells = not pa.types.is_nested(values.type)
    return as_csv_holds_it(name, column, gaps) if is_odd and is_cells else values


def coded_column(column: Column, values: pa.ChunkedArray) -> Floats:
    """Return the codes of a column's values.

    Shape: (n_rows,).
    """
    refuse_no_cells(column.name, values)
    if column.kind == "number":
        return _numbers(column, values)
    if column.kind == "date":
        return _days(column, values)
    if column.kind == "time":
        return _minutes(column, values)
    words, places = words_of(values)
    if column.kind == "hashed":
        n = len(column.values)
        codes = [np.nan if w is None else zlib.crc32(w.encode()) % n for w in words]
    else:
        known = {word: float(k) for k, word in enumerate(column.values)}
        for twins in _TWINS:
            place = next((known[word] for word in twins if word in known), None)
            if place is not None:
                known = dict.fromkeys(twins, place) | known
        unseen = float(len(column.values))
        codes = [np.nan if w is None else known.get(w, unseen) for w in words]
    return np.array([*codes, np.nan])[places]


def refuse_no_cells(name: str, values: pa.ChunkedArray) -> None:
    """Refuse a column that holds more than one value a cell, or a type of others."""
    import pyarrow as pa

    if pa.types.is_nested(values.type):
        raise DataError(
            f"Column {shown(name)} holds lists or records; give one value a cell, or "
            "leave the column out."
        )
    if isinstance(value_type(values), pa.BaseExtensionType):
        raise DataError(
            f"Column {shown(name)} holds {values.type}, which no method learns from; "
            "write it as text, or leave the column out."
        )


def decoded_column(column: Column, codes: Floats) -> NDArray:
    """Return the values that codes stand for; None or NaT for a gap.

    Shape: (n_rows,). Numbers and buckets of texts are themselves, times are words.
    """
    if column.kind == "date":
        days = np.where(np.isnan(codes), 0.0, codes)
        found = np.round(days * _DAY).astype("int64").astype("datetime64[us]")
        return np.where(np.isnan(codes), np.datetime64("NaT"), found)
    if column.kind == "time":
        form = column.form or TimeForm()
        return np.array([None if c != c else form.write(c) for c in codes], object)
    if not column.is_listed or column.kind == "hashed":
        return codes
    words = np.array([*column.values, "other", None], dtype=object)
    return words[np.where(np.isnan(codes), -1, codes).astype(int)]


def _numbers(column: Column, values: pa.ChunkedArray) -> Floats:
    """Return numbers, NaN where a cell holds none or text."""
    what = kind_of(values)
    if what == "empty":
        return np.full(len(values), np.nan)
    if what == "text":
        return _read(column.form or NumberForm(), values)
    if what not in ("number", "boolean"):
        raise DataError(
            f"Column {shown(column.name)} holds {values.type}, not numbers; give "
            "numbers as in training."
        )
    found = as_floats(values)
    return np.where(np.isinf(found), np.nan, found)


def _read(form: ValueForm, values: pa.ChunkedArray) -> Floats:
    """Return what cells of text say, NaN where one says nothing."""
    words, places = words_of(values)
    return np.append(form.read_all(words), np.nan)[places]


def _days(column: Column, values: pa.ChunkedArray) -> Floats:
    """Return days since 1970, a time of day as its part of a day; NaN of no date."""
    import pyarrow as pa
    from pyarrow import compute, types

    what, form = kind_of(values), column.form or DateForm()
    if what == "empty":
        return np.full(len(values), np.nan)
    is_compact = isinstance(form, DateForm) and form.compact
    if what == "text" or (is_compact and types.is_integer(value_type(values))):
        return _read(form, values)
    if what != "date":
        raise no_dates(column.name, values)
    values = unpacked(values)
    kind = values.type
    try:
        if types.is_time(kind):
            return in_days(values.cast(pa.time64("us"), safe=False))
        if types.is_timestamp(kind) and kind.unit == "ns":
            values = compute.floor_temporal(values, unit="microsecond")
        days = in_days(values.cast(pa.timestamp("us", getattr(kind, "tz", None))))
    except pa.ArrowException as error:
        raise no_dates(column.name, values) from error
    within = (days >= FIRST_DAY) & (days < LAST_DAY + 1)
    return np.where(within, days, np.nan)


def _minutes(column: Column, values: pa.ChunkedArray) -> Floats:
    """Return minutes since midnight; NaN of what is no time of day."""
    import pyarrow as pa

    what = kind_of(values)
    if what == "empty":
        return np.full(len(values), np.nan)
    if what == "text":
        return _read(column.form or TimeForm(), values)
    if not pa.types.is_time(value_type(values)):
        raise DataError(
            f"Column {shown(column.name)} holds {values.type}, not times of day; give "
            "times such as 13:45."
        )
    micros = unpacked(values).cast(pa.time64("us"), safe=False).cast(pa.int64())
    found = micros.cast(pa.float64(), safe=False).to_numpy()
    return np.asarray(found, dtype=float) / 60e6


def no_dates(name: str, values: pa.ChunkedArray) -> DataError:
    """Return the refusal of cells that write no date, with their rows."""
    words = words_of(values)
    rows = np.flatnonzero(words.where(lambda word: DateForm().read(word) is None))
    such = f" (such as {shown(words.at(rows[0]))})" if len(rows) else ""
    where = f" in rows {', '.join(str(row + 1) for row in rows[:5])}" if such else ""
    return DataError(
        f"Column {shown(name)} holds what is no date, or one out of range{where}"
        f"{such}; write dates as 2024-12-31."
    )
