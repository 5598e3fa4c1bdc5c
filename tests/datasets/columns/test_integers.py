"""Whole numbers that are no quantities are told by their values, or by their name."""

import numpy as np
import pandas as pd

from solvers.datasets import from_frame, open_table, planned_columns
from solvers.datasets.columns import TableEncoder
from solvers.datasets.columns.coding import arrow_columns, coded_table
from solvers.datasets.columns.detection import integer_kind
from tests.datasets.tables import as_csv
from tests.each import each


def kind_of(name, values):
    return integer_kind(name, arrow_columns(pd.DataFrame({name: values}))[name])


@each(
    ("name", "values", "kind"),
    [
        ("fbs", [0, 1], "yes/no"),
        ("fbs", [0.0, 1.0, None], "yes/no"),
        ("dose", [1, 2], "number"),
        ("zip_code", [1, 2, 3], "code"),
        ("storeId", [1.0, 2.0, 3.0, None], "code"),
        ("country", list(range(25)), "code"),
        ("type", [-1, 0, 1], "number"),
        ("type_count", [1, 2, 3], "number"),
        ("grade", [1, 2, 3, 4], "number"),
        ("grade", [1, 2, 4, 5], "number"),  # nobody gave 3
        ("children", [0, 1, 2, 3, 5, 8], "number"),
        ("dose", [5, 10, 20, 40, 80], "number"),
        ("month", [0, 3, 6, 12, 18, 24, 36], "number"),
        ("share", [0, 50, 75, 90, 95], "number"),
        ("zoning", [11, 12, 13, 21, 24, 31, 99], "code"),
        ("zoning", [11.5, 12, 13, 21, 24, 31, 99], "number"),
        ("zoning", [11.0, 12, np.inf, 21, 24, 31, 99], "number"),
        ("age", list(range(20, 90)), "number"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_whole_numbers_are_what_their_name_and_gaps_say(name, values, kind):
    assert kind_of(name, values * 40)[0] == kind


def test_few_rows_tell_no_code():
    assert kind_of("zip_code", [1, 2, 3] * 5)[0] == "number"
    assert kind_of("zoning", [11, 12, 13, 21, 24, 31, 99] * 6)[0] == "number"


def zoned(n=200):
    rng = np.random.default_rng(0)
    zone = rng.choice([11, 12, 13, 21, 24, 31, 99], n)
    fee = np.where(rng.random(n) < 0.2, np.nan, rng.choice([1.0, 5.0, 9.0], n))
    return pd.DataFrame(
        {
            "zone": zone,
            "fee_code": fee,
            "paid": rng.integers(0, 2, n),
            "ill": np.where(zone > 20, "y", "n"),
        }
    )


def test_the_plan_says_why_a_column_is_a_code_unless_somebody_said_so():
    file = open_table(as_csv(zoned()))
    plans = {p.name: p for p in planned_columns(file, {"ill": "label"}, {})}
    assert (
        plans["zone"]
        .warnings[0]
        .endswith("uneven gaps between them: 11, 12, 13, 21, 24 and others.")
    )
    assert "its name says" in plans["fee_code"].warnings[0]
    assert plans["paid"].kind == "yes/no"
    (told,) = planned_columns(file, {}, {"zone": "code"}, names=["zone"])
    assert not told.warnings
    (number,) = planned_columns(file, {}, {"zone": "number"}, names=["zone"])
    assert number.encoded == ("zone",)


@each("gaps", ["fill", "value", "drop"])
@each("dtype", ["float64", "Int64", "int64[pyarrow]", "object"])
def test_codes_with_gaps_are_read_whatever_holds_them(dtype, gaps):
    frame = zoned().astype({"fee_code": "Int64"}).astype({"fee_code": dtype})
    dataset = from_frame(frame, "ill", gaps=gaps, kinds={"fee_code": "code"})
    (column,) = [column for column in dataset.schema if column.name == "fee_code"]
    assert (column.kind, column.values) == ("code", ("1", "5", "9"))
    n_gaps = int(frame["fee_code"].isna().sum())
    assert column.has_gaps is (gaps != "drop")
    assert len(dataset.X) == len(frame) - (n_gaps if gaps == "drop" else 0)
    encoded = TableEncoder(dataset.schema).fit_codes(dataset.X, dataset.y)
    assert np.isfinite(encoded).all()


def test_yes_and_no_may_be_written_as_truth_or_as_numbers():
    dataset = from_frame(zoned(), "ill")
    frame = zoned()[list(dataset.feature_names)]
    codes = coded_table(dataset.schema, frame)
    as_truth = frame.astype({"paid": bool})
    assert np.array_equal(coded_table(dataset.schema, as_truth), codes, equal_nan=True)
    assert np.array_equal(codes[:, 2], frame["paid"])
