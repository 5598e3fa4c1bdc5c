"""Costs as people type them are read in the unit of the drawing, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.document.units import MAX_COST, read_cost
from solvers.errors import HypergraphError
from tests.each import each


@each(
    ("typed", "unit", "cost"),
    [
        ("3", "us", 3.0),
        (" 2,5 ", "us", 2.5),
        (".5", "us", 0.5),
        ("5.", "us", 5.0),
        ("1e3", "us", 1000.0),
        ("0.3 ms", "us", 300.0),
        ("250us", "ms", 0.25),
        ("2 µs", "us", 2.0),
        ("1e3ns", "us", 1.0),
        ("1,234.50", "CAD", 1234.5),
        ("1 234,5 CAD", "CAD", 1234.5),
        ("7 CAD", "CAD", 7.0),
        ("$7.27", "joule", 7.27),
        ("7,27 €", "features", 7.27),
        ("$1,234.50", "CAD", 1234.5),
        ("7,27 EUR", "€", 7.27),
        (4, "us", 4.0),
        (-0.0, "us", 0.0),
    ],
)
def test_a_cost_is_read_in_its_unit(typed, unit, cost):
    assert read_cost(typed, unit) == pytest.approx(cost)


@given(st.floats(0, MAX_COST))
def test_a_number_that_python_writes_is_read_as_itself(value):
    assert read_cost(repr(value), "us") == value


@each(
    ("typed", "sentence"),
    [
        ("", "is no number of 0 or more; type one such as 2.5"),
        ("-1", "is no number of 0 or more"),
        ("three", "is no number of 0 or more"),
        ("nan", "is no number of 0 or more"),
        ("inf", "is no number of 0 or more"),
        ([3], "A cost is a number, not a list"),
        ("3 kg", "Costs in 'kg' cannot be put beside costs in 'us'"),
        ("1.2.3", "no number"),
        ("1_2", "is no number"),
        ("5%", "Costs in '%' cannot be put beside costs in 'us'"),
        ("1,234", "'1,234' may be 1.234 or 1234; type it without thousands"),
        ("1" * 100, "is no number"),
        ("1e400", "is out of range"),
        (1e16, "is out of range; a cost lies between 0 and 1e+15"),
        (-1, "is out of range"),
        (float("nan"), "is out of range"),
        (10**400, "is out of range"),
        (True, "A cost is a number, not a bool"),
        (None, "A cost is a number, not a NoneType"),
        ("$7", "Costs in '$' cannot be put beside costs in 'us'"),
        ("$1,234", "'$1,234' may be 1.234 or 1234"),
        ("3 CAD", "Costs in 'CAD' cannot be put beside costs in 'us'"),
    ],
)
def test_what_is_no_cost_is_refused(typed, sentence):
    with pytest.raises(HypergraphError) as refusal:
        read_cost(typed, "us")
    assert sentence in str(refusal.value)


def test_money_of_one_currency_is_not_put_beside_another():
    for typed in ("7,27 €", "7.27 EUR"):
        with pytest.raises(HypergraphError, match=r"'€' cannot be put beside .* 'USD'"):
            read_cost(typed, "USD")
