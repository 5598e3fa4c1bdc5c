"""Columns of several types in a frame, read as a CSV file of them would be."""

from __future__ import annotations

import datetime
import io
from collections.abc import Collection
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from ...errors import DataError, shown
from ...values import GAP_MARKS
from .texts import as_text, typed_text

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["as_csv_holds_it", "is_mixed"]

_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64)
# Python's truths and NumPy's numbers are real ones.
_WRITABLE = (str, Real, np.bool_, Decimal, *_TIMES)
_NOTHING = "\ue000"  # in a cell: lines without a character would be passed over


def is_mixed(column: pd.Series) -> bool:
    """Return whether a column holds objects of several types, and not just numbers."""
    import pandas as pd
    from pandas.api.types import infer_dtype

    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    held = pd.Series(column.cat.categories) if is_category else column
    found = infer_dtype(held) if held.dtype == object else ""
    if found == "date":  # moments are dates, too, and would lose their hours
        return held.dropna().map(type).nunique() > 1
    return found.startswith("mixed") and found != "mixed-integer-float"


def as_csv_holds_it(
    name: str, column: pd.Series, gaps: Collection[str] = GAP_MARKS
) -> pa.ChunkedArray:
    """Return a column of several types, one value a cell, as one of a CSV file."""
    import pandas as pd
    from pyarrow import csv

    cells = column.astype(object).dropna()
    for row, value in zip(np.flatnonzero(column.notna()) + 1, cells, strict=True):
        if not isinstance(value, (*_WRITABLE, pd.Period, pd.Interval)):
            raise DataError(
                f"Column {shown(name)} holds a {type(value).__name__} in row {row}, "
                f"{shown(value)}; give one value a cell, or leave the column out."
            )
    try:
        written = column.to_frame("cells").to_csv(index=False, na_rep=_NOTHING).encode()
    except UnicodeEncodeError as error:
        raise DataError(
            f"Column {shown(name)} holds {shown(error.object[error.start])}, which is "
            "half a character; write the text anew, or leave the column out."
        ) from error
    table = csv.read_csv(
        io.BytesIO(written),
        csv.ReadOptions(use_threads=False, block_size=len(written) + 1),
        csv.ParseOptions(newlines_in_values=True),
        as_text(["cells"]),
    )
    return typed_text(table.column(0), (*gaps, _NOTHING))
