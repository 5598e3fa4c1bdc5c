"""Columns of one entry come together, and gaps are told."""

import math

import pytest

from tests.tracing.signals import SIGNALS, energy, peak, spectrum, traced_all


def table(signal):
    return {"peak": peak(signal), "energy": energy(signal)}


def test_one_function_is_bought_whole_and_says_so():
    traced = traced_all(table)
    assert traced.features == ("peak", "energy")
    graph = traced.hypergraph()
    assert graph.cost(["peak"]) == graph.cost(traced.features)
    assert any("One function gives all 2 columns" in n for n in traced.notes)
    assert traced.trim(["energy"])(SIGNALS[0]) == (energy(SIGNALS[0]),)


def test_columns_of_one_entry_need_the_same():
    traced = traced_all({"bands": lambda s: spectrum(s)[:3], "peak": peak})
    assert traced.features == ("bands_0", "bands_1", "bands_2", "peak")
    trimmed = traced.trim(["bands_1", "peak"])
    assert trimmed.features == ("bands_1", "peak")
    assert trimmed(SIGNALS[1]) == (spectrum(SIGNALS[1])[1], peak(SIGNALS[1]))
    with pytest.raises(ValueError, match="gives 1 numbers and gave 3 where it was"):
        trimmed(SIGNALS[1][:1])


def test_numbers_that_are_not_finite_pass_and_are_told():
    def log(signal):
        return math.nan if signal[0] < 0 else 1.0

    traced = traced_all({"log": log, "peak": peak})
    n_gaps = sum(signal[0] < 0 for signal in SIGNALS)
    assert f"Feature 'log' is not finite on {n_gaps} of 6 samples." in traced.notes
