"""Sliders stand at round values, within what their knob allows."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.widgets.positions import (
    SLIDER_STEPS,
    log_ends,
    positions,
    round_step,
    slider_ends,
)
from solvers import Number, all_methods
from solvers.values.knobs import COST


@given(st.floats(1e-6, 1e6), st.floats(-1e6, 1e6))
def test_a_step_is_1_2_or_5_of_a_power_of_ten_and_makes_at_most_a_hundred(width, low):
    high = low + width
    step = round_step(low, high)
    leading = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(leading - k) for k in (1, 2, 5, 10)) < 1e-6
    assert 20 < (high - low) / step < 100 * (1 + 1e-6)


def test_what_a_knob_shows_are_the_ends_of_its_slider():
    assert slider_ends(Number("x", 0.0, 1.0, shown=(0.1, 0.5))) == (0.1, 0.5)
    assert slider_ends(Number("x", 0.0, 1.0)) == (0.0, 1.0)


def test_bounds_that_are_excluded_are_a_step_away():
    low, high = slider_ends(Number("x", 0.0, 1.0, open=True))
    assert 0.0 < low < 0.05
    assert 0.95 < high < 1.0
    assert slider_ends(Number("n", 0, 10, integer=True, open=True)) == (1, 9)


def test_a_budget_without_a_bound_ends_at_the_cost_of_everything():
    budget = Number("Budget", 0.0, unit=COST)
    assert slider_ends(budget, full_cost=37.5) == (0.0, 37.5)
    assert slider_ends(Number("x", 0.0), default=2.0) == (0.0, 200.0)


def test_sliders_over_powers_of_ten_never_reach_zero():
    low, high = slider_ends(Number("λ", 0.0, 10.0, scale="log"), default=0.5)
    assert (low, high) == (0.005, 10.0)
    assert log_ends(Number("λ", 0.0, shown=(1e-3, 1e2), scale="log")) == (
        pytest.approx(-3),
        pytest.approx(2),
    )


def test_every_value_of_a_log_slider_is_within_its_ends():
    values = positions(Number("λ", 0.0, shown=(1e-3, 1e2), scale="log"))
    assert len(values) == SLIDER_STEPS + 1
    assert values == sorted(values)
    assert values[0] == pytest.approx(1e-3)
    assert values[-1] == pytest.approx(1e2)


def test_the_ends_of_every_declared_number_are_values_that_its_knob_takes():
    for method in all_methods().values():
        for name, knob in method.knobs.items():
            if isinstance(knob, Number):
                for end in slider_ends(knob, full_cost=10.0):
                    knob.check(name, int(end) if knob.integer else end)
