"""Cells that a spreadsheet would compute are written as text and come back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.costs.interchange.cells import guarded, unguarded

STARTS = [*"=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"]


@given(st.text(st.sampled_from("'=+-@\t\r\n\uff1d a1"), max_size=8))
@example("'=1")
@example("''+")
def test_every_cell_comes_back_as_it_was(cell):
    assert unguarded(guarded(cell)) == cell


@pytest.mark.parametrize("start", STARTS)
def test_no_cell_that_begins_a_formula_is_written_as_it_is(start):
    assert guarded(f"{start}A1") == f"'{start}A1"
    assert guarded(f"'{start}A1") == f"''{start}A1"


@pytest.mark.parametrize("number", ["-1", "+2.5", "-.5e-3", "1e9", "-3."])
def test_text_that_is_a_number_stays_a_number(number):
    assert guarded(number) == number


@pytest.mark.parametrize("value", [3, -2.5, None, True])
def test_what_is_no_text_stays_as_it_is(value):
    assert guarded(value) is value


def test_an_apostrophe_alone_guards_nothing():
    assert guarded("'quoted'") == "'quoted'"
    assert unguarded("'quoted'") == "'quoted'"
