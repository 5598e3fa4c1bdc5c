"""A preview says what a table holds before its label is named."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from solvers.datasets import preview_table
from tests.datasets.tables import as_csv, as_parquet, frame
from tests.each import each


@each("written", [as_csv, as_parquet])
def test_a_preview_tells_what_each_column_holds(written):
    table = frame().assign(gone=None, colour=["red", None] * 6)
    preview = preview_table(written(table))
    kinds = [(column.name, column.kind) for column in preview.columns]
    assert kinds == [
        ("peak", "number"),
        ("loud", "boolean"),
        ("count", "number"),
        ("kind", "text"),
        ("gone", "empty"),
        ("colour", "text"),
    ]
    assert preview.n_rows == 12
    assert preview.columns[3].classes == (("bad", 6), ("good", 6))
    assert preview.columns[5].n_missing == 6
    assert preview.columns[5].n_distinct == 1
    assert preview.first_rows[1][3] == "good"
    assert preview.first_rows[1][4] == ""


def test_a_label_is_suggested_by_its_name_or_its_place():
    assert preview_table(as_csv(frame())).suggested_label == "kind"
    named = frame().rename(columns={"loud": "Target"})
    assert preview_table(as_csv(named)).suggested_label == "Target"
    numbers = pd.DataFrame({"x": np.arange(99), "z": np.arange(99) / 7})
    assert preview_table(as_csv(numbers)).suggested_label is None


def test_long_cells_are_cut_in_a_preview():
    table = frame().assign(essay="<b>" * 100)
    preview = preview_table(as_csv(table))
    assert len(preview.first_rows[0][4]) == 60


def test_dates_beyond_the_calendar_of_python_are_shown_as_missing():
    buffer = io.BytesIO()
    days = pa.array([2**62] * 12, pa.timestamp("us"))
    parquet.write_table(pa.table({"day": days, "x": np.arange(12)}), buffer)
    assert preview_table(buffer.getvalue()).first_rows[0][0] == ""


def test_nested_cells_are_not_shown():
    table = frame().assign(steps=[[1, 2]] * 12)
    assert preview_table(as_parquet(table)).columns[4].kind == "other"
