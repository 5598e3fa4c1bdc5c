"""A column is taken with its kind and codes, or left out for a reason."""

import numpy as np
import pyarrow as pa
import pytest

from solvers.datasets.table.column_reading import REASONS, is_flat, read_column
from solvers.errors import DataError
from tests.each import each


def column(values):
    return pa.chunked_array([pa.array(values)])


N = 40
DAYS = [f"2024-01-{1 + k % 28:02d}" for k in range(N)]


@each(
    ("values", "kind"),
    [
        ([k / 7 for k in range(N)], "number"),
        (["yes", "no"] * 20, "yes/no"),
        (["red", "blue", "green", "red"] * 10, "category"),
        (DAYS, "date"),
    ],
)
def test_the_kind_is_that_of_the_values(values, kind):
    found = read_column("x", column(values), None, "fill")
    assert (found.column.kind, found.column.gaps) == (kind, "fill")
    assert not np.isnan(found.codes).any()


@each(
    ("values", "told", "reason"),
    [
        ([1.0] * N, None, "constant"),
        ([None] * N, None, "empty"),
        ([[1]] * N, None, "other"),
        ([f"p{k}" for k in range(N)], None, "identifier"),
        (["red", "blue"] * 20, "number", "mistaken"),
    ],
)
def test_what_cannot_be_learned_from_has_a_reason(values, told, reason):
    found = read_column("x", column(values), told, "fill")
    assert found.left_out == reason
    assert reason in REASONS


def test_numbers_below_0_that_name_rows_are_no_figures_with_a_sign():
    found = read_column("id", column(list(range(-N, 0))), None, "fill")
    assert found.left_out == found.column.kind == "identifier"


def test_gaps_are_kept_as_gaps_and_told_of():
    found = read_column("x", column([None, *range(N - 1)]), None, "value")
    assert found.column.has_gaps
    assert np.isnan(found.codes[0])


@each("pack", [lambda c: c, lambda c: c.dictionary_encode()])
def test_decimal_commas_are_read_where_no_word_says_otherwise(pack):
    found = read_column("x", pack(column(["1,5", " -2 ", "+3,25", None])), None, "fill")
    np.testing.assert_equal(found.codes, [1.5, -2.0, 3.25, np.nan])
    assert found.notes == ("Column 'x' holds numbers: '1,5' is 1.5.",)


def test_commas_that_may_part_thousands_are_refused():
    with pytest.raises(
        DataError,
        match=r"'1,500', which may be 1.5 \(a decimal comma\) or 1500 \(thous",
    ):
        read_column("x", column(["1,500", "2,750"]), None, "fill")


def test_a_number_without_end_is_refused_with_its_row():
    with pytest.raises(DataError, match="'x' holds inf in row 2; write a finite"):
        read_column("x", column([1.0, np.inf]), None, "fill")


@each(
    ("values", "reason", "example"),
    [
        ([*["1,5", "2"] * 9, *[f"big {k}" for k in range(40)]], "text", "'big 0'"),
        ([7, 7], "constant", "7"),
        ([np.nan, np.nan], "empty", ""),
        ([[1], [2]], "other", ""),
    ],
)
def test_what_is_left_out_shows_what_it_holds(values, reason, example):
    found = read_column("x", column(values), None, "fill")
    assert (found.left_out, found.example) == (reason, example)


@each(("codes", "flat"), [([1, 1], True), ([1, np.nan], False), ([np.nan] * 2, True)])
def test_a_gap_differs_from_a_value(codes, flat):
    assert is_flat(np.array(codes, dtype=float)) == flat


def test_cells_that_are_no_number_are_told_with_their_rows():
    values = column(["1", "2", "much", "4"] * 10)
    found = read_column("dose", values, "number", "fill")
    rows = np.arange(N) < 8
    (note,) = found.odd_cells(rows)
    assert (
        "'dose' holds text among numbers in 2 rows (such as 'much'; rows 3, 7)" in note
    )
