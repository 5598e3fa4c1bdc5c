"""What a column most likely is, from what it holds."""

from datetime import date, datetime, time

import numpy as np
import pyarrow as pa
import pytest

from solvers.datasets.columns.coding import coded_column
from solvers.datasets.columns.detection import MAX_VALUES, described, detected
from solvers.datasets.columns.schema import Column
from solvers.errors import DataError
from tests.each import each


def _column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


WORDS = [f"word {k}" for k in range(40)]


@each(
    ("name", "values", "kind"),
    [
        ("x", [1.5, 2.0, None], "number"),
        ("age", list(range(30)), "number"),
        ("patient_id", list(range(30)), "identifier"),
        ("uid", list(range(30)), "identifier"),
        ("patientId", list(range(30)), "identifier"),
        ("paid", list(range(30)), "number"),
        ("Unnamed: 0", list(range(30)), "identifier"),
        ("id", list(range(10)), "number"),  # too few rows to tell
        ("x", [True, False], "yes/no"),
        ("x", ["Yes", "no"] * 5, "yes/no"),
        ("x", ["red", "green", "red", None], "category"),
        ("x", ["1", "2,5", "3", "4"] * 5, "number"),
        ("x", [f"a{k}" for k in range(40)], "identifier"),
        ("x", [str(k) for k in range(40)], "identifier"),
        ("x", [f"{k}.5" for k in range(40)], "number"),
        ("x", [*(f"{k}.5" for k in range(40)), "oops"], "number"),
        ("x", [*map(str, range(40)), "oops"], "number"),
        ("id", [*map(str, range(40)), "oops"], "identifier"),
        ("x", ["mild", "none", "severe"] * 3, "ordered"),
        ("x", ["mild", "none", "sharp"] * 3, "category"),
        ("x", ["low", "high"] * 3, "category"),
        ("x", WORDS, "text"),
        ("x", ["x" * 300] * 3, "text"),
        ("x", [date(2020, 1, 1)], "date"),
        ("x", [[1], [2]], "unusable"),
        ("x", [None, None], "unusable"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_column_is_of_the_kind_that_its_cells_are(name, values, kind):
    assert detected(name, _column(values)).kind == kind


@each(
    ("values", "parts"),
    [
        ([date(2020, 1, 1)], ("age", "month", "weekday")),
        ([datetime(2020, 1, 1, 5)], ("age", "month", "weekday", "hour")),
        ([datetime(2020, 1, 1), None], ("age", "month", "weekday")),
        ([time(5, 0)], ("minute", "sine", "cosine")),
    ],
)
def test_of_a_date_the_parts_are_taken_that_it_has(values, parts):
    assert detected("when", _column(values)).parts == parts


@each("values", [[20210101, 3], [0.5, 2.0], [True, False]])
@each("parts", [(), ("age",)])
def test_numbers_that_are_told_to_be_dates_are_refused(values, parts):
    column = _column(values)
    with pytest.raises(DataError, match="holds what is no date"):
        described("x", "date", column, {"parts": parts})
    with pytest.raises(DataError, match="holds what is no date"):
        coded_column(Column("x", "date", parts=parts), column)


def test_dates_may_be_packed_or_all_missing():
    seen = _column([datetime(2024, 1, 1, 10), datetime(2024, 1, 2)])
    packed = seen.dictionary_encode()
    assert described("x", "date", packed) == described("x", "date", seen)
    gone = _column([None, None], pa.float64())
    assert described("x", "date", gone).parts == ("age", "month", "weekday")
    assert np.isnan(coded_column(Column("x", "date", parts=("age",)), gone)).all()


def test_gaps_are_seen_in_every_kind():
    assert detected("x", _column([1.0, float("nan")])).has_gaps
    assert detected("x", _column(["a", None, "a"])).has_gaps
    assert not detected("x", _column([1.0, 2.0])).has_gaps


def test_of_many_values_the_most_frequent_are_listed_numbers_before_words():
    values = [f"v{k}" for k in range(60) for _ in range(60 - k)]
    listed = described("x", "category", _column(values)).values
    assert set(listed) == {f"v{k}" for k in range(MAX_VALUES)}
    found = described("x", "category", _column(["b", "10", "9", "a"])).values
    assert found == ("9", "10", "a", "b")


def test_an_ordered_type_keeps_its_order():
    ordered = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2]), pa.array(["low", "middle", "high"]), ordered=True
    )
    column = described("x", "category", pa.chunked_array([ordered]))
    assert column.kind == "ordered"
    assert column.values == ("low", "middle", "high")


def test_steps_of_a_scale_stand_in_their_order_as_they_are_spelt():
    found = detected("stage", _column(["III", "I", "II", "IV"] * 3))
    assert found.values == ("I", "II", "III", "IV")
    found = detected("size", _column(["Large", "small", "Medium"] * 3))
    assert found.values == ("small", "Medium", "Large")


def test_values_that_a_person_lists_are_kept():
    told = {"values": ("high", "low")}
    column = described("x", "ordered", _column(["low", "high"]), told)
    assert column.values == ("high", "low")


def test_a_column_of_three_values_is_not_yes_or_no():
    with pytest.raises(DataError, match="a column of the kind yes/no has two"):
        described("x", "yes/no", _column(["a", "b", "c"]))


def test_a_type_of_somebody_else_is_left_out_and_refused_where_it_is_asked_for():
    found = pa.chunked_array([pa.array([b"0" * 16, b"1" * 16]).cast(pa.binary(16))])
    unknown = found.cast(pa.uuid())
    assert detected("x", unknown).kind == "unusable"
    for kind in ("category", "number", "date", "hashed"):
        with pytest.raises(DataError, match=r"uuid.*, which no method learns from"):
            described("x", kind, unknown)
