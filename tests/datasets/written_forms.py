"""One frame of columns of every kind, as workbooks and Arrow files."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather


def frame(n=40):
    """Numbers, words, dates, booleans and labels, with one gap."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": [None if k == 3 else float(k % 17) + 0.5 for k in range(n)],
            "count": rng.integers(0, 9, n),
            "pain": np.array(["dull", "none", "sharp"])[rng.integers(0, 3, n)],
            "seen": pd.date_range("2024-01-01", periods=n).astype("datetime64[us]"),
            "smokes": rng.random(n) < 0.5,
            "ill": np.where(np.arange(n) % 2, "yes", "no"),
        }
    )


def workbook(*tables, names=("Data", "More", "Notes"), formulas=()):
    """A workbook of a sheet for each table."""
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="xlsxwriter") as writer:
        for table, name in zip(tables, names, strict=False):
            table.to_excel(writer, sheet_name=name, index=False)
        for place, formula, value in formulas:
            writer.sheets["Data"].write_formula(place, formula, None, value)
    return buffer.getvalue()


def as_feather(table, compression="lz4"):
    """A table as Feather."""
    buffer = io.BytesIO()
    feather.write_feather(pa.Table.from_pandas(table), buffer, compression)
    return buffer.getvalue()


def assert_same(found, expected):
    """Hold two data sets to the same kinds, values and labels."""
    assert found.schema == expected.schema
    assert np.array_equal(found.X, expected.X, equal_nan=True)
    assert found.y.tolist() == expected.y.tolist()
