"""A knob's value in a link is read as the same value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.session.knob_text import knob_text, knob_value
from solvers import Choice, Number, Switch
from tests.each import each

SHARE = Number("Share", 0.0, 1.0)
COUNT = Number("Count", 1, 1000, integer=True, optional=True)


@given(st.floats(allow_nan=False))
def test_any_number_comes_back_to_the_last_bit(value):
    assert knob_value(knob_text(value), SHARE) == value


@given(st.integers(-(10**9), 10**9))
def test_whole_numbers_come_back_whole(value):
    back = knob_value(knob_text(value), COUNT)
    assert back == value
    assert type(back) is int


@each(
    ("value", "knob", "text"),
    [
        (True, Switch("Refit"), "yes"),
        (False, Switch("Refit"), "no"),
        (None, COUNT, "none"),
        (1.0, SHARE, "1"),
        (2.5, SHARE, "2.5"),
        ("lp", Choice("Penalty", ("lp", "mcp")), "lp"),
        ("none", Choice("Penalty", ("none", "mcp")), "none"),
    ],
)
def test_values_are_written_short_and_read_back(value, knob, text):
    assert knob_text(value) == text
    assert knob_value(text, knob) == value


def test_what_is_no_value_is_left_to_the_knob_or_refused():
    assert knob_value("perhaps", Switch("Refit")) == "perhaps"
    assert knob_value("2.5", COUNT) == 2.5
    with pytest.raises(ValueError, match="much"):
        knob_value("much", SHARE)
