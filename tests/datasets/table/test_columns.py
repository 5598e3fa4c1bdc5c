"""A column's kind and its numbers, or why it has none."""

import numpy as np
import pyarrow as pa
import pytest

from solvers.datasets.table.columns import kind_of, missing_mask, numbers_of
from solvers.errors import DataError


def column(*values, of=None):
    return pa.chunked_array([pa.array(list(values), of)])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (column(1, 2), "number"),
        (column(1.5, None), "number"),
        (column(True, False), "boolean"),
        (column("a"), "text"),
        (column("a").dictionary_encode(), "text"),
        (column(1, of=pa.date32()), "date"),
        (column(None, None), "empty"),
        (column([1]), "other"),
        (column(b"x"), "other"),
    ],
)
def test_a_column_is_of_one_kind(values, kind):
    assert kind_of(values) == kind


@pytest.mark.parametrize("pack", [lambda c: c, lambda c: c.dictionary_encode()])
def test_decimal_commas_are_read_where_no_word_says_otherwise(pack):
    found = numbers_of("x", pack(column("1,5", " -2 ", "+3,25", None)))
    np.testing.assert_equal(found.values, [1.5, -2.0, 3.25, np.nan])
    assert found.had_commas


def test_commas_that_may_part_thousands_are_refused():
    with pytest.raises(DataError, match="'1,500', which may be a decimal comma"):
        numbers_of("x", column("1,500", "2,750"))


@pytest.mark.parametrize(
    ("values", "reason", "example"),
    [
        (column("1,5", "big"), "text", "'1,5'"),
        (column("2", "big"), "text", "'big'"),
        (column(7, 7), "constant", "7"),
        (column(np.nan, np.nan), "empty", ""),
        (column([1], [2]), "other", ""),
    ],
)
def test_what_holds_no_numbers_says_why(values, reason, example):
    found = numbers_of("x", values)
    assert (found.reason, found.example) == (reason, example)


def test_a_number_without_end_is_refused_with_its_row():
    with pytest.raises(DataError, match="'x' holds inf in row 2; write a finite"):
        numbers_of("x", column(1.0, np.inf))


def test_what_is_missing_is_null_or_no_number():
    assert missing_mask(column(1.0, np.nan, None)).tolist() == [False, True, True]
    assert missing_mask(column("", None)).tolist() == [False, True]
