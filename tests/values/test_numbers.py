"""A column decides what its points and commas are, or the cell in doubt is named."""

import math
from contextlib import suppress
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import DataError
from solvers.values import (
    AmbiguousCellError,
    Beside,
    NumberForm,
    first_code,
    number_form,
)
from solvers.values.numbers import decimal_marks
from tests.each import each

from .printers import PLACES

COMMAS, POINTS = Beside({","}), Beside({"."})
MANY = [9] * 2 + [1]  # one row in ten or less is a slip


@each(
    ("words", "numbers", "beside"),
    [
        (["950.5", "1,234"], [950.5, 1234], Beside()),
        (["2,037", "1,000,000"], [2037, 1_000_000], Beside()),
        (["900", "1,200"], [900, 1200], Beside()),
        (["950", "1.234"], [950, 1234], COMMAS),
        (["950", "1,234"], [950, 1234], POINTS),
        (["950", "1,234"], [950, 1.234], COMMAS),
        (["1.234", "2.345"], [1.234, 2.345], Beside()),
        (["1,5", "2", "1.234"], [1.5, 2, 1234], Beside()),
        (["0,125", "1,125"], [0.125, 1.125], Beside()),
        (["1234,567"], [1234.567], Beside()),
        (["12,34,567", "1,234"], [1_234_567, 1234], Beside()),
        (["1 234", "1\u202f234\u202f567,5"], [1234, 1_234_567.5], Beside()),
        (["1'234.5", "2\u2019000"], [1234.5, 2000], Beside()),
        (["$12,500", "$7,250"], [12_500, 7250], Beside()),
        (
            ["52,000", "61,500", "48,000", "90,000", "10,100"],
            [52e3] + [None] * 4,
            Beside(),
        ),
        (["$1,234.50", "(12.00)", "-$5", "$ -"], [1234.5, -12, -5, 0], Beside()),
        (["1.234,50 €", "EUR 5", "€ 1"], [1234.5, 5, 1], Beside()),
        (["USD 5", "$5", "5 usd"], [5, 5, 5], Beside()),
        (["12.5%", "0", "(3.0 %)"], [0.125, 0, None], Beside()),
        (["12,3 %", "1 %"], [0.123, 0.01], Beside()),
    ],
)
def test_a_column_decides_by_all_of_its_words(words, numbers, beside):
    form = number_form(words, beside=beside)
    for word, number in zip(words, numbers, strict=True):
        assert number is None or form.read(word) == number


def test_a_column_writes_numbers_if_some_form_reads_them():
    forms = [
        NumberForm(point, mark) for point, mark in (".,", ",.", (".", ""), (",", ""))
    ]
    for word in map("".join, product("01.,-e", repeat=4)):
        is_read = any(form.read(word) is not None for form in forms)
        with suppress(AmbiguousCellError):  # it may be read in two ways
            assert (number_form([word]) is not None) == is_read, word
    assert number_form([".999", ".25"]).read(".25") == 0.25


def test_a_word_among_numbers_does_not_change_how_these_are_read():
    form = number_form(["900", "1,200", "n.k."], MANY)
    assert [form.read(word) for word in ("900", "1,200", "n.k.")] == [900, 1200, None]
    assert number_form(["900", "1,200", "n.k."]) is None


@each(
    ("words", "cell", "readings"),
    [
        (["1,234"], "1,234", ["1.234", "1234"]),
        (["950", "USD 1,234"], "USD 1,234", ["1.234", "1234"]),
        (["900", "1.200"], "1.200", ["1.2", "1200"]),
        (["1,234", "2.345"], "1,234", ["1.234", "1234"]),
        (["1.5", "1,5"], "1,5", ["a gap", "1.5"]),
        (["$1.50", "2,50 €"], "2,50 €", ["a gap", "2.5"]),
        (["1.5", "1 234,5"], "1 234,5", ["a gap", "1234.5"]),
        (["12.5%", "1e3"], "1e3", ["10", "1000"]),
        (["12.5%", "3"], "3", ["0.03", "3"]),
    ],
)
def test_what_stays_ambiguous_is_refused_with_both_readings(words, cell, readings):
    with pytest.raises(AmbiguousCellError) as caught:
        number_form(words, name="pay")
    assert caught.value.cell == cell
    assert list(caught.value.readings.values()) == readings
    for part in ("'pay'", repr(cell), *readings, *caught.value.readings):
        assert part in str(caught.value)


