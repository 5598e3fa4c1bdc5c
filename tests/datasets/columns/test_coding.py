"""Codes lose nothing: each value has its place, a gap has none, and back."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from solvers.datasets.columns.coding import (
    arrow_columns,
    coded_column,
    coded_table,
    decoded_column,
)
from solvers.datasets.columns.schema import Column, TableSchema
from solvers.errors import DataError
from solvers.values import NumberForm
from tests.each import each

COLOUR = Column("colour", "category", ("red", "blue"))
SCHEMA = TableSchema((Column("size"), COLOUR))


def column(*values):
    return pa.chunked_array([pa.array(list(values), from_pandas=True)])


def test_listed_values_have_their_place_others_share_one_and_gaps_have_none():
    codes = coded_column(COLOUR, column("blue", "red", "green", None))
    np.testing.assert_equal(codes, [1.0, 0.0, 2.0, np.nan])
    assert decoded_column(COLOUR, codes).tolist() == ["blue", "red", "other", None]


def test_columns_are_found_by_names_that_look_the_same():
    schema = TableSchema((Column("gr\u00f6\u00dfe"), COLOUR))
    rows = pd.DataFrame({"colour": ["blue"], "gro\u0308\u00dfe": [2.5]})
    assert coded_table(schema, rows).tolist() == [[2.5, 1.0]]
    with pytest.raises(DataError, match="column 'gr\u00f6\u00dfe' twice"):
        coded_table(schema, rows.assign(**{"gr\u00f6\u00dfe": [1.0]}))


@each("given", [[0, 1], ["no", "yes"], [False, True]])
def test_zero_and_false_are_one_value_whichever_was_learned(given):
    learned = Column("fbs", "yes/no", tuple(map(str, given)))
    twins = [[0, 1], [False, True]] if given != ["no", "yes"] else [given]
    for twin in twins:
        assert coded_column(learned, column(*twin)).tolist() == [0.0, 1.0]


def test_days_are_counted_from_1970_and_come_back():
    day = Column("day", "date")
    codes = coded_column(day, column("1970-01-02", "2024-02-29", "soon", None))
    leap = (datetime.date(2024, 2, 29) - datetime.date(1970, 1, 1)).days
    np.testing.assert_equal(codes, [1.0, leap, np.nan, np.nan])
    back = decoded_column(day, codes).astype("datetime64[D]").astype(str).tolist()
    assert back == ["1970-01-02", "2024-02-29", "NaT", "NaT"]


def test_numbers_are_themselves_and_what_is_none_is_a_gap():
    cells = column("1,5", "2", "big", None)
    codes = coded_column(Column("size"), cells)
    np.testing.assert_equal(codes, [np.nan, 2.0, np.nan, np.nan])
    codes = coded_column(Column("size", form=NumberForm(",")), cells)
    np.testing.assert_equal(codes, [1.5, 2.0, np.nan, np.nan])
    np.testing.assert_equal(
        coded_column(Column("size"), column(1.0, np.inf, -np.inf)), [1, np.nan, np.nan]
    )


@each("nothing", [None, np.nan, pd.NaT, pd.NA])
def test_what_no_row_knows_is_a_gap_in_a_column_of_every_kind(nothing):
    for kind in ("number", "date", "category", "yes/no", "hashed"):
        schema = TableSchema((Column("x", kind, ("a", "b")),))
        assert np.isnan(coded_table(schema, pd.DataFrame({"x": [nothing] * 3}))).all()


@each(
    "rows",
    [
        pd.DataFrame({"colour": ["blue", None], "size": [1.0, 2.0], "more": [0, 0]}),
        [{"size": 1, "colour": "blue"}, {"size": 2, "colour": None}],
        [[1, "blue"], [2, None]],
        pa.table({"size": [1, 2], "colour": ["blue", None]}),
    ],
    ids=["frame", "dicts", "rows", "arrow"],
)
def test_rows_of_any_form_have_the_same_codes(rows):
    np.testing.assert_equal(coded_table(SCHEMA, rows), [[1.0, 1.0], [2.0, np.nan]])


@each(
    ("rows", "sentence"),
    [
        ([{"size": 1}], "no column 'colour'; give every column"),
        (3, "rows are a int; give a DataFrame"),
        ([[1, 2, 3]], r"shape \(1, 3\); give 2 values a row"),
        ([{"size": [1], "colour": "red"}], "'size' holds lists or records"),
        (pd.DataFrame([[1, 2]], columns=["size", "size"]), "Two columns are called 's"),
        ([{"size": 1, "colour": "a"}, {"size": 1, "colour": [2]}], "a list in row 2"),
    ],
)
def test_rows_that_are_none_are_refused(rows, sentence):
    with pytest.raises(DataError, match=sentence):
        coded_table(SCHEMA, rows)


def test_rows_that_pandas_packs_are_unpacked():
    frame = pd.DataFrame({"x": pd.arrays.SparseArray([0.0, 1.5, 0.0])})
    (found,) = arrow_columns(frame).values()
    assert found.to_pylist() == [0.0, 1.5, 0.0]


def test_a_column_named_twice_is_refused_before_it_is_read():
    twice = pd.DataFrame([[1, 2]], columns=["size", "size"])
    with pytest.raises(DataError, match="name of its own"):
        arrow_columns(twice)
