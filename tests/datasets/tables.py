"""Small tables, and the files they come in."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

__all__ = ["as_csv", "as_parquet", "frame"]


def frame(n=12):
    """Numbers, booleans and labels of two classes, without a gap."""
    return pd.DataFrame(
        {
            "peak": np.arange(n) / 7,
            "loud": np.arange(n) % 3 == 0,
            "count": np.arange(n) ** 2,
            "kind": np.where(np.arange(n) % 2, "good", "bad"),
        }
    )


def as_csv(table, **options):
    return table.to_csv(index=False, **options).encode()


def as_parquet(table):
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(table), buffer)
    return buffer.getvalue()
