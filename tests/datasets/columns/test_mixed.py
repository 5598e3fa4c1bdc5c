"""A frame whose columns hold several types says what its CSV file says."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from solvers import read_table, split_dataset
from solvers.datasets import from_frame
from solvers.datasets.columns.arrow import as_csv_holds_it
from solvers.datasets.columns.coding import arrow_columns, coded_column
from solvers.datasets.columns.detection import described
from solvers.decisions.coding import CodedValues
from solvers.values import GAP_MARKS
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore:Left out of:solvers.errors.DataWarning")

N = 60
DAY = datetime.date(2024, 1, 1)
MIXED = {
    "text among numbers": [1, 2.5, "abc", *range(N - 3)],
    "numbers as text": ["1", 2, 5, 10, *range(N - 4)],
    "numbers among words": ["a", "b", 1] * 20,
    "truths and words": [True, "x", None, 3] * 15,
    "days and words of days": [DAY, "2024-01-02", None] * 20,
    "huge numbers": [2**70, *range(N - 1)],
    "words for nothing": [1.5, "NA", "?", *np.arange(N - 3)],
    "words for nothing among words": ["NA", "a", "b", "?", "null", ""] * 10,
    "categories for nothing": pd.Categorical(["NA", "a", "b"] * 20),
    "decimals": [Decimal("1.5"), 2, "x", *range(N - 3)],
    "categories": pd.Categorical(["a", 1, "b", 2] * 15),
    "truths and numbers": [True, 1, False, 2.5] * 15,
    "NumPy's truths and words": [np.True_, "x", None, 3] * 15,
    "days and numbers": [DAY, 1, None, DAY] * 15,
    "days and moments": [DAY, datetime.datetime(2024, 5, 1, 13)] * 30,
    "categories of days and numbers": pd.Categorical([DAY, 1, None, DAY] * 15),
    "categories of days and moments": pd.Categorical(
        [DAY, datetime.datetime(2024, 5, 1, 13)] * 30
    ),
    "intervals": pd.cut(np.arange(60) % 7, 3),
    "months": pd.period_range("2024-01", periods=3, freq="M").repeat(20),
    "more text than a slip": [*range(N - 10), *["low"] * 10],
}


@each("what", MIXED)
def test_a_frame_and_its_file_say_the_same(what):
    frame = pd.DataFrame({"m": MIXED[what], "x": range(N), "y": [0, 0, 1, 1] * 15})
    of_frame = from_frame(frame, "y")
    of_file = read_table(frame.to_csv(index=False).encode(), "y")
    assert of_frame.schema == of_file.schema
    assert of_frame.feature_names == of_file.feature_names
    np.testing.assert_array_equal(of_frame.X, of_file.X)
    assert of_frame.notes == of_file.notes


def test_words_for_nothing_are_gaps_in_every_frame():
    words = ["b", "NA", "a", "c"] * 15
    scale = pd.CategoricalDtype(["c", "NA", "b", "a"], ordered=True)
    packed = pa.array(words).dictionary_encode()
    frames = {
        "texts": pa.table({"m": words}),
        "packed": pa.table({"m": pa.chunked_array([packed, packed.slice(2, 0)])}),
        "polars": pl.DataFrame({"m": words}),
        "categories of polars": pl.DataFrame(
            {"m": pl.Series(words, dtype=pl.Categorical)}
        ),
        "ordered": pd.DataFrame({"m": pd.Series(words).astype(scale)}),
    }
    for what, frame in frames.items():
        column = arrow_columns(frame)["m"]
        found = described("m", "category", column)
        assert found.has_gaps, what
        assert found.values == (
            ("c", "b", "a") if what == "ordered" else ("a", "b", "c")
        )
        codes = coded_column(found, column)
        assert np.isnan(codes).tolist() == [word == "NA" for word in words], what


def test_a_word_for_nothing_is_a_gap_in_what_is_exported():
    kinds = {"m": ("listed", ("a", "b"))}
    values = CodedValues({"m": "NA"}, kinds, GAP_MARKS, {})
    assert np.isnan(values["m"])
    assert CodedValues({"m": "c"}, kinds, GAP_MARKS, {})["m"] == 2
    # A network may have a state of that name.
    states = {"m": ("listed", ("NA",))}
    assert CodedValues({"m": "NA"}, states, GAP_MARKS, {})["m"] == 0


def test_durations_are_numbers_of_days():
    wait = pd.Series(pd.to_timedelta(np.arange(60.0), "h"))
    wait[5] = None
    frame = pd.DataFrame({"wait": wait, "y": [0, 1] * 30})
    data = from_frame(frame, "y")
    assert "Column 'wait' holds durations: they count in days." in data.notes
    (column,) = data.schema
    assert column.kind == "number"
    np.testing.assert_allclose(
        data.X[:, 0], np.where(wait.isna(), np.nan, np.arange(60) / 24)
    )
    for unit in ("s", "ms", "us", "ns"):
        other = arrow_columns(frame.astype({"wait": f"timedelta64[{unit}]"}))["wait"]
        np.testing.assert_allclose(coded_column(column, other), data.X[:, 0])
    encoder = split_dataset(data).encoder
    assert encoder.transform(frame[["wait"]][:3])[:, 0].tolist() == [0, 1 / 24, 2 / 24]
    complete = frame.drop(index=5)  # so that every column would be its own encoding
    found = split_dataset(from_frame(complete, "y")).encoder.transform(complete)
    assert found[-1].tolist() == [59 / 24]
    sample = {"wait": datetime.timedelta(hours=36)}
    assert CodedValues(sample, {}, (), {})["wait"] == 1.5


def test_rows_whose_text_is_a_slip_are_named():
    frame = pd.DataFrame({"m": MIXED["text among numbers"], "y": [0, 1] * 30})
    (said,) = (note for note in from_frame(frame, "y").notes if "text among" in note)
    assert "in 1 row (such as 'abc'; row 3): taken as missing there" in said


def test_a_column_that_is_left_out_for_its_text_names_a_row():
    frame = pd.DataFrame(
        {"m": [*range(40), *map("w{}".format, range(20))], "x": range(N)}
    ).assign(y=[0, 1] * 30)
    (said,) = (n for n in from_frame(frame, "y").notes if n.startswith("Left out"))
    assert said == (
        "Left out as it holds text among its numbers (for instance 'w0' in row 41): "
        "'m'; write nothing in such cells, or choose a kind."
    )


def test_labels_of_several_types_are_those_of_the_file():
    frame = pd.DataFrame({"x": range(N), "y": ["ill", 0] * 30})
    assert from_frame(frame, "y").y.tolist() == ["ill", "0"] * 30


@each("word", GAP_MARKS)
def test_what_holds_nothing_in_a_file_holds_nothing_in_a_frame(word):
    column = pd.Series([word, 1, "x"], dtype=object)
    assert as_csv_holds_it("m", column).to_pylist() == [None, "1", "x"]


# But for categorical columns: their rows are categories, which records do not tell.
@each("what", [k for k, held in MIXED.items() if not isinstance(held, pd.Categorical)])
def test_a_value_is_the_same_among_few_rows_as_among_all(what):
    frame = pd.DataFrame({"m": MIXED[what], "x": range(N), "y": [0, 0, 1, 1] * 15})
    data = from_frame(frame, "y", kinds={"m": "category"})
    encoder = split_dataset(data).encoder
    raw = frame.drop(columns="y")
    few = [encoder.transform(raw[k : k + 2].to_dict("records")) for k in range(0, N, 2)]
    np.testing.assert_array_equal(np.vstack(few), encoder.transform(raw))
