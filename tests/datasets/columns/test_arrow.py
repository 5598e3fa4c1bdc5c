"""What a column of Arrow holds, and where it holds nothing."""

from decimal import Decimal

import numpy as np
import pyarrow as pa

from solvers.datasets.columns.arrow import kind_of, missing_mask, words_of
from tests.each import each


def column(*values, of=None):
    return pa.chunked_array([pa.array(list(values), of)])


@each(
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


def test_what_is_missing_is_null_or_no_number():
    assert missing_mask(column(1.0, np.nan, None)).tolist() == [False, True, True]
    assert missing_mask(column("", None)).tolist() == [False, True]


def test_words_are_told_apart_once_over_all_chunks():
    chunks = pa.chunked_array([pa.array(["a", " b "]), pa.array(["b", None, ""])])
    words, places = words_of(chunks)
    known = [words[p] if p >= 0 else None for p in places]
    assert known == ["a", "b", "b", None, None]


def test_a_decimal_has_as_many_places_as_it_needs_and_keeps_its_digits():
    many = 10**37 + 1
    words, _ = words_of(column(Decimal("1.50"), Decimal("20.00"), Decimal("0.00")))
    assert words == ["1.5", "20", "0"]
    assert words_of(column(Decimal(many), Decimal(100))).words == [str(many), "100"]