@each(
    ("words", "said", "word", "number"),
    [
        (["1,234"], {"decimal": ","}, "1,234", 1.234),
        (["1,234"], {"decimal": "."}, "1,234", 1234),
        (["12.5%", "3"], {"percent": "always"}, "3", 0.03),
        (["12.5%", "3"], {"percent": "either"}, "3", 3),
        (["12.5%", "3"], {"percent": "either"}, "12.5%", 0.125),
    ],
)
def test_what_is_said_is_not_in_doubt(words, said, word, number):
    assert number_form(words, least=0, **said).read(word) == number


@pytest.mark.parametrize("mark", [Beside({".", ","})])
def test_a_file_of_both_marks_decides_nothing(mark):
    for word in ("1,234", "1.234"):
        with pytest.raises(AmbiguousCellError):
            number_form([word], beside=mark)


@each("words", [["a", "b"], ["10.0.0.1", "10.0.0.2"], ["(1)", "(2)"], ["$5", "€6"], []])
def test_what_writes_no_number_has_no_form(words):
    assert number_form(words) is None


@each(
    ("words", "code"),
    [
        (["1", "10", "01"], "01"),
        (["7.10", "007.1"], "007.1"),
        (["1e5", "10e4"], "10e4"),
        (["12345678901234567890123"], "12345678901234567890123"),
        (["20001", "02001"], "02001"),
        (["0", "0.5", "-0.5", ".5", "0,5"], None),
        (["1e5", "2.5E-03", "0.12E+05", "12.5e3", "0e0"], None),
        (["9007199254740992", "100000000000000000000"], None),
        (["0.12345678901234567890"], None),
        (["abc", "01b"], None),
    ],
)
def test_a_word_that_no_number_writes_is_a_code(words, code):
    assert first_code(words) == code


number = st.integers(-(10**9), 10**9).map(lambda n: n / 100)
shares = st.lists(
    st.integers(-9999, 9999).map(lambda n: n / 10), min_size=1, max_size=9
)


@each("place", PLACES.values(), ids=PLACES)
@given(st.lists(number, min_size=1, max_size=9))
def test_money_and_numbers_of_every_place_are_read_back(place, numbers):
    for write in (lambda n: place.number(n, 2), place.amount):
        words = [write(n) for n in numbers]
        form = number_form(words)
        assert form.read_all(words).tolist() == numbers


@each("place", PLACES.values(), ids=PLACES)
@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=9))
def test_whole_numbers_are_read_back_where_their_file_tells_its_marks(place, numbers):
    words = [place.number(n) for n in numbers]
    beside = Beside(decimal_marks([place.number(0.5)]))
    assert number_form(words, beside=beside).read_all(words).tolist() == numbers
    if place.thousands != ".":  # which parts decimals where nothing tells otherwise
        with suppress(AmbiguousCellError):
            assert number_form(words).read_all(words).tolist() == numbers


@each("place", PLACES.values(), ids=PLACES)
@given(shares)
def test_percentages_are_read_as_parts_of_one(place, numbers):
    words = [place.share(n) for n in numbers]
    wanted = [float(f"{n}e-2") for n in numbers]
    assert number_form(words).read_all(words).tolist() == wanted


FORMS = [
    NumberForm(),
    NumberForm(".", ","),
    NumberForm(",", ".", currency="€"),
    NumberForm(",", " ", percent="marked"),
    NumberForm(".", "'", percent="always"),
    NumberForm(".", ",", indian=True, currency="₹", percent="either"),
]


@each("form", FORMS, ids=repr)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_reads_as_the_same_number(form, value):
    if form.percent == "never" or 1e-99 < abs(value) < 1e99:
        assert form.read(form.write(value)) == value


@given(st.lists(st.text("0123456789.,' -+%$€()e\n", max_size=9) | st.none()))
def test_many_words_are_read_as_each_is(words):
    for form in FORMS:
        one = [
            math.nan if w is None or form.read(w) is None else form.read(w)
            for w in words
        ]
        np.testing.assert_array_equal(form.read_all(words), one)


@each(
    ("fields", "sentence"),
    [
        ({"decimal": ";"}, "has decimal ';'; use one of '.', ','"),
        ({"thousands": "_"}, "has thousands '_'"),
        ({"decimal": ",", "thousands": ","}, "for decimals and for thousands"),
        ({"currency": "Taler"}, "the currency 'Taler'"),
        ({"percent": "maybe"}, "has percent 'maybe'"),
    ],
)
def test_a_form_that_makes_no_sense_is_refused(fields, sentence):
    with pytest.raises(DataError, match=sentence):
        NumberForm(**fields)
