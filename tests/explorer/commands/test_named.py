"""Names with commas, and names in modules."""

import math
from argparse import ArgumentTypeError

import pytest

from explorer.commands.named import comma_names, number_option
from tests.each import each


def test_a_comma_too_many_names_nothing():
    assert comma_names(" age, pain ,,") == ["age", "pain"]


def test_a_name_with_a_comma_stands_in_quotes():
    assert comma_names('age, "height, cm" ,6" pipe') == ["age", "height, cm", '6" pipe']


@each(("text", "number"), [("2,5", 2.5), ("1,234.5", 1234.5), ("inf", math.inf)])
def test_numbers_are_read_as_people_write_them(text, number):
    assert number_option(text) == number


@each("text", ["1,234", "1_2", "nan", "much", "5%"])
def test_what_is_no_number_or_may_be_two_is_refused(text):
    with pytest.raises(ArgumentTypeError, match=f"'{text}'"):
        number_option(text)
